//! Failed points, one sentence per reason.

use crate::quality::Priority;
use crate::response::Failure;

use benchbook_contract::axis_value::AxisValue;

use super::at::at_x;

/// A point that failed at some priority.
#[derive(Clone, Copy, Debug)]
pub struct FailedPoint<'a> {
    /// The axis value.
    pub x: &'a AxisValue,
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
    let mut groups: Vec<(Option<Priority>, &str, Vec<&AxisValue>)> = Vec::new();
    for FailedPoint { x, priority, failure, has_figures } in points {
        let priority = has_figures.then_some(priority);
        let is_same = |(other, reason, _): &&mut (_, &str, _)| *other == priority && *reason == failure.reason;
        match groups.iter_mut().find(is_same) {
            Some((.., values)) => values.push(x),
            None => groups.push((priority, &failure.reason, vec![x])),
        }
    }
    let more = groups.len().saturating_sub(MAX_SENTENCES);
    let sentence = |(priority, reason, values): (Option<Priority>, &str, Vec<&AxisValue>)| {
        let at = at_x(values);
        match priority {
            None => format!("No figures{at}: {reason}."),
            Some(priority) => {
                format!("Priority {} failed{at}; earlier figures remain: {reason}.", priority.number())
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
        let xs = [10.0, 20.0, 30.0, 40.0].map(AxisValue::Number);
        let point =
            |x: usize, priority, failure, has_figures| FailedPoint { x: &xs[x], priority, failure, has_figures };
        let points = [
            point(0, Priority::FIRST, &panic, false),
            point(1, second, &trap, false),
            point(2, second, &panic, true),
            point(3, second, &panic, false),
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
        let without_axis = FailedPoint { x: &AxisValue::Absent, priority: second, failure: &panic, has_figures: false };
        assert_eq!(failures([without_axis].into_iter()), ["No figures: it panicked."]);
    }

    #[test]
    fn limits_the_number_of_sentences() {
        let reasons: Vec<Failure> = (1..=5).map(|index| failed(&format!("reason {index}"))).collect();
        let points = reasons.iter().map(|failure| FailedPoint {
            x: &AxisValue::Number(1.0),
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
