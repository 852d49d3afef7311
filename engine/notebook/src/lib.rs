//! Notebooks: cells of text and measurements, with the results of the measurements. Plain data without IO.
//!
//! [`notebook`] is the model, [`edit`] changes it, [`history`] undoes changes, [`mod@file`] reads and writes files, and [`link`] parts of
//! addresses.

pub mod cell;
pub mod curve;
pub mod edit;
pub mod file;
pub mod history;
pub mod id;
pub mod link;
pub mod notebook;
pub mod result;
pub mod result_setup;
pub mod setup;
pub mod trace;
pub mod view;

#[cfg(test)]
mod tests;
