//! The findings, and which of them fail.

use benchbook_host::analyze::history::count::CountChange;
use benchbook_host::history::{AcceptedResult, CheckedMetric, CheckedPoint};

use crate::accepted::fixtures::{accepted, on_day, sized_result};
use crate::check::compare::{Comparisons, PointFinding};
use crate::check::fixtures::{RULE, measured};
use crate::check::measure::{BaselineFigures, MeasuredResult, Measurements, PairedPoint};
use crate::check::plan::{ComparisonRule, HistoryTest};
use crate::check::report::{CheckReport, Strictness};
use crate::project::deliberate::Deliberate;

/// Results of three functions, of two days, the last with other inputs.
fn history() -> Vec<AcceptedResult> {
    let mut other_inputs = sized_result("search", 1.0, 1.0);
    other_inputs.benchmark.inputs = "ef".to_owned();
    let on_two_days = |function| [1.0, 2.0].map(|day| on_day(day, sized_result(function, 100.0, 2_000.0)));
    on_two_days("sort").into_iter().chain(on_two_days("merge")).chain([other_inputs]).map(accepted).collect()
}

fn compared(results: &[MeasuredResult]) -> Comparisons {
    Comparisons::of(results, &history().iter().collect::<Vec<_>>(), RULE)
}

fn report(run: Comparisons, results: &[MeasuredResult]) -> CheckReport {
    report_against(run, results, &history().iter().collect::<Vec<_>>())
}

fn report_against(run: Comparisons, results: &[MeasuredResult], accepted: &[&AcceptedResult]) -> CheckReport {
    CheckReport::new(run, &Measurements { results: results.to_vec(), ..Measurements::default() }, accepted)
}

fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string().replace('\u{202f}', " ")
}

#[test]
fn the_noise_of_a_virtual_machine_raises_the_least_change_that_counts() {
    let noisy = |noise: f64| {
        let one = measured(sized_result("sort", 150.0, 2_000.0));
        MeasuredResult { noise: Some(noise), ..one }
    };
    let finding = |noise: f64| {
        let results = [noisy(noise)];
        plain(&report(compared(&results), &results).text())
    };
    assert!(finding(0.6).contains("undecided  sort  size 10 "), "{}", finding(0.6));
    assert!(finding(0.6).contains("same       sort  size 1 000"), "{}", finding(0.6));
    assert!(finding(0.6).contains("differs from itself by up to ±60%: smaller changes do not count"));
    assert!(finding(0.4).contains("slower  sort  size 10 "), "{}", finding(0.4));
}

/// The build's processes vary: the difference is uncertain, but the mean is outside the interval of the latest result.
#[test]
fn a_mean_outside_the_latest_interval_is_slower_by_the_simple_test_only() {
    let mut varying = sized_result("sort", 100.0, 2_000.0);
    varying.points[0].means = vec![90.0, 120.0, 100.0, 110.0];
    let results = [measured(varying)];
    let history = history();
    let accepted: Vec<&AcceptedResult> = history.iter().collect();
    let slower =
        |test| Comparisons::of(&results, &accepted, ComparisonRule { test, ..RULE }).regressions(&results).len();
    assert_eq!([HistoryTest::Difference, HistoryTest::Interval].map(slower), [0, 1]);
}

/// One accepted result is comparable, and another one is of another class of machines.
#[test]
fn accepted_results_that_are_not_compared_are_reported_with_the_others() {
    let mut elsewhere = sized_result("sort", 90.0, 1_900.0);
    elsewhere.machine.cpu = Some("Neoverse V2".to_owned());
    let mut of_other_size = sized_result("sort", 90.0, 1_900.0);
    of_other_size.benchmark.arguments.clear();
    let mut imported = sized_result("sort", 90.0, 1_900.0);
    imported.benchmark.harness = Some("criterion".to_owned());
    let history = [sized_result("sort", 100.0, 2_000.0), elsewhere, of_other_size, imported].map(accepted);
    let accepted: Vec<&AcceptedResult> = history.iter().collect();
    let results = [measured(sized_result("sort", 100.0, 2_000.0))];
    let run = Comparisons::of(&results, &accepted, RULE);
    let report = report_against(run, &results, &accepted);
    let expected = "Some accepted results were not compared: accepted on another class of machine: its processor is `Neoverse V2`, but here `unknown`.";
    for text in [plain(&report.text()), report.markdown().replace('\\', ""), report.html()] {
        assert!(
            text.contains(expected) && !["other arguments", "harness"].iter().any(|other| text.contains(other)),
            "{text}"
        );
    }
}

