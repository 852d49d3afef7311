//! Presents the results of a cell on the page and in a terminal: labels, rankings, tables, sentences and exports. Performs no IO.
//!
//! [`results`] holds the results of a cell, [`shown_trace`] labels their curves, [`build_names`] shortens the fingerprints of builds, [`ranking`] and [`comparison`] relate the
//! functions to each other, [`claims`] says what follows, [`table_rows`] and [`table_text`] list the points, [`origins`] lists machines and builds, [`growth`], [`history`], [`largest`], [`quality`], [`reproduction`], [`stored_note`] and
//! [`machine_comparison`] derive sentences and figures, and [`export`] writes other formats. [`digest`] and [`thumbnail`] show a notebook in a list. With the feature `static-article`, `static_article` writes a notebook as HTML.

pub mod build_names;
pub mod claims;
pub mod comparison;
pub mod digest;
pub mod export;
pub mod growth;
pub mod history;
pub mod largest;
pub mod machine_comparison;
pub mod origins;
pub mod quality;
pub mod ranking;
pub mod ratio_distribution;
pub mod reproduction;
pub mod results;
pub mod shown_trace;
#[cfg(feature = "static-article")]
pub mod static_article;
pub mod stored_note;
pub mod table_rows;
pub mod table_text;
pub mod thumbnail;
