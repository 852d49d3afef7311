//! How final curves are.

use benchbook_chart::CurveStage;
use benchbook_host::quality::Priority;

use benchbook_report::shown_trace::ShownTrace;

/// How final the curve of a trace is.
pub(super) fn stage(shown: &ShownTrace) -> CurveStage {
    match shown.trace.curve.priority() {
        Some(Priority::LAST) => CurveStage::Final,
        Some(priority) => CurveStage::Preliminary(priority.number()),
        None => CurveStage::Preliminary(1),
    }
}
