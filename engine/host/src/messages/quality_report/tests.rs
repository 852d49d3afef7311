//! Tests of the quality report.

use std::collections::BTreeSet;
use std::slice;

use benchbook_contract::axis_value::AxisValue;

use super::*;
use crate::analyze::blocks;
use crate::analyze::interval::Interval;
use crate::analyze::stability::Stability;
use crate::analyze::statistics::{Basis, summarize};
use crate::messages::golden::assert_golden;
use crate::response::{MeasuredPoint, Run, TwoLevelTimes, Warning};

/// A point of one sample, with a reference kernel of 2 000 ns and an half-width of 0.8%.
fn point(warnings: &[Warning], upper_end: f64) -> MeasuredPoint {
    let runs = [blocks::RunTimes::without_overhead(&[5.0], &[1])];
    let mut summary = summarize(&Basis::of(&runs, 1)).expect("there is a sample");
    summary.mean_interval = Some(Interval { low: 0.1, high: upper_end });
    summary.relative_half_width = Some(0.008);
    let run = Run::of_single_calls(Vec::new(), Vec::new(), Stability::Settled);
    let runs = vec![Run { reference: Some(2_000.0), ..run }];
    MeasuredPoint { warnings: warnings.to_vec(), ..MeasuredPoint::new(summary, runs) }
}

/// The upper end of an interval that rules out that the work was removed.
const LONG: f64 = 5.5;

/// The report on curves whose points, at 10, 20 and so on, are these.
fn report_on(curves: &[(&str, Vec<MeasuredPoint>)]) -> QualityReport {
    let xs: Vec<AxisValue> = (1..=9).map(|index| AxisValue::Number(10.0 * f64::from(index))).collect();
    let curves: Vec<ReportedCurve<'_>> = curves
        .iter()
        .map(|(name, points)| ReportedCurve {
            name,
            points: xs.iter().zip(points).map(|(x, measured)| CurvePoint { x, measured, slow_first: None }).collect(),
        })
        .collect();
    let report = quality_report(&curves, "keys", MachineKind::Browser).expect("there are points");
    with_plain_spaces(report)
}

fn with_plain_spaces(mut report: QualityReport) -> QualityReport {
    let plain = |text: &mut String| *text = text.replace('\u{202f}', " ");
    plain(&mut report.line);
    for cause in &mut report.causes {
        plain(&mut cause.problem);
        plain(&mut cause.location);
        plain(&mut cause.fix);
    }
    report
}

/// The report on a curve `sort` whose points have these warnings.
fn report_of(points: &[&[Warning]], upper_end: f64) -> QualityReport {
    report_on(&[("sort", points.iter().map(|warnings| point(warnings, upper_end)).collect())])
}

fn changed(before: f64, after: f64, gradual: bool) -> Warning {
    Warning::Changed { before, after, gradual, by_calls: false }
}

fn imprecise(reached: Option<f64>, needs_ms: Option<f64>, needs_processes: Option<u32>) -> Warning {
    Warning::Imprecise { reached, target: 0.01, needs_ms, needs_processes }
}

fn two_levels(repeats: Option<f64>, new_inputs: Option<Interval>) -> Warning {
    Warning::TwoLevels(TwoLevelTimes { low: 1_400.0, high: 2_350.0, high_share: 0.38, repeats, new_inputs })
}

const WARNINGS: usize = 21;

/// A number below [`WARNINGS`] for each kind of warning. A new kind needs a cause, and a row in the table below.
fn number(warning: &Warning) -> usize {
    match warning {
        Warning::SlowCode { .. } => 0,
        Warning::Changed { .. } => 1,
        Warning::Imprecise { .. } => 2,
        Warning::SlowSetup { .. } => 3,
        Warning::Interrupted { .. } => 4,
        Warning::SlowMachine { .. } => 5,
        Warning::Unsettled => 6,
        Warning::Skewed => 7,
        Warning::TwoLevels(_) => 8,
        Warning::Correlated => 9,
        Warning::Alone => 10,
        Warning::BelowResolution { .. } => 11,
        Warning::ShortBatches { .. } => 12,
        Warning::ExtremeOutliers { .. } => 13,
        Warning::Batched { .. } => 14,
        Warning::OneCallPerBatch => 15,
        Warning::OutputsNotCompared => 16,
        Warning::Threads => 17,
        Warning::BatchStart { .. } => 18,
        Warning::FewSamples { .. } => 19,
        Warning::LateChange { .. } => 20,
    }
}

