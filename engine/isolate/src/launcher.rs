//! The host's side of the launcher.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::guard::Guard;
use crate::isolation::{Isolation, Protection};
use crate::launch::{Executable, FAILURE, Launch, is_requested};

/// Starts child processes through a program that calls
/// [`run_launcher_if_requested`](crate::run_launcher_if_requested) first in its `main`.
#[derive(Clone, Debug)]
pub struct Launcher {
    program: PathBuf,
}

/// A child to launch.
#[derive(Clone, Debug, Default)]
pub struct LaunchRequest {
    /// The child's executable. Absent for a trial: the launcher sets everything up and exits.
    pub executable: Option<Executable>,
    /// The child's name for itself: its argument 0.
    pub name: OsString,
    /// The limits on the child.
    pub guard: Guard,
    /// What the child may see and do.
    pub isolation: Isolation,
    /// The scratch folder, unless it is in memory.
    pub scratch: Option<PathBuf>,
}

impl Launcher {
    /// A launcher that is the running program, even if its file has changed.
    ///
    /// # Errors
    /// Returns an error if the system cannot name the program, or if this process is itself a launcher: its `main` must
    /// call [`run_launcher_if_requested`](crate::run_launcher_if_requested).
    pub fn own_program() -> io::Result<Self> {
        // Without this check, a program that forgets the call would start itself forever.
        if is_requested() {
            return Err(io::Error::other(
                "this process is itself a launcher: call `run_launcher_if_requested` first in `main`",
            ));
        }
        let program = if cfg!(target_os = "linux") { PathBuf::from("/proc/self/exe") } else { env::current_exe()? };
        Ok(Self { program })
    }

    /// A launcher that is another program.
    pub fn at(program: &Path) -> Self {
        Self { program: program.to_owned() }
    }

    /// The command that starts a child of this process. The child inherits the environment and the standard streams of
    /// the command.
    ///
    /// # Errors
    /// Returns an error if a path is not valid UTF-8.
    pub fn command(&self, request: &LaunchRequest) -> io::Result<Command> {
        let LaunchRequest { executable, name, guard, isolation, scratch } = request.clone();
        let host = std::process::id();
        let launch = Launch { host, executable, name, guard, isolation, scratch };
        launch.command(&self.program)
    }

    /// Tries each requested protection on its own. Returns the isolation with those that this system supports, and the
    /// others with reasons.
    ///
    /// # Errors
    /// Returns an error if the launcher cannot be started, or cannot start a child as the requested user.
    pub fn supported(&self, isolation: &Isolation) -> io::Result<(Isolation, Vec<(Protection, String)>)> {
        if let Some(user) = isolation.user {
            let alone = Isolation { user: Some(user), ..Isolation::default() };
            self.try_launch(alone)?.map_err(io::Error::other)?;
        }
        let mut supported = isolation.clone();
        let mut missing = Vec::new();
        for protection in Protection::ALL.into_iter().filter(|protection| isolation.has(*protection)) {
            let alone =
                Protection::ALL.into_iter().fold(isolation.clone(), |alone, one| alone.with(one, one == protection));
            if let Err(reason) = self.try_launch(alone)? {
                supported = supported.with(protection, false);
                missing.push((protection, reason));
            }
        }
        Ok((supported, missing))
    }

    /// Launches nothing with this isolation. Returns the reason why that failed.
    fn try_launch(&self, isolation: Isolation) -> io::Result<Result<(), String>> {
        let mut command = self.command(&LaunchRequest { isolation, ..LaunchRequest::default() })?;
        let output = command.stdin(Stdio::null()).output()?;
        let text = String::from_utf8_lossy(&output.stderr);
        let reason = text.trim().strip_prefix(FAILURE).unwrap_or(text.trim());
        Ok(if output.status.success() { Ok(()) } else { Err(reason.to_owned()) })
    }
}
