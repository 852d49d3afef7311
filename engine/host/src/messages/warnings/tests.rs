//! Tests of the warnings of a curve.

use crate::analyze::blocks;
use crate::analyze::interval::Interval;
use crate::analyze::stability::Stability;
use crate::analyze::statistics::{Basis, summarize};
use crate::response::{DeclaredWork, Overhead, Run, TwoLevelTimes, Warning};

use super::*;

/// A point of one sample, with a reference kernel of 2 000 ns.
fn point(warnings: &[Warning], upper_end: f64) -> MeasuredPoint {
    let runs = [blocks::RunTimes::without_overhead(&[5.0], &[1])];
    let basis = Basis {
        runs: &runs,
        calls: 1,
        step_per_call: 0.0,
        uninterrupted_mean: None,
        quartiles_withheld: false,
        stability: Stability::Settled,
    };
    let mut summary = summarize(&basis).expect("there is a sample");
    summary.mean_interval = Some(Interval { low: 0.1, high: upper_end });
    let run = Run {
        calls: 1,
        overhead: Overhead::default(),
        stability: Stability::Settled,
        reference: Some(2_000.0),
        samples: Vec::new(),
        blocks: Vec::new(),
        inputs: None,
        new_inputs: None,
    };
    MeasuredPoint {
        summary,
        runs: vec![run],
        outputs: None,
        work: DeclaredWork::default(),
        memory: None,
        events: None,
        first_calls: None,
        warnings: warnings.to_vec(),
    }
}

/// The warnings of a curve whose points, at 10, 20 and so on, have these warnings.
fn warnings_of(points: &[&[Warning]], upper_end: f64) -> Vec<CurveWarning> {
    let points: Vec<MeasuredPoint> = points.iter().map(|warnings| point(warnings, upper_end)).collect();
    let points = points.iter().enumerate().map(|(index, measured)| CurvePoint {
        x: Some(10.0 * (index + 1) as f64),
        measured,
        slow_first: None,
    });
    let with_plain_spaces =
        |warning: CurveWarning| CurveWarning { text: warning.text.replace('\u{202f}', " "), ..warning };
    curve_warnings(points, "Number of keys").into_iter().map(with_plain_spaces).collect()
}

