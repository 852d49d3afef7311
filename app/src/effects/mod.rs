//! What the page does outside its state: measuring, loading, storing, and the browser.

pub(crate) mod browser;
pub(crate) mod documents;
pub(crate) mod measure;
pub(crate) mod runner;
pub(crate) mod storage;
pub(crate) mod suites;
mod worker;
