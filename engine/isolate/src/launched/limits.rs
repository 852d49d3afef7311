//! Applies the limits to this process.

use nix::sys::resource::{Resource, setrlimit};

use crate::guard::Guard;
use crate::pinning::{use_all_cores, use_core};

/// Applies the limits that the system supports. The host checks from outside which of them apply.
pub(super) fn apply(guard: &Guard) {
    let limits = [
        (Resource::RLIMIT_CORE, Some(0), 0),
        #[cfg(not(any(target_os = "openbsd", target_os = "netbsd")))]
        (Resource::RLIMIT_AS, guard.memory, 0),
        // SIGXCPU at the limit, and SIGKILL a second later.
        (Resource::RLIMIT_CPU, guard.cpu_seconds, 1),
        (Resource::RLIMIT_NOFILE, guard.open_files, 0),
        (Resource::RLIMIT_FSIZE, guard.file_bytes, 0),
        (Resource::RLIMIT_NPROC, guard.processes, 0),
    ];
    for (resource, limit, grace) in limits {
        if let Some(limit) = limit {
            let _ = setrlimit(resource, limit, limit.saturating_add(grace));
        }
    }
    if let Some(nice) = guard.nice {
        let _ = rustix::process::setpriority_process(None, nice);
    }
    if guard.all_cores {
        let _ = use_all_cores();
    } else if let Some(core) = guard.core {
        let _ = use_core(core);
    }
}
