//! The process of a child that executes its program, and its threads.

use std::io;

use crate::isolation::Isolation;

/// Returns the process that executes the program of a launched child, `child`. With namespaces, it is a grandchild of the
/// launcher, which only waits. Call it after the child has sent something: before that, it may not be started yet.
///
/// # Errors
/// Returns an error if the system does not report the processes, or if the child has ended.
#[cfg(target_os = "linux")]
pub fn measured_process(child: u32, isolation: &Isolation) -> io::Result<u32> {
    use crate::descendants::children;

    if !isolation.namespaces {
        return Ok(child);
    }
    let processes = children(&[child]).and_then(|init| children(&init)).map_err(io::Error::other)?;
    processes.first().copied().ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "the child has no processes"))
}

/// Other systems have no namespaces.
///
/// # Errors
/// Never.
#[cfg(not(target_os = "linux"))]
pub fn measured_process(child: u32, _isolation: &Isolation) -> io::Result<u32> {
    Ok(child)
}

/// Whether threads of a process other than its first are running, or have run for at least two ticks of the system's clock, 20 ms on
/// most systems: threads that have ended count, too. Fields of [proc_pid_stat(5)](https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html).
///
/// # Errors
/// Returns an error if the system does not report the process, or if it has ended.
#[cfg(target_os = "linux")]
pub fn has_several_threads(process: u32) -> io::Result<bool> {
    let process = crate::descendants::process(process).map_err(io::Error::other)?;
    let whole = process.stat().map_err(io::Error::other)?;
    let first = process.task_main_thread().and_then(|task| task.stat()).map_err(io::Error::other)?;
    let ticks = |stat: &procfs::process::Stat| stat.utime + stat.stime;
    Ok(whole.num_threads > 1 || ticks(&whole) >= ticks(&first) + 2)
}

/// Other systems do not report the threads of other processes.
///
/// # Errors
/// Always.
#[cfg(not(target_os = "linux"))]
pub fn has_several_threads(_process: u32) -> io::Result<bool> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "this system does not report the threads of other processes"))
}