/// The golden file has the severity, the problem, the place and the advice.
#[test]
fn states_what_happened_where_and_what_to_do() {
    let near_levels =
        Warning::TwoLevels(TwoLevelTimes { low: 100.0, high: 110.0, high_share: 0.5, repeats: None, new_inputs: None });
    let on_new_inputs = |repeats, low, high| two_levels(Some(repeats), Some(Interval { low, high }));
    // The warnings at 10 and at 20 keys.
    let table: &[[&[Warning]; 2]] = &[
        [&[Warning::SlowCode { tier: 1.5 }], &[Warning::SlowCode { tier: 1.2 }]],
        [&[changed(2_000.0, 1_000.0, false)], &[changed(1_000.0, 900.0, true)]],
        [&[], &[changed(1_000.0, 1_090.0, true)]],
        [&[Warning::Changed { before: 1.0, after: 3.0, gradual: true, by_calls: true }], &[]],
        [&[imprecise(Some(0.05), Some(12_000.0), None)], &[imprecise(Some(0.02), Some(3_000.0), None)]],
        [&[imprecise(Some(0.9), Some(1e9), None)], &[]],
        [&[imprecise(None, None, None)], &[]],
        [&[imprecise(Some(0.02), None, Some(12))], &[imprecise(Some(0.02), None, Some(20))]],
        [&[Warning::SlowSetup { setup: 1e7 }], &[Warning::SlowSetup { setup: 1e6 }]],
        [&[Warning::Interrupted { samples: 1, ms: 4.0 }], &[Warning::Interrupted { samples: 2, ms: 8.0 }]],
        [&[Warning::Interrupted { samples: 1, ms: 4.0 }], &[]],
        [&[Warning::SlowMachine { by: 0.12 }], &[Warning::SlowMachine { by: 0.25 }]],
        [&[Warning::Unsettled], &[]],
        [&[Warning::Skewed], &[]],
        [&[two_levels(None, None)], &[near_levels]],
        [&[on_new_inputs(9_412.6, 2_250.0, 2_371.0)], &[]],
        // The interval of a few new inputs may extend below 0.
        [&[on_new_inputs(48.0, -16_300.0, 176_000.0)], &[]],
        [&[Warning::Correlated], &[]],
        [&[Warning::Alone], &[]],
        [&[Warning::BelowResolution { under: 3.0 }], &[]],
        [&[Warning::ShortBatches { batch: 5.0, resolution: 5.0 }], &[]],
        [&[Warning::ExtremeOutliers { samples: 1, of: 1 }], &[]],
        [&[Warning::Batched { calls: 1_000 }], &[Warning::Batched { calls: 10 }]],
        [&[Warning::OneCallPerBatch], &[Warning::OneCallPerBatch]],
        [&[Warning::OutputsNotCompared], &[]],
        [&[Warning::Threads], &[Warning::Threads]],
        [&[Warning::BatchStart { nanos: 20e3, per_call: 0.5 }], &[Warning::BatchStart { nanos: 1e3, per_call: 0.1 }]],
        [&[Warning::LateChange { before: 13.0, after: 10.0 }], &[Warning::LateChange { before: 13.0, after: 20.0 }]],
        [&[Warning::FewSamples { samples: 36 }], &[Warning::FewSamples { samples: 300 }]],
    ];
    let stated: BTreeSet<usize> = table.iter().flatten().copied().flatten().map(number).collect();
    assert_eq!(stated.len(), WARNINGS);
    let cause = |points: &[&[Warning]; 2]| {
        let report = report_of(points, LONG);
        let [cause] = report.causes.as_slice() else { panic!("one cause: {report:?}") };
        format!("{:?}: {} | {} | {}", cause.severity, cause.problem, cause.location, cause.fix)
    };
    assert_golden("causes.txt", &table.iter().map(cause).collect::<Vec<String>>());
}

#[test]
fn the_badge_is_that_of_the_most_serious_cause() {
    let table: [(&[Warning], Badge, &str); 4] = [
        (&[], Badge::Good, "All 2 means have 95% intervals within ±0.80%."),
        (&[Warning::OneCallPerBatch], Badge::Good, "All 2 means have 95% intervals within ±0.80%."),
        (&[Warning::Unsettled, Warning::OneCallPerBatch], Badge::Noisy, "1 of 2 points did not settle during warm-up."),
        (
            &[Warning::Unsettled, Warning::SlowCode { tier: 1.5 }, Warning::Skewed],
            Badge::Rough,
            "1 of 2 points ran unoptimised code; 1 of 2 points did not settle during warm-up.",
        ),
    ];
    for (warnings, badge, line) in table {
        let report = report_of(&[warnings, &[]], LONG);
        assert_eq!((report.badge, report.line.as_str()), (badge, line), "{warnings:?}");
    }
}

