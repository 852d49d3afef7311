//! The self-test on a machine that is loaded on purpose.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use std::thread::available_parallelism;

use benchbook_host::self_test::checks::report;
use benchbook_tests::interference::busy_threads;
use benchbook_tests::method::LadderSuite;
use benchbook_tests::method::self_test::self_test;

/// Two more threads than cores compete with the suite, so it loses at least half of its time.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "current_thread")]
async fn a_loaded_machine_fails_and_the_cause_is_reported() {
    let _load = busy_threads(available_parallelism().unwrap().get() + 2);
    let mut suite = LadderSuite::native().unwrap();
    let checks = self_test(&mut suite, 2, 30.0).await.checks();
    let report = report(&checks);
    assert!(report.contains("\nFAILED interference: "), "{report}");
    assert!(report.contains("Close other programs"), "{report}");
}
