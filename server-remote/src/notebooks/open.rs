//! Opens notebook files without following symbolic links.
//!
//! Each part of a path is opened relative to the folder before it. So nothing outside the folder is opened, even if a folder is
//! replaced by a link in the meantime.

use std::fs::File;
use std::io;
use std::path::Path;

use super::path::NotebookPath;

/// Opens a notebook; absent if there is no regular file at this path, or if the path contains a symbolic link.
///
/// # Errors
/// If the folder or the file cannot be opened for another reason.
pub(super) fn open_notebook(folder: &Path, path: &NotebookPath) -> io::Result<Option<File>> {
    let Some(file) = open_parts(folder, path)? else { return Ok(None) };
    Ok(file.metadata()?.is_file().then_some(file))
}

#[cfg(unix)]
fn open_parts(folder: &Path, path: &NotebookPath) -> io::Result<Option<File>> {
    use rustix::fs::{Mode, OFlags, open, openat};
    use rustix::io::Errno;

    let read = OFlags::RDONLY | OFlags::CLOEXEC;
    // Without NONBLOCK, opening a named pipe would wait for a writer.
    let read_part = read | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
    let mut opened = open(folder, read | OFlags::DIRECTORY, Mode::empty())?;
    for part in path.parts() {
        opened = match openat(&opened, part, read_part, Mode::empty()) {
            Ok(next) => next,
            // A link is reported as LOOP (on FreeBSD as MLINK), and a socket as NXIO.
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::MLINK | Errno::NXIO | Errno::NAMETOOLONG) => {
                return Ok(None);
            }
            Err(error) => return Err(error.into()),
        };
    }
    Ok(Some(opened.into()))
}

/// This system cannot open a file relative to a folder.
#[cfg(not(unix))]
fn open_parts(folder: &Path, path: &NotebookPath) -> io::Result<Option<File>> {
    use std::io::ErrorKind;

    std::fs::read_dir(folder)?;
    let mut whole = folder.to_owned();
    for part in path.parts() {
        whole.push(part);
        match std::fs::symlink_metadata(&whole) {
            Ok(found) if !found.is_symlink() => {}
            Ok(_) => return Ok(None),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
            Err(error) => return Err(error),
        }
    }
    if whole.is_dir() { Ok(None) } else { File::open(whole).map(Some) }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::io::Read;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    use rustix::fs::{CWD, FileType, Mode, mknodat};
    use tempfile::TempDir;

    use super::*;

    fn open(folder: &Path, path: &str) -> io::Result<Option<File>> {
        open_notebook(folder, &NotebookPath::new(path).expect("a valid path"))
    }

    #[test]
    fn opens_files_and_follows_no_link() {
        let outside = TempDir::new().unwrap();
        fs::write(outside.path().join("secret.benchbook.json"), "secret").unwrap();
        let folder = TempDir::new().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("sub")).unwrap();
        fs::write(path("sub/a.benchbook.json"), "content").unwrap();
        fs::create_dir(path("folder.benchbook.json")).unwrap();
        symlink(outside.path(), path("link")).unwrap();
        symlink(outside.path().join("secret.benchbook.json"), path("link.benchbook.json")).unwrap();
        symlink("sub/a.benchbook.json", path("inside.benchbook.json")).unwrap();
        symlink("loop.benchbook.json", path("loop.benchbook.json")).unwrap();
        mknodat(CWD, path("pipe.benchbook.json"), FileType::Fifo, Mode::RWXU, 0).unwrap();
        let _listener = UnixListener::bind(path("socket.benchbook.json")).unwrap();

        let mut text = String::new();
        open(folder.path(), "sub/a.benchbook.json").unwrap().unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "content");
        for absent in [
            "absent.benchbook.json",
            "absent/a.benchbook.json",
            "sub/a.benchbook.json/a.benchbook.json",
            "folder.benchbook.json",
            "link/secret.benchbook.json",
            "link.benchbook.json",
            "inside.benchbook.json",
            "loop.benchbook.json",
            "pipe.benchbook.json",
            "socket.benchbook.json",
            &format!("{}.benchbook.json", "a".repeat(300)),
        ] {
            assert!(open(folder.path(), absent).unwrap().is_none(), "{absent}");
        }
    }

    #[test]
    fn the_folder_itself_may_be_a_link_but_must_exist() {
        let folder = TempDir::new().unwrap();
        fs::create_dir(folder.path().join("release")).unwrap();
        fs::write(folder.path().join("release/a.benchbook.json"), "").unwrap();
        symlink("release", folder.path().join("current")).unwrap();
        assert!(open(&folder.path().join("current"), "a.benchbook.json").unwrap().is_some());
        let missing = open(&folder.path().join("missing"), "a.benchbook.json");
        assert_eq!(missing.unwrap_err().kind(), io::ErrorKind::NotFound);
        let file = open(&folder.path().join("current/a.benchbook.json"), "a.benchbook.json");
        assert_eq!(file.unwrap_err().kind(), io::ErrorKind::NotADirectory);
    }
}
