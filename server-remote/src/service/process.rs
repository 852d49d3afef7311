//! The runner's own process: its cores and its open files.

/// Moves this thread, and the threads that it starts, to the other cores.
///
/// # Errors
/// If there is no other core, or the system rejects it.
#[cfg(target_os = "linux")]
pub fn avoid_core(core: u32) -> Result<(), String> {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    let mut others = sched_getaffinity(None).map_err(|error| error.to_string())?;
    if core as usize >= CpuSet::MAX_CPU {
        return Err("the core does not exist".to_owned());
    }
    others.unset(core as usize);
    if others.count() == 0 {
        return Err("there is no other core".to_owned());
    }
    sched_setaffinity(None, &others).map_err(|error| error.to_string())
}

/// Moves this thread to the other cores. Not supported on this system.
///
/// # Errors
/// Always.
#[cfg(not(target_os = "linux"))]
pub fn avoid_core(_core: u32) -> Result<(), String> {
    Err("this system does not support pinning threads".to_owned())
}

/// Raises the limit on open files, including connections, to the maximum that the system allows.
///
/// # Errors
/// If the system rejects it.
#[cfg(unix)]
pub fn raise_open_file_limit() -> Result<(), String> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).map_err(|error| error.to_string())
}

/// This system has no such limit.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub fn raise_open_file_limit() -> Result<(), String> {
    Ok(())
}
