//! Native points measured in several processes, and comparisons over them.

use benchbook_contract::parameter::Range;
use benchbook_host::analyze::compare::WithheldReason;
use benchbook_host::child::NativeSuite;
use benchbook_host::quality::Quality;
use benchbook_host::response::{MeasuredPoint, Response};
use benchbook_tests::requests::{measure, quick, request};
use benchbook_tests::suites::native;

use crate::MEASURING;

const RANGE: Range = Range { low: 4_000.0, high: 8_000.0 };

/// Measures functions of the suite `ladder` with this number of processes per point.
fn measure_ladder(functions: &[&str], processes: u32) -> Response {
    let _turn = MEASURING.blocking_lock();
    let suite = NativeSuite::open(&native("ladder").unwrap()).unwrap();
    let function = suite.suite().function(functions[0]).unwrap();
    let generator = suite.suite().generator(&function.generators[0]).unwrap();
    let mut request = request(suite.suite(), functions, generator, RANGE);
    request.point_ms = Some(120.0);
    let mut seen = Vec::new();
    let quality = Quality { processes, ..quick(2) };
    let response = measure(&suite, request, quality, |point| seen.push(point.clone())).unwrap();
    assert_eq!(seen, response.points, "each point is reported as it completes");
    response
}

/// `engine/host/tests/analysis/statistics.rs` compares the interval over processes with that of SciPy.
#[test]
fn the_mean_of_several_processes_is_that_of_their_means() {
    for processes in [1, 3] {
        let response = measure_ladder(&["rungs::one"], processes);
        assert_eq!(response.quality.point_ms, 120.0, "the request overrides the quality");
        for point in &response.points {
            let MeasuredPoint { summary, runs, .. } = point.measured().unwrap();
            assert_eq!((runs.len(), summary.runs), (processes as usize, processes));
            if processes > 1 {
                let mean_of = |times: Vec<f64>| times.iter().sum::<f64>() / times.len() as f64;
                let mean = runs.iter().map(|run| mean_of(run.times())).sum::<f64>() / f64::from(processes);
                assert!((summary.mean / mean - 1.0).abs() < 1e-9, "{summary:?} of {mean}");
            }
        }
    }
}

#[test]
#[ignore = "nightly: asserts a ratio on a real clock"]
fn functions_are_compared_over_processes() {
    let response = measure_ladder(&["rungs::one", "rungs::eight"], 3);
    let [comparison] = &response.comparisons[..] else { panic!("{:?}", response.comparisons) };
    assert_eq!((comparison.baseline.as_str(), comparison.other.as_str()), ("rungs::one", "rungs::eight"));
    for at in &comparison.ratios {
        let interval = at.interval.unwrap();
        assert!(interval.low < 8.8 && interval.high > 7.2 && (at.ratio.unwrap() / 8.0 - 1.0).abs() < 0.3, "{at:?}");
    }
}

#[test]
fn alternatives_with_different_outputs_have_no_ratio() {
    for (functions, withheld) in [
        (["alternatives::agree_a", "alternatives::agree_b"], false),
        (["alternatives::differ_a", "alternatives::differ_b"], true),
    ] {
        let response = measure_ladder(&functions, 1);
        for at in &response.comparisons[0].ratios {
            assert_eq!(at.withheld == Some(WithheldReason::OutputsDiffer), withheld, "{at:?}");
            assert!(!withheld || at.ratio.is_none(), "{at:?}");
        }
    }
}
