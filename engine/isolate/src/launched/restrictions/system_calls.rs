//! The filter of system calls.

use std::collections::BTreeMap;
use std::io;

use libc::c_long;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, apply_filter,
};

/// The system calls that a measured function does not need, and that could harm the host or the figures of others.
const REJECTED: [c_long; 57] = [
    // Reading, changing and debugging other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    // The network. Pairs of connected sockets are harmless.
    libc::SYS_socket,
    // Leaving the core or the priority that the host chose.
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setattr,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setscheduler,
    libc::SYS_setpriority,
    libc::SYS_ioprio_set,
    // Mounts, roots and namespaces.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    // Parts of the kernel with a history of defects.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_add_key,
    libc::SYS_keyctl,
    libc::SYS_request_key,
    libc::SYS_personality,
    libc::SYS_vhangup,
    libc::SYS_fanotify_init,
    // Administering the system.
    libc::SYS_acct,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_clock_settime,
    libc::SYS_settimeofday,
    libc::SYS_delete_module,
    libc::SYS_finit_module,
    libc::SYS_init_module,
    libc::SYS_kexec_file_load,
    libc::SYS_kexec_load,
    libc::SYS_quotactl,
    libc::SYS_reboot,
    libc::SYS_setdomainname,
    libc::SYS_sethostname,
    libc::SYS_swapoff,
    libc::SYS_swapon,
    libc::SYS_syslog,
];

/// The bit that marks calls of the x32 ABI, which has the same calls under other numbers.
#[cfg(target_arch = "x86_64")]
const X32: c_long = 0x4000_0000;

/// Calls of the x32 ABI whose numbers differ by more than the bit: execve is absent, since it starts no process; ptrace,
/// kexec_load, process_vm_readv and process_vm_writev.
#[cfg(target_arch = "x86_64")]
const REJECTED_X32: [c_long; 4] = [X32 | 521, X32 | 528, X32 | 539, X32 | 540];

/// The call that starts a process with flags in memory, which a filter cannot read.
#[cfg(target_arch = "x86_64")]
const CLONE3: &[c_long] = &[libc::SYS_clone3, X32 | libc::SYS_clone3];
#[cfg(not(target_arch = "x86_64"))]
const CLONE3: &[c_long] = &[libc::SYS_clone3];

type Rules = BTreeMap<c_long, Vec<SeccompRule>>;

/// Applies the filter to this process, forever. Rejected calls fail with `EPERM`.
pub(super) fn filter(may_start_processes: bool) -> io::Result<()> {
    if !may_start_processes {
        // The C library falls back to `clone`, whose flags a filter can read.
        apply(no_rules(CLONE3.iter().copied()), libc::ENOSYS)?;
    }
    apply(rules(may_start_processes).map_err(io::Error::other)?, libc::EPERM)
}

fn apply(rules: Rules, error: i32) -> io::Result<()> {
    let architecture = std::env::consts::ARCH.try_into().map_err(io::Error::other)?;
    let reject = SeccompAction::Errno(error.unsigned_abs());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, reject, architecture).map_err(io::Error::other)?;
    let program: BpfProgram = filter.try_into().map_err(io::Error::other)?;
    apply_filter(&program).map_err(|error| io::Error::other(format!("filtering system calls: {error}")))
}

/// The rejected calls, with the conditions under which they are.
fn rules(may_start_processes: bool) -> Result<Rules, BackendError> {
    let mut rules = no_rules(REJECTED);
    if !may_start_processes {
        #[cfg(target_arch = "x86_64")]
        rules.extend(no_rules([libc::SYS_fork, libc::SYS_vfork]));
        // A thread shares its process; anything else is a new one.
        let starts_process = SeccompCondition::new(
            0,
            SeccompCmpArgLen::Qword,
            SeccompCmpOp::MaskedEq(libc::CLONE_THREAD.unsigned_abs().into()),
            0,
        )?;
        rules.insert(libc::SYS_clone, vec![SeccompRule::new(vec![starts_process])?]);
    }
    #[cfg(target_arch = "x86_64")]
    {
        let x32: Rules = rules.iter().map(|(call, rules)| (call | X32, rules.clone())).collect();
        rules.extend(x32);
        rules.extend(no_rules(REJECTED_X32));
    }
    Ok(rules)
}

/// Rules that match under all conditions.
fn no_rules(calls: impl IntoIterator<Item = c_long>) -> Rules {
    calls.into_iter().map(|call| (call, Vec::new())).collect()
}
