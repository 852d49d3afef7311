//! What the page is made of: each component takes props and emits callbacks.

pub(crate) mod app;
mod cell;
mod controls;
mod docs;
mod header;
mod output;
mod parameter;
mod plot;
mod progress;
mod samples;
mod sidebar;
mod slider;
mod table;
mod theme;
mod warnings;
mod welcome;
