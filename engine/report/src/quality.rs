//! The quality of measurements.

use benchbook_host::messages::quality_report::{Badge, CurvePoint, QualityReport, ReportedCurve, quality_report};
use benchbook_host::response::RatioAt;

use crate::ranking::MachineRanking;
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

/// The badge of the answer: of the ratios if it compares functions, otherwise of the times. They are those of the last measurement, of the runner if
/// it measured, too. `rankings`: those of the shown traces. `None` without figures.
pub fn answer_badge(shown: &[ShownTrace], rankings: &[MachineRanking]) -> Option<Badge> {
    let is_ranked_first = |ordinals: &&Vec<usize>| !shown[ordinals[0]].is_separate && !shown[ordinals[0]].is_sketch;
    let measurements = measurements(shown);
    let ordinals = measurements.iter().find(is_ranked_first)?;
    let report = report_on(shown, ordinals)?;
    let ranking = rankings.iter().find(|ranking| ranking.ordinals == *ordinals);
    let of_changes = ranking.and_then(badge_of_changes);
    Some(of_changes.map_or(report.badge, |of_changes| report.ratio_badge().max(of_changes)))
}

/// The badge of the ratios to the fastest function, as they changed during sampling: rough if a change is as large as the difference between both
/// functions, otherwise noisy. `None` without a ratio, and if the changes of one are unknown.
fn badge_of_changes(of_machine: &MachineRanking) -> Option<Badge> {
    let ranking = &of_machine.ranking;
    let ratios = (0..ranking.values().len()).flat_map(|value| {
        let (fastest, others) = ranking.ranked_at(value).split_first().unzip();
        let others = others.into_iter().flatten();
        others.filter_map(move |&other| ranking.ratio_at(other, *fastest?, value))
    });
    let badge = |at: &RatioAt| -> Option<Option<Badge>> {
        let ratio = at.ratio?;
        Some(at.changed.map(|change| match change {
            0.0 => Badge::Good,
            change if 1.0 + change < ratio.max(1.0 / ratio) => Badge::Noisy,
            _ => Badge::Rough,
        }))
    };
    ratios.filter_map(badge).collect::<Option<Vec<Badge>>>()?.into_iter().max()
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
