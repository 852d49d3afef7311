//! The suites and the list of their functions.

pub(crate) mod article_suites;
pub(crate) mod group;
pub(crate) mod loaded_suite;
pub(crate) mod own_suites;
pub(crate) mod rebuilding;
mod suite_list;