#[test]
fn states_each_warning_with_its_remedy() {
    use Severity::{Noisy, Note, Unreliable};
    let changed = |before, after, gradual| Warning::Changed { before, after, gradual };
    let imprecise = |reached, needs_ms| Warning::Imprecise { reached, target: 0.01, needs_ms, needs_processes: None };
    type Row<'a> = (&'a [Warning], &'a [Warning], Severity, &'a str, &'a str);
    let in_processes =
        |needs_processes| Warning::Imprecise { reached: Some(0.02), target: 0.01, needs_ms: None, needs_processes };
    let table: [Row<'_>; 24] = [
        (
            &[changed(2_000.0, 1_000.0, false)],
            &[changed(1_000.0, 900.0, true)],
            Unreliable,
            "2 of 2 points: the times changed, in the worst case from 2.00 µs to 1.00 µs. Measure again.",
            "better code",
        ),
        (
            &[],
            &[changed(1_000.0, 1_100.0, true)],
            Unreliable,
            "1 of 2 points: the times drifted, in the worst case from 1.00 µs to 1.10 µs. Measure again.",
            "warming up",
        ),
        (
            &[Warning::Correlated],
            &[],
            Noisy,
            "1 of 2 points: the times vary slowly, which widens the mean's interval. Close other programs, or measure longer.",
            "The machine's speed varies, or the function retains state between calls.",
        ),
        (
            &[Warning::Skewed],
            &[],
            Noisy,
            "1 of 2 points: too few samples for such skewed times, so the mean is uncertain. Use the median, or measure longer.",
            "",
        ),
        (
            &[Warning::SlowCode { tier: 1.5 }],
            &[Warning::SlowCode { tier: 1.2 }],
            Unreliable,
            "2 of 2 points: the browser ran unoptimised code. Close the developer tools, reload, then measure again.",
            "which is several times slower",
        ),
        (
            &[Warning::SlowMachine { by: 0.12 }],
            &[Warning::SlowMachine { by: 0.25 }],
            Noisy,
            "2 points: the machine ran up to 25 % slower than at its best. Plug it in, close other programs, then measure again.",
            "heat, battery power, another process",
        ),
        (
            &[Warning::SlowMachine { by: 0.12 }],
            &[],
            Noisy,
            "1 point: the machine ran up to 12 % slower than at its best. Plug it in, close other programs, then measure again.",
            "",
        ),
        (
            &[Warning::Alone],
            &[],
            Note,
            "1 of 2 points: not interleaved with the other functions, so there is no ratio.",
            "The suite crashed when its functions were interleaved.",
        ),
        (
            &[Warning::Interrupted { samples: 1, ms: 4.0 }],
            &[Warning::Interrupted { samples: 2, ms: 8.0 }],
            Noisy,
            "Interference: 3 samples at 2 points were preempted (12.0 ms in total). Close other programs, then measure again.",
            "the function itself",
        ),
        (
            &[Warning::Interrupted { samples: 1, ms: 4.0 }],
            &[],
            Noisy,
            "Interference: 1 sample at 1 point was preempted (4.00 ms in total). Close other programs, then measure again.",
            "",
        ),
        (
            &[imprecise(Some(0.05), Some(12_000.0))],
            &[imprecise(Some(0.02), Some(3_000.0))],
            Noisy,
            "2 of 2 points missed the precision target (worst ± 5.0 %). Allow 12.0 s per point, or choose a wider precision target.",
            "",
        ),
        (
            &[imprecise(Some(0.9), Some(1e9))],
            &[],
            Noisy,
            "1 of 2 points missed the precision target (worst ± 90 %). It is out of reach here. Choose a wider precision target.",
            "",
        ),
        (
            &[imprecise(Some(0.9), None)],
            &[],
            Noisy,
            "1 of 2 points missed the precision target (worst ± 90 %). It is out of reach here. Choose a wider precision target.",
            "",
        ),
        (
            &[imprecise(None, None)],
            &[],
            Noisy,
            "1 of 2 points missed the precision target. The required time is unknown. Close other programs, or choose a wider precision target.",
            "",
        ),
        (
            &[in_processes(Some(12))],
            &[in_processes(Some(20))],
            Noisy,
            "2 of 2 points missed the precision target (worst ± 2.0 %). Set processes to 20, or choose a wider precision target.",
            "",
        ),
        (
            &[in_processes(Some(12))],
            &[in_processes(None)],
            Noisy,
            "2 of 2 points missed the precision target (worst ± 2.0 %). It is out of reach here. Choose a wider precision target.",
            "",
        ),
        (
            &[Warning::TwoLevels(TwoLevelTimes {
                low: 1_400.0,
                high: 2_350.0,
                high_share: 0.38,
                repeats: None,
                new_inputs: None,
            })],
            &[Warning::TwoLevels(TwoLevelTimes {
                low: 100.0,
                high: 110.0,
                high_share: 0.5,
                repeats: None,
                new_inputs: None,
            })],
            Noisy,
            "2 of 2 points: the times switch between two levels, such as 1.40 µs and 2.35 µs (38 % at the upper one). Try other inputs.",
            "This widens the mean's interval.",
        ),
        (
            &[Warning::TwoLevels(TwoLevelTimes {
                low: 1_400.0,
                high: 2_350.0,
                high_share: 0.38,
                repeats: Some(9_412.6),
                new_inputs: Some(Interval { low: 2_250.0, high: 2_371.0 }),
            })],
            &[],
            Noisy,
            "1 of 2 points: the times switch between two levels, such as 1.40 µs and 2.35 µs (38 % at the upper one). If your inputs do not repeat, expect 2.25 to 2.37 µs (here, each was used 9 413 times).",
            "This widens the mean's interval.",
        ),
        (
            &[Warning::Batched { calls: 1_000 }],
            &[Warning::Batched { calls: 10 }],
            Note,
            "Number of keys up to 20: a sample is the mean of up to 1 000 calls.",
            "",
        ),
        (
            &[Warning::ExtremeOutliers { samples: 1, of: 1 }],
            &[],
            Note,
            "1 of 2 samples are extreme outliers.",
            "Every figure includes them",
        ),
        (
            &[Warning::BelowResolution { under: 3.0 }],
            &[],
            Note,
            "1 of 2 points: the time is indistinguishable from zero (under 3.00 ns).",
            "",
        ),
        (
            &[Warning::Unsettled],
            &[],
            Noisy,
            "1 of 2 points did not settle during warm-up. Close other programs, then measure again.",
            "Another process",
        ),
        (
            &[Warning::ShortBatches { batch: 5.0, resolution: 5.0 }],
            &[],
            Note,
            "1 of 2 points: batches are too short for this clock. Use the mean.",
            "Median and quartiles are withheld",
        ),
        (&[Warning::OneCallPerBatch], &[], Note, "Each call is timed separately, since calls affect each other.", ""),
    ];
    for (first, second, severity, text, details) in table {
        let warnings = warnings_of(&[first, second], 5.5);
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        let warning = &warnings[0];
        assert_eq!((warning.kind.severity(), warning.text.as_str()), (severity, text));
        assert!(warning.details.contains(details), "{details}: {warning:?}");
    }
    assert_eq!(warnings_of(&[&[], &[]], 5.5), []);
}

