//! Code that the project's commands share with the end-to-end tests: the layout of the checkout, the version and the size of the page, and the number of browsers. The commands are in `main.rs`.

pub mod embedded_page;
pub mod page_version;
pub mod sizes;
pub mod workspace;

/// The number of tests that use a browser at the same time in the stage `browser`. They wait for timers, so that two of them do not keep two
/// cores busy.
pub const BROWSERS: u32 = 3;
