//! Builds suites with cargo, for `cargo benchbook` and for the commands of this project.

mod catalog;
pub mod compile;
mod counted;
mod dependents;
mod derived;
mod failed_build;
pub mod features;
pub mod files;
pub mod harness;
mod member;
mod native;
mod optimise;
mod own_allocator;
mod package_variables;
mod profile;
pub mod progress;
pub mod run_environment;
mod rustflags;
pub mod source_files;
pub mod source_folders;
pub mod suite_build;
pub mod suite_target;
mod target;
pub mod tool;
mod wasm;
pub mod wasm_library;
mod without_wasm;

pub use benchbook_instrument::COUNTING_MODULE;
pub use catalog::CatalogCounts;
pub use failed_build::FailedBuild;
pub use package_variables::without_package_variables;
pub use profile::SUITE_PROFILE;
pub use rustflags::{host, native_flag};
pub use target::{Target, WASM};
