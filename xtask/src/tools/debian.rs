//! Debian's packages, where we may install them.

use anyhow::Result;
use xshell::{Shell, cmd};

/// Whether this is a system with apt-get and we are its administrator.
pub(super) fn can_install() -> bool {
    is_root() && which::which("apt-get").is_ok()
}

pub(super) fn install(packages: &[&str]) -> Result<()> {
    println!("Installing {} with apt-get: about a minute, once", packages.join(" and "));
    let shell = Shell::new()?;
    shell.set_var("DEBIAN_FRONTEND", "noninteractive");
    cmd!(shell, "apt-get -qq update").run()?;
    Ok(cmd!(shell, "apt-get -qq install -y --no-install-recommends {packages...}").run()?)
}

#[cfg(unix)]
fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}
