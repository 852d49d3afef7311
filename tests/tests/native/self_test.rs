//! The self-test on a machine that is loaded on purpose.

use std::thread::available_parallelism;

use benchbook_host::self_test::checks::report;
use benchbook_tests::interference::busy_threads;
use benchbook_tests::method::LadderSuite;
use benchbook_tests::method::self_test::self_test;

use crate::MEASURING;

/// Two more threads than cores compete with the suite, so it loses at least half of its time.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "current_thread")]
#[ignore = "nightly: asserts interference on a real clock"]
async fn a_loaded_machine_fails_and_the_cause_is_reported() {
    let _turn = MEASURING.lock().await;
    let _load = busy_threads(available_parallelism().unwrap().get() + 2);
    let mut suite = LadderSuite::native().unwrap();
    let checks = self_test(&mut suite, 2, 30.0).await.checks();
    let report = report(&checks);
    assert!(report.contains("\nFAILED interference: "), "{report}");
    assert!(report.contains("Close other programs"), "{report}");
}
