//! `cargo benchbook self-test`: the tool is its own suite.

use std::fs;
use std::process::Command;

use benchbook_tests::suites::program;
use serde_json::Value;

use crate::command_line::schema_error;

#[test]
fn the_tool_alone_tests_the_machine_in_any_folder() {
    let folder = tempfile::tempdir().unwrap();
    let mut tool = Command::new(program("cargo-benchbook", "dev").unwrap());
    let tool = tool.current_dir(folder.path()).args(["benchbook", "self-test", "--tries", "1", "--json"]);
    let output = tool.output().unwrap();
    let progress = String::from_utf8_lossy(&output.stderr);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {progress}"));
    assert_eq!(schema_error(include_str!("../../../docs/self-test.schema.json"), &report), None);
    // Whether this machine passes now depends on the other programs.
    assert_eq!(Some(output.status.success()), report["passed"].as_bool(), "{report}");
    let interference = report["checks"][0]["result"].as_str().unwrap();
    assert!(!interference.contains(" 0 of 0 samples "), "{report}");
    assert!(progress.starts_with("equal functions: at most ") && progress.contains("\nknown ratios: "), "{progress}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
