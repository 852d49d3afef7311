//! What an isolated child may see and do.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The scratch folder of a child with its own namespaces, as the child sees it.
pub(crate) const SCRATCH: &str = "/scratch";

/// The folders and files of the system's libraries. Missing ones are skipped.
#[cfg(all(target_os = "linux", feature = "isolation"))]
pub(crate) const LIBRARIES: [&str; 8] =
    ["/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"];

/// The devices that programs expect.
#[cfg(all(target_os = "linux", feature = "isolation"))]
pub(crate) const DEVICES: [&str; 5] = ["/dev/full", "/dev/null", "/dev/random", "/dev/urandom", "/dev/zero"];

/// What a child may see and do. The default isolates nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Isolation {
    /// Whether the child has its own namespaces: it sees its executable, the system's libraries, [`Self::readable`] and a
    /// scratch folder, but no other files, processes or network devices of the host. Everything it starts ends with it.
    pub namespaces: bool,
    /// Whether Landlock limits access to the same files, and forbids TCP connections and signals to other processes.
    pub landlock: bool,
    /// Whether a filter rejects system calls that a measured function does not need: debugging other processes, opening
    /// sockets, administering the system, changing cores or priorities and, unless [`Self::may_start_processes`] is set,
    /// starting processes.
    pub seccomp: bool,
    /// The files and folders that the child may read, besides its executable and the system's libraries.
    pub readable: Vec<PathBuf>,
    /// The size of a scratch folder in memory, in bytes. Absent: a folder of the host, which the request to launch
    /// names. Without namespaces, the folder is always one of the host.
    pub scratch_bytes: Option<u64>,
    /// Whether the child may start other processes.
    pub may_start_processes: bool,
    /// The user that the child runs as. Absent: the host's. Only root may choose another one; the namespaces then include
    /// no user namespace.
    pub user: Option<UserIds>,
}

/// The numbers of a user and of its main group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserIds {
    /// The number of the user.
    pub user: u32,
    /// The number of its main group.
    pub group: u32,
}

/// A mechanism that protects a host from its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protection {
    /// [`Isolation::namespaces`].
    Namespaces,
    /// [`Isolation::landlock`].
    Landlock,
    /// [`Isolation::seccomp`].
    Seccomp,
}

impl Protection {
    /// All mechanisms.
    pub const ALL: [Self; 3] = [Self::Namespaces, Self::Landlock, Self::Seccomp];

    /// The name of the mechanism.
    pub fn name(self) -> &'static str {
        match self {
            Self::Namespaces => "namespaces",
            Self::Landlock => "landlock",
            Self::Seccomp => "seccomp",
        }
    }
}

impl fmt::Display for Protection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Isolation {
    /// All protections, without files to read and without a scratch folder in memory.
    pub fn full() -> Self {
        Protection::ALL.into_iter().fold(Self::default(), |isolation, protection| isolation.with(protection, true))
    }

    /// Whether a protection is requested.
    pub fn has(&self, protection: Protection) -> bool {
        match protection {
            Protection::Namespaces => self.namespaces,
            Protection::Landlock => self.landlock,
            Protection::Seccomp => self.seccomp,
        }
    }

    /// Whether any protection or another user is requested.
    pub fn is_isolated(&self) -> bool {
        self.user.is_some() || Protection::ALL.into_iter().any(|protection| self.has(protection))
    }

    /// The scratch folder as the child sees it; `folder` is that of the host.
    pub fn scratch_folder<'a>(&self, folder: Option<&'a Path>) -> Option<&'a Path> {
        if self.namespaces { Some(Path::new(SCRATCH)) } else { folder }
    }

    /// Whether the host must create a scratch folder.
    pub fn needs_scratch_folder(&self) -> bool {
        !self.namespaces || self.scratch_bytes.is_none()
    }

    /// The same isolation with or without a protection.
    #[must_use]
    pub fn with(mut self, protection: Protection, is_requested: bool) -> Self {
        match protection {
            Protection::Namespaces => self.namespaces = is_requested,
            Protection::Landlock => self.landlock = is_requested,
            Protection::Seccomp => self.seccomp = is_requested,
        }
        self
    }
}
