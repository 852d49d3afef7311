//! What the child may not do: with Landlock, as another user, without capabilities, and with a filter of system calls.

mod access;
mod system_calls;
mod user;

use std::io;

use crate::launch::Launch;
use crate::launched::ending::end_with_host;

/// Restricts this process. The order matters: Landlock's rules open files, only root may become another
/// user, and the filter of system calls would reject some of these steps.
pub(super) fn apply(launch: &Launch) -> io::Result<()> {
    let isolation = &launch.isolation;
    if isolation.landlock {
        access::limit_files(isolation, launch.scratch.as_deref())?;
    }
    if let Some(user) = isolation.user {
        user::become_user(user)?;
        // The kernel has forgotten the earlier request. In namespaces, the child ends with their init process.
        if !isolation.namespaces {
            end_with_host(launch.host)?;
        }
    }
    if isolation.namespaces {
        access::drop_capabilities()?;
    }
    if isolation.seccomp {
        system_calls::filter(isolation.may_start_processes)?;
    }
    Ok(())
}
