//! The last process of a launch: restricts this process, and replaces it with the child.

use std::ffi::OsStr;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

use super::{limits, restrictions};
use crate::launch::{Executable, Launch};

/// Restricts this process and executes the child. Returns only if that failed, or if there is nothing to execute.
pub(super) fn execute(launch: &Launch) -> io::Result<i32> {
    match &launch.executable {
        None => restrict(launch).map(|()| 0),
        Some(Executable::Path(path)) => {
            restrict(launch)?;
            Err(Command::new(path).arg0(&launch.name).exec())
        }
        Some(Executable::OpenFile(number)) => execute_file(*number, &launch.name, || restrict(launch)),
    }
}

fn restrict(launch: &Launch) -> io::Result<()> {
    limits::apply(&launch.guard);
    restrictions::apply(launch)
}

/// Replaces this process with an inherited executable.
#[cfg(target_os = "linux")]
fn execute_file(number: i32, name: &OsStr, restrict: impl FnOnce() -> io::Result<()>) -> io::Result<i32> {
    use std::env;
    use std::ffi::{CString, OsString};
    use std::fs::File;
    use std::os::unix::ffi::OsStrExt;

    // Must be opened before access to files is limited. This second file is closed when the child is executed.
    let file = File::open(format!("/proc/self/fd/{number}"))?;
    restrict()?;
    let variable =
        |(name, value): (OsString, OsString)| CString::new([name.as_bytes(), b"=", value.as_bytes()].concat());
    let variables: Vec<CString> = env::vars_os().map(variable).collect::<Result<_, _>>()?;
    match nix::unistd::fexecve(&file, &[CString::new(name.as_bytes())?], &variables) {
        Ok(never) => match never {},
        Err(error) => Err(super::ending::context("failed to execute it")(error)),
    }
}

#[cfg(not(target_os = "linux"))]
fn execute_file(_number: i32, _name: &OsStr, _restrict: impl FnOnce() -> io::Result<()>) -> io::Result<i32> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "this system cannot execute an open file"))
}
