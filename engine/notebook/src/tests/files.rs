//! Tests of the file format.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::strategies::notebook;
use super::{failed, measured, measurement_cell, result, setup, text_cell, with_samples};
use crate::cell::MeasurementCell;
use crate::file::{FileError, MAX_BYTES, VERSION, WrittenFile, read, write, write_up_to};
use crate::notebook::Notebook;

/// A notebook with a text and a measurement with two points.
fn example() -> Notebook {
    let points = vec![with_samples(10.0, &[5.0, 6.0, 7.0], true), failed(100.0)];
    let measurement = MeasurementCell {
        title: "Sorting".to_owned(),
        setup: setup(),
        results: vec![result(7, points).into()],
        ..MeasurementCell::default()
    };
    Notebook {
        title: "Sorts".to_owned(),
        cells: vec![text_cell(1, "Which is faster?"), measurement_cell(2, measurement)],
    }
}

pub(super) fn example_json() -> Value {
    serde_json::from_str(&write(&example())).expect("it is JSON")
}

/// The error of the example with a changed value.
fn error_with(pointer: &str, value: Value) -> String {
    let mut changed = example_json();
    *changed.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}")) = value;
    read(&changed.to_string()).expect_err(pointer).to_string()
}

#[test]
fn a_file_that_would_be_too_large_is_written_without_samples() {
    let example = example();
    let size = write(&example).len();
    assert_eq!(write_up_to(&example, size), WrittenFile { text: write(&example), has_samples: true });
    let smaller = write_up_to(&example, size - 1);
    assert!(smaller.text.len() < size && !smaller.has_samples);
    assert_eq!(read(&smaller.text), Ok(example.without_samples()));
}

/// A file of each version remains here, and every later version reads it. `BENCHBOOK_BLESS=1` writes the file of a new version.
#[test]
fn reads_files_of_all_versions() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tests/versions");
    let path = |version: u32| folder.join(format!("version-{version}.benchbook.json"));
    if std::env::var_os("BENCHBOOK_BLESS").is_some() && !path(VERSION).exists() {
        fs::create_dir_all(&folder).expect("the folder can be created");
        let text = serde_json::to_string_pretty(&example_json()).expect("it is JSON");
        fs::write(path(VERSION), text + "\n").expect("the file can be written");
    }
    for version in 1..=VERSION {
        let text = fs::read_to_string(path(version)).expect("files of all versions are kept");
        assert_eq!(read(&text), Ok(example()), "version {version}");
    }
}

#[test]
fn names_the_cards_of_the_results() {
    let example = example();
    let names: Vec<&str> = example.machines().into_iter().map(|machine| machine.name.as_str()).collect();
    assert_eq!((names, example.suites().len()), (vec!["Chrome 156"], 1));
}

