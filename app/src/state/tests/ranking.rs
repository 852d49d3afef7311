//! Tests of the rankings of a cell.

use super::points::sampled;
use super::*;
use benchbook_contract::axis_value::AxisValue;
use benchbook_host::request::Request;
use benchbook_report::claims::answers;
use benchbook_report::ranking::MachineRanking;

/// The points of two functions at these sizes; `sort_stable` takes twice as long.
fn points(sizes: &[f64]) -> Vec<Point> {
    sizes.iter().flat_map(|&x| [measured(x, x / 10.0), of("sort_stable", measured(x, x / 5.0))]).collect()
}

/// The rankings of a comparison that the browser measured at 100 and 500, and the runner at these sizes.
fn rankings(sizes: &[f64]) -> Vec<MachineRanking> {
    let cell = after([
        add_partner("sort_stable"),
        started(),
        in_browser(Priority::FIRST, points(&[100.0, 500.0])),
        CellAction::Run(RunEvent::Escalated(Box::new(origin(native())))),
        on_runner(Priority::FIRST, points(sizes)),
    ]);
    MachineRanking::all(&cell.results.shown())
}

#[test]
fn the_runner_is_ranked_first() {
    let both = rankings(&[100.0]);
    let machines: Vec<_> = both.iter().map(|ranking| ranking.setup.machine.name.as_str()).collect();
    assert_eq!(machines, ["reference-01", "Chrome 156"]);
    let ordinals: Vec<_> = both.iter().map(|ranking| ranking.ordinals.clone()).collect();
    assert_eq!(ordinals, [[2, 3], [0, 1]], "the browser's traces are shown first");
    assert!(both.iter().all(|ranking| ranking.names == ["sort", "sort_stable"]));
}

#[test]
fn a_machine_without_figures_is_not_ranked() {
    let browser_only = rankings(&[]);
    assert_eq!(browser_only.len(), 1);
    assert_eq!(browser_only[0].setup.machine.kind, MachineKind::Browser);
    assert!(answers(&[], 0.01).is_empty());
}

#[test]
fn ranks_at_the_chosen_value_or_the_last_complete_one() {
    let mut points = points(&[100.0, 500.0, 900.0]);
    // The second function has no figures at 900 yet.
    points.pop();
    let cell = after([add_partner("sort_stable"), started(), in_browser(Priority::FIRST, points)]);
    let ranking = &MachineRanking::all(&cell.results.shown())[0];
    let at = |text: Option<&str>| ranking.ranking.values()[ranking.value_at(text)].clone();
    assert!(at(None) == 500.0 && at(Some("100")) == 100.0 && at(Some("900")) == 900.0);
    assert!(at(Some("7")) == 500.0, "a value that was not measured");
}

#[test]
fn overlays_are_not_ranked() {
    let results = |mean| after([started(), in_browser(Priority::FIRST, vec![measured(100.0, mean)])]).results;
    let rankings = MachineRanking::all(&Results { overlays: results(9.0).latest, ..results(5.0) }.shown());
    assert_eq!((rankings.len(), rankings[0].names.len()), (1, 1));
}

/// The points of two functions that take the same time at 2 100 keys.
fn crossing(sizes: &[f64]) -> Vec<Point> {
    sizes.iter().flat_map(|&x| [sampled(x, x), of("sort_stable", sampled(x, 2_100.0))]).collect()
}

#[test]
fn the_last_priorities_measure_around_the_crossovers_of_their_machine() {
    let third = second().next().expect("there are four");
    let cell = after([
        typed(End::High, "10000"),
        settled(End::High),
        add_partner("sort_stable"),
        started(),
        in_browser(Priority::FIRST, crossing(&[100.0, 300.0, 1_000.0, 3_200.0, 10_000.0])),
        CellAction::Run(RunEvent::Escalated(Box::new(origin(native())))),
        on_runner(second(), crossing(&[100.0, 300.0, 1_000.0])),
    ]);
    let request = Request { priority: third, ..cell.request("me").expect("values") };
    let refined = cell.results.refined(MachineKind::Browser, 17, request.clone());
    assert_eq!(refined, Request { also_at: vec![2_000.0, 2_200.0], ..request.clone() });
    let axis_values = cell.plan(refined.clone()).expect("valid").axis_values(17);
    assert!([2_000.0, 2_200.0].map(AxisValue::Number).iter().all(|value| axis_values.contains(value)));
    assert_eq!(cell.results.refined(MachineKind::Native, 17, request.clone()), request, "no crossover so far");
    assert_eq!(cell.results.refined(MachineKind::Native, 17, refined.clone()), refined, "earlier values remain");

    let mut cell = cell;
    cell.apply_event(RunEvent::Measured(MachineKind::Browser, third, crossing(&[1_800.0, 2_000.0, 2_200.0])));
    let last = Request { priority: Priority::LAST, ..refined.clone() };
    assert_eq!(cell.results.refined(MachineKind::Browser, 33, last.clone()), last, "the values are close enough");
    assert!(!cell.is_outdated(), "the further values are not part of the setup");
}
