//! The description of an axis.

use crate::scale::{Scale, Window};

/// One axis: its title, unit and scale.
#[derive(Clone, Debug, PartialEq)]
pub struct AxisSpec {
    /// The quantity, such as "Number of keys".
    pub title: String,
    /// The unit of the values.
    pub unit: Unit,
    /// The scale.
    pub scale: Scale,
    /// The smallest range that a fitted view shows: the requested range, so that the axis does not move while points
    /// arrive.
    pub range: Option<Window>,
}

impl AxisSpec {
    /// An axis of times per call.
    pub fn time_per_call(scale: Scale) -> Self {
        Self { title: "Time per call".to_owned(), unit: Unit::Nanoseconds, scale, range: None }
    }

    /// An axis of whole numbers.
    pub(crate) fn count(title: &str, scale: Scale) -> Self {
        Self { title: title.to_owned(), unit: Unit::Count, scale, range: None }
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
