//! The configuration, from the command line, the environment and a file, in this order of precedence.
//!
//! All three are read in the same way, so that every problem is reported with its source, its value and the allowed values,
//! and all problems at once. Code that receives a [`Config`] need not validate it again.

mod access;
mod child_isolation;
mod clear;
mod command_line;
mod configure;
mod database_command;
mod document;
mod environment;
mod file;
mod files;
mod keys;
mod local_runner;
mod network;
mod numbers;
mod problem;
mod profile_command;
mod qualities;
mod read;
mod setting;
mod settings;
mod setup_command;
mod table;
mod value_source;
mod values;

pub use access::{AccessPolicy, Authority, Origin};
pub use child_isolation::{ChildIsolation, IsolationMode};
pub use clear::{ClearMode, confirm_clear};
pub use database_command::{DatabaseCommand, PruneLimits};
pub use environment::Environment;
pub use files::SuiteFiles;
pub use local_runner::LocalRunner;
pub use numbers::{ChildLimits, Limits};
pub use problem::{ConfigProblem, ReadError};
pub use profile_command::ProfileCommand;
pub use settings::{Config, Invocation, LogConfig, LogFormat, Maintenance, Profiling, TlsFiles};
pub use setup_command::SetupCommand;
pub use value_source::ValueSource;
