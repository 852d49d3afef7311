//! Pins a process to a core.

use std::io;

/// Moves this thread, and the threads and processes that it starts from now on, to a core, by the system's numbering.
///
/// # Errors
/// Returns an error if the core does not exist, or the system rejects it.
#[cfg(target_os = "linux")]
pub fn use_core(core: u32) -> io::Result<()> {
    use rustix::thread::{CpuSet, sched_setaffinity};

    let core = core as usize;
    if core >= CpuSet::MAX_CPU {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the core does not exist"));
    }
    let mut only = CpuSet::new();
    only.set(core);
    Ok(sched_setaffinity(None, &only)?)
}

/// Lets this thread, and the threads and processes that it starts from now on, use all cores that the system allows.
///
/// # Errors
/// Returns an error if the system rejects it.
#[cfg(target_os = "linux")]
pub(crate) fn use_all_cores() -> io::Result<()> {
    use rustix::thread::{CpuSet, sched_setaffinity};

    let mut all = CpuSet::new();
    (0..CpuSet::MAX_CPU).for_each(|core| all.set(core));
    Ok(sched_setaffinity(None, &all)?)
}

/// Other systems do not pin processes to cores.
///
/// # Errors
/// Never.
#[cfg(not(target_os = "linux"))]
pub(crate) fn use_all_cores() -> io::Result<()> {
    Ok(())
}

/// Other systems cannot pin a process to a core.
///
/// # Errors
/// Always.
#[cfg(not(target_os = "linux"))]
pub fn use_core(_core: u32) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "this system cannot pin a process to a core"))
}
