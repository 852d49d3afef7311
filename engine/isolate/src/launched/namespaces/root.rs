//! The root folder of an isolated child, in its own mount namespace.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sys::statvfs::{FsFlags, statvfs};
use nix::unistd::{chdir, pivot_root};

use crate::isolation::{DEVICES, Isolation, LIBRARIES, SCRATCH};
use crate::launched::ending::context;

/// The folder on which the new root is mounted until it becomes the root. The folder exists on every system, and nothing below it is
/// needed.
const NEW_ROOT: &str = "/sys";

/// The size of the scratch folder in a trial, which has no other.
const TRIAL_BYTES: u64 = 1 << 20;

/// The size of the file system that contains only mount points.
const ROOT_OPTIONS: &str = "size=1m,mode=755";

/// Builds the root, enters it, and makes it read-only.
pub(super) fn enter(isolation: &Isolation, scratch: Option<&Path>) -> io::Result<()> {
    // Otherwise the host would see these mounts.
    mount_at(Path::new("/"), None, None, MsFlags::MS_REC | MsFlags::MS_PRIVATE, None)?;
    mount_new(Path::new(NEW_ROOT), "tmpfs", MsFlags::MS_NOSUID | MsFlags::MS_NODEV, Some(ROOT_OPTIONS))?;
    for path in LIBRARIES.map(Path::new) {
        show_library(path)?;
    }
    for path in DEVICES.map(Path::new).into_iter().filter(|path| path.exists()) {
        bind(path, &inside(path))?;
    }
    for path in &isolation.readable {
        bind(path, &inside(path))?;
        protect(&inside(path));
    }
    let processes = inside(Path::new("/proc"));
    fs::create_dir(&processes)?;
    // Read-only, since some of its files are settings of the whole system, which a process of root may change.
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC | MsFlags::MS_RDONLY;
    mount_new(&processes, "proc", flags, None)?;
    mount_scratch(isolation, scratch)?;
    pivot()?;
    let flags = MsFlags::MS_REMOUNT | MsFlags::MS_BIND | MsFlags::MS_RDONLY | MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    mount_at(Path::new("/"), None, None, flags, None)
}

/// The path below the new root.
fn inside(path: &Path) -> PathBuf {
    Path::new(NEW_ROOT).join(path.strip_prefix("/").unwrap_or(path))
}

/// Shows a folder of libraries; where the host has a symbolic link, such as `/lib`, the child gets the same one.
fn show_library(path: &Path) -> io::Result<()> {
    if let Ok(link) = fs::read_link(path) {
        return symlink(link, inside(path));
    }
    if path.exists() {
        bind(path, &inside(path))?;
        protect(&inside(path));
    }
    Ok(())
}

/// Mounts a file or folder of the host at another path.
fn bind(path: &Path, target: &Path) -> io::Result<()> {
    if path.is_dir() {
        fs::create_dir_all(target)?;
    } else {
        target.parent().map_or(Ok(()), fs::create_dir_all)?;
        File::create(target)?;
    }
    mount_at(target, Some(path), None, MsFlags::MS_BIND | MsFlags::MS_REC, None)
}

/// Makes a mount read-only, as far as possible: mounts below it keep their own mode. The child lacks the permission to
/// write to most of them in any case.
fn protect(target: &Path) {
    let flags = MsFlags::MS_REMOUNT | MsFlags::MS_BIND | MsFlags::MS_RDONLY | locked_flags(target);
    let _ = mount_at(target, None, None, flags, None);
}

/// The flags that a user namespace must not remove from a mount of the host.
fn locked_flags(target: &Path) -> MsFlags {
    let present = statvfs(target).map_or(FsFlags::empty(), |info| info.flags());
    let pairs = [
        (FsFlags::ST_NOSUID, MsFlags::MS_NOSUID),
        (FsFlags::ST_NODEV, MsFlags::MS_NODEV),
        (FsFlags::ST_NOEXEC, MsFlags::MS_NOEXEC),
        (FsFlags::ST_NOATIME, MsFlags::MS_NOATIME),
        (FsFlags::ST_NODIRATIME, MsFlags::MS_NODIRATIME),
        (FsFlags::ST_RELATIME, MsFlags::MS_RELATIME),
    ];
    pairs.into_iter().filter(|(flag, _)| present.contains(*flag)).map(|(_, flag)| flag).collect()
}

/// Mounts the scratch folder, in memory or from the host. The child also uses it for temporary files.
fn mount_scratch(isolation: &Isolation, folder: Option<&Path>) -> io::Result<()> {
    let target = inside(Path::new(SCRATCH));
    match (isolation.scratch_bytes, folder) {
        (None, Some(folder)) => bind(folder, &target)?,
        (bytes, _) => {
            fs::create_dir(&target)?;
            let owner = isolation.user.map_or(String::new(), |ids| format!(",uid={},gid={}", ids.user, ids.group));
            let options = format!("mode=700,size={}{owner}", bytes.unwrap_or(TRIAL_BYTES));
            mount_new(&target, "tmpfs", MsFlags::MS_NOSUID | MsFlags::MS_NODEV, Some(&options))?;
        }
    }
    // A readable file may be in a folder of that name.
    let temporary = inside(Path::new("/tmp"));
    if temporary.exists() { Ok(()) } else { symlink(SCRATCH, temporary) }
}

/// Makes the new root the root, and detaches the host's.
fn pivot() -> io::Result<()> {
    chdir(NEW_ROOT).map_err(context("entering the new root"))?;
    // Mounts the old root over the new one, so that no folder for it is needed.
    pivot_root(".", ".").map_err(context("failed to change the root"))?;
    umount2(".", MntFlags::MNT_DETACH).map_err(context("detaching the host's root"))?;
    chdir("/").map_err(context("entering the new root"))
}

/// Calls `mount`, and names the target in its error.
fn mount_at(
    target: &Path,
    source: Option<&Path>,
    kind: Option<&str>,
    flags: MsFlags,
    options: Option<&str>,
) -> io::Result<()> {
    mount(source, target, kind, flags, options).map_err(context(format!("failed to mount {}", target.display())))
}

/// Mounts a new file system of a kind that needs no device.
fn mount_new(target: &Path, kind: &str, flags: MsFlags, options: Option<&str>) -> io::Result<()> {
    mount_at(target, Some(Path::new(kind)), Some(kind), flags, options)
}
