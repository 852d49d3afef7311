//! The quality of measurements.

use benchbook_host::messages::quality_report::{CurvePoint, QualityReport, ReportedCurve, quality_report};

use crate::shown_trace::{ShownTrace, measurements};

/// The report on each measurement, with the name of its machine or, for an overlay, its label.
pub fn quality_reports(shown: &[ShownTrace]) -> Vec<(String, QualityReport)> {
    let report = |ordinals: Vec<usize>| {
        let first = &shown[ordinals[0]];
        let setup = &first.trace.setup;
        let curves: Vec<ReportedCurve<'_>> = ordinals.into_iter().map(|ordinal| curve_of(&shown[ordinal])).collect();
        let name = if first.unpaired { &first.label } else { &setup.machine.name };
        Some((name.clone(), quality_report(&curves, setup.axis_unit())?))
    };
    measurements(shown).into_iter().filter_map(report).collect()
}

fn curve_of(shown: &ShownTrace) -> ReportedCurve<'_> {
    let points = shown.trace.curve.readings().iter().filter_map(|reading| {
        Some(CurvePoint { x: &reading.x, measured: reading.measured()?, slow_first: reading.slow_first() })
    });
    ReportedCurve { name: &shown.name, points: points.collect() }
}