#[test]
fn suspects_removed_work_if_every_size_takes_under_two_cycles() {
    // Two cycles take 2 000 ns / 6 000 * 2.
    assert!(warnings_of(&[&[], &[]], 0.66)[0].text.starts_with("The optimiser may have removed the work"));
    assert_eq!(warnings_of(&[&[], &[]], 0.67), []);
    assert_eq!(warnings_of(&[&[]], 0.66), [], "one size proves nothing");
    let slow: &[Warning] = &[Warning::SlowCode { tier: 1.5 }];
    assert_eq!(warnings_of(&[slow, slow], 0.66).len(), 1, "only the slow code is reported");
}

#[test]
fn lists_the_most_serious_warning_first() {
    let all = [Warning::OneCallPerBatch, Warning::Skewed, Warning::SlowCode { tier: 1.5 }];
    let kinds: Vec<WarningKind> = warnings_of(&[&all], 5.5).iter().map(|warning| warning.kind).collect();
    assert_eq!(kinds, [WarningKind::SlowCode, WarningKind::Skewed, WarningKind::SingleCalls]);
}

#[test]
fn merges_equal_warnings_of_several_curves() {
    let skewed = warnings_of(&[&[Warning::Skewed]], 5.5);
    let slow = warnings_of(&[&[Warning::SlowCode { tier: 1.5 }]], 5.5);
    let curves = [("a".to_owned(), skewed.clone()), ("b".to_owned(), [slow.clone(), skewed.clone()].concat())];
    let shared = |curves: &[&str], warning: &CurveWarning| SharedWarning {
        curves: curves.iter().map(|&name| name.to_owned()).collect(),
        warning: warning.clone(),
    };
    assert_eq!(shared_warnings(curves), [shared(&["b"], &slow[0]), shared(&["a", "b"], &skewed[0])]);
    assert_eq!(shared_warnings([]), []);
}

#[test]
fn a_slow_first_curve_is_reported() {
    let with_interval = |mean: f64, low, high| {
        let mut measured = point(&[], high);
        (measured.summary.mean, measured.summary.mean_interval) = (mean, Some(Interval { low, high }));
        measured
    };
    let later = with_interval(10.0, 9.0, 11.0);
    assert_eq!(slow_first_factor(&with_interval(23.0, 20.0, 26.0), &later), Some(2.3));
    assert_eq!(slow_first_factor(&with_interval(12.0, 10.5, 13.5), &later), None, "the intervals overlap");
    assert_eq!(slow_first_factor(&with_interval(5.0, 4.0, 6.0), &later), None, "it was faster");
    let all = [(Some(10.0), Some(2.3)), (Some(20.0), None), (Some(30.0), Some(1.5))];
    let warnings =
        curve_warnings(all.map(|(x, slow_first)| CurvePoint { x, measured: &later, slow_first }).into_iter(), "size");
    assert_eq!(warnings.len(), 1);
    assert_eq!(warnings[0].text, "2 of 3 points: the times of the first curve were up to 2.3 times as long.");
}
