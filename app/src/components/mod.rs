//! What the page is made of: each component takes props and emits callbacks.

mod address;
pub(crate) mod app;
mod board;
mod cell;
mod chosen;
mod compare;
mod controls;
mod copy;
mod docs;
mod focus;
mod header;
mod help;
mod keys;
mod machine_card;
mod output;
mod parameter;
mod plot;
mod progress;
mod samples;
mod sidebar;
mod slider;
mod start;
mod table;
mod theme;
mod title;
mod warnings;
