//! Changes this process's user.

use std::io;

use nix::unistd::{Gid, Uid, setgid, setgroups, setuid};

use crate::isolation::UserIds;
use crate::launched::ending::context;

/// Changes the user and the group of this process for good. Removes all other groups, and with them every privilege of root.
pub(super) fn become_user(ids: UserIds) -> io::Result<()> {
    let attempt = || context(format!("failed to become user {}", ids.user));
    setgroups(&[]).map_err(attempt())?;
    setgid(Gid::from_raw(ids.group)).map_err(attempt())?;
    setuid(Uid::from_raw(ids.user)).map_err(attempt())
}
