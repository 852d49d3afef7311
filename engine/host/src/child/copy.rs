//! A copy of the executable as it was when opened, since a rebuild during a measurement changes the file.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;
#[cfg(target_os = "linux")]
use std::sync::{Mutex, MutexGuard, PoisonError};

use benchbook_isolate::Executable;

/// A private copy of an executable. On Linux it is in memory and sealed: no other program can change it, nothing
/// remains of it however its host ends, and it can be started even if the temporary folder is mounted `noexec`.
#[derive(Debug)]
pub(super) struct PrivateCopy {
    #[cfg(target_os = "linux")]
    file: File,
    /// Locked while processes inherit the file.
    #[cfg(target_os = "linux")]
    inheriting: Mutex<()>,
    #[cfg(not(target_os = "linux"))]
    folder: super::scratch::ScratchFolder,
}

#[cfg(target_os = "linux")]
impl PrivateCopy {
    pub(super) fn new(_path: &Path, bytes: &[u8]) -> io::Result<Self> {
        use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};

        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let create = |flags| memfd_create("benchbook-suite", flags);
        // Some systems only execute such files with `EXEC`, a flag that Linux before 6.3 rejects.
        let mut file = File::from(create(flags | MemfdFlags::EXEC).or_else(|_| create(flags))?);
        file.write_all(bytes)?;
        fcntl_add_seals(&file, SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL)?;
        Ok(Self { file, inheriting: Mutex::default() })
    }

    /// The executable for a launcher, which must inherit it: see [`Self::inheritable`].
    pub(super) fn executable(&self) -> Executable {
        use std::os::fd::AsRawFd;

        Executable::OpenFile(self.file.as_raw_fd())
    }

    /// Lets processes that are started inherit the file until the result is dropped. Another process that is started at the
    /// same time inherits it too, which is harmless: it is sealed.
    pub(super) fn inheritable(&self) -> io::Result<Inheritable<'_>> {
        let guard = self.inheriting.lock().unwrap_or_else(PoisonError::into_inner);
        rustix::io::fcntl_setfd(&self.file, rustix::io::FdFlags::empty())?;
        Ok(Inheritable { file: &self.file, _guard: guard })
    }

    /// The content.
    pub(super) fn read(&self) -> io::Result<Vec<u8>> {
        use std::os::unix::fs::FileExt;

        let bytes = self.file.metadata()?.len();
        let mut content = vec![0; usize::try_from(bytes).map_err(io::Error::other)?];
        // The processes that inherit the file share its position.
        self.file.read_exact_at(&mut content, 0)?;
        Ok(content)
    }

    /// The command that starts it, under the name of the original file.
    pub(super) fn command(&self, path: &Path) -> Command {
        use std::os::fd::AsRawFd;
        use std::os::unix::process::CommandExt;

        let mut command = Command::new(format!("/proc/self/fd/{}", self.file.as_raw_fd()));
        command.arg0(path);
        command
    }
}

/// A file that processes inherit when they are started.
#[cfg(target_os = "linux")]
pub(super) struct Inheritable<'a> {
    file: &'a File,
    _guard: MutexGuard<'a, ()>,
}

#[cfg(target_os = "linux")]
impl Drop for Inheritable<'_> {
    fn drop(&mut self) {
        // On failure, other processes inherit the file, which is harmless.
        let _ = rustix::io::fcntl_setfd(self.file, rustix::io::FdFlags::CLOEXEC);
    }
}

#[cfg(not(target_os = "linux"))]
impl PrivateCopy {
    pub(super) fn new(path: &Path, bytes: &[u8]) -> io::Result<Self> {
        let folder = super::scratch::ScratchFolder::new(None, None)?;
        let copy = Self { folder };
        let mut file = File::create_new(copy.path())?;
        file.write_all(bytes)?;
        file.set_permissions(std::fs::metadata(path)?.permissions())?;
        Ok(copy)
    }

    /// The executable for a launcher.
    pub(super) fn executable(&self) -> Executable {
        Executable::Path(self.path())
    }

    /// Does nothing: a launcher starts the file by its path.
    pub(super) fn inheritable(&self) -> io::Result<()> {
        Ok(())
    }

    /// The content.
    pub(super) fn read(&self) -> io::Result<Vec<u8>> {
        std::fs::read(self.path())
    }

    /// The command that starts it.
    pub(super) fn command(&self, _path: &Path) -> Command {
        Command::new(self.path())
    }

    fn path(&self) -> std::path::PathBuf {
        self.folder.path().join(format!("suite{}", std::env::consts::EXE_SUFFIX))
    }
}
