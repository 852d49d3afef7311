//! The page of a user's crate in Chromium, as `cargo benchbook` serves and builds it.

mod builds;
mod other_harnesses;
mod static_page;
mod watching;
