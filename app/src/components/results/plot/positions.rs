//! The positions of axis values in the plot: numbers on a scale, or categories side by side.

use benchbook_chart::{AxisScale, AxisSpec, Unit, Window};
use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::parameter::Range;
use benchbook_host::axis::Variation;
use benchbook_host::units::axis_value;

use benchbook_notebook::result_setup::ResultSetup;
use benchbook_report::shown_trace::ShownTrace;

/// The positions of axis values.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Positions {
    /// A number is its own position.
    Numbers,
    /// The position of a value is its index.
    Categories(Vec<AxisValue>),
}

impl Positions {
    /// The positions for these traces. Overlays use those of the last measurement, even if their parameter differs.
    pub(crate) fn of(shown: &[ShownTrace]) -> Self {
        let setup = shown.first().map(|first| &first.trace.setup);
        if setup.is_some_and(|setup| number_range(setup).is_some()) {
            return Self::Numbers;
        }
        let listed = match setup.and_then(|setup| setup.axis.as_ref()) {
            Some(axis) => axis.values(1, &[]),
            None => vec![AxisValue::Absent],
        };
        let measured = shown.iter().flat_map(|shown| shown.trace.curve.readings()).map(|reading| reading.x.clone());
        let mut categories: Vec<AxisValue> = Vec::new();
        for value in listed.into_iter().chain(measured) {
            if !categories.contains(&value) {
                categories.push(value);
            }
        }
        Self::Categories(categories)
    }

    /// The position of an axis value; `None` if the plot cannot show it.
    pub(crate) fn position(&self, x: &AxisValue) -> Option<f64> {
        match self {
            Self::Numbers => x.number(),
            Self::Categories(values) => values.iter().position(|value| value == x).map(|index| index as f64),
        }
    }

    /// The axis value at a position.
    pub(crate) fn value_at(&self, position: f64) -> Option<AxisValue> {
        match self {
            Self::Numbers => Some(AxisValue::Number(position)),
            Self::Categories(values) => values.get(position.round() as usize).cloned(),
        }
    }

    /// The horizontal axis. `scale`: the scale that the user chose, if any.
    pub(crate) fn axis(&self, shown: &[ShownTrace], scale: Option<AxisScale>) -> AxisSpec {
        let setup = shown.first().map(|first| &first.trace.setup);
        let title = setup.map(|setup| setup.axis_heading()).unwrap_or_default();
        match self {
            Self::Categories(values) => AxisSpec::categories(title, values.iter().map(axis_value).collect()),
            Self::Numbers => {
                let numeric = setup.and_then(|setup| setup.axis_numeric());
                let default_scale = AxisScale::from(numeric.map(|numeric| numeric.scale).unwrap_or_default());
                let unit = numeric.and_then(|numeric| numeric.unit.clone()).unwrap_or_default();
                let range = setup.and_then(|setup| number_range(setup));
                let is_whole = setup.is_some_and(|setup| setup.has_whole_axis());
                let unit = if is_whole { Unit::Count(unit) } else { Unit::Named(unit) };
                AxisSpec { title, unit, scale: scale.unwrap_or(default_scale), range }
            }
        }
    }
}

/// The range of an axis of numbers; `None` if its values are texts, or if it has a single value.
fn number_range(setup: &ResultSetup) -> Option<Window> {
    let (low, high) = match setup.axis.as_ref()?.variation() {
        Variation::Range(Range { low, high }) => (*low, *high),
        Variation::Values(values) => (values.first()?.number()?, values.last()?.number()?),
    };
    (low < high).then_some(Window { low, high })
}
