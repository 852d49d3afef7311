//! Creates folders.

use std::fs::File;
use std::io;
use std::path::Path;

/// Creates a folder and its missing parents, and syncs them: otherwise a power failure could lose the results in it.
///
/// # Errors
/// If the system rejects it.
pub fn create_folder(folder: &Path) -> io::Result<()> {
    let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.is_dir();
    let missing: Vec<&Path> = folder.ancestors().take_while(is_missing).collect();
    std::fs::create_dir_all(folder)?;
    for folder in missing.into_iter().filter(|_| cfg!(unix)) {
        let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if let Err(reason) = File::open(parent).and_then(|parent| parent.sync_all()) {
            tracing::warn!("a power failure may lose {}: {reason}", folder.display());
        }
    }
    Ok(())
}
