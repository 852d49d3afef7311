//! The state of the page: plain data and one reducer, without the DOM.

pub(crate) mod archive;
pub(crate) mod article_suites;
pub(crate) mod browser_identity;
mod build_comparison;
pub(crate) mod cell;
pub(crate) mod controls;
pub(crate) mod field_note;
pub(crate) mod function_history;
mod history_source;
mod id_source;
pub(crate) mod library;
pub(crate) mod loaded_suite;
pub(crate) mod notices;
pub(crate) mod number_input;
pub(crate) mod number_list;
pub(crate) mod open_notebook;
mod opening;
pub(crate) mod own_suites;
pub(crate) mod page;
pub(crate) mod page_address;
pub(crate) mod partners;
pub(crate) mod rebuilding;
pub(crate) mod remaining;
mod retention;
pub(crate) mod runner;
pub(crate) mod runner_builds;
pub(crate) mod saving;
pub(crate) mod self_test;
pub(crate) mod site_config;
mod staleness;
mod stored_notebooks;
mod suite_list;
#[cfg(test)]
pub(crate) mod tests;
