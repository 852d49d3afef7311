//! The processes that descend from a child, as the system reports them.

use procfs::process::Process;
use procfs::{ProcError, ProcResult};

/// The children of processes.
pub(crate) fn children(parents: &[u32]) -> ProcResult<Vec<u32>> {
    let mut children = Vec::new();
    for parent in parents {
        for task in existing(process(*parent).and_then(|process| process.tasks()))?.into_iter().flatten() {
            children.extend(existing(task.and_then(|task| task.children()))?.unwrap_or_default());
        }
    }
    Ok(children)
}

pub(crate) fn process(id: u32) -> ProcResult<Process> {
    Process::new(id.try_into().map_err(|_| ProcError::Other(format!("{id} is no process id")))?)
}

/// The value, or nothing if the process or thread has ended.
pub(crate) fn existing<T>(result: ProcResult<T>) -> ProcResult<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(ProcError::NotFound(_)) => Ok(None),
        // A read that began before the end of the process.
        Err(ProcError::Io(error, _)) if error.raw_os_error() == Some(libc::ESRCH) => Ok(None),
        Err(error) => Err(error),
    }
}
