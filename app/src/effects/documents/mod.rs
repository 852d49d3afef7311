//! Notebook files, standalone pages and articles.

pub(crate) mod article;
pub(crate) mod files;
pub(crate) mod standalone;
