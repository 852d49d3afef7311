//! Which points of a stopped measurement are complete.

use benchbook_host::response::{Point, Response};
use benchbook_server::measure::assembly::retain_complete;
use benchbook_store_support::synthetic::World;

#[test]
fn keeps_axis_values_with_figures_of_every_function() {
    let is_measured = |points: &[Point]| points.iter().all(|point| point.measured().is_some());
    let responses = (0..100).map(|seed| World::SMALL.result(seed).response);
    let has_two_functions = |response: &Response| response.request.functions.len() == 2;
    let mut failed = 0;
    for response in responses.filter(has_two_functions) {
        let points = response.points;
        let complete: Vec<Point> = points.chunks(2).filter(|pair| is_measured(pair)).flatten().cloned().collect();
        assert_eq!(retain_complete(2, points.clone()), complete);
        // Without its last point, the last axis value is incomplete.
        let (last, others) = points.split_last().expect("a result has points");
        let rest = complete.iter().filter(|point| point.x != last.x).cloned();
        assert_eq!(retain_complete(2, others.to_vec()), rest.collect::<Vec<_>>());
        failed += usize::from(!is_measured(&points));
    }
    assert!(failed > 0, "no result has a failed point");
}
