//! Tests of notebooks in addresses.

use std::io::Write;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use proptest::prelude::*;

use super::strategies::notebook;
use super::{measurement_cell, result, setup, text_cell, with_samples};
use crate::cell::MeasurementCell;
use crate::file::{FileError, MAX_BYTES};
use crate::link::{LinkError, MAX_CHARACTERS, read, write};
use crate::notebook::Notebook;

/// A notebook with this many points, whose times do not compress well, and with this text.
fn with_points(points: u32, text: &str) -> Notebook {
    let point = |index: u32| {
        let time = 1.0 + (f64::from(index + 1) * 0.618_034).fract();
        with_samples(f64::from(index + 1), &[time, 1.1 * time], true)
    };
    let result = result(7, (0..points).map(point).collect());
    let measurement = MeasurementCell { setup: setup(), results: vec![result.into()], ..MeasurementCell::default() };
    Notebook { title: "Maps".to_owned(), cells: vec![text_cell(1, text), measurement_cell(2, measurement)] }
}

fn compressed(text: &[u8]) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text).expect("writing to memory succeeds");
    BASE64_URL_SAFE_NO_PAD.encode(encoder.finish().expect("writing to memory succeeds"))
}

#[test]
fn small_notebooks_have_figures_but_no_samples() {
    let notebook = with_points(9, "Which is faster?");
    let link = write(&notebook).expect("it is short");
    assert!(link.has_figures && link.text.len() < 3_000, "{} characters", link.text.len());
    assert_eq!(read(&link.text), Ok(notebook.without_samples()));
    let empty = Notebook::default();
    assert_eq!(write(&empty).map(|link| link.has_figures), Ok(false));
}

#[test]
fn larger_notebooks_have_cells_and_settings_only() {
    let notebook = with_points(3_000, "Which is faster?");
    let link = write(&notebook).expect("texts and setups are short");
    assert!(!link.has_figures && link.text.len() < 1_000, "{} characters", link.text.len());
    assert_eq!(read(&link.text), Ok(notebook.without_results()));
}

#[test]
fn notebooks_that_are_too_long_are_refused() {
    // Text without repetitions.
    let text: String = (0..20_000_u32).map(|index| format!("{:x}", index.wrapping_mul(2_654_435_761))).collect();
    let error = write(&with_points(1, &text)).expect_err("it is too long");
    assert!(error.characters > MAX_CHARACTERS && error.to_string().contains("Share the file instead"), "{error}");
}

#[test]
fn reports_damaged_links() {
    let text = write(&with_points(3, "")).expect("it is short").text;
    for damaged in ["", "ä", "====", "AAAA", &text[..text.len() / 2], &compressed(b"\xff\xfe")] {
        let error = read(damaged).expect_err(damaged);
        let is_reported = matches!(error, LinkError::Damaged | LinkError::File(FileError::Damaged { .. }));
        assert!(is_reported, "{damaged}: {error}");
    }
    assert_eq!(read(&compressed(b"{}")), Err(LinkError::File(FileError::NotANotebook)));
    let newer = compressed(br#"{"benchbook": 9, "cells": []}"#);
    assert_eq!(read(&newer), Err(LinkError::File(FileError::Newer { version: 9 })));
}

#[test]
fn a_short_link_cannot_fill_the_memory() {
    let bomb = compressed(&vec![b' '; MAX_BYTES + 1]);
    assert!(bomb.len() < MAX_BYTES / 100, "{}", bomb.len());
    assert!(matches!(read(&bomb), Err(LinkError::File(FileError::TooLarge { .. }))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn reads_every_written_link(notebook in notebook()) {
        let link = write(&notebook).expect("random notebooks are short");
        prop_assert!(link.text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)));
        let expected = if link.has_figures { notebook.without_samples() } else { notebook.without_results() };
        prop_assert_eq!(read(&link.text), Ok(expected));
    }

    #[test]
    fn never_panics(text in "[A-Za-z0-9_-]{0,80}") {
        let _ = read(&text);
    }
}
