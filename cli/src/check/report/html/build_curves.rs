//! The curves of all builds over the axis.

use benchbook_chart::{AxisSpec, CurveSeries, Unit};
use benchbook_contract::axis_value::AxisValue;
use benchbook_host::units::axis_value;
use benchbook_report::history::{axis_name, build_label, day};
use maud::Markup;

use super::figure::{LegendEntry, figure};
use super::plot::{EARLIEST_ACCEPTED, LATEST_ACCEPTED, NEW_BUILD, curve, draw, metric_axis, scale_of};
use crate::check::report::series::{ResultSeries, SeriesPoint};

/// The curves of the accepted results and of the new one; `None` unless the axis has several values.
pub(super) fn build_curves(series: &ResultSeries<'_>) -> Option<Markup> {
    let axis_values = series.axis_values();
    let benchmark = &series.results.last()?.result.benchmark;
    let name = axis_name(&benchmark.arguments)?;
    if axis_values.len() < 2 {
        return None;
    }
    let positions = AxisPositions::of(&axis_values);
    let columns: Vec<Vec<SeriesPoint>> = axis_values.iter().map(|x| series.points_at(x)).collect();
    let count = series.results.len();
    let curves: Vec<CurveSeries> = (0..count)
        .map(|index| {
            let at_x = positions.values.iter().zip(&columns);
            let points = at_x.filter_map(|(x, column)| Some((*x, *column.iter().find(|point| point.index == index)?)));
            curve(&build_label(&series.results[index].result.build), number(index, count), points)
        })
        .collect();
    let means: Vec<f64> = columns.iter().flatten().map(|point| point.mean).collect();
    let y = metric_axis(benchmark.metric, scale_of(&means));
    let image = draw(curves, Vec::new(), (positions.axis(name), y), None);
    let metric = benchmark.metric;
    let (first, last) = (axis_value(axis_values[0]), axis_value(axis_values[axis_values.len() - 1]));
    let description =
        format!("The {metric} of {count} builds by {name}, from {first} to {last}. The table below lists all values.");
    Some(figure(&format!("By {name}"), &description, &image, &legend(series)))
}

/// The number of the series of a result: the earliest ones have the same.
fn number(index: usize, count: usize) -> usize {
    match count - 1 - index {
        0 => NEW_BUILD,
        age => (LATEST_ACCEPTED + age - 1).min(EARLIEST_ACCEPTED),
    }
}

/// An entry for each number of the series.
fn legend(series: &ResultSeries<'_>) -> Vec<LegendEntry> {
    let count = series.results.len();
    let earliest = count.saturating_sub(EARLIEST_ACCEPTED);
    let entry = |index: usize| {
        let result = series.results[index].result;
        let text = match number(index, count) {
            NEW_BUILD => "this build".to_owned(),
            _ if series.results[index].accepted.is_none() => format!("baseline {}", build_label(&result.build)),
            EARLIEST_ACCEPTED if earliest > 1 => format!("{earliest} earlier builds"),
            _ => format!("accepted build {} of {}", build_label(&result.build), day(result.measured)),
        };
        LegendEntry { number: number(index, count), text }
    };
    (earliest.saturating_sub(1)..count).rev().map(entry).collect()
}

/// The positions of axis values: numbers, or the indices of categories.
struct AxisPositions {
    values: Vec<f64>,
    labels: Option<Vec<String>>,
}

impl AxisPositions {
    fn of(axis_values: &[&AxisValue]) -> Self {
        let numbers: Option<Vec<f64>> = axis_values.iter().map(|x| x.number()).collect();
        match numbers {
            Some(values) => Self { values, labels: None },
            None => Self {
                values: (0..axis_values.len()).map(|index| index as f64).collect(),
                labels: Some(axis_values.iter().map(|x| axis_value(x)).collect()),
            },
        }
    }

    fn axis(&self, name: &str) -> AxisSpec {
        match &self.labels {
            Some(labels) => AxisSpec::categories(name, labels.clone()),
            None => AxisSpec {
                title: name.to_owned(),
                unit: Unit::of_values(self.values.iter().copied()),
                scale: scale_of(&self.values),
                range: None,
            },
        }
    }
}
