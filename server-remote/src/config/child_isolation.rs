//! What child processes may see and do.

use std::path::PathBuf;

use benchbook_isolate::UserIds;

use super::files;
use super::table::DEFAULT_SCRATCH;
use super::values::{RawValue, RawValues};

/// What child processes may see and do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChildIsolation {
    /// Whether they are isolated from this machine.
    pub mode: IsolationMode,
    /// The files and folders that they may read, besides their executables and the system's libraries.
    pub readable: Vec<PathBuf>,
    /// The folder for their scratch folders; absent: in memory, if they have namespaces of their own.
    pub scratch: Option<PathBuf>,
    /// The size of a scratch folder in memory.
    pub scratch_bytes: u64,
    /// The executables of the suites that may start processes.
    pub may_start_processes: Vec<PathBuf>,
    /// The user that they run as; absent: the runner's.
    pub user: Option<UserIds>,
}

/// Whether child processes are isolated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IsolationMode {
    /// Yes. The runner does not start on a system that cannot isolate them.
    Required,
    /// As far as the system supports it.
    Best,
    /// No: they run as this user's other programs do.
    None,
}

impl ChildIsolation {
    pub(super) fn read(values: &mut RawValues) -> Self {
        let default = Self::default();
        let mode = values.read("isolation", |raw| match raw.text() {
            Some("required") => Ok(IsolationMode::Required),
            Some("best") => Ok(IsolationMode::Best),
            Some("none") => Ok(IsolationMode::None),
            _ => Err("allowed: required, best, none"),
        });
        let bytes = values.read("children.scratch_bytes", |raw| raw.integer_between(1 << 20, 1 << 50));
        let executable = |raw: &RawValue| files::suite(raw).map(|suite| suite.executable);
        Self {
            mode: mode.unwrap_or(default.mode),
            readable: values.read_each("children.readable", files::readable),
            scratch: values.read("children.scratch", files::folder),
            scratch_bytes: bytes.unwrap_or(default.scratch_bytes),
            may_start_processes: values.read_each("children.may_start_processes", executable),
            user: values.read("children.user", user),
        }
    }
}

/// A user of this machine, by name.
#[cfg(unix)]
fn user(raw: &RawValue) -> Result<UserIds, String> {
    let name = raw.text().ok_or("allowed: the name of a user")?;
    match nix::unistd::User::from_name(name) {
        Ok(Some(user)) if user.uid.is_root() => Err("allowed: a user other than root".to_owned()),
        Ok(Some(user)) => Ok(UserIds { user: user.uid.as_raw(), group: user.gid.as_raw() }),
        Ok(None) => Err(format!("this machine has no user `{name}`")),
        Err(error) => Err(format!("cannot look up the user: {}", error.desc())),
    }
}

#[cfg(not(unix))]
fn user(_raw: &RawValue) -> Result<UserIds, String> {
    Err("this system cannot start suites as another user".to_owned())
}

impl Default for ChildIsolation {
    fn default() -> Self {
        Self {
            mode: IsolationMode::Best,
            readable: Vec::new(),
            scratch: None,
            scratch_bytes: DEFAULT_SCRATCH,
            may_start_processes: Vec::new(),
            user: None,
        }
    }
}
