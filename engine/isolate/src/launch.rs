//! The arguments of a launcher process.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::{Deserialize, Serialize};

use crate::guard::Guard;
use crate::isolation::Isolation;

/// The first argument of a launcher process; the second is a [`Launch`] as JSON. Users never type them.
const ARGUMENT: &str = "run-as-launcher";

/// The start of a launcher's message if the child could not be started.
pub(crate) const FAILURE: &str = "cannot start the suite: ";

/// The executable of a child.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Executable {
    /// The number of an open file, which the launcher must inherit. Only for Linux.
    OpenFile(i32),
    /// A file. The child must be able to see it, so it suits only a child without namespaces.
    Path(PathBuf),
}

/// The instructions for a launcher process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Launch {
    /// The host's process id. The child ends with this process.
    pub(crate) host: u32,
    pub(crate) executable: Option<Executable>,
    pub(crate) name: OsString,
    pub(crate) guard: Guard,
    pub(crate) isolation: Isolation,
    pub(crate) scratch: Option<PathBuf>,
}

impl Launch {
    /// The command that carries out these instructions.
    pub(crate) fn command(&self, program: &Path) -> io::Result<Command> {
        let mut command = Command::new(program);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::arg0(&mut command, "benchbook-launcher");
        command.arg(ARGUMENT).arg(serde_json::to_string(self)?);
        Ok(command)
    }
}

/// Whether this process was started as a launcher.
pub(crate) fn is_requested() -> bool {
    env::args_os().nth(1).is_some_and(|argument| argument == ARGUMENT)
}
