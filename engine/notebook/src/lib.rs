//! Notebooks: cells of text and measurements, with the results of the measurements. Plain data without IO.
//!
//! [`notebook`] is the model, [`edit`] changes it, [`history`] undoes changes, [`mod@file`] reads and writes files, with the feature `links` `link` parts
//! of URLs, and [`record`] what a browser stores. [`merge`] combines the edits of two tabs, and [`reader_results`] the results of readers.

pub mod cell;
pub mod curve;
pub mod edit;
pub mod file;
pub mod history;
pub mod id;
#[cfg(feature = "links")]
pub mod link;
pub mod measuring_options;
pub mod merge;
pub mod notebook;
pub mod ranking;
pub mod reader_results;
pub mod record;
pub mod result;
pub mod result_setup;
pub mod setup;
pub mod trace;
pub mod view;

#[cfg(test)]
mod tests;
