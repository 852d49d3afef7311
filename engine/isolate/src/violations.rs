//! Checks from outside that the limits on a child apply.

use std::io;

use crate::guard::Guard;
use crate::isolation::Isolation;

/// Returns how the processes of a child deviate from its limits, one text for each limit, as in `it may run on cores 0-1
/// instead of core 1`. Checks every thread of every process that descends from the launched one, `child`.
///
/// # Errors
/// Returns an error if the system does not report the state of other processes.
#[cfg(all(target_os = "linux", feature = "isolation"))]
pub fn violations(child: u32, guard: &Guard, isolation: &Isolation) -> io::Result<Vec<String>> {
    linux::violations(child, guard, isolation).map_err(io::Error::other)
}

/// Other systems do not report the state of other processes, and without the feature `isolation`, this program does not read it.
///
/// # Errors
/// Always.
#[cfg(not(all(target_os = "linux", feature = "isolation")))]
pub fn violations(_child: u32, _guard: &Guard, _isolation: &Isolation) -> io::Result<Vec<String>> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "the state of other processes is unknown on this system"))
}

#[cfg(all(target_os = "linux", feature = "isolation"))]
mod linux {
    use procfs::process::{LimitValue, Task};
    use procfs::{ProcError, ProcResult};

    use crate::descendants::{children, existing, process};
    use crate::guard::Guard;
    use crate::isolation::Isolation;

    /// The mode of a thread whose system calls are filtered: `SECCOMP_MODE_FILTER`.
    const FILTERED: u32 = 2;

    pub(super) fn violations(child: u32, guard: &Guard, isolation: &Isolation) -> ProcResult<Vec<String>> {
        let mut violations = Vec::new();
        let mut processes = vec![child];
        if isolation.namespaces {
            // The launcher and the init process only wait.
            processes = children(&children(&processes)?)?;
            if processes.is_empty() && process(child)?.is_alive() {
                return Err(ProcError::Other("the kernel does not list the children of processes".to_owned()));
            }
        }
        while !processes.is_empty() {
            for id in &processes {
                // Processes and threads may end meanwhile.
                existing(check_process(*id, guard, isolation, &mut violations))?;
            }
            processes = children(&processes)?;
        }
        violations.sort_unstable();
        violations.dedup();
        Ok(violations)
    }

    fn check_process(id: u32, guard: &Guard, isolation: &Isolation, violations: &mut Vec<String>) -> ProcResult<()> {
        let process = process(id)?;
        if let Some(ids) = isolation.user {
            let status = process.status()?;
            if [status.ruid, status.euid, status.suid, status.fuid].iter().any(|user| *user != ids.user) {
                violations.push(format!("it runs as user {} instead of {}", status.euid, ids.user));
            }
        }
        let limits = process.limits()?;
        let limits = [
            ("core dumps", Some(0), limits.max_core_file_size),
            ("address space", guard.memory, limits.max_address_space),
            // SIGKILL follows SIGXCPU a second later.
            ("CPU seconds", guard.cpu_seconds.map(|seconds| seconds.saturating_add(1)), limits.max_cpu_time),
            ("open files", guard.open_files, limits.max_open_files),
            ("file size", guard.file_bytes, limits.max_file_size),
            ("processes", guard.processes, limits.max_processes),
        ];
        for (name, limit, actual) in limits {
            match (limit, actual.hard_limit) {
                (Some(limit), LimitValue::Value(actual)) if actual > limit => {
                    violations.push(format!("its limit on {name} is {actual} instead of {limit}"));
                }
                (Some(_), LimitValue::Unlimited) => violations.push(format!("it has no limit on {name}")),
                _ => {}
            }
        }
        for task in process.tasks()? {
            existing(task.and_then(|task| check_thread(&task, guard, isolation, violations)))?;
        }
        Ok(())
    }

    fn check_thread(task: &Task, guard: &Guard, isolation: &Isolation, violations: &mut Vec<String>) -> ProcResult<()> {
        let status = task.status()?;
        match (guard.core, &status.cpus_allowed_list) {
            (Some(core), Some(cores)) if *cores != [(core, core)] => {
                violations.push(format!("it may run on {} instead of core {core}", cores_text(cores)));
            }
            _ => {}
        }
        let nice = task.stat()?.nice;
        if let Some(expected) = guard.nice.filter(|expected| nice != i64::from(*expected)) {
            violations.push(format!("its niceness is {nice} instead of {expected}"));
        }
        if isolation.seccomp && status.seccomp != Some(FILTERED) {
            violations.push("its system calls are not filtered".to_owned());
        }
        Ok(())
    }

    /// Ranges of cores, such as `cores 0-1,3`.
    fn cores_text(cores: &[(u32, u32)]) -> String {
        let range = |(first, last): &(u32, u32)| match first == last {
            true => first.to_string(),
            false => format!("{first}-{last}"),
        };
        format!("cores {}", cores.iter().map(range).collect::<Vec<_>>().join(","))
    }
}
