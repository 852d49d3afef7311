//! Notebooks: cells of text and measurements, with the results of the measurements. Plain data without IO.
//!
//! [`notebook`] is the model, [`edit`] changes it, [`history`] undoes changes, [`mod@file`] reads and writes files, with the feature `links` `link` parts
//! of URLs, and [`record`] what a browser stores. [`merge`] combines the edits of two tabs, and [`reader_results`] the results of readers.

// Checks of files.
#![cfg_attr(not(feature = "files"), allow(dead_code))]

pub mod cell;
pub mod curve;
#[cfg(feature = "files")]
pub mod edit;
#[cfg(feature = "files")]
pub mod file;
#[cfg(feature = "files")]
pub mod history;
pub mod id;
#[cfg(feature = "links")]
pub mod link;
pub mod measuring_options;
#[cfg(feature = "files")]
pub mod merge;
pub mod notebook;
pub mod ranking;
#[cfg(feature = "files")]
pub mod reader_results;
#[cfg(feature = "files")]
pub mod record;
pub mod result;
pub mod result_setup;
pub mod setup;
pub mod trace;
pub mod view;

#[cfg(test)]
mod tests;
