//! How the times and the counts of the shown functions grow.

use benchbook_host::analyze::growth::{exact_growth, growth};
use benchbook_host::messages::exact_growth::exact_growth_sentence;
use benchbook_host::messages::growth::growth_sentence;
use benchbook_host::metric::{Metric, MetricCollection};

use super::shown_trace::ShownTrace;
use benchbook_notebook::curve::Reading;

/// A sentence for each function whose points suffice, about the counts if a counted metric is shown, and about the times if a
/// timed one is. Empty for estimated metrics, and for those with samples of their own. Skips the quick curves next to those of a
/// runner.
pub fn growth_sentences(shown: &[ShownTrace], metric: &Metric) -> Vec<String> {
    let of_times = |shown: &ShownTrace| {
        let growth = growth(&shown.trace.curve.growth_points()).ok()?;
        Some(growth_sentence(&shown.label, shown.trace.setup.axis_name(), &growth))
    };
    let of_counts = |shown: &ShownTrace| {
        let value = |reading: &Reading| (metric.value)(reading.measured()?)?.centre();
        let point = |reading: &Reading| Some((reading.x.number()?, value(reading)?));
        let points: Vec<(f64, f64)> = shown.trace.curve.readings().iter().filter_map(point).collect();
        let noun = metric.name.replace('_', " ");
        Some(exact_growth_sentence(&shown.label, shown.trace.setup.axis_name(), &noun, &exact_growth(&points)?))
    };
    if metric.own_samples.is_some() {
        return Vec::new();
    }
    let final_curves = shown.iter().filter(|shown| !shown.is_sketch);
    match metric.collection {
        MetricCollection::Timed => final_curves.filter_map(of_times).collect(),
        MetricCollection::Counted => final_curves.filter_map(of_counts).collect(),
        // The arithmetic for counts needs exact values, and the sentences about noisy ones concern times.
        MetricCollection::Estimated => Vec::new(),
    }
}
