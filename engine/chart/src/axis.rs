//! The description of an axis.

use benchbook_host::units::{TimeUnit, number, significant};

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
    /// arrive; or that of a vertical axis which need not start at 0, such as 1 for ratios.
    pub range: Option<Window>,
}

impl AxisSpec {
    /// An axis of times per call.
    pub fn time_per_call(scale: AxisScale) -> Self {
        Self { title: "Time per call".to_owned(), unit: Unit::Nanoseconds, scale, range: None }
    }

    /// An axis of whole numbers.
    pub(crate) fn count(title: &str, scale: AxisScale) -> Self {
        Self { title: title.to_owned(), unit: Unit::whole(), scale, range: None }
    }

    /// An axis of categories with these labels, in this order. Each has a slot of width 1; its value is its index, which is
    /// the middle of the slot. The label may be empty, such as that of the only category of a measurement without an axis.
    pub fn categories(title: impl Into<String>, labels: Vec<String>) -> Self {
        let slots = Window { low: -0.5, high: labels.len().max(1) as f64 - 0.5 };
        let (scale, range) = (AxisScale::Linear, Some(slots));
        Self { title: title.into(), unit: Unit::Categories(labels), scale, range }
    }

    /// Whether the values are categories, which have no order: no line connects their points.
    pub fn is_categorical(&self) -> bool {
        matches!(self.unit, Unit::Categories(_))
    }

    /// The label of the category whose slot contains a value, possibly empty. Returns `None` outside all slots, and on an
    /// axis without categories.
    pub fn label_at(&self, value: f64) -> Option<&str> {
        let Unit::Categories(labels) = &self.unit else { return None };
        let last = labels.len().checked_sub(1)?;
        let is_inside = (-0.5..=last as f64 + 0.5).contains(&value);
        is_inside.then(|| labels[((value + 0.5) as usize).min(last)].as_str())
    }

    /// The title and a range of values in words, with three significant digits: `Time per call, 1.25 to 8.60 µs`. For
    /// categories, the first and the last label: `Order, Random to Sorted`.
    pub fn describe(&self, window: Window) -> String {
        let Window { low, high } = window;
        let range = match &self.unit {
            Unit::Categories(labels) => return self.describe_categories(visible(labels, window)),
            Unit::Nanoseconds => {
                let unit = TimeUnit::for_largest(low.abs().max(high.abs()));
                format!("{} to {}", unit.digits(low), unit.format(high))
            }
            Unit::Count(unit) => {
                let (first, last) = whole_numbers(window);
                format!("{} to {} {unit}", number(first), number(last))
            }
            Unit::Named(unit) => format!("{} to {} {unit}", significant(low, 3), significant(high, 3)),
        };
        format!("{}, {}", self.title, range.trim_end())
    }

    fn describe_categories(&self, visible: &[String]) -> String {
        let (first, last) = (visible.first().map_or("", String::as_str), visible.last().map_or("", String::as_str));
        let range = match (first, last) {
            _ if visible.is_empty() => "no values".to_owned(),
            ("", label) | (label, "") => label.to_owned(),
            _ if visible.len() == 1 => first.to_owned(),
            _ => format!("{first} to {last}"),
        };
        match (self.title.as_str(), range.as_str()) {
            ("", "") => "single value".to_owned(),
            ("", text) | (text, "") => text.to_owned(),
            (title, range) => format!("{title}, {range}"),
        }
    }

