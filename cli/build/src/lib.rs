//! Builds suites with cargo, for `cargo benchbook` and for the commands of this project.

pub mod compile;
mod package_variables;

pub use package_variables::without_package_variables;
