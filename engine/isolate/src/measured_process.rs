//! The process of a child that executes its program.

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
