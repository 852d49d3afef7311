//! The files of a report.

use std::fs;

use super::example::report;
use crate::check::report::ReportFiles;

#[test]
fn a_file_that_cannot_be_written_does_not_prevent_the_other() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("file"), "a file instead of a folder").expect("it is written");
    let junit = folder.path().join("new/check.xml");
    let files = ReportFiles { html: Some(folder.path().join("file/check.html")), junit: Some(junit.clone()) };
    let error = format!("{:#}", files.write(&report(), false).expect_err("there is no folder"));
    assert!(error.starts_with("failed to write the report to ") && error.contains("check.html"), "{error}");
    assert_eq!(fs::read_to_string(junit).expect("its folder was created"), report().junit(false));
}
