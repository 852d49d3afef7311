//! The figures behind a report: `--verbose`.

use std::fmt::Write as _;

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::history::CheckedMetric;
use benchbook_host::units::axis_value;

use super::change::signed;
use crate::check::measure::{BaselineFigures, MeasuredResult};

/// The means of the processes of each result and, with a baseline, the change of each pair of builds.
pub(crate) fn details(results: &[MeasuredResult]) -> String {
    let mut text = "\nMeans of the processes:\n".to_owned();
    for MeasuredResult { result, baseline, .. } in results {
        let benchmark = &result.benchmark;
        for point in &result.points {
            let at = if point.x.is_absent() { String::new() } else { format!(" at {}", axis_value(&point.x)) };
            let name = format!("{} of {}{at}", benchmark.metric, benchmark.function);
            // Writing to a string does not fail.
            let _ = match baseline.as_ref().and_then(|baseline| pair_details(benchmark.metric, baseline, &point.x)) {
                Some(pairs) => writeln!(text, "  {name}\n{pairs}"),
                None => writeln!(text, "  {name}: {}", means(benchmark.metric, &point.means)),
            };
        }
    }
    text
}

fn pair_details(metric: CheckedMetric, baseline: &BaselineFigures, x: &AxisValue) -> Option<String> {
    let BaselineFigures::Pairs { points, .. } = baseline else { return None };
    let point = points.iter().find(|point| point.x == *x)?;
    let [earlier, current] = &point.means;
    let text = format!("    baseline: {}\n    current:  {}", means(metric, earlier), means(metric, current));
    let changes: Vec<String> = point.ln_ratios.iter().map(|ln_ratio| signed(ln_ratio.exp_m1())).collect();
    Some(if changes.is_empty() { text } else { format!("{text}\n    change:   {}", changes.join(", ")) })
}

fn means(metric: CheckedMetric, means: &[f64]) -> String {
    means.iter().map(|mean| metric.text(*mean)).collect::<Vec<_>>().join(", ")
}
