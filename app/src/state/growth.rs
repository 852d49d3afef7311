//! How the times of the shown functions grow.

use benchbook_host::analyze::growth::{GrowthPoint, growth};
use benchbook_host::messages::growth::growth_sentence;

use super::curve::Reading;
use super::shown_trace::ShownTrace;

/// A sentence for each function whose points suffice. Skips the quick curves next to those of a runner.
pub(crate) fn growth_sentences(shown: &[ShownTrace]) -> Vec<String> {
    let sentence = |shown: &ShownTrace| {
        let point = |reading: &Reading| Some(reading.measured()?.growth_point(reading.x.number()?));
        let points: Vec<GrowthPoint> = shown.trace.curve.readings().iter().filter_map(point).collect();
        Some(growth_sentence(&shown.label, shown.trace.setup.axis_name(), &growth(&points).ok()?))
    };
    shown.iter().filter(|shown| !shown.is_sketch).filter_map(sentence).collect()
}