#[test]
fn states_the_precision_of_good_figures() {
    let line = |widths: &[Option<f64>]| {
        let points = widths.iter().map(|width| {
            let mut point = point(&[], LONG);
            point.summary.relative_half_width = *width;
            point
        });
        report_on(&[("sort", points.collect())]).line
    };
    assert_eq!(line(&[Some(0.0051)]), "The mean's 95% interval is ±0.51%.");
    assert_eq!(line(&[Some(0.005), Some(0.012)]), "All 2 means have 95% intervals within ±1.2%.");
    let some = "1 of 2 means has a 95% interval, within ±1.2%.";
    assert_eq!(line(&[None, Some(0.012)]), some);
    assert_eq!(line(&[Some(0.01), Some(0.012), None]), "2 of 3 means have 95% intervals, within ±1.2%.");
    assert_eq!(line(&[None, None]), "No mean has an interval.");
    let mut below = point(&[Warning::BelowResolution { under: 3.0 }], LONG);
    below.summary.relative_half_width = None;
    assert_eq!(report_on(&[("sort", vec![below.clone()])]).line, "The time is indistinguishable from zero.");
    assert_eq!(
        report_on(&[("sort", vec![below.clone(), below.clone()])]).line,
        "All times are indistinguishable from zero."
    );
    let mixed = report_on(&[("sort", vec![point(&[], LONG), below])]).line;
    assert_eq!(mixed, "The mean's 95% interval is ±0.80%; 1 time is indistinguishable from zero.");
    assert_eq!(quality_report(&[], "", MachineKind::Browser), None);
}

#[test]
fn groups_causes_over_all_functions() {
    let skewed: &[Warning] = &[Warning::Skewed];
    let points = |warnings: [&[Warning]; 4]| warnings.map(|warnings| point(warnings, LONG)).to_vec();
    let location = |curves: &[(&str, Vec<MeasuredPoint>)]| {
        let report = report_on(curves);
        assert_eq!(report.causes.len(), 1, "{report:?}");
        report.causes[0].location.clone()
    };
    let (none, last, upper) =
        (points([&[]; 4]), points([&[], &[], &[], skewed]), points([&[], skewed, skewed, skewed]));
    let (all, ends) = (points([skewed; 4]), points([skewed, &[], &[], skewed]));
    let table = [
        (vec![("a", last.clone()), ("b", none.clone())], "a: 40 keys"),
        (vec![("a", upper.clone()), ("b", none.clone())], "a: 20 to 40 keys"),
        (vec![("a", all.clone()), ("b", none.clone())], "a"),
        (vec![("a", all.clone()), ("b", all.clone())], "All points"),
        (vec![("a", ends.clone()), ("b", ends.clone())], "All functions: 10 and 40 keys"),
        (vec![("a", upper.clone()), ("b", last.clone()), ("c", none.clone())], "Mostly a: 20 to 40 keys"),
        (vec![("a", ends.clone()), ("b", ends.clone()), ("c", none.clone())], "a and b: 10 and 40 keys"),
        (vec![("a", ends.clone())], "10 and 40 keys"),
    ];
    for (curves, expected) in table {
        assert_eq!(location(&curves), expected);
    }
    let scattered = [skewed, &[], skewed, &[], skewed, &[], skewed].map(|warnings: &[Warning]| point(warnings, LONG));
    assert_eq!(location(&[("a", scattered.to_vec())]), "4 of 7 values");
}

#[test]
fn batches_are_located_by_the_greatest_value() {
    let batched: &[Warning] = &[Warning::Batched { calls: 8 }];
    let points = |warnings: [&[Warning]; 3]| warnings.map(|warnings| point(warnings, LONG)).to_vec();
    let location = |curves: &[(&str, Vec<MeasuredPoint>)]| report_on(curves).causes[0].location.clone();
    let (two, one) = (points([batched, batched, &[]]), points([batched, &[], &[]]));
    assert_eq!(location(&[("a", two.clone()), ("b", two.clone())]), "Up to 20 keys");
    assert_eq!(location(&[("a", two.clone()), ("b", one)]), "Mostly a: 10 and 20 keys");
    assert_eq!(location(&[("a", points([&[], batched, &[]]))]), "20 keys");
}

