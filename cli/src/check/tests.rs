//! Checks with recorded measurements: the exit status, what a second measurement confirms, and what counts as normal once it is accepted.

use std::cell::RefCell;

use anyhow::Result;
use benchbook_accepted::HistoryFolder;
use benchbook_host::history::{Acceptance, AcceptedResult, CheckedMetric, CheckedPoint, CheckedResult, MachineClass};

use super::check;
use super::fixtures::{RecordedMeasurements, measured, plan};
use super::measure::{MeasuredResult, Measurements, Measurer};
use super::plan::{CheckPlan, PlannedCheck};
use super::report::{CheckReport, FAILED, REGRESSION, Strictness};
use crate::accepted::fixtures::{accepted, on_day, single_result};
use crate::accepted::location::HistoryLocation;
use crate::commands::accept::record;

/// The result of a build of a day, with this time in nanoseconds.
fn result(day: f64, mean: f64) -> CheckedResult {
    on_day(day, single_result("mix", mean))
}

/// The accepted results of two days, of 100 ns each.
fn two_days() -> [AcceptedResult; 2] {
    [1.0, 2.0].map(|day| accepted(result(day, 100.0)))
}

/// Checks a function whose measurements return these results, one after the other.
fn report(
    plan: &CheckPlan,
    accepted: &[AcceptedResult],
    results: &[Result<&CheckedResult, &'static str>],
) -> CheckReport {
    let next = results.iter().map(|result| result.map(CheckedResult::clone)).collect();
    let mut measurer = RecordedMeasurements { next, ..RecordedMeasurements::default() };
    report_of(plan, accepted, &mut measurer)
}

fn report_of(plan: &CheckPlan, accepted: &[AcceptedResult], measurer: &mut RecordedMeasurements) -> CheckReport {
    let accepted: Vec<&AcceptedResult> = accepted.iter().collect();
    let (measured, compared) = check(plan, &accepted, measurer, &|_| {});
    assert!(measurer.next.is_empty(), "each recorded measurement is used");
    CheckReport::new(compared, &measured, &accepted)
}

/// A folder of accepted results.
struct StoredHistory {
    folder: tempfile::TempDir,
}

impl StoredHistory {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn folder(&self) -> HistoryFolder {
        HistoryFolder { path: self.folder.path().join("history"), is_chosen: false }
    }

    fn accept(&self, result: CheckedResult, replaces: bool) {
        let accepted = Acceptance { by: "Ada".to_owned(), note: "normal".to_owned() };
        record(vec![result], &accepted, &HistoryLocation::Folder(self.folder()), replaces).unwrap();
    }

    /// Checks a function whose measurements return these results. Returns the exit status and the first line of the report.
    fn check(&self, is_strict: bool, results: &[&CheckedResult]) -> (u8, String) {
        let accepted: Vec<AcceptedResult> = self.folder().read().results().cloned().collect();
        let results: Vec<_> = results.iter().copied().map(Ok).collect();
        let report = report(&plan(&["mix"]), &accepted, &results);
        let text = report.text().replace('\u{202f}', " ");
        (report.status(Strictness { is_strict, at_least: None }), text.lines().nth(1).unwrap_or_default().to_owned())
    }
}

#[test]
fn a_slower_function_fails_the_check_until_it_is_accepted() {
    let history = StoredHistory::new();
    let (normal, slow) = (result(1.0, 100.0), result(3.0, 200.0));
    assert_eq!(history.check(false, &[&normal]), (0, "Nothing was compared: 1 new.".to_owned()));
    history.accept(normal.clone(), false);
    let undecided = "Undecided for 1 of 1 point.".to_owned();
    assert_eq!(history.check(false, &[&slow]), (0, undecided.clone()), "days may differ as much");
    history.accept(result(2.0, 100.0), false);
    assert_eq!(history.check(false, &[&slow, &slow]), (1, "Slower than the accepted results: 1 slower.".to_owned()));
    assert_eq!(history.check(false, &[&slow, &normal]), (0, undecided.clone()), "it is not confirmed");
    assert_eq!(history.check(true, &[&slow, &normal]), (1, undecided.clone()));

    // Both are normal now.
    history.accept(slow.clone(), false);
    for result in [&normal, &slow] {
        assert_eq!(history.check(false, &[result]).0, 0);
    }
    history.accept(result(4.0, 200.0), true);
    assert_eq!(history.folder().read().files.len(), 1, "the earlier ones are replaced");
    assert_eq!(history.check(false, &[&normal]), (0, undecided), "a single day again");
    history.accept(result(5.0, 200.0), false);
    assert_eq!(history.check(false, &[&normal]), (0, "No regression found: 1 faster.".to_owned()));
}

#[test]
fn a_failed_measurement_has_a_status_of_its_own_but_a_regression_is_more_important() {
    let history = two_days();
    let plan = plan(&["mix", "mix"]);
    let (same, slow) = (result(2.0, 100.0), result(2.0, 300.0));
    let failed = Err("`add` failed");
    assert_eq!(report(&plan, &history, &[failed, Ok(&same)]).status(Strictness::default()), FAILED);
    assert_eq!(report(&plan, &history, &[failed, Ok(&slow), Ok(&slow)]).status(Strictness::default()), REGRESSION);
}

#[test]
fn a_regression_that_cannot_be_measured_again_is_not_confirmed() {
    let history = two_days();
    let report = report(&plan(&["mix"]), &history, &[Ok(&result(2.0, 300.0)), Err("the runner is gone")]);
    assert_eq!(report.status(Strictness::default()), FAILED);
    assert!(report.answer().starts_with("Undecided for 1 of 1 point"), "{}", report.answer());
}

#[test]
fn a_change_within_the_noise_of_two_measurements_is_undecided_and_not_measured_again() {
    let history = two_days();
    let answer = |noise: &[f64], measurements: usize| {
        let next = (0..measurements).map(|_| Ok(result(2.0, 150.0))).collect();
        let noise = noise.iter().copied().collect();
        report_of(&plan(&["mix"]), &history, &mut RecordedMeasurements { next, noise, variations: 0 }).answer()
    };
    assert_eq!(answer(&[0.6, 0.7], 1), "Undecided for 1 of 1 point.");
    // One of the measurements of noise was disturbed.
    for noise in [[0.6, 0.1], [0.1, 0.6], [0.6, 0.001]] {
        assert_eq!(answer(&noise, 2), "Slower than the accepted results: 1 slower.", "{noise:?}");
    }
}

#[test]
fn a_noisy_function_is_measured_again_as_often_as_permitted() {
    let mut noisy = result(2.0, 100.0);
    noisy.points[0].means = vec![90.0, 120.0, 100.0, 110.0];
    let steady = result(2.0, 100.0);
    let again = |re_measure: u32, results: &[&CheckedResult]| {
        let next = results.iter().map(|result| Ok((*result).clone())).collect();
        let mut measurer = RecordedMeasurements { next, ..RecordedMeasurements::default() };
        report_of(&CheckPlan { re_measure, ..plan(&["mix"]) }, &[], &mut measurer);
        measurer.variations
    };
    assert_eq!(again(0, &[&noisy]), 0);
    assert_eq!(again(2, &[&steady]), 0);
    assert_eq!(again(2, &[&noisy, &steady]), 1);
    assert_eq!(again(2, &[&noisy, &noisy, &noisy]), 2);
}

/// If the check is interrupted, the completed measurements can still be accepted.
#[test]
fn the_results_so_far_are_stored_after_each_function() {
    let stored = RefCell::new(Vec::new());
    let next = [Ok(result(2.0, 100.0)), Err("`mix` failed"), Ok(result(3.0, 100.0))].into();
    let mut measurer = RecordedMeasurements { next, ..RecordedMeasurements::default() };
    let store = |measured: &Measurements| stored.borrow_mut().push(measured.acceptable().len());
    check(&plan(&["mix", "mix", "mix"]), &[], &mut measurer, &store);
    assert_eq!(stored.take(), [0, 1, 1, 2]);
}

#[test]
fn undecided_comparisons_lower_the_confidence_as_far_as_permitted() {
    let history = two_days();
    let mut noisy = result(2.0, 100.0);
    noisy.points[0].means = vec![90.0, 120.0, 100.0, 110.0];
    let reached = |least_confidence: Option<f64>, result: &CheckedResult| {
        report(&CheckPlan { least_confidence, ..plan(&["mix"]) }, &history, &[Ok(result)]).confidence
    };
    assert_eq!(reached(Some(0.95), &result(2.0, 100.0)), 0.99, "it is decided");
    assert!((reached(Some(0.95), &noisy) - 0.95).abs() < 1e-9);
    assert_eq!(reached(None, &noisy), 0.99);
}

/// The machine is slower on the day of the check, as its reference kernel shows. Then the function is slower, too.
#[test]
fn a_slower_machine_is_no_slower_function() {
    let history = [100.0, 101.0, 99.0].map(|mean| accepted(on_day(mean - 98.0, single_result("mix", mean))));
    let slow = |kernel: f64| {
        let mut slow = result(9.0, 150.0);
        slow.points[0].kernel = vec![kernel; 4];
        report(&plan(&["mix"]), &history, &[Ok(&slow), Ok(&slow)][..if kernel > 2_000.0 { 1 } else { 2 }])
    };
    assert_eq!(slow(2_000.0).status(Strictness::default()), REGRESSION);
    // The machine is faster, which hides that the function is slower.
    let mut hidden = result(9.0, 100.0);
    hidden.points[0].kernel = vec![1_700.0; 4];
    assert_eq!(report(&plan(&["mix"]), &history, &[Ok(&hidden)]).answer(), "Undecided for 1 of 1 point.");
    let slower_machine = slow(3_000.0);
    assert_eq!(slower_machine.answer(), "Undecided for 1 of 1 point.");
    assert!(slower_machine.text().contains("Changes of the machine are subtracted"), "{}", slower_machine.text());
}

/// Nine functions, all of which are slower, and the reference kernel is not.
#[test]
fn a_slowdown_of_all_functions_is_reported_as_one() {
    let names: Vec<String> = (0..9).map(|number| format!("f{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let day = |day: f64, change: f64| {
        let noise = |number: usize| 1.0 + 0.001 * ((3 * number + 5 * day as usize) % 7) as f64;
        let result = |(number, name): (usize, &&str)| on_day(day, single_result(name, 100.0 * change * noise(number)));
        names.iter().enumerate().map(result).collect::<Vec<CheckedResult>>()
    };
    let history: Vec<AcceptedResult> = (1..4).flat_map(|number| day(f64::from(number), 1.0)).map(accepted).collect();
    let checked = |results: &[CheckedResult]| {
        let plan = plan(&names);
        report(&plan, &history, &results.iter().map(Ok).collect::<Vec<_>>())
    };
    let slower = checked(&[day(9.0, 1.2), day(9.0, 1.2)].concat());
    assert_eq!(slower.status(Strictness::default()), REGRESSION);
    assert!(
        slower.answer().starts_with("Slower than the accepted results: the median of all functions, "),
        "{}",
        slower.answer()
    );
    let sentence = "The median of all functions is slower relative to the reference kernel: +20%";
    for text in [slower.text(), slower.markdown()] {
        assert!(text.replace('\\', "").contains(sentence), "{text}");
    }
    let refuted = checked(&[day(9.0, 1.2), day(9.0, 1.0)].concat());
    assert_eq!(refuted.status(Strictness::default()), 0);
    assert!(!refuted.text().contains("The median of all"), "{}", refuted.text());
    assert_eq!(checked(&day(9.0, 1.0)).status(Strictness::default()), 0);
}

/// The result of a build with this fingerprint that counted so many wasm instructions: two numbers if they varied.
fn counted(fingerprint: &str, counts: &[f64]) -> CheckedResult {
    let mut result = single_result("mix", 1.0);
    result.benchmark.metric = CheckedMetric::WasmInstructions;
    result.machine = MachineClass::of_wasm(&result.build.compiler);
    result.build.fingerprint = fingerprint.to_owned();
    let point = CheckedPoint { means: counts.to_vec(), calls: Some(1.0), ..CheckedPoint::default() };
    CheckedResult { points: vec![point], ..result }
}

/// One count per side, without noise: a change of 0.1% is found, and nothing is found where nothing has changed.
#[test]
fn each_change_of_wasm_instructions_from_the_least_effect_on_is_found() {
    let mut plan = plan(&["mix"]);
    let mut found = |before: CheckedResult, now: CheckedResult, effect: f64| {
        plan.checks[0].minimum_effect = effect;
        let mut measurer = CountedTwice(now, effect);
        let accepted = [accepted(before)];
        let accepted: Vec<&AcceptedResult> = accepted.iter().collect();
        let (measured, compared) = check(&plan, &accepted, &mut measurer, &|_| {});
        let report = CheckReport::new(compared, &measured, &accepted);
        (report.answer(), report.status(Strictness::default()))
    };
    let more =
        |answer: &str| (format!("Uses more wasm instructions than the accepted results: 1 with {answer}."), REGRESSION);
    let planted = counted("new", &[1_001_000.0]);
    assert_eq!(found(counted("old", &[1e6]), planted.clone(), 0.000_5), more("more wasm instructions"));
    let undecided = ("Undecided for 1 of 1 point.".to_owned(), 0);
    assert_eq!(
        found(counted("old", &[1e6]), planted, 0.01),
        undecided,
        "it is less than counts, and the build is another one"
    );
    let fewer = found(counted("old", &[1e6]), counted("new", &[900_000.0]), 0.01);
    assert_eq!(fewer, ("No regression found: 1 with fewer wasm instructions.".to_owned(), 0));
    assert_eq!(found(counted("old", &[1e6]), counted("new", &[1e6]), 0.01), undecided, "the native code may be slower");
    let same = ("No regression found: 1 the same.".to_owned(), 0);
    assert_eq!(found(counted("old", &[1e6]), counted("old", &[1e6]), 0.0), same, "it is the same build");
    assert_eq!(found(counted("old", &[1e6]), counted("old", &[2e6, 2.1e6]), 0.01), undecided, "the count varies");
    assert_eq!(found(counted("old", &[2e6, 2.1e6]), counted("new", &[3e6]), 0.01), undecided, "it varied");
    assert_eq!(found(counted("old", &[2e6, 2.1e6]), counted("old", &[2e6]), 0.01), undecided, "it varied");
    let other_compiler = CheckedResult { machine: MachineClass::of_wasm("rustc 1.96.0"), ..counted("new", &[2e6]) };
    let (answer, status) = found(counted("old", &[1e6]), other_compiler, 0.01);
    assert_eq!((answer.as_str(), status), ("Nothing was compared: 1 not comparable.", 0));
    for run in 0..1_000 {
        let count = f64::from(1 + run * 7_919);
        assert_eq!(found(counted("old", &[count]), counted("old", &[count]), 0.0), same);
    }
}

#[test]
fn an_undecided_time_has_the_counts_next_to_it_if_some_were_accepted() {
    let mut noisy = result(3.0, 100.0);
    noisy.points[0].means = vec![90.0, 120.0, 100.0, 110.0];
    let remark = |before: Option<f64>, now: &[&CheckedResult]| {
        let count = before.map(|count| accepted(on_day(1.0, counted("old", &[count]))));
        let history: Vec<AcceptedResult> = two_days().into_iter().chain(count).collect();
        let results: Vec<_> = [&noisy].into_iter().chain(now.iter().copied()).map(Ok).collect();
        let text = report(&plan(&["mix"]), &history, &results).text().replace('\u{202f}', " ");
        text.lines().find(|line| line.contains("executes")).map(|line| line.trim().to_owned())
    };
    assert_eq!(remark(None, &[]), None);
    let equal = remark(Some(1e6), &[&counted("new", &[1e6])]);
    assert_eq!(equal.as_deref(), Some("it executes as much as before: 1 000 000 wasm instructions"));
    let more = remark(Some(1e6), &[&counted("new", &[1.05e6])]);
    let expected = "it executes 1 050 000 wasm instructions instead of 1 000 000 wasm instructions (+5.0%)";
    assert_eq!(more.as_deref(), Some(expected));
    assert_eq!(remark(Some(1e6), &[&counted("new", &[1e6, 1.1e6])]), None, "the count varies");
}

/// A gain that was accepted is what later builds are compared with. An earlier count that varied doesn't matter any more.
#[test]
fn wasm_instructions_are_compared_with_the_latest_count() {
    let plan = plan(&["mix"]);
    let on_day = |day: f64, counts: &[f64]| accepted(on_day(day, counted("old", counts)));
    let accepted = [on_day(1.0, &[200.0, 210.0]), on_day(2.0, &[200.0]), on_day(3.0, &[100.0])];
    let accepted: Vec<&AcceptedResult> = accepted.iter().collect();
    let mut measurer = CountedTwice(counted("new", &[190.0]), 0.01);
    let (measured, compared) = check(&plan, &accepted, &mut measurer, &|_| {});
    let report = CheckReport::new(compared, &measured, &accepted);
    assert_eq!(
        report.answer(),
        "Uses more wasm instructions than the accepted results: 1 with more wasm instructions."
    );
}

/// A build whose counts are the same in each measurement.
struct CountedTwice(CheckedResult, f64);

impl Measurer for CountedTwice {
    fn measure(&mut self, check: &PlannedCheck) -> Result<Measurements> {
        let result = MeasuredResult { check: check.number, minimum_effect: self.1, ..measured(self.0.clone()) };
        Ok(Measurements { results: vec![result], ..Measurements::default() })
    }
}
