//! A report with each finding, each kind of axis, a long history and texts with special characters.

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::parameter::Argument;
use benchbook_host::history::{Acceptance, AcceptedResult, CheckedMetric, CheckedPoint, CheckedResult};

use crate::accepted::fixtures::{accepted, single_result, sized_result};
use crate::check::compare::Comparisons;
use crate::check::fixtures::{RULE, measured};
use crate::check::measure::{BaselineFigures, MeasuredBaseline, MeasuredResult, Measurements};
use crate::check::report::CheckReport;

const DAY: f64 = 86_400.0;

/// The report of nine benchmarks, compared with accepted results.
pub(super) fn report() -> CheckReport {
    report_with(None)
}

/// The same report, of a check with a baseline.
pub(super) fn report_with(baseline: Option<MeasuredBaseline>) -> CheckReport {
    let (mut results, mut accepted) = (Vec::new(), Vec::new());
    for history in [long_history(), two_builds(), choices(), first_call(), refuted(), counts()] {
        let (new, old) = history.split_last().expect("a history has a new result");
        results.push(measured(new.clone()));
        accepted.extend(old.iter().enumerate().map(|(index, result)| accepted_on(index, result)));
    }
    let other_inputs = result("hashing::hash", &[(10.0, 12.0), (1_000.0, 800.0)], 0, "2");
    let mut changed = other_inputs.clone();
    changed.benchmark.inputs = "ef".to_owned();
    accepted.push(accepted_on(0, &other_inputs));
    results.extend([changed, single_result("counting::count", 5.0)].map(measured));
    results.push(same_code());
    let (mut run, again) = (compared(&results, &accepted), steady_again(&results));
    run.confirm(&compared(&again, &accepted));
    let failures = vec!["`sum<T>` failed: it panicked: \"index out of bounds\"".to_owned()];
    let measured = Measurements { results, failures, baseline, ..Measurements::default() };
    CheckReport::new(run, &measured, &accepted.iter().collect::<Vec<_>>())
}

fn compared(results: &[MeasuredResult], accepted: &[AcceptedResult]) -> Comparisons {
    Comparisons::of(results, &accepted.iter().collect::<Vec<_>>(), RULE)
}

/// A function whose code is that of a baseline.
fn same_code() -> MeasuredResult {
    let mut one = measured(single_result("parsing::parse", 1.0));
    one.result.points.clear();
    one.baseline = Some(BaselineFigures::SameCode);
    one
}

/// The second measurement: the function `refuted` is as fast as before.
fn steady_again(results: &[MeasuredResult]) -> Vec<MeasuredResult> {
    let mut again = results.to_vec();
    for one in again.iter_mut().filter(|one| one.result.benchmark.function == "refuted") {
        one.result = refuted()[0].clone();
    }
    again
}

/// Eight accepted builds: the fifth is faster at 1 000, and the new one is slower there.
fn long_history() -> Vec<CheckedResult> {
    let large = [3_000.0, 3_010.0, 2_990.0, 3_004.0, 2_400.0, 2_396.0, 2_404.0, 2_401.0, 3_210.0];
    let build = |(index, &large): (usize, &f64)| {
        let small = 20.0 + 0.02 * (index % 3) as f64;
        result("sorting::sort<u32>", &[(10.0, small), (100.0, 12.0 * small), (1_000.0, large)], index, "77c0a")
    };
    large.iter().enumerate().map(build).collect()
}

/// Two accepted builds, and a faster one.
fn two_builds() -> Vec<CheckedResult> {
    vec![
        result("sorting::merge", &[(10.0, 100.0), (1_000.0, 9_000.0)], 0, "1"),
        result("sorting::merge", &[(10.0, 100.1), (1_000.0, 9_010.0)], 1, "2"),
        result("sorting::merge", &[(10.0, 100.1), (1_000.0, 6_300.0)], 2, "2"),
    ]
}

/// An axis of texts, and times that vary so much that the comparison is undecided.
fn choices() -> Vec<CheckedResult> {
    let build = |index: usize| {
        let mut result = single_result("searching::search", 1.0);
        let orders = ["Random", "Sorted"].map(AxisValue::from);
        let noisy = |x: &AxisValue| CheckedPoint {
            x: x.clone(),
            means: vec![80.0, 95.0 + index as f64, 120.0, 101.0],
            calls: None,
            kernel: vec![2_000.0; 4],
        };
        result.points = orders.iter().map(noisy).collect();
        result.benchmark.arguments.insert("order".to_owned(), Argument::Values(orders.to_vec()));
        described(result, index, "2")
    };
    (0..3).map(build).collect()
}

/// Another metric, without an axis.
fn first_call() -> Vec<CheckedResult> {
    let build = |index: usize| {
        let mut result = single_result("parsing::parse", 21_000.0);
        result.benchmark.metric = CheckedMetric::FirstCall;
        described(result, index, "3")
    };
    (0..3).map(build).collect()
}

/// An exact metric: one more allocation at 10, the same at 100, and the first ones at 1 000.
fn counts() -> Vec<CheckedResult> {
    let build = |(index, counts): (usize, &[f64; 3])| {
        let mut result = sized_result("sorting::merge", 1.0, 1.0);
        result.benchmark.metric = CheckedMetric::Allocations;
        let point = |(&x, &count): (&f64, &f64)| CheckedPoint {
            x: x.into(),
            means: vec![count],
            calls: Some(16.0),
            ..CheckedPoint::default()
        };
        result.points = [10.0, 100.0, 1_000.0].iter().zip(counts).map(point).collect();
        described(result, index, "6")
    };
    [[2.0, 5.0, 0.0], [3.0, 5.0, 1.0]].iter().enumerate().map(build).collect()
}

/// A slowdown that the second measurement does not confirm.
fn refuted() -> Vec<CheckedResult> {
    [40.0, 40.01, 44.0]
        .iter()
        .enumerate()
        .map(|(index, &mean)| described(single_result("refuted", mean), index, "4"))
        .collect()
}

/// A result over sizes. The processes of each point differ by about 1%.
fn result(function: &str, points: &[(f64, f64)], index: usize, commit: &str) -> CheckedResult {
    let mut result = sized_result(function, 1.0, 1.0);
    let factors = [0.992, 0.997, 1.004, 1.007];
    let point = |&(x, mean): &(f64, f64)| CheckedPoint {
        x: x.into(),
        means: factors.map(|one| one * mean).to_vec(),
        calls: None,
        kernel: vec![2_000.0; 4],
    };
    result.points = points.iter().map(point).collect();
    result.benchmark.arguments.insert("spread".to_owned(), Argument::Text("Uniform & wide".to_owned()));
    described(result, index, commit)
}

/// A result of a day, with a commit that starts with these digits.
fn described(mut result: CheckedResult, index: usize, commit: &str) -> CheckedResult {
    result.build.commit = Some(format!("{commit}{index}e5d2c7a94"));
    result.build.dirty = index.is_multiple_of(4);
    result.machine.cpu = Some("AMD EPYC 9R14".to_owned());
    result.machine.settings = vec!["governor performance".to_owned(), "turbo off".to_owned()];
    result.machine.system = Some("Linux 6".to_owned());
    result.measured = (20_000.0 + index as f64) * DAY;
    result
}

fn accepted_on(index: usize, result: &CheckedResult) -> AcceptedResult {
    let note = ["the first <results>", "", "new compiler & linker"][index % 3].to_owned();
    AcceptedResult { accepted: Acceptance { by: "Ada".to_owned(), note }, ..accepted(result.clone()) }
}
