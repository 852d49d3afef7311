//! Applies the limits that the host imposes, before the suite does anything else.

use benchbook_contract::guard::{GUARD_VARIABLE, Guard, GuardSettings};

/// Applies the host's settings as far as the system supports them. Returns the limits that do not apply, each with its
/// reason, as texts for users.
pub(super) fn apply() -> Vec<String> {
    let Some(settings) = std::env::var_os(GUARD_VARIABLE) else { return Vec::new() };
    match serde_json::from_slice::<GuardSettings>(settings.as_encoded_bytes()) {
        Ok(GuardSettings { host, guard }) => {
            let mut missing = Vec::new();
            end_with_host(host, &mut missing);
            apply_limits(&guard, &mut missing);
            missing
        }
        Err(error) => vec![format!("all limits: cannot read {GUARD_VARIABLE}: {error}")],
    }
}

/// Requests that the kernel kills this process when the host ends.
#[cfg(target_os = "linux")]
fn end_with_host(host: u32, missing: &mut Vec<String>) {
    use rustix::process::{Signal, getppid, set_parent_process_death_signal};

    record_error(missing, "ending with the host", set_parent_process_death_signal(Some(Signal::KILL)));
    // The host may have ended before the request.
    if getppid().is_none_or(|parent| u32::try_from(parent.as_raw_nonzero().get()) != Ok(host)) {
        std::process::exit(1);
    }
}

#[cfg(not(target_os = "linux"))]
fn end_with_host(_host: u32, missing: &mut Vec<String>) {
    missing.push("ending with the host: this system has no signal for it".to_owned());
}

#[cfg(unix)]
fn apply_limits(guard: &Guard, missing: &mut Vec<String>) {
    use rustix::process::{Resource, Rlimit, setpriority_process, setrlimit};

    let limits = [
        ("no core dumps", Resource::Core, Some(0), 0),
        ("memory", Resource::As, guard.memory, 0),
        // SIGXCPU at the limit, and SIGKILL a second later.
        ("CPU time", Resource::Cpu, guard.cpu_seconds, 1),
        ("open files", Resource::Nofile, guard.open_files, 0),
        ("file size", Resource::Fsize, guard.file_bytes, 0),
        ("processes", Resource::Nproc, guard.processes, 0),
    ];
    for (name, resource, limit, grace) in limits {
        if let Some(limit) = limit {
            let limit = Rlimit { current: Some(limit), maximum: Some(limit.saturating_add(grace)) };
            record_error(missing, name, setrlimit(resource, limit));
        }
    }
    if cfg!(target_vendor = "apple") && guard.memory.is_some() {
        missing.push("memory: this system accepts the limit but does not enforce it".to_owned());
    }
    if let Some(nice) = guard.nice {
        record_error(missing, "niceness", setpriority_process(None, nice));
    }
    if let Some(core) = guard.core {
        pin(core, missing);
    }
}

#[cfg(not(unix))]
fn apply_limits(guard: &Guard, missing: &mut Vec<String>) {
    missing.push("ending its child processes: this system has no process groups".to_owned());
    if *guard != Guard::default() {
        missing.push("core, niceness and limits: not supported on this system".to_owned());
    }
}

#[cfg(target_os = "linux")]
fn pin(core: u32, missing: &mut Vec<String>) {
    use rustix::thread::{CpuSet, sched_setaffinity};

    let core = core as usize;
    if core >= CpuSet::MAX_CPU {
        return missing.push(format!("core {core}: no such core"));
    }
    let mut only = CpuSet::new();
    only.set(core);
    record_error(missing, &format!("core {core}"), sched_setaffinity(None, &only));
}

#[cfg(all(unix, not(target_os = "linux")))]
fn pin(_core: u32, missing: &mut Vec<String>) {
    missing.push("core: this system cannot pin a process to a core".to_owned());
}

#[cfg(unix)]
fn record_error(missing: &mut Vec<String>, name: &str, result: rustix::io::Result<()>) {
    if let Err(error) = result {
        missing.push(format!("{name}: {error}"));
    }
}
