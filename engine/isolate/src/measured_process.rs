//! The process of a child that executes its program, and its threads.

use std::io;

use crate::isolation::Isolation;

/// Returns the process that executes the program of a launched child, `child`. With namespaces, it is a grandchild of the
/// launcher, which only waits. Call it after the child has sent something: before that, it may not be started yet.
///
/// # Errors
/// Returns an error if the system does not report the processes, or if the child has ended.
#[cfg(all(target_os = "linux", feature = "isolation"))]
pub fn measured_process(child: u32, isolation: &Isolation) -> io::Result<u32> {
    use crate::descendants::children;

    if !isolation.namespaces {
        return Ok(child);
    }
    let processes = children(&[child]).and_then(|init| children(&init)).map_err(io::Error::other)?;
    processes.first().copied().ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "the child has no processes"))
}

/// Other systems have no namespaces, and a launcher without the feature `isolation` creates none.
///
/// # Errors
/// Never.
#[cfg(not(all(target_os = "linux", feature = "isolation")))]
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
    let (threads, whole) = threads_and_ticks(&format!("/proc/{process}/stat"))?;
    let (_, first) = threads_and_ticks(&format!("/proc/{process}/task/{process}/stat"))?;
    Ok(threads > 1 || whole >= first + 2)
}

/// The fields `num_threads`, and `utime` and `stime` together, of a process or thread. A library for these files would take a tenth of a
/// bench's first build.
#[cfg(target_os = "linux")]
fn threads_and_ticks(file: &str) -> io::Result<(u64, u64)> {
    let stat = std::fs::read_to_string(file)?;
    // After the name, which may contain anything. `utime` is field 14, and the first field after the name is 3.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_ascii_whitespace().collect();
    let field = |number: usize| fields.get(number - 3).and_then(|field| field.parse::<u64>().ok());
    let values = field(20).zip(field(14)).zip(field(15));
    let ((threads, user), system) = values.ok_or_else(|| io::Error::other(format!("failed to parse {file}")))?;
    Ok((threads, user + system))
}

/// Other systems do not report the threads of other processes.
///
/// # Errors
/// Always.
#[cfg(not(target_os = "linux"))]
pub fn has_several_threads(_process: u32) -> io::Result<bool> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "this system does not report the threads of other processes"))
}
