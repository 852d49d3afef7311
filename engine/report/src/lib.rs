//! Presents the results of a cell on the page and in a terminal: labels, rankings, tables, sentences and exports. Performs no IO.
//!
//! [`results`] holds the results of a cell, [`shown_trace`] labels their curves, [`build_names`] shortens the fingerprints of builds, [`ranking`] and [`comparison`] relate the
//! functions to each other, [`claims`] says what follows, [`table_rows`] and [`table_text`] list the points, [`origins`] lists machines and builds, [`growth`], [`history`], [`largest`], [`quality`], [`reproduction`], [`stored_note`] and
//! [`machine_comparison`] derive sentences and figures, and [`export`] writes other formats. [`digest`] and [`thumbnail`] show a notebook in a list. With the feature `static-article`, `static_article` writes a notebook as HTML.

pub mod build_names;
pub mod claims;
pub mod comparison;
#[cfg(feature = "files")]
pub mod digest;
#[cfg(feature = "files")]
pub mod export;
pub mod growth;
#[cfg(feature = "files")]
pub mod history;
pub mod largest;
#[cfg(feature = "files")]
pub mod machine_comparison;
#[cfg(feature = "files")]
pub mod origins;
pub mod quality;
pub mod ranking;
#[cfg(feature = "files")]
pub mod ratio_distribution;
pub mod reproduction;
pub mod results;
pub mod shown_trace;
#[cfg(feature = "static-article")]
pub mod static_article;
#[cfg(feature = "files")]
pub mod stored_note;
pub mod table_rows;
#[cfg(feature = "files")]
pub mod table_text;
#[cfg(feature = "files")]
pub mod thumbnail;
pub mod wasm_counts;
