//! The quality of measurements.

use benchbook_host::messages::quality_report::{Badge, CurvePoint, QualityReport, ReportedCurve, quality_report};

use crate::shown_trace::{ShownTrace, measurements};

/// The report on each measurement, with the name of its machine or, for an overlay, its label.
pub fn quality_reports(shown: &[ShownTrace]) -> Vec<(String, QualityReport)> {
    let report = |ordinals: Vec<usize>| {
        let first = &shown[ordinals[0]];
        let name = if first.is_separate { &first.label } else { &first.trace.setup.machine.name };
        Some((name.clone(), report_on(shown, &ordinals)?))
    };
    measurements(shown).into_iter().filter_map(report).collect()
}

/// The badge of the figures behind the answer: those of the last measurement, of the runner if it measured, too. `None` without figures.
pub fn answer_badge(shown: &[ShownTrace]) -> Option<Badge> {
    let is_ranked_first = |ordinals: &&Vec<usize>| !shown[ordinals[0]].is_separate && !shown[ordinals[0]].is_sketch;
    let measurements = measurements(shown);
    Some(report_on(shown, measurements.iter().find(is_ranked_first)?)?.badge)
}

/// The report on the curves with these ordinals, which were measured together. `None` without figures.
pub(crate) fn report_on(shown: &[ShownTrace], ordinals: &[usize]) -> Option<QualityReport> {
    let unit = shown[ordinals[0]].trace.setup.axis_unit();
    let curves: Vec<ReportedCurve<'_>> = ordinals.iter().map(|&ordinal| curve_of(&shown[ordinal])).collect();
    quality_report(&curves, unit, shown[ordinals[0]].trace.setup.machine.kind)
}

fn curve_of(shown: &ShownTrace) -> ReportedCurve<'_> {
    let points = shown.trace.curve.readings().iter().filter_map(|reading| {
        Some(CurvePoint { x: &reading.x, measured: reading.measured()?, slow_first: reading.slow_first() })
    });
    ReportedCurve { name: &shown.name, points: points.collect() }
}
