//! Tests of the comparison of this browser with a runner.

use benchbook_host::analyze::interval::Interval;

use super::*;
use benchbook_report::machine_comparison::MachineComparison;

/// A point whose median has an interval of ±1%.
fn precise(function: &str, x: f64, time: f64) -> Point {
    let mut point = of(function, measured(x, time));
    if let Outcome::Measured(measured) = &mut point.outcome {
        measured.summary.median_interval = Some(Interval { low: 0.99 * time, high: 1.01 * time });
    }
    point
}

/// The comparison of `sort` and `sort_stable` with these points.
fn compared(browser: Vec<Point>, runner: Vec<Point>) -> Option<MachineComparison> {
    let cell = after([
        add_partner("sort_stable"),
        started(),
        in_browser(Priority::FIRST, browser),
        CellAction::Run(RunEvent::Escalated(Box::new(origin(native())))),
        on_runner(second(), runner),
    ]);
    MachineComparison::of(&cell.results.shown())
}

#[test]
fn compares_the_axis_values_of_both_machines() {
    let browser = vec![precise("sort", 1_000.0, 30.0), precise("sort", 100.0, 4.0), failed(500.0)];
    let native = [(100.0, 2.0), (300.0, 5.0), (500.0, 7.0), (1_000.0, 10.0)];
    let compared = compared(browser, native.map(|(x, time)| precise("sort", x, time)).to_vec()).expect("ratios");
    assert_eq!(compared.functions, ["sort", "sort_stable"], "names have no machine");
    let ratios: Vec<_> = compared.of_function(0).map(|(x, on_both)| (x.number(), on_both.ratio.value)).collect();
    assert_eq!(ratios, [(Some(100.0), 2.0), (Some(1_000.0), 3.0)]);
    assert!(compared.of_function(1).next().is_none() && !compared.has_ranks(), "sort_stable has no points");
    assert_eq!(compared.sentences(), ["In this browser, sort takes 2.0 to 3.0 times as long as natively."]);
}

#[test]
fn states_where_the_order_differs() {
    let points = |sort, stable| vec![precise("sort", 100.0, sort), precise("sort_stable", 100.0, stable)];
    let sentences = compared(points(40.0, 30.0), points(10.0, 20.0)).expect("ratios").sentences();
    assert_eq!(sentences.len(), 3, "a ratio for each function, and their order: {sentences:?}");
    assert_eq!(
        sentences[2],
        "The order differs natively at 100: sort_stable is faster in this browser, sort natively (Kendall's τ −1)."
    );
    let same = compared(points(30.0, 40.0), points(10.0, 20.0)).expect("ratios");
    assert!(same.has_ranks());
    assert_eq!(same.sentences()[2], "Same order natively.");
}

#[test]
fn needs_figures_from_both_machines() {
    assert_eq!(compared(vec![precise("sort", 100.0, 4.0)], vec![failed(100.0)]), None);
    assert_eq!(compared(vec![precise("sort", 100.0, 4.0)], vec![precise("sort", 500.0, 4.0)]), None);
    let points = vec![precise("sort", 100.0, 4.0)];
    let browser_only = after([started(), in_browser(Priority::FIRST, points)]);
    assert_eq!(MachineComparison::of(&browser_only.results.shown()), None);
}
