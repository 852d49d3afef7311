//! The suites of a runner: those that are configured, and the builds that clients upload.

pub mod build_feed;
pub mod code;
mod open;
mod protections;
pub mod table;
pub mod uploads;

pub(crate) use self::open::{check_name, open, open_executable, open_suites};
pub(crate) use self::protections::Protections;