/// A noisy accepted result would hide every slowdown.
#[test]
fn a_noisy_accepted_result_does_not_hide_what_others_show() {
    let on = |day: f64, means: [f64; 4]| {
        let mut result = sized_result("sort", 100.0, 2_000.0);
        result.points[0].means = means.to_vec();
        accepted(on_day(day, result))
    };
    let steady = [100.0, 100.1, 99.9, 100.0];
    let history = [on(1.0, steady), on(2.0, steady), on(3.0, [60.0, 100.0, 160.0, 90.0])];
    let results = [measured(sized_result("sort", 150.0, 2_000.0))];
    let compared = |count: usize| {
        let accepted: Vec<&AcceptedResult> = history[..count].iter().collect();
        Comparisons::of(&results, &accepted, RULE)
    };
    assert_eq!([2, 3].map(|count| compared(count).regressions(&results)), [[0], [0]]);
    assert!(compared(3).rejections.iter().any(|reason| reason.contains("too much to judge by")));
}

/// The counts of a slow function may be over fewer calls, which may have other inputs.
#[test]
fn counts_over_other_numbers_of_calls_are_not_compared() {
    let count = |calls: f64| {
        let mut result = sized_result("sort", 1.0, 1.0);
        result.benchmark.metric = CheckedMetric::PeakBytes;
        result.points =
            vec![CheckedPoint { x: 10.0.into(), means: vec![64.0], calls: Some(calls), ..CheckedPoint::default() }];
        result
    };
    let finding = |one: &MeasuredResult, accepted: &[&AcceptedResult]| {
        let run = Comparisons::of(std::slice::from_ref(one), accepted, RULE);
        run.points[0].finding.clone()
    };
    let history = accepted(count(16.0));
    let same = PointFinding::Counted { change: CountChange::Same, before: 64.0, doubt: None };
    assert_eq!(finding(&measured(count(16.0)), &[&history]), same);
    let refused = |origin: &str| {
        let reason = format!("{origin} was counted over 16 calls, and this build over 1. Choose the same --time-out");
        PointFinding::NotComparable(vec![reason])
    };
    assert_eq!(finding(&measured(count(1.0)), &[&history]), refused("an accepted result"));
    let against = |there: f64, here: f64| {
        let means = [vec![64.0], vec![64.0]];
        let point = PairedPoint { x: 10.0.into(), means, ln_ratios: Vec::new(), calls: [Some(there), Some(here)] };
        let baseline = BaselineFigures::Pairs { points: vec![point], build: count(1.0).build, has_same_source: false };
        MeasuredResult { baseline: Some(baseline), ..measured(count(here)) }
    };
    assert_eq!(finding(&against(16.0, 16.0), &[]), same);
    assert_eq!(finding(&against(16.0, 1.0), &[]), refused("the baseline"));
}

/// The builds differ by 5%, but not their sources.
#[test]
fn other_code_of_the_same_source_fails_a_strict_check_only() {
    let paired = |has_same_source: bool| {
        let mut one = measured(sized_result("sort", 105.0, 2_000.0));
        let points = one.result.points.iter().map(|point| PairedPoint {
            x: point.x.clone(),
            means: [vec![100.0; 10], vec![105.0; 10]],
            ln_ratios: (0..10).map(|pair| 0.05 + 1e-3 * f64::from(pair % 3)).collect(),
            calls: [None; 2],
        });
        let build = one.result.build.clone();
        one.baseline = Some(BaselineFigures::Pairs { points: points.collect(), build, has_same_source });
        let results = [one];
        report_against(Comparisons::of(&results, &[], RULE), &results, &[])
    };
    assert_eq!([false, true].map(|is_strict| paired(false).status(Strictness { is_strict, at_least: None })), [1, 1]);
    assert_eq!([false, true].map(|is_strict| paired(true).status(Strictness { is_strict, at_least: None })), [0, 1]);
    let text = plain(&paired(true).text());
    assert!(
        text.contains("code generation changed  sort  size 10 ") && text.contains("its source and that of all"),
        "{text}"
    );
    assert!(!text.contains("cargo benchbook pinpoint"), "{text}");
}

