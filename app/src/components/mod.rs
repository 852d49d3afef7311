//! The components of the page. Each takes props and emits callbacks.

mod cell;
mod controls;
mod history;
mod notebook;
mod results;
mod sharing;
pub(crate) mod shell;
mod start;
mod widgets;
