//! Failed points, one sentence per reason.

use crate::quality::Priority;
use crate::response::Failure;
use crate::units::number;

/// A point that failed at some priority.
#[derive(Clone, Copy, Debug)]
pub struct FailedPoint<'a> {
    /// The axis value.
    pub x: f64,
    /// The priority that failed.
    pub priority: Priority,
    /// The reason.
    pub failure: &'a Failure,
    /// Whether the point has figures of an earlier priority.
    pub has_figures: bool,
}

/// The most sentences per curve: reasons often differ by a number only.
const MAX_SENTENCES: usize = 3;

/// Returns one sentence per reason, with the affected axis values, in the order of their first point.
pub fn failures<'a>(points: impl Iterator<Item = FailedPoint<'a>>) -> Vec<String> {
    let mut groups: Vec<(Option<Priority>, &str, Vec<String>)> = Vec::new();
    for FailedPoint { x, priority, failure, has_figures } in points {
        let priority = has_figures.then_some(priority);
        let is_same = |(other, reason, _): &&mut (_, &str, _)| *other == priority && *reason == failure.reason;
        match groups.iter_mut().find(is_same) {
            Some((.., values)) => values.push(number(x)),
            None => groups.push((priority, &failure.reason, vec![number(x)])),
        }
    }
    let more = groups.len().saturating_sub(MAX_SENTENCES);
    let sentence = |(priority, reason, values): (Option<Priority>, &str, Vec<String>)| {
        let values = values.join(", ");
        match priority {
            None => format!("No figures at {values}: {reason}."),
            Some(priority) => {
                format!("Priority {} failed at {values}; earlier figures remain: {reason}.", priority.number())
            }
        }
    };
    let mut sentences: Vec<String> = groups.into_iter().take(MAX_SENTENCES).map(sentence).collect();
    sentences.extend((more > 0).then(|| format!("And {more} more: see the table.")));
    sentences
}

#[cfg(test)]
mod tests {
    use crate::response::FailureKind;

    use super::*;

    fn failed(reason: &str) -> Failure {
        Failure { kind: FailureKind::Panic, reason: reason.to_owned() }
    }

    #[test]
    fn groups_points_by_reason_and_by_remaining_figures() {
        let (panic, trap) = (failed("it panicked"), failed("it trapped"));
        let second = Priority::try_from(2).expect("a priority");
        let point = |x: f64, priority, failure, has_figures| FailedPoint { x, priority, failure, has_figures };
        let points = [
            point(10.0, Priority::FIRST, &panic, false),
            point(20.0, second, &trap, false),
            point(30.0, second, &panic, true),
            point(40.0, second, &panic, false),
        ];
        assert_eq!(
            failures(points.into_iter()),
            [
                "No figures at 10, 40: it panicked.",
                "No figures at 20: it trapped.",
                "Priority 2 failed at 30; earlier figures remain: it panicked.",
            ]
        );
        assert_eq!(failures([].into_iter()), [""; 0]);
    }

    #[test]
    fn limits_the_number_of_sentences() {
        let reasons: Vec<Failure> = (1..=5).map(|index| failed(&format!("reason {index}"))).collect();
        let points = reasons.iter().map(|failure| FailedPoint {
            x: 1.0,
            priority: Priority::FIRST,
            failure,
            has_figures: false,
        });
        let sentences = failures(points);
        assert_eq!(sentences.len(), 4);
        assert_eq!(sentences[2], "No figures at 1: reason 3.");
        assert_eq!(sentences[3], "And 2 more: see the table.");
    }
}
