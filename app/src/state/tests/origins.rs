//! Tests of results from elsewhere: the machines and builds that a cell states, and the ratios to its original times.

use super::points::sampled;
use super::*;
use benchbook_host::messages::quality_report::Badge;
use benchbook_report::origins::origin_lines;
use benchbook_report::quality::answer_badge;
use benchbook_report::ranking::MachineRanking;
use benchbook_report::reproduction::reproduction;
use benchbook_report::results::Results;

/// A measurement of two functions at two sizes on a machine, with a build. `sort` takes this time.
fn run(number: u64, machine: Machine, fingerprint: &str, sort: f64) -> [CellAction; 3] {
    let at = |x| [of("sort", sampled(x, sort)), of("sort_stable", sampled(x, 80.0))];
    measurement(origin_of(number, machine, fingerprint), Priority::LAST, [at(100.0), at(900.0)].concat())
}

fn results(runs: impl IntoIterator<Item = [CellAction; 3]>) -> Results {
    after([add_partner("sort_stable")].into_iter().chain(runs.into_iter().flatten())).results
}

#[test]
fn states_the_machine_and_the_build_of_every_result() {
    let original = run(1, firefox(), "0123456789abcdef", 40.0);
    let here = run(2, machine(), "fedcba9876543210", 20.0);
    let before = "WebAssembly in Firefox 150 · demo 0.1.0 (01234567…) · rustc 1.95.0, opt-level 3";
    assert_eq!(origin_lines(&results([original.clone()])), [before]);
    let after = "WebAssembly in Chrome 156 · demo 0.1.0 (fedcba98…) · rustc 1.95.0, opt-level 3";
    assert_eq!(origin_lines(&results([original.clone(), here])), [before, after], "also after measuring again");
    let rebuilt = run(2, firefox(), "fedcba9876543210", 20.0);
    assert_eq!(origin_lines(&results([original, rebuilt])).len(), 2, "another build on the same machine");
    assert_eq!(origin_lines(&Results::default()), [""; 0]);
}

#[test]
fn states_the_commit_that_the_site_knows() {
    let config = SiteConfig::read(r#"{ "commits": { "known": "77c0a41f0b12+changes" } }"#).unwrap();
    let commit = |fingerprint: &str| {
        let origin = origin_of(1, machine(), fingerprint);
        let origin = ResultOrigin { suite: config.with_commit(origin.suite), ..origin };
        let lines =
            origin_lines(&results([measurement(origin, Priority::LAST, vec![of("sort", sampled(100.0, 40.0))])]));
        lines[0].split_once("opt-level 3").expect("the settings").1.to_owned()
    };
    assert_eq!(commit("known"), " · commit 77c0a41f0b12+changes");
    assert_eq!(commit("rebuilt"), "");
}

#[test]
fn a_repeated_measurement_has_ratios_at_every_common_axis_value() {
    let shown = results([run(1, firefox(), "a", 40.0), run(2, machine(), "a", 20.0)]).shown();
    let repeated = reproduction(&shown, &MachineRanking::all(&shown), 0.01);
    let [reproduction] = repeated.as_slice() else { panic!("one original: {repeated:?}") };
    let ratios = &reproduction.ratios;
    assert_eq!((ratios.origin.as_str(), ratios.names.join(" ").as_str()), ("Firefox 150", "sort sort_stable"));
    let values: Vec<(Option<f64>, Vec<f64>)> = (ratios.values.iter())
        .map(|at| (at.x.number(), at.functions.iter().map(|one| (one.ratio.value * 100.0).round() / 100.0).collect()))
        .collect();
    assert_eq!(values, [(Some(100.0), vec![0.5, 1.0]), (Some(900.0), vec![0.5, 1.0])]);
}

#[test]
fn the_quality_of_the_answer_is_that_of_the_last_measurement() {
    let badge = |results: &Results| {
        let shown = results.shown();
        answer_badge(&shown, &MachineRanking::all(&shown))
    };
    assert_eq!(badge(&results([])), None);
    assert!(badge(&results([run(1, machine(), "a", 40.0)])).is_some());
    let good = |x| {
        let mut point = sampled(x, 40.0);
        if let Outcome::Measured(measured) = &mut point.outcome {
            measured.warnings.clear();
            measured.summary.stability = benchbook_host::analyze::stability::Stability::Settled;
        }
        point
    };
    let again = [
        CellAction::Run(RunEvent::Started(Box::new(ResultOrigin { id: Id::from_random(2), ..origin(firefox()) }))),
        in_browser(Priority::LAST, vec![good(100.0), good(900.0)]),
    ];
    let first = run(1, machine(), "a", 40.0);
    let cell = after(first.into_iter().chain(again));
    assert_eq!(badge(&cell.results), Some(Badge::Good));
}

#[test]
fn a_stored_result_of_a_runner_says_when_and_where_it_was_measured() {
    const MINUTE: f64 = 60_000.0;
    const DAY: f64 = 1_440.0 * MINUTE;
    let requested = origin(machine()).started;
    let on_native = |started: f64, priority: Priority| {
        let origin = ResultOrigin { started, ..origin_of(2, native(), "native") };
        [
            CellAction::Run(RunEvent::Escalated(Box::new(origin))),
            CellAction::Run(RunEvent::Measured(MachineKind::Native, priority, vec![measured(100.0, 3.0)])),
        ]
    };
    let note = |parts: Vec<[CellAction; 2]>| {
        let done = CellAction::Run(RunEvent::PriorityDone(Priority::LAST));
        after([started()].into_iter().chain(parts.into_iter().flatten()).chain([done])).stored_note(requested + MINUTE)
    };
    let stored = |age: f64, priority: Priority| on_native(requested - age, priority);
    for (age, text) in [
        (5.0 * MINUTE, "stored, 6 minutes ago, on reference-01"),
        (59.5 * MINUTE, "stored, 1 hour ago, on reference-01"),
        (3.0 * DAY, "stored, 3 days ago, on reference-01"),
        (100.0 * DAY, "stored, on 13 June 2026, on reference-01"),
    ] {
        let note = note(vec![stored(age, Priority::FIRST)]);
        assert_eq!(note.as_deref(), Some(text));
    }
    let newest = note(vec![stored(3.0 * DAY, Priority::FIRST), stored(2.0 * DAY, second())]);
    assert!(newest.is_some_and(|note| note.contains("2 days")), "it is as new as the newest of its points");
    let partly = vec![stored(3.0 * DAY, Priority::FIRST), on_native(requested + 1.0, second())];
    assert_eq!(note(partly), None, "the rest was measured now");
}
