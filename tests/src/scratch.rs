//! The scratch folders of hosts.

use std::path::PathBuf;
use std::{env, fs, io};

/// How the names of a host's scratch folders begin.
pub fn prefix(host: u32) -> String {
    format!("benchbook-host-{host}-")
}

/// The scratch folders that a host has, or left.
///
/// # Errors
/// Where the system's folder for what is of a moment cannot be read.
pub fn folders(host: u32) -> io::Result<Vec<PathBuf>> {
    let its = prefix(host);
    let entries = fs::read_dir(env::temp_dir())?.filter_map(Result::ok);
    Ok(entries
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(&its))
        .map(|entry| entry.path())
        .collect())
}