#[test]
fn names_values_that_are_no_numbers() {
    let xs = ["Random", "Sorted"].map(|text| AxisValue::Text(text.to_owned()));
    let measured = [point(&[Warning::Batched { calls: 8 }], LONG), point(&[], LONG)];
    let points = xs.iter().zip(&measured).map(|(x, measured)| CurvePoint { x, measured, slow_first: None });
    let report = quality_report(&[ReportedCurve { name: "sort", points: points.collect() }], "", MachineKind::Browser)
        .expect("points");
    assert_eq!(report.causes[0].location, "Random");
    let alone = [CurvePoint { x: &AxisValue::Absent, measured: &measured[0], slow_first: None }];
    let report = quality_report(&[ReportedCurve { name: "sort", points: alone.to_vec() }], "", MachineKind::Browser)
        .expect("a point");
    assert_eq!(report.causes[0].location, "", "there is only one point");
}

fn problems(report: QualityReport) -> Vec<String> {
    report.causes.into_iter().map(|cause| cause.problem).collect()
}

#[test]
fn suspects_removed_work_if_every_size_takes_under_two_cycles() {
    // Two cycles take 2 000 ns / 6 000 * 2.
    assert_eq!(problems(report_of(&[&[], &[]], 0.66)), ["The optimiser may have removed the work"]);
    assert_eq!(problems(report_of(&[&[], &[]], 0.67)), [""; 0]);
    assert_eq!(problems(report_of(&[&[]], 0.66)), [""; 0], "one size proves nothing");
    let slow: &[Warning] = &[Warning::SlowCode { tier: 1.5 }];
    let of_slow_code = problems(report_of(&[slow, slow], 0.66));
    assert_eq!(of_slow_code, ["2 of 2 points ran unoptimised code"], "only the slow code is reported");
    let points = |upper_end| vec![point(&[], upper_end), point(&[], upper_end)];
    let one_of_two = report_on(&[("real", points(LONG)), ("removed", points(0.66))]);
    assert_eq!(one_of_two.causes[0].location, "removed");
    assert_eq!(one_of_two.badge, Badge::Rough);
}

#[test]
fn lists_the_most_serious_cause_first() {
    let all = [Warning::OneCallPerBatch, Warning::Skewed, changed(1.0, 1.05, true), Warning::SlowCode { tier: 1.5 }];
    let expected = [
        "1 of 1 point ran unoptimised code",
        "The times of 1 of 1 point drifted by up to 5.0%",
        "Too few samples for skewed times at 1 of 1 point",
        "Each call is timed separately",
    ];
    assert_eq!(problems(report_of(&[&all], LONG)), expected);
}

#[test]
fn ratios_are_rated_by_what_the_functions_do_themselves() {
    let by_calls = Warning::Changed { before: 1.0, after: 1.5, gradual: true, by_calls: true };
    let both: [&[Warning]; 2] = [slice::from_ref(&by_calls), &[changed(1.0, 2.0, true)]];
    assert_eq!(report_of(&both, LONG).ratio_badge(), Badge::Rough, "a greater change of the machine hides nothing");
    let table = [
        (Warning::SlowCode { tier: 1.5 }, Badge::Rough),
        (by_calls, Badge::Rough),
        (Warning::Unsettled, Badge::Good),
        (Warning::SlowSetup { setup: 1e9 }, Badge::Noisy),
        (changed(1.0, 1.5, true), Badge::Good),
        (Warning::SlowMachine { by: 0.3 }, Badge::Good),
        (Warning::Interrupted { samples: 3, ms: 1.0 }, Badge::Good),
        (Warning::Correlated, Badge::Good),
    ];
    for (warning, expected) in table {
        let text = format!("{warning:?}");
        let report = report_of(&[&[warning]], LONG);
        assert_eq!(report.ratio_badge(), expected, "{text}");
        assert!(report.badge >= Badge::Noisy, "{text}");
    }
}

#[test]
fn a_slow_first_curve_is_a_note() {
    let (xs, measured) = ([10.0, 20.0, 30.0].map(AxisValue::Number), point(&[], LONG));
    let factors = [Some(2.3), None, Some(1.5)];
    let points = xs.iter().zip(factors).map(|(x, slow_first)| CurvePoint { x, measured: &measured, slow_first });
    let report = quality_report(&[ReportedCurve { name: "sort", points: points.collect() }], "", MachineKind::Browser)
        .expect("points");
    assert_eq!(report.causes[0].problem, "The first curve was up to 2.3 times as high at 2 of 3 points");
    assert_eq!((report.badge, report.causes[0].location.as_str()), (Badge::Good, "10 and 30"));
}

#[test]
fn nobody_is_asked_to_close_programs_on_a_machine_that_may_be_shared() {
    let layout = |machine| ReportLayout::of(&[], "", machine).with_less_load("then measure again");
    assert_eq!(layout(MachineKind::Browser), "Close other programs, then measure again.");
    assert_eq!(layout(MachineKind::Native), "Wait until the machine is less busy, then measure again.");
}
