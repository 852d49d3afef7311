//! The page in Chromium.
//!
//! One program, so that two browsers run at any time, except during the tests that depend on measured times; see
//! [`benchbook_tests::browser`].

mod accessibility;
mod archive;
mod article;
mod assembly;
mod axes;
mod bad_input;
mod cells;
mod check_report;
mod comparing;
mod contents;
mod crashes;
mod driver;
mod embedding;
mod exports;
mod first_paint;
mod history;
mod invalid_suites;
mod isolation;
mod keyboard;
mod links;
mod measuring;
mod offline;
mod own_suites;
mod pinpoint;
mod plotted_metrics;
mod plotting;
mod profile;
mod progress;
mod reused;
mod runner;
mod runner_access;
mod samples;
mod sentinels;
mod setting;
mod sharing;
mod stored_notebooks;
