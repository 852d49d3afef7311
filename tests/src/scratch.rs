//! The scratch folders of hosts.

use std::path::PathBuf;
use std::{env, fs, io};

/// The prefix of the names of a host's scratch folders.
pub fn prefix(host: u32) -> String {
    format!("benchbook-host-{host}-")
}

/// The scratch folders of a host, running or dead.
pub fn folders(host: u32) -> io::Result<Vec<PathBuf>> {
    let its = prefix(host);
    let entries = fs::read_dir(env::temp_dir())?.filter_map(Result::ok);
    Ok(entries
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(&its))
        .map(|entry| entry.path())
        .collect())
}
