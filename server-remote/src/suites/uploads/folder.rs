//! The folder of uploaded builds. Each file is named by the fingerprint of the executable in it; no name comes from a client.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tempfile::NamedTempFile;

/// The start of the name of a file that has not arrived completely.
const PARTIAL: &str = ".upload-";

/// The number of hexadecimal digits of a fingerprint.
const DIGITS: usize = 64;

/// The folder of uploaded builds.
#[derive(Clone, Debug)]
pub(super) struct UploadFolder(PathBuf);

/// An executable in the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StoredBuild {
    /// The name, which should be the fingerprint.
    pub(super) fingerprint: String,
    pub(super) bytes: u64,
}

impl UploadFolder {
    /// Uses a folder, and deletes the files that have not arrived completely. Returns its executables too, the latest first.
    ///
    /// # Errors
    /// If the folder cannot be read, or if other users may write to it.
    pub(super) fn open(path: &Path) -> io::Result<(Self, Vec<StoredBuild>)> {
        check_permissions(path)?;
        let mut stored: Vec<(SystemTime, StoredBuild)> = Vec::new();
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            // Does not follow links.
            let metadata = entry.metadata()?;
            // Other names are not the runner's own.
            let Ok(name) = entry.file_name().into_string() else { continue };
            match () {
                () if !metadata.is_file() => {}
                () if name.starts_with(PARTIAL) => fs::remove_file(entry.path())?,
                () if is_fingerprint(&name) => {
                    stored.push((metadata.modified()?, StoredBuild { fingerprint: name, bytes: metadata.len() }));
                }
                () => {}
            }
        }
        stored.sort_by_key(|(modified, _)| std::cmp::Reverse(*modified));
        Ok((Self(path.to_owned()), stored.into_iter().map(|(_, build)| build).collect()))
    }

    /// The path of a build's file.
    pub(super) fn file(&self, fingerprint: &str) -> PathBuf {
        self.0.join(fingerprint)
    }

    /// Creates a file that only the runner's user can read, and that is not executable. It is deleted when the result is dropped.
    pub(super) fn create(&self) -> io::Result<NamedTempFile> {
        tempfile::Builder::new().prefix(PARTIAL).tempfile_in(&self.0)
    }

    /// Stores a complete file under its fingerprint.
    pub(super) fn store(&self, file: NamedTempFile, fingerprint: &str) -> io::Result<()> {
        file.persist(self.file(fingerprint))?;
        self.sync()
    }

    /// Deletes the file of a build.
    pub(super) fn delete(&self, fingerprint: &str) -> io::Result<()> {
        match fs::remove_file(self.file(fingerprint)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn sync(&self) -> io::Result<()> {
        if cfg!(unix) { File::open(&self.0)?.sync_all() } else { Ok(()) }
    }
}

/// Whether a text has the form of a fingerprint.
fn is_fingerprint(text: &str) -> bool {
    text.len() == DIGITS && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The folder contains programs that the runner starts, so only its own user may write to it.
#[cfg(unix)]
fn check_permissions(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;

    let metadata = fs::metadata(path)?;
    let own = rustix::process::geteuid().as_raw();
    let reason = match () {
        () if metadata.uid() != own => "it belongs to another user; create a folder of the runner's user",
        () if metadata.mode() & 0o022 != 0 => "other users may write to it; change that with `chmod go-w`",
        () => return Ok(()),
    };
    Err(io::Error::new(io::ErrorKind::PermissionDenied, reason))
}

#[cfg(not(unix))]
fn check_permissions(_path: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn complete_files_remain_and_all_others_are_ignored_or_deleted() {
        let temporary = tempfile::tempdir().expect("a folder");
        let path = temporary.path();
        let (folder, stored) = UploadFolder::open(path).expect("it is readable");
        assert_eq!(stored, []);
        let mut dropped = folder.create().expect("it is writable");
        dropped.write_all(b"half").expect("it is writable");
        let [one, two] = ["1", "2"].map(|digit| digit.repeat(DIGITS));
        for fingerprint in [&one, &two] {
            let mut file = folder.create().expect("it is writable");
            file.write_all(b"whole").expect("it is writable");
            folder.store(file, fingerprint).expect("it is writable");
        }
        drop(dropped);
        assert_eq!(fs::read_dir(path).expect("readable").count(), 2, "a dropped file is deleted");
        // As after a kill of the runner, and files of others.
        for name in [".upload-a1", "README", &"g".repeat(DIGITS), &"A".repeat(DIGITS), &"1".repeat(DIGITS + 1)] {
            fs::write(path.join(name), "").expect("writable");
        }
        fs::create_dir(path.join("3".repeat(DIGITS))).expect("writable");
        let (_, stored) = UploadFolder::open(path).expect("it is readable");
        let mut names: Vec<&str> = stored.iter().map(|build| build.fingerprint.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, [&one, &two]);
        assert_eq!(stored[0].bytes, 5);
        assert!(!path.join(".upload-a1").exists() && path.join("README").exists());
        folder.delete(&one).expect("it is writable");
        folder.delete(&one).expect("a missing file is no problem");
        assert!(!path.join(one).exists());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed_and_files_are_private() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let (temporary, outside) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let target = outside.path().join("target");
        fs::write(&target, "outside").expect("writable");
        let name = "1".repeat(DIGITS);
        let link = temporary.path().join(&name);
        symlink(&target, &link).expect("writable");
        symlink(&target, temporary.path().join(".upload-a1")).expect("writable");
        let (folder, stored) = UploadFolder::open(temporary.path()).expect("it is readable");
        assert_eq!(stored, []);
        // Storing a build replaces the link, not its target.
        folder.store(folder.create().expect("writable"), &name).expect("writable");
        let metadata = fs::symlink_metadata(&link).expect("readable");
        assert!(
            metadata.is_file() && metadata.permissions().mode() & 0o177 == 0,
            "{:o}",
            metadata.permissions().mode()
        );
        assert_eq!(fs::read_to_string(target).expect("readable"), "outside");
    }

    #[cfg(unix)]
    #[test]
    fn other_users_must_not_be_able_to_write() {
        use std::os::unix::fs::PermissionsExt;

        let temporary = tempfile::tempdir().expect("a folder");
        fs::set_permissions(temporary.path(), fs::Permissions::from_mode(0o770)).expect("writable");
        let error = UploadFolder::open(temporary.path()).expect_err("the group may write");
        assert!(error.to_string().contains("chmod go-w"), "{error}");
    }
}
