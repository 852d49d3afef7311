//! Reads this machine's files and names. No other module does.

use std::fs;

/// The text of a kernel file; absent if it does not exist or is not readable.
pub fn read(path: &str) -> Option<String> {
    fs::read_to_string(path).ok()
}

/// The host name of this machine.
#[cfg(unix)]
pub fn host_name() -> Option<String> {
    rustix::system::uname().nodename().to_str().ok().filter(|name| !name.is_empty()).map(str::to_owned)
}

/// The host name of this machine.
#[cfg(not(unix))]
pub fn host_name() -> Option<String> {
    std::env::var("COMPUTERNAME").ok()
}

/// The name and release of the kernel, such as `Linux 6.12.48`.
#[cfg(unix)]
pub fn kernel() -> Option<String> {
    let uname = rustix::system::uname();
    Some(format!("{} {}", uname.sysname().to_str().ok()?, uname.release().to_str().ok()?))
}

/// The name and release of the kernel.
#[cfg(not(unix))]
pub fn kernel() -> Option<String> {
    None
}
