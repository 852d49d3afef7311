//! The steps of a launcher process.

#[cfg(target_os = "linux")]
mod access;
mod child;
mod ending;
#[cfg(target_os = "linux")]
mod init;
mod limits;
#[cfg(target_os = "linux")]
mod namespaces;
#[cfg(target_os = "linux")]
mod root;
#[cfg(target_os = "linux")]
mod system_calls;
#[cfg(target_os = "linux")]
mod user;

use std::ffi::OsString;
use std::io;
use std::process::exit;

use crate::launch::{FAILURE, Launch};
use ending::{FAILED, end_with_host};

/// Carries out the instructions in the argument. Errors go to standard error, since the host shows its last line.
pub(crate) fn run(argument: Option<OsString>) -> ! {
    let parsed = argument.and_then(|json| serde_json::from_slice(json.as_encoded_bytes()).ok());
    let result = match parsed {
        Some(launch) => carry_out(&launch),
        None => Err(io::Error::other("invalid arguments")),
    };
    match result {
        Ok(code) => exit(code),
        Err(error) => {
            eprintln!("{FAILURE}{error}");
            exit(FAILED)
        }
    }
}

/// Carries out the instructions, and returns the exit code of this process: the launcher, or one that it forked.
fn carry_out(launch: &Launch) -> io::Result<i32> {
    end_with_host(launch.host)?;
    if launch.isolation.namespaces { namespaces(launch) } else { child::execute(launch) }
}

#[cfg(target_os = "linux")]
fn namespaces(launch: &Launch) -> io::Result<i32> {
    namespaces::run(launch)
}

#[cfg(not(target_os = "linux"))]
fn namespaces(_launch: &Launch) -> io::Result<i32> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "this system has no namespaces"))
}
