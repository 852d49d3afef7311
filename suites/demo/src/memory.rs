//! Memory and files.

use std::path::{Path, PathBuf};

use benchbook::prelude::*;

/// Writes the bytes to a new file.
///
/// Into the page cache, not onto the disk. What does a file cost beside its bytes?
#[measured(native, generators(file))]
pub fn write_file(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    std::fs::write(path, bytes)
}

/// A path in a folder of its own, and bytes to write there.
#[generator(name = "File", native)]
fn file(
    service: &Service,
    /// Number of bytes.
    #[parameter(min = 1, max = 10_000_000, scale = "log", default = 1_000..=1_000_000, unit = "bytes")]
    size: usize,
) -> Fresh<(PathBuf, Vec<u8>)> {
    let folder = service.scratch().map_or_else(std::env::temp_dir, PathBuf::from).join("write_file");
    let path = folder.join("file");
    let made = std::fs::create_dir_all(&folder);
    Fresh::new(move |rng| {
        if let Err(error) = &made {
            panic!("there is no folder to write to: {error}");
        }
        (path.clone(), (0..size).map(|_| rng.random()).collect())
    })
    .after_call(|(path, _)| {
        // It is there unless the call failed, and the next call is to find none.
        let _ = std::fs::remove_file(path);
    })
    .after_all(move || {
        let _ = std::fs::remove_dir(folder);
    })
    .one_call_a_batch()
}
