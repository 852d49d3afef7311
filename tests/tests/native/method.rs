//! Known ratios of the suite `ladder`, measured natively. The tests don't require a quiet machine: they check the
//! intervals against the true values. `cargo xtask bench method` reports how narrow the intervals are.

use benchbook_host::self_test::steps::EMPTY;
use benchbook_tests::method::LadderSuite;
use benchbook_tests::method::ladder::{SHORT, measure_ratios};
use benchbook_tests::method::nothing::cycles;

use crate::MEASURING;

#[tokio::test(flavor = "current_thread")]
#[ignore = "nightly: asserts ratios on a real clock"]
async fn recovers_known_ratios() {
    let _turn = MEASURING.lock().await;
    let mut suite = LadderSuite::native().unwrap();
    for recovered in measure_ratios(&mut suite, &SHORT, 200.0).await.unwrap() {
        assert!(recovered.is_within(0.005), "{recovered:?}");
    }
}

#[tokio::test(flavor = "current_thread")]
#[ignore = "nightly: asserts times on a real clock"]
async fn empty_functions_take_less_than_a_cycle() {
    let _turn = MEASURING.lock().await;
    let mut suite = LadderSuite::native().unwrap();
    for function in EMPTY {
        for cycles in cycles(&mut suite, function).await.unwrap() {
            assert!(cycles.low < 1.0 && cycles.high > -1.0, "{function}: {cycles:?} in cycles");
        }
    }
}
