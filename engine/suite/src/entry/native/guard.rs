//! The guard that a host's orders impose: the suite takes it on before it does anything else.

use benchbook_contract::guard::{GUARD_VARIABLE, Guard, Orders};

/// Takes on what the host wants, as far as the system can. What it cannot, one reason each, in words for people.
pub(super) fn take_on() -> Vec<String> {
    let Some(orders) = std::env::var_os(GUARD_VARIABLE) else { return Vec::new() };
    match serde_json::from_slice::<Orders>(orders.as_encoded_bytes()) {
        Ok(Orders { host, guard }) => {
            let mut missing = Vec::new();
            follow(host, &mut missing);
            limit(&guard, &mut missing);
            missing
        }
        Err(error) => vec![format!("all of it: {GUARD_VARIABLE} cannot be read: {error}")],
    }
}

/// Dies with the host.
#[cfg(target_os = "linux")]
fn follow(host: u32, missing: &mut Vec<String>) {
    use rustix::process::{Signal, getppid, set_parent_process_death_signal};

    note(missing, "ending with the host", set_parent_process_death_signal(Some(Signal::KILL)));
    // The host may have ended before that was said.
    if getppid().is_none_or(|parent| u32::try_from(parent.as_raw_nonzero().get()) != Ok(host)) {
        std::process::exit(1);
    }
}

#[cfg(not(target_os = "linux"))]
fn follow(_host: u32, missing: &mut Vec<String>) {
    missing.push("ending with the host by itself: this system has no signal for that".to_owned());
}

#[cfg(unix)]
fn limit(guard: &Guard, missing: &mut Vec<String>) {
    use rustix::process::{Resource, Rlimit, setpriority_process, setrlimit};

    let limits = [
        ("no core dumps", Resource::Core, Some(0), 0),
        ("memory", Resource::As, guard.memory, 0),
        // A second after the signal that says so comes the one that nothing withstands.
        ("computing time", Resource::Cpu, guard.cpu_seconds, 1),
        ("open files", Resource::Nofile, guard.open_files, 0),
        ("size of files", Resource::Fsize, guard.file_bytes, 0),
        ("processes", Resource::Nproc, guard.processes, 0),
    ];
    for (what, resource, limit, respite) in limits {
        if let Some(limit) = limit {
            let limit = Rlimit { current: Some(limit), maximum: Some(limit.saturating_add(respite)) };
            note(missing, what, setrlimit(resource, limit));
        }
    }
    if cfg!(target_vendor = "apple") && guard.memory.is_some() {
        missing.push("memory: this system takes the limit and does not keep it".to_owned());
    }
    if let Some(nice) = guard.nice {
        note(missing, "niceness", setpriority_process(None, nice));
    }
    if let Some(core) = guard.core {
        pin(core, missing);
    }
}

#[cfg(not(unix))]
fn limit(guard: &Guard, missing: &mut Vec<String>) {
    missing.push("ending what it started with it: this system has no process groups".to_owned());
    if *guard != Guard::default() {
        missing.push("core, niceness and limits: this system has them by other means".to_owned());
    }
}

#[cfg(target_os = "linux")]
fn pin(core: u32, missing: &mut Vec<String>) {
    use rustix::thread::{CpuSet, sched_setaffinity};

    let core = core as usize;
    if core >= CpuSet::MAX_CPU {
        return missing.push(format!("core {core}: there is none"));
    }
    let mut only = CpuSet::new();
    only.set(core);
    note(missing, &format!("core {core}"), sched_setaffinity(None, &only));
}

#[cfg(all(unix, not(target_os = "linux")))]
fn pin(_core: u32, missing: &mut Vec<String>) {
    missing.push("measuring core: this system does not pin a process to one".to_owned());
}

#[cfg(unix)]
fn note(missing: &mut Vec<String>, what: &str, result: rustix::io::Result<()>) {
    if let Err(error) = result {
        missing.push(format!("{what}: {error}"));
    }
}