    /// The title with its unit, unless the labels name the unit or the title contains it.
    pub(crate) fn heading(&self) -> String {
        match &self.unit {
            Unit::Named(unit) | Unit::Count(unit)
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
    /// Whole numbers of a unit, possibly empty; labels are short counts such as 20k.
    Count(String),
    /// A parameter's unit, possibly empty; labels are short counts such as 20k.
    Named(String),
    /// The labels of categories; see [`AxisSpec::categories`].
    Categories(Vec<String>),
}

impl Unit {
    /// Whole numbers without a unit.
    pub fn whole() -> Self {
        Self::Count(String::new())
    }

    /// Numbers without a unit, of which these are some.
    pub fn of_values(values: impl IntoIterator<Item = f64>) -> Self {
        let is_whole = values.into_iter().all(|value| value.fract() == 0.0);
        if is_whole { Self::whole() } else { Self::Named(String::new()) }
    }
}

/// The first and the last whole number in a window. If it has none, the whole number nearest to its middle.
fn whole_numbers(Window { low, high }: Window) -> (f64, f64) {
    let (first, last) = (low.ceil(), high.floor());
    let middle = low.midpoint(high).round();
    if first <= last { (first, last) } else { (middle, middle) }
}

/// The labels of the categories whose middle is in a window. If there are none, the label of the one whose slot contains
/// the middle of the window.
fn visible(labels: &[String], window: Window) -> &[String] {
    let (first, last) = whole_numbers(window);
    // A conversion to `usize` turns negative numbers into 0.
    let end = ((last + 1.0) as usize).min(labels.len());
    labels.get(first as usize..end).unwrap_or_default()
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
        assert_eq!(described(&AxisSpec::count("Samples", AxisScale::Linear), 0.5, 12.9), "Samples, 1 to 12");
        let entries = AxisSpec { title: "Size".to_owned(), unit: Unit::Count("entries".to_owned()), ..times };
        assert_eq!(described(&entries, 27.9, 10_748.2), "Size, 28 to 10 748 entries");
        assert_eq!(described(&entries, 4.2, 4.9), "Size, 5 to 5 entries");
    }

    fn categories(title: &str, labels: &[&str]) -> AxisSpec {
        AxisSpec::categories(title, labels.iter().map(|&label| label.to_owned()).collect())
    }

    #[test]
    fn describes_first_and_last_visible_category() {
        let axis = categories("Order", &["Random", "Reversed", "Sorted"]);
        let described = |low, high| axis.describe(Window { low, high });
        assert_eq!(axis.range.map(|range| axis.describe(range)).as_deref(), Some("Order, Random to Sorted"));
        assert_eq!(described(0.2, 2.0), "Order, Reversed to Sorted");
        assert_eq!(described(0.9, 1.1), "Order, Reversed");
        assert_eq!(described(0.1, 0.3), "Order, Random");
        assert_eq!(described(2.4, 2.45), "Order, Sorted");
        for (low, high) in [(3.0, 9.0), (-9.0, -0.6), (f64::NAN, f64::NAN), (1e300, f64::INFINITY)] {
            assert_eq!(described(low, high), "Order, no values", "{low} to {high}");
        }
    }

    #[test]
    fn describes_categories_without_title_or_label() {
        let described = |title, labels| {
            let axis = categories(title, labels);
            axis.range.map(|range| axis.describe(range)).unwrap_or_default()
        };
        assert_eq!(described("Order", &["Random"]), "Order, Random");
        assert_eq!(described("Order", &[""]), "Order");
        assert_eq!(described("", &["Random"]), "Random");
        assert_eq!(described("", &[""]), "single value");
        assert_eq!(described("File", &["", "a.txt", "b.txt"]), "File, b.txt");
        assert_eq!(described("File", &[]), "File, no values");
    }

    #[test]
    fn finds_label_of_slot() {
        let axis = categories("Order", &["Random", "", "Sorted"]);
        let found = [-0.5, 0.0, 0.49, 0.5, 1.0, 1.5, 2.5].map(|value| axis.label_at(value).expect("in a slot"));
        assert_eq!(found, ["Random", "Random", "Random", "", "", "Sorted", "Sorted"]);
        assert_eq!([-0.51, 2.51, f64::NAN, f64::INFINITY].map(|value| axis.label_at(value)), [None; 4]);
        assert_eq!(categories("Order", &[]).label_at(0.0), None);
        assert_eq!(AxisSpec::time_per_call(AxisScale::Linear).label_at(0.0), None);
    }
}
