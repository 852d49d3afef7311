//! No file of a native suite outlives it. `../runner/misbehaving.rs` checks the suites that cannot delete their own.

use std::fs;

use benchbook_tests::native::NativeChild;
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
