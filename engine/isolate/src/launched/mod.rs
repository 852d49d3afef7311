//! The steps of a launcher process.

mod child;
mod ending;
mod limits;
#[cfg(all(target_os = "linux", feature = "isolation"))]
mod namespaces;
#[cfg(all(target_os = "linux", feature = "isolation"))]
mod restrictions;
#[cfg(not(all(target_os = "linux", feature = "isolation")))]
mod unsupported;

use std::ffi::OsString;
use std::io;
use std::process::exit;

use crate::launch::{FAILURE, Launch};
use ending::{FAILED, end_with_host};
#[cfg(not(all(target_os = "linux", feature = "isolation")))]
use unsupported::{namespaces, restrictions};

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
    if launch.isolation.namespaces { namespaces::run(launch) } else { child::execute(launch) }
}
