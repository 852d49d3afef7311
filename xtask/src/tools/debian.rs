//! Packages of Debian and its derivatives.

use anyhow::Result;
use xshell::{Shell, cmd};

use super::run::run;

/// Whether the system has apt-get and this process runs as root.
pub(super) fn can_install() -> bool {
    is_root() && which::which("apt-get").is_ok()
}

pub(super) fn install(packages: &[&str]) -> Result<()> {
    let shell = shell()?;
    run(cmd!(shell, "apt-get -qq update"))?;
    run(cmd!(shell, "apt-get -qq install -y --no-install-recommends {packages...}"))
}

/// The major version of the package that apt-get would install.
pub(super) fn candidate(package: &str) -> Result<Option<u64>> {
    let shell = shell()?;
    run(cmd!(shell, "apt-get -qq update"))?;
    Ok(candidate_in(&cmd!(shell, "apt-cache policy {package}").quiet().read()?))
}

fn candidate_in(policy: &str) -> Option<u64> {
    let version = policy.lines().find_map(|line| line.trim().strip_prefix("Candidate: "))?;
    version.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

fn shell() -> Result<Shell> {
    let shell = Shell::new()?;
    shell.set_var("DEBIAN_FRONTEND", "noninteractive");
    shell.set_var("LC_ALL", "C");
    Ok(shell)
}

#[cfg(unix)]
fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_the_candidate() {
        let policy = "binaryen:\n  Installed: (none)\n  Candidate: 120-4\n  Version table:\n     120-4 500\n";
        assert_eq!(candidate_in(policy), Some(120));
        assert_eq!(candidate_in("binaryen:\n  Installed: (none)\n  Candidate: (none)\n"), None);
        assert_eq!(candidate_in(""), None);
    }
}
