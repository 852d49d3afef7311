//! The curves of a result in a small picture without axes.

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::compare::ranking::TypicalTime;
use benchbook_host::messages::lists::with_unit;
use benchbook_host::units::{Nanos, axis_value};
use serde::{Deserialize, Serialize};

use super::ranking::MachineRanking;
use super::shown_trace::ShownTrace;

/// From this ratio of the greatest axis value to the least on, the axis is logarithmic.
const LOGARITHMIC_FROM: f64 = 20.0;

/// The curves of the functions that one machine measured together, on a common logarithmic scale of time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Thumbnail {
    /// A curve for each function with two times above 0, in the order of the request. There is at least one.
    pub curves: Vec<ThumbnailCurve>,
    /// The first and the last axis value, the last one with its unit: `10` and `100 000 entries`.
    pub values: [String; 2],
    /// The shortest and the longest time: `1.52 ns` and `123 ns`.
    pub times: [String; 2],
}

/// The curve of a function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ThumbnailCurve {
    /// The function's name.
    pub name: String,
    /// The index of its colour.
    pub hue: usize,
    /// The points from the first axis value to the last: how far they are from the left edge and from the upper one, as parts of width and
    /// height, to three decimals. Values without a time are left out.
    pub points: Vec<[f64; 2]>,
}

impl Thumbnail {
    /// The curves of a ranking of these traces; `None` unless a function has two times above 0.
    pub fn of(shown: &[ShownTrace], of_machine: &MachineRanking) -> Option<Self> {
        let MachineRanking { ranking, ordinals, names, setup } = of_machine;
        let values = ranking.values();
        let time = |function: usize, value: usize| {
            ranking.time(function, value).map(TypicalTime::order).filter(|time| *time > 0.0)
        };
        let all = (0..ranking.functions()).flat_map(|one| (0..values.len()).filter_map(move |value| time(one, value)));
        let times = Scale { ends: ends(all)?, is_logarithmic: true };
        let axis = horizontal(values);
        let curve = |function: usize| {
            let point = |value: usize| Some([axis(value), 1.0 - times.part(time(function, value)?)].map(rounded));
            let points: Vec<[f64; 2]> = (0..values.len()).filter_map(point).collect();
            let hue = shown.get(ordinals[function])?.hue;
            (points.len() > 1).then(|| ThumbnailCurve { name: names[function].clone(), hue, points })
        };
        let curves: Vec<ThumbnailCurve> = (0..ranking.functions()).filter_map(curve).collect();
        let (first, last) = (axis_value(values.first()?), axis_value(values.last()?));
        let values = [first, with_unit(&last, setup.axis_unit())];
        (!curves.is_empty()).then(|| Self { curves, values, times: times.ends.map(|time| Nanos(time).to_string()) })
    }
}

/// The place of each axis value by its index: numbers to scale, others at equal distances.
fn horizontal(values: &[AxisValue]) -> impl Fn(usize) -> f64 {
    let numbers: Option<Vec<f64>> = values.iter().map(AxisValue::number).collect();
    let numbers = numbers.unwrap_or_else(|| (0..values.len()).map(|index| index as f64).collect());
    let ends = ends(numbers.iter().copied()).unwrap_or_default();
    let scale = Scale { ends, is_logarithmic: ends[0] > 0.0 && ends[1] / ends[0] >= LOGARITHMIC_FROM };
    move |value| scale.part(numbers[value])
}

/// A scale between its ends.
struct Scale {
    ends: [f64; 2],
    is_logarithmic: bool,
}

impl Scale {
    /// How far a value is from the lower end, as a part of the scale; in the middle if both ends are equal.
    fn part(&self, value: f64) -> f64 {
        let place = |value: f64| if self.is_logarithmic { value.ln() } else { value };
        let [low, high] = self.ends.map(place);
        if high > low { (place(value) - low) / (high - low) } else { 0.5 }
    }
}

/// The least and the greatest number; `None` without any.
fn ends(numbers: impl IntoIterator<Item = f64>) -> Option<[f64; 2]> {
    numbers.into_iter().map(|one| [one; 2]).reduce(|[low, high], [one, _]| [low.min(one), high.max(one)])
}

fn rounded(part: f64) -> f64 {
    (part * 1e3).round() / 1e3
}
