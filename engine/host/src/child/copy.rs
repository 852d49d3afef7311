//! The executable as it was when it was opened: a rebuild in the middle of a measurement changes the file of that name.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

/// A copy of an executable that nobody else has. On Linux it is in memory and sealed: nobody can change it, nothing
/// is left of it however its host ends, and it can be started where the temporary folder forbids that.
#[derive(Debug)]
pub(super) struct PrivateCopy {
    #[cfg(target_os = "linux")]
    file: File,
    #[cfg(not(target_os = "linux"))]
    folder: super::scratch::Scratch,
}

#[cfg(target_os = "linux")]
impl PrivateCopy {
    pub(super) fn new(_path: &Path, bytes: &[u8]) -> io::Result<Self> {
        use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};

        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let create = |flags| memfd_create("benchbook-suite", flags);
        // Some systems forbid to start what was not made for that; those before Linux 6.3 do not know the flag.
        let mut file = File::from(create(flags | MemfdFlags::EXEC).or_else(|_| create(flags))?);
        file.write_all(bytes)?;
        fcntl_add_seals(&file, SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL)?;
        Ok(Self { file })
    }

    /// What starts it, under the name that people know.
    pub(super) fn command(&self, path: &Path) -> Command {
        use std::os::fd::AsRawFd;
        use std::os::unix::process::CommandExt;

        let mut command = Command::new(format!("/proc/self/fd/{}", self.file.as_raw_fd()));
        command.arg0(path);
        command
    }
}

#[cfg(not(target_os = "linux"))]
impl PrivateCopy {
    pub(super) fn new(path: &Path, bytes: &[u8]) -> io::Result<Self> {
        let folder = super::scratch::Scratch::new()?;
        let copy = Self { folder };
        let mut file = File::create_new(copy.place())?;
        file.write_all(bytes)?;
        file.set_permissions(std::fs::metadata(path)?.permissions())?;
        Ok(copy)
    }

    /// What starts it.
    pub(super) fn command(&self, _path: &Path) -> Command {
        Command::new(self.place())
    }

    fn place(&self) -> std::path::PathBuf {
        self.folder.path().join(format!("suite{}", std::env::consts::EXE_SUFFIX))
    }
}
