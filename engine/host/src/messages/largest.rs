//! Sentences about the largest axis value within a time.

use crate::analyze::growth::{GrowthClass, LargestWithin};
use crate::rounded::{axis_estimate, rounded};
use crate::units::{Nanos, exact_time, number};

/// The names of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AxisTerms<'a> {
    /// The parameter, such as "size".
    pub name: &'a str,
    /// The unit of its values, such as "keys"; may be empty.
    pub unit: &'a str,
    /// Whether its values are whole numbers.
    pub is_whole: bool,
}

impl AxisTerms<'_> {
    /// An axis value with its unit, or else with the name of the axis: `12 300 keys`, `size = 12 300`.
    fn quantity(self, value: &str) -> String {
        let Self { name, unit, .. } = self;
        if unit.is_empty() { format!("{name} = {value}") } else { format!("{value} {unit}") }
    }
}

/// The largest axis value at which a function takes at most `limit`. `class`: that of the extrapolated curve, if it is known.
pub fn largest_sentence(
    function: &str,
    axis: AxisTerms<'_>,
    limit: Nanos,
    largest: LargestWithin,
    class: Option<GrowthClass>,
) -> String {
    let limit = exact_time(limit);
    match largest {
        LargestWithin::At { x, interval } => {
            let [x, low, high] = axis_estimate(x, interval, axis.is_whole);
            format!("{function}: up to {} within {limit}.", axis.quantity(&format!("{x} ({low} to {high})")))
        }
        LargestWithin::BelowRange(first) => {
            format!(
                "{function} takes more than {limit} even at {}, the smallest measured value.",
                axis.quantity(&number(first))
            )
        }
        LargestWithin::AboveRange { last, extrapolated } => {
            let last = axis.quantity(&number(last));
            let further = extrapolated.zip(class).map(|(x, class)| {
                // Two digits, since nothing is known about the accuracy beyond the points.
                let x = if axis.is_whole { rounded(x, x).round() } else { rounded(x, x) };
                let x = axis.quantity(&number(x));
                format!("; about {x} if it continues to grow like {class}")
            });
            format!(
                "{function} stays within {limit} up to {last}, the largest measured value{}.",
                further.unwrap_or_default()
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::interval::Interval;

    fn sentence(unit: &str, largest: LargestWithin) -> String {
        let axis = AxisTerms { name: "size", unit, is_whole: true };
        largest_sentence("sort", axis, Nanos(1e6), largest, Some(GrowthClass::Linearithmic))
            .replace(crate::units::SPACE, " ")
    }

    #[test]
    fn states_the_largest_value_with_its_interval() {
        let at = LargestWithin::At { x: 12_312.3, interval: Interval { low: 11_913.0, high: 12_730.0 } };
        assert_eq!(sentence("keys", at), "sort: up to 12 310 (11 910 to 12 730) keys within 1 ms.");
        let at = LargestWithin::At { x: 12_312.3, interval: Interval { low: 10_913.0, high: 13_730.0 } };
        assert_eq!(sentence("", at), "sort: up to size = 12 300 (10 900 to 13 700) within 1 ms.");
        let few = LargestWithin::At { x: 27.91, interval: Interval { low: 27.2, high: 28.44 } };
        assert_eq!(sentence("entries", few), "sort: up to 28 (27 to 28) entries within 1 ms.");
        let exact = LargestWithin::At { x: 400.0, interval: Interval { low: 400.0, high: 400.0 } };
        assert_eq!(sentence("keys", exact), "sort: up to 400 (400 to 400) keys within 1 ms.");
    }

    #[test]
    fn states_the_ends_of_the_range() {
        assert_eq!(
            sentence("keys", LargestWithin::BelowRange(100.0)),
            "sort takes more than 1 ms even at 100 keys, the smallest measured value."
        );
        assert_eq!(
            sentence("keys", LargestWithin::AboveRange { last: 1e5, extrapolated: Some(314_159.0) }),
            "sort stays within 1 ms up to 100 000 keys, the largest measured value; about 310 000 keys if it continues to grow like n log n."
        );
        let extrapolated = LargestWithin::AboveRange { last: 4.0, extrapolated: Some(5.53) };
        assert!(sentence("entries", extrapolated).contains("about 6 entries if"));
        assert_eq!(
            sentence("", LargestWithin::AboveRange { last: 1e5, extrapolated: None }),
            "sort stays within 1 ms up to size = 100 000, the largest measured value."
        );
    }
}
