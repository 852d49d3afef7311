//! How a host starts the processes of a suite.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use benchbook_contract::environment::{HOST_VARIABLE, SCRATCH_VARIABLE};
use benchbook_contract::protocol::PROTOCOL;
use benchbook_isolate::{Guard, Isolation, Launcher};

use super::event_counters::EventSource;
use super::reaper::Reaper;

/// The prefix of the environment variables that configure Benchbook's programs.
const VARIABLE_PREFIX: &str = "BENCHBOOK_";

/// The host's environment variables that an isolated suite receives.
const VARIABLES_OF_ISOLATED: [&str; 6] = ["LANG", "LC_ALL", "LD_LIBRARY_PATH", "PATH", "RUST_BACKTRACE", "TZ"];

/// The environment variable with the task of a process of this program. Users never set it.
pub(super) const TASK_VARIABLE: &str = "BENCHBOOK_TASK";

/// Environment variables that make glibc's allocator retain freed memory. By default it returns memory to the system
/// between batches and requests it again in the next one, from a batch size on that varies: see `docs/coverage.md`. The
/// second value is the maximum that it accepts. It must be set, because setting the first one disables its dynamic
/// adjustment.
pub const ALLOCATOR_SETTINGS: [(&str, &str); 2] =
    [("MALLOC_TRIM_THRESHOLD_", "2147483647"), ("MALLOC_MMAP_THRESHOLD_", "33554432")];

/// What processes that are not isolated find: as if cargo had started them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackageEnvironment {
    /// The working folder; absent: that of the host.
    pub folder: Option<PathBuf>,
    /// Variables in addition to those of the host.
    pub variables: Vec<(String, OsString)>,
}

/// How a host starts the processes of a suite. By default, it starts them itself, without limits or isolation.
#[derive(Clone, Debug, Default)]
pub struct ChildSettings {
    /// Starts the processes, and applies the limits and the isolation. Required for either.
    pub launcher: Option<Launcher>,
    /// The limits on each process.
    pub guard: Guard,
    /// What the processes may see and do.
    pub isolation: Isolation,
    /// Ends the descendants of the processes even if this process is killed, unless they left their process groups.
    pub reaper: Option<Reaper>,
    /// Where scratch folders are created; absent: in the system's temporary folder.
    pub scratch: Option<PathBuf>,
    /// The events to count in the processes.
    pub counted_events: EventSource,
    /// The environment of processes that are not isolated.
    pub environment: PackageEnvironment,
    /// What the processes do, if they are this program rather than a suite.
    pub task: Option<&'static str>,
}

impl ChildSettings {
    /// Sets the environment of a process whose scratch folder is `scratch`.
    pub(super) fn set_environment(&self, command: &mut Command, scratch: Option<&Path>) {
        let scratch = self.isolation.scratch_folder(scratch);
        if self.isolation.is_isolated() {
            let variables = VARIABLES_OF_ISOLATED.iter().filter_map(|name| Some((name, std::env::var_os(name)?)));
            let variables: Vec<(&&str, OsString)> = variables.collect();
            command.env_clear().envs(variables);
            scratch.map(|scratch| command.env("TMPDIR", scratch));
        } else {
            // The suite must not see the host's configuration, above all not its token.
            let is_own = |name: &OsString| name.to_string_lossy().starts_with(VARIABLE_PREFIX);
            std::env::vars_os().map(|(name, _)| name).filter(is_own).for_each(|name| {
                command.env_remove(name);
            });
            let PackageEnvironment { folder, variables } = &self.environment;
            command.envs(variables.iter().map(|(name, value)| (name, value)));
            folder.as_ref().map(|folder| command.current_dir(folder));
        }
        scratch.map(|scratch| command.env(SCRATCH_VARIABLE, scratch));
        // A program that is also a suite must not take the host's messages for those to a suite.
        match self.task {
            Some(task) => command.env(TASK_VARIABLE, task),
            None => command.env(HOST_VARIABLE, PROTOCOL.to_string()),
        };
        command.envs(ALLOCATOR_SETTINGS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_of_this_program_is_no_suite() {
        let variables = |task: Option<&'static str>| {
            let mut command = Command::new("program");
            ChildSettings { task, ..ChildSettings::default() }.set_environment(&mut command, None);
            [HOST_VARIABLE, TASK_VARIABLE]
                .map(|name| command.get_envs().any(|(own, value)| own == name && value.is_some()))
        };
        assert_eq!((variables(None), variables(Some("count"))), ([true, false], [false, true]));
    }

    #[test]
    fn only_a_process_that_is_not_isolated_has_the_environment_of_its_package() {
        let environment = PackageEnvironment {
            folder: Some(PathBuf::from("/crate")),
            variables: vec![("CARGO_PKG_NAME".to_owned(), "mine".into())],
        };
        let settings = ChildSettings { environment, ..ChildSettings::default() };
        let mut command = Command::new("suite");
        settings.set_environment(&mut command, None);
        let has_variable = |command: &Command| command.get_envs().any(|(name, _)| name == "CARGO_PKG_NAME");
        assert!(command.get_current_dir() == Some(Path::new("/crate")) && has_variable(&command), "{command:?}");
        let isolation = Isolation { seccomp: true, ..Isolation::default() };
        let mut command = Command::new("suite");
        ChildSettings { isolation, ..settings }.set_environment(&mut command, None);
        assert!(command.get_current_dir().is_none() && !has_variable(&command), "{command:?}");
    }
}
