//! Starts child processes with limits, and isolates them from their host's files, processes and network.
//!
//! A host must not trust its children: they run code that others wrote. Therefore the limits are not applied by the child
//! itself but by the [`Launcher`], which is the host's own program, started a second time. It sets them up and then
//! replaces itself with the child. A host calls [`run_launcher_if_requested`] first in its `main`.
//!
//! On Linux, a child can also be isolated ([`Isolation`]). The launcher then consists of three processes, because the
//! kernel moves only the children of a process to a new namespace of processes. Each forks the next one; a fork is safe
//! here because the launcher has a single thread:
//!
//! 1. The first one creates the namespaces, waits for the second, and ends as it did.
//! 2. The init process of the namespaces mounts the few files that the child may see, and ends with the third. The kernel
//!    then kills whatever the child left running.
//! 3. The third applies the limits, Landlock and the filter of system calls, and executes the child.
//!
//! [`violations()`] checks from outside that the limits apply to every thread of a child.

#[cfg(all(target_os = "linux", feature = "isolation"))]
mod descendants;
mod entry;
mod guard;
mod isolation;
mod launch;
#[cfg(unix)]
mod launched;
mod launcher;
mod measured_process;
mod pinning;
mod violations;

pub use entry::run_launcher_if_requested;
pub use guard::Guard;
pub use isolation::{Isolation, Protection, UserIds};
pub use launch::Executable;
pub use launcher::{LaunchRequest, Launcher};
pub use measured_process::{has_several_threads, measured_process};
pub use pinning::use_core;
pub use violations::violations;