#[test]
fn a_regression_that_was_accepted_in_advance_is_no_failure() {
    let results = [measured(sized_result("sort", 150.0, 3_000.0))];
    let accepted = |texts: &[&str]| {
        let entries: Vec<Deliberate> = texts.iter().map(|text| toml::from_str(text).unwrap()).collect();
        report(compared(&results), &results).accepting(&entries, "2026-12-03")
    };
    let all = "function = \"sort\"\nreason = \"it checks its input\"";
    assert_eq!(accepted(&[]).status(Strictness::default()), 1);
    let report = accepted(&[all]);
    assert_eq!(report.status(Strictness::default()), 0);
    let text = plain(&report.text());
    assert!(
        text.contains("2 slower or with more as accepted") && text.contains("accepted: it checks its input"),
        "{text}"
    );
    let one = accepted(&["function = \"sort\"\nat = 10\nreason = \"small inputs\""]);
    assert_eq!(one.status(Strictness::default()), 1, "the other size is slower, too");
    assert_eq!(accepted(&[&format!("{all}\nuntil = \"2026-12-02\"")]).status(Strictness::default()), 1);
}

/// A check that would not have found a slowdown is no success if it must find it.
#[test]
fn a_check_states_and_demands_its_sensitivity() {
    let checked = |width: f64| {
        let mut one = measured(sized_result("sort", 100.0, 2_000.0));
        let ln_ratios: Vec<f64> = (0..10).map(|pair| width * (f64::from(pair) / 9.0 - 0.5)).collect();
        let points = one.result.points.iter().map(|point| PairedPoint {
            x: point.x.clone(),
            means: [vec![100.0; 10], vec![100.0; 10]],
            ln_ratios: ln_ratios.clone(),
            calls: [None; 2],
        });
        let build = one.result.build.clone();
        one.baseline = Some(BaselineFigures::Pairs { points: points.collect(), build, has_same_source: false });
        let results = [one];
        report_against(Comparisons::of(&results, &[], RULE), &results, &[])
    };
    let status = |width: f64| checked(width).status(Strictness { is_strict: false, at_least: Some(0.05) });
    assert_eq!([1e-3, 0.03, 0.2].map(status), [0, 0, 4]);
    assert_eq!(checked(0.2).status(Strictness::default()), 0);
    let text = plain(&checked(1e-3).text());
    assert!(text.contains("A slowdown above 1.0% would have been found at every point"), "{text}");
    let text = plain(&checked(0.03).text());
    assert!(
        text.contains("neither no change nor one of 1.0% is excluded: about --samples 14 would decide it"),
        "{text}"
    );
    let text = plain(&checked(0.2).text());
    assert!(text.contains("--samples 100 would not decide it, but a quieter machine or --minimum-effect 8"), "{text}");
    // Accepted results of a single day decide nothing.
    let single = [accepted(on_day(1.0, sized_result("sort", 100.0, 2_000.0)))];
    let single: Vec<&AcceptedResult> = single.iter().collect();
    let results = [measured(sized_result("sort", 100.0, 2_000.0))];
    let report = report_against(Comparisons::of(&results, &single, RULE), &results, &single);
    assert_eq!(report.status(Strictness { is_strict: false, at_least: Some(0.9) }), 4);
    assert!(report.text().contains("No slowdown would have been found."), "{}", report.text());
}

#[test]
fn a_slowdown_that_a_second_measurement_does_not_find_is_undecided() {
    let results = [measured(sized_result("sort", 150.0, 2_000.0))];
    let first = compared(&results);
    assert_eq!(first.regressions(&results), [0]);
    let after = |second: &[MeasuredResult]| {
        let mut run = first.clone();
        run.confirm(&compared(second));
        report(run, &results)
    };
    let refuted = after(&[measured(sized_result("sort", 100.1, 2_000.0))]);
    assert!(!refuted.has_regression() && refuted.is_undecided());
    let text = plain(&refuted.text());
    assert!(text.starts_with("\nUndecided for 1 of 2 points: 1 the same.\n"), "{text}");
    assert!(text.contains("a second measurement did not confirm the slowdown"), "{text}");
    assert!(text.contains("To decide, measure more (--samples, --time-out), or compare"), "{text}");
    let mut failed = results.clone();
    failed[0].result.points.clear();
    assert!(!after(&failed).has_regression(), "it could not be measured again");
    let confirmed = after(&results);
    assert!(confirmed.has_regression() && !confirmed.is_undecided());
    assert!(!plain(&confirmed.text()).contains("To decide"), "{}", confirmed.text());
}
