//! No file of a native suite outlives it.

use std::fs;

use benchbook_contract::parameter::Range;
use benchbook_host::child::NativeSuite;
use benchbook_tests::native::NativeChild;
use benchbook_tests::requests::{measure, quick, request};
use benchbook_tests::scratch::folders;
use benchbook_tests::suites::fixture;

#[test]
fn suites_delete_their_folders() {
    let open = |slot, axis| {
        serde_json::json!({
            "type": "open", "slot": slot, "functions": ["generators::takes"], "generator": "generators::prepares_nothing",
            "arguments": {"size": axis}, "seed": 7, "priority": 1
        })
        .to_string()
    };
    let scratch = tempfile::tempdir().unwrap();
    let entries = || fs::read_dir(scratch.path()).unwrap().count();
    let mut child = NativeChild::start_in(&fixture("misbehaving").unwrap().program, scratch.path()).unwrap();
    for (message, expected, left) in [
        (open(1, 5), "opened", 1),
        (r#"{"type":"close","slot":1}"#.to_owned(), "closed", 0),
        (open(2, 10), "failed", 0),
        (open(3, 5), "opened", 1),
    ] {
        child.send(&message).unwrap();
        let reply = child.receive().unwrap();
        assert!(reply.contains(expected), "{reply}");
        assert_eq!(entries(), left, "after {message}");
    }
    child.finish().unwrap();
    assert_eq!(entries(), 0, "after the end of the input");
}

/// An aborted process cannot delete its files, so the host does.
#[test]
fn hosts_delete_the_files_of_dead_suites() {
    let suite = NativeSuite::open(&fixture("misbehaving").unwrap().program).unwrap();
    let generator = suite.suite().generator("generators::sizes").unwrap();
    let request = request(suite.suite(), &["functions::traps"], generator, Range { low: 0.0, high: 20.0 });
    let points = measure(&suite, request, quick(3), |_| {}).unwrap().points;
    assert!(points[2].measured().is_none(), "{points:?}");
    let left = folders(std::process::id()).unwrap();
    assert!(left.is_empty(), "{left:?}");
}
