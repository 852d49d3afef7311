//! The self-test on a machine that is loaded on purpose.

use std::process::Command;
use std::thread::available_parallelism;

use benchbook_tests::interference::busy_threads;
use benchbook_tests::suites::program;

use crate::MEASURING;

/// Two more threads than cores compete with the suite, so it loses at least half of its time.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "current_thread")]
#[ignore = "nightly: asserts interference on a real clock"]
async fn a_loaded_machine_fails_and_the_cause_is_reported() {
    let tool = program("cargo-benchbook", "dev").unwrap();
    let _turn = MEASURING.lock().await;
    let _load = busy_threads(available_parallelism().unwrap().get() + 2);
    let output = Command::new(tool).args(["self-test", "--tries", "2"]).output().unwrap();
    let report = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{report}");
    assert!(report.contains("\nFAILED interference: "), "{report}");
    assert!(report.contains("Close other programs"), "{report}");
}
