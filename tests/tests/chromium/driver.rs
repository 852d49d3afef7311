//! The driver of suites in Chromium: every function of the demo suite, ratios of the suite `ladder`, and a trap of the fixture `misbehaving`.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use std::time::Duration;

use benchbook_contract::parameter::Range;
use benchbook_contract::protocol::{Collect, HostMessage, LaneTarget, MAX_FUNCTIONS, Open, SuiteMessage};
use benchbook_host::self_test::steps::EMPTY;
use benchbook_tests::browser::{quiet_turn, turn};
use benchbook_tests::chromium::ChromiumSuite;
use benchbook_tests::method::LadderSuite;
use benchbook_tests::method::ladder::{SHORT, measure_ratios};
use benchbook_tests::method::nothing::cycles;
use benchbook_tests::requests::{arguments_at, for_all_priorities, lower_end, quick, request};
use benchbook_tests::suites::{demo, fixture};

#[tokio::test(flavor = "current_thread")]
#[ignore = "nightly: asserts ratios of measured times"]
async fn recovers_known_ratios() {
    let _turn = quiet_turn().await;
    let mut suite = LadderSuite::chromium().await.unwrap();
    for recovered in measure_ratios(&mut suite, &SHORT, 200.0).await.unwrap() {
        assert!(recovered.is_within(0.01), "{recovered:?}");
    }
    suite.close().await.unwrap();
}

#[tokio::test(flavor = "current_thread")]
#[ignore = "nightly: asserts measured times"]
async fn empty_functions_take_less_than_two_cycles() {
    let _turn = quiet_turn().await;
    let mut suite = LadderSuite::chromium().await.unwrap();
    for function in EMPTY {
        for cycles in cycles(&mut suite, function).await.unwrap() {
            assert!(cycles.low < 2.0 && cycles.high > -2.0, "{function}: {cycles:?} in cycles");
        }
    }
    suite.close().await.unwrap();
}

#[tokio::test(flavor = "current_thread")]
async fn measures_every_function_with_each_generator() {
    let _turn = turn().await;
    let mut suite = ChromiumSuite::open(&demo().unwrap().module).await.unwrap();
    let catalog = suite.suite().clone();
    for generator in &catalog.generators {
        let numeric = generator.default_axis().and_then(|axis| axis.numeric());
        // Without a numeric axis, the range is ignored.
        let range = numeric.map_or(Range { low: 0.0, high: 0.0 }, lower_end);
        let takers = catalog.functions.iter().filter(|function| function.generators.contains(&generator.path));
        let takers: Vec<_> =
            takers.filter(|function| !function.native).map(|function| function.path.as_str()).collect();
        for functions in takers.chunks(MAX_FUNCTIONS) {
            let request = request(&catalog, functions, generator, range);
            let response = suite.measure(request, &for_all_priorities(quick(2))).await.unwrap();
            let least = if generator.default_axis().is_some() { 2 } else { 1 };
            assert!(response.points.len() >= least * functions.len(), "{functions:?}: {:?}", response.points);
            assert!(response.points.iter().all(|point| point.measured().is_some()), "{:?}", response.points);
        }
    }
    suite.close().await.unwrap();
}

#[tokio::test(flavor = "current_thread")]
async fn messages_sent_before_a_trap_do_not_reach_the_next_instance() {
    let _turn = turn().await;
    let mut suite = ChromiumSuite::open(&fixture("misbehaving").unwrap().module).await.unwrap();
    let timeout = Duration::from_secs(60);
    let generator = suite.suite().generator("generators::sizes").unwrap();
    let request = request(suite.suite(), &["functions::traps"], generator, Range { low: 0.0, high: 20.0 });
    let open = |slot| {
        HostMessage::Open(Open {
            slot,
            functions: request.functions.clone(),
            generator: request.generator.clone(),
            arguments: arguments_at(&request.arguments, 20.0),
            seed: 1,
            priority: 1,
        })
    };
    let target = LaneTarget::Function(0);
    let call = Collect { slot: 1, target, calls: 1, batches: 1, input_set: 0 };
    let replies = suite.until_it_ends(&[open(1), HostMessage::Collect(call), open(2)], timeout).await.unwrap();
    assert!(matches!(&replies[..], [SuiteMessage::Opened(opened)] if opened.slot == 1), "{replies:?}");
    let reply = suite.request(HostMessage::Close { slot: 2 }, timeout).await.unwrap();
    assert!(matches!(&reply, SuiteMessage::Failed(failed) if failed.slot == Some(2)), "{reply:?}");
    suite.close().await.unwrap();
}
