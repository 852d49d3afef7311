//! The description of an axis.

use benchbook_host::units::{TimeUnit, significant};

use crate::scale::{AxisScale, Window};

/// One axis: its title, unit and scale.
#[derive(Clone, Debug, PartialEq)]
pub struct AxisSpec {
    /// The quantity, such as "Number of keys".
    pub title: String,
    /// The unit of the values.
    pub unit: Unit,
    /// The scale.
    pub scale: AxisScale,
    /// The smallest range that a fitted view shows: the requested range, so that the axis does not move while points
    /// arrive.
    pub range: Option<Window>,
}

impl AxisSpec {
    /// An axis of times per call.
    pub fn time_per_call(scale: AxisScale) -> Self {
        Self { title: "Time per call".to_owned(), unit: Unit::Nanoseconds, scale, range: None }
    }

    /// An axis of whole numbers.
    pub(crate) fn count(title: &str, scale: AxisScale) -> Self {
        Self { title: title.to_owned(), unit: Unit::Count, scale, range: None }
    }

    /// The title and a range of values in words, with three significant digits: `Time per call, 1.25 to 8.60 µs`.
    pub fn describe(&self, window: Window) -> String {
        let Window { low, high } = window;
        let range = match &self.unit {
            Unit::Nanoseconds => {
                let unit = TimeUnit::for_largest(low.abs().max(high.abs()));
                format!("{} to {}", unit.digits(low), unit.format(high))
            }
            Unit::Named(unit) if !unit.is_empty() => {
                format!("{} to {} {unit}", significant(low, 3), significant(high, 3))
            }
            Unit::Count | Unit::Named(_) => format!("{} to {}", significant(low, 3), significant(high, 3)),
        };
        format!("{}, {range}", self.title)
    }

    /// The title with its unit, unless the labels name the unit or the title contains it.
    pub(crate) fn heading(&self) -> String {
        match &self.unit {
            Unit::Named(unit)
                if !unit.is_empty() && !self.title.to_ascii_lowercase().contains(&unit.to_ascii_lowercase()) =>
            {
                format!("{} ({unit})", self.title)
            }
            _ => self.title.clone(),
        }
    }
}

/// The unit of an axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Nanoseconds; labels use ns, µs, ms or s.
    Nanoseconds,
    /// Whole numbers without a unit; labels are short counts such as 20k.
    Count,
    /// A parameter's unit, possibly empty; labels are short counts such as 20k.
    Named(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn describes_a_range_with_its_unit() {
        let times = AxisSpec::time_per_call(AxisScale::Linear);
        let described = |axis: &AxisSpec, low, high| axis.describe(Window { low, high }).replace('\u{202f}', " ");
        assert_eq!(described(&times, 1_250.0, 8_600.0), "Time per call, 1.25 to 8.60 µs");
        assert_eq!(described(&times, -30.0, 40.0), "Time per call, −30.0 to 40.0 ns");
        let keys = AxisSpec { title: "Size".to_owned(), unit: Unit::Named("keys".to_owned()), ..times.clone() };
        assert_eq!(described(&keys, 100.0, 23_714.2), "Size, 100 to 23 714 keys");
        assert_eq!(described(&AxisSpec::count("Samples", AxisScale::Linear), 0.5, 12.0), "Samples, 0.500 to 12.0");
    }
}
