//! Tests of the rankings of a cell.

use super::*;
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
