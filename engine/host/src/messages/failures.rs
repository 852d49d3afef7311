//! Failed points, one sentence per failed part and reason.

use crate::quality::Priority;
use crate::response::Failure;

use benchbook_contract::axis_value::AxisValue;

use super::at::at_x;

/// A point that failed at some priority.
#[derive(Clone, Copy, Debug)]
pub struct FailedPoint<'a> {
    /// The axis value.
    pub x: &'a AxisValue,
    /// What failed.
    pub part: FailedPart,
    /// The reason.
    pub failure: &'a Failure,
}

/// The part of a point's measurement that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailedPart {
    /// All of it: the point has no figures.
    Everything,
    /// This priority. The figures of an earlier one remain.
    Priority(Priority),
    /// The first calls. Those before the failure remain, and so do the other figures.
    FirstCalls,
}

/// The most sentences per curve: reasons often differ by a number only.
const MAX_SENTENCES: usize = 3;

/// Returns one sentence per part and reason, with the affected axis values, in the order of their first point.
pub fn failures<'a>(points: impl Iterator<Item = FailedPoint<'a>>) -> Vec<String> {
    let mut groups: Vec<(FailedPart, &str, Vec<&AxisValue>)> = Vec::new();
    for FailedPoint { x, part, failure } in points {
        let is_same = |(other, reason, _): &&mut (_, &str, _)| *other == part && *reason == failure.reason;
        match groups.iter_mut().find(is_same) {
            Some((.., values)) => values.push(x),
            None => groups.push((part, &failure.reason, vec![x])),
        }
    }
    let more = groups.len().saturating_sub(MAX_SENTENCES);
    let sentence = |(part, reason, values): (FailedPart, &str, Vec<&AxisValue>)| {
        let at = at_x(values);
        match part {
            FailedPart::Everything => format!("No results{at}: {reason}."),
            FailedPart::Priority(priority) => {
                format!("Priority {} failed{at}; earlier results remain: {reason}.", priority.number())
            }
            FailedPart::FirstCalls => format!("The first calls ended early{at}: {reason}."),
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
        let point = |x: usize, part, failure| FailedPoint { x: &xs[x], part, failure };
        let points = [
            point(0, FailedPart::Everything, &panic),
            point(1, FailedPart::Everything, &trap),
            point(2, FailedPart::Priority(second), &panic),
            point(3, FailedPart::Everything, &panic),
            point(3, FailedPart::FirstCalls, &trap),
        ];
        assert_eq!(
            failures(points.into_iter()),
            [
                "No results at 10, 40: it panicked.",
                "No results at 20: it trapped.",
                "Priority 2 failed at 30; earlier results remain: it panicked.",
                "And 1 more: see the table.",
            ]
        );
        assert_eq!(
            failures([point(0, FailedPart::FirstCalls, &trap), point(1, FailedPart::FirstCalls, &trap)].into_iter()),
            ["The first calls ended early at 10, 20: it trapped."]
        );
        assert_eq!(failures([].into_iter()), [""; 0]);
        let without_axis = FailedPoint { x: &AxisValue::Absent, part: FailedPart::Everything, failure: &panic };
        assert_eq!(failures([without_axis].into_iter()), ["No results: it panicked."]);
    }

    #[test]
    fn limits_the_number_of_sentences() {
        let reasons: Vec<Failure> = (1..=5).map(|index| failed(&format!("reason {index}"))).collect();
        let points = reasons.iter().map(|failure| FailedPoint {
            x: &AxisValue::Number(1.0),
            part: FailedPart::Everything,
            failure,
        });
        let sentences = failures(points);
        assert_eq!(sentences.len(), 4);
        assert_eq!(sentences[2], "No results at 1: reason 3.");
        assert_eq!(sentences[3], "And 2 more: see the table.");
    }
}
