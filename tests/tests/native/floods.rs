//! A host keeps only a bounded part of a suite's output.

use std::process::Command;
use std::{env, fs};

use benchbook_host::child::NativeSuite;
use benchbook_host::quality::Quality;
use benchbook_tests::requests::quick;
use benchbook_tests::suites::{impostor, native};

use crate::guarded::points;

/// At most four replies of 16 MiB are queued while one is read and one is processed.
const MAX_GROWTH: u64 = 150 << 20;

/// The environment variable of the process in which the test checks its peak memory, without the other tests of this program.
const ALONE: &str = "BENCHBOOK_FLOODS_ALONE";

#[test]
fn floods_do_not_exhaust_the_hosts_memory() {
    if env::var_os(ALONE).is_some() {
        return assert_memory_is_bounded();
    }
    let mut child = Command::new(env::current_exe().unwrap());
    child.args(["--exact", "floods::floods_do_not_exhaust_the_hosts_memory", "--nocapture"]);
    let output = child.env(ALONE, "1").output().unwrap();
    let texts = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(output.status.success() && texts[0].contains("1 passed"), "{texts:?}");
}

fn assert_memory_is_bounded() {
    for (program, function) in [
        (native("misbehaving").unwrap(), "processes::floods"),
        (impostor("gushing").unwrap(), "function"),
        (impostor("babbling").unwrap(), "function"),
    ] {
        let suite = NativeSuite::open(&program).unwrap();
        let before = peak();
        let points = points(&suite, function, Quality { timeout_ms: Some(1_000.0), ..quick(2) });
        assert!(points[1].measured().is_none(), "{function} of {}", program.display());
        // The kernel counts pages approximately, so that a peak may seem to fall.
        let grown = peak().saturating_sub(before);
        assert!(grown < MAX_GROWTH, "{grown} bytes for {}", program.display());
    }
}

/// The peak memory of this process, in bytes.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}
