//! The command that profiles a function.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

/// Call a function in a loop on the measuring core, so that a profiler sees little else
#[derive(Args, Clone, Debug, PartialEq, Eq)]
#[command(after_help = PROFILE_HELP)]
pub struct ProfileCommand {
    /// The native executable of the suite
    pub suite: PathBuf,
    /// The function's path, such as sorting::sort_unstable
    pub function: String,
    /// Arguments of the generator; others have their default, and the axis has the end of its default range
    #[arg(value_name = "NAME=VALUE")]
    pub arguments: Vec<String>,
    /// The path of the generator [default: the function's first one]
    #[arg(long, value_name = "PATH")]
    pub generator: Option<String>,
    /// How long to call the function
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = humantime::parse_duration)]
    pub profile_time: Duration,
}

const PROFILE_HELP: &str = "\
Examples:
  perf record --call-graph dwarf -- benchbook-server profile target/suite/demo sorting::sort_unstable size=100000
  samply record benchbook-server profile target/suite/demo text::parse_by_eight --profile-time 30s

The process becomes the suite, on the core of the configuration and with the environment of a measurement, but without isolation
and limits. The suite itself has the same option: target/suite/demo --profile-time 10s sorting::sort_unstable.";