#[test]
fn rejects_other_files() {
    let table = [
        ("", "The file is damaged or incomplete: it ends early, on line 1. Save or download it again."),
        ("{", "damaged or incomplete"),
        ("[1, 2", "damaged or incomplete"),
        ("{\"benchbook\": 1,\n oops}", "damaged or incomplete: invalid JSON at line 2, column 2."),
        ("[]", "not a Benchbook notebook"),
        ("[1, 2, 3]", "not a Benchbook notebook"),
        ("[2]", "not a Benchbook notebook"),
        ("7", "not a Benchbook notebook"),
        ("{}", "not a Benchbook notebook"),
        (r#"{"benchbook": "one"}"#, "not a Benchbook notebook"),
        (r#"{"benchbook": 0, "cells": []}"#, "not a Benchbook notebook"),
        (r#"{"benchbook": 1}"#, "missing field `cells`"),
        (
            r#"{"benchbook": 2, "tree": {}}"#,
            "version 2 of the format; this page reads up to version 1. Update Benchbook.",
        ),
    ];
    for (text, expected) in table {
        let error = read(text).expect_err(text).to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
    let deep = format!(r#"{{"benchbook": 1, "cells": {}"#, "[".repeat(100_000));
    assert!(matches!(read(&deep), Err(FileError::Damaged { .. })));
    let huge = " ".repeat(MAX_BYTES + 1);
    assert_eq!(
        read(&huge).expect_err("it is too large").to_string(),
        "The file has 65 MiB; the limit is 64 MiB. Remove cells or results."
    );
}

#[test]
fn every_truncated_file_is_reported_as_damaged() {
    let text = write(&example());
    for length in (0..text.len()).filter(|length| text.is_char_boundary(*length)) {
        assert!(matches!(read(&text[..length]), Err(FileError::Damaged { .. })), "{length} of {} bytes", text.len());
    }
}

/// The first result of the example, and the first point of its curve.
const RESULT: &str = "/cells/1/measurement/results/0";
const POINT: &str = "/cells/1/measurement/results/0/curves/0/points/0";

#[test]
fn rejects_values_that_later_code_relies_on() {
    let five = json!(["a", "b", "c", "d", "e"]);
    let table = [
        ("", "/cells/1/id", json!("0000000000000001"), "two cells have the identifier 0000000000000001"),
        ("", "/cells/0/id", json!("<script>"), "expected an identifier"),
        ("", "/cells/0", json!({ "id": "a" }), "exactly one of `text` and `measurement`"),
        ("", "/cells/1/measurement/setup/functions", json!([]), "cell 2: expected 1 to 4 functions, found 0"),
        ("", "/cells/1/measurement/setup/functions", five, "cell 2: expected 1 to 4 functions, found 5"),
        (RESULT, "/curves", json!([]), "cell 2: expected 1 to 4 curves in a result, found 0"),
        (RESULT, "/curves/0/function", json!("other"), "do not match its request: `other`"),
        (RESULT, "/setup/request/arguments/size", json!([]), "the axis `size` has no values"),
        (RESULT, "/setup/axis/name", json!("depth"), "the axis is `size`, but `depth` is described"),
        (POINT, "", json!({ "x": 10 }), "neither figures nor a failure"),
        (POINT, "/measured/point/runs/0/blocks", json!([2]), "`sort`: the point at `10`: 3 samples, but blocks of 2"),
        (POINT, "/measured/point/runs/0/calls", json!(0), "a batch has no calls"),
        (POINT, "/measured/point/summary/median", json!(-5), "the point at `10`: `median` (-5) is less than `q1`"),
        (POINT, "/measured/point/summary/max", json!(0.5), "`max` (0.5) is less than"),
        (POINT, "/measured/point/summary/mean", json!(1e9), "the mean (1000000000) is not between"),
        (POINT, "/measured/point/summary/sd", json!(-1), "the standard deviation is negative: -1"),
        (POINT, "/measured/priority", json!(5), "priority"),
        (POINT, "/x", json!("Random"), "the point at `Random` is not on the axis"),
        (POINT, "/x", json!(100), "two points are at `100`"),
        ("", "/title", json!("x".repeat(3_000)), "the title has more than 2000 characters"),
    ];
    for (start, rest, value, expected) in table {
        let error = error_with(&format!("{start}{rest}"), value);
        assert!(error.contains(expected), "{start}{rest}: {error}");
    }
}

#[test]
fn identifiers_of_results_are_unique_in_the_notebook() {
    let mut changed = example_json();
    let results = changed.pointer_mut("/cells/1/measurement/results").expect("results").as_array_mut().expect("a list");
    results.push(results[0].clone());
    let error = read(&changed.to_string()).expect_err("two results have the same identifier").to_string();
    assert!(error.contains("two results have the identifier 0000000000000007"), "{error}");
}

#[test]
fn sorts_the_points_of_a_file() {
    let points = vec![measured(10.0, 5.0), measured(100.0, 6.0), measured(1_000.0, 7.0)];
    let sorted =
        MeasurementCell { setup: setup(), results: vec![result(7, points).into()], ..MeasurementCell::default() };
    let notebook = Notebook { title: String::new(), cells: vec![measurement_cell(1, sorted)] };
    let mut changed: Value = serde_json::from_str(&write(&notebook)).expect("it is JSON");
    let points = changed.pointer_mut("/cells/0/measurement/results/0/curves/0/points").expect("points");
    points.as_array_mut().expect("a list").reverse();
    assert_eq!(read(&changed.to_string()), Ok(notebook));
}

#[test]
fn ignores_fields_of_later_minor_changes() {
    let mut changed = example_json();
    changed["generator"] = json!("another program");
    changed["cells"][0]["colour"] = json!("red");
    assert_eq!(changed["benchbook"], VERSION);
    assert_eq!(read(&changed.to_string()), Ok(example()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn reads_every_written_notebook(notebook in notebook()) {
        prop_assert_eq!(read(&write(&notebook)), Ok(notebook));
    }

    #[test]
    fn never_panics(text in "\\PC{0,60}") {
        let _ = read(&text);
    }
}
