//! The variables of this program's own package.

use std::env;

use xshell::Cmd;

/// Removes the variables with which cargo describes this program's package. Build scripts watch them (that of `ring`
/// does): with them, cargo would recompile whenever an xtask, a test and a user build in turn.
pub fn without_package_variables(cargo: Cmd<'_>) -> Cmd<'_> {
    env::vars_os()
        .filter_map(|(name, _)| name.into_string().ok())
        .filter(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_"))
        .fold(cargo, Cmd::env_remove)
}

#[cfg(all(test, unix))]
mod tests {
    use xshell::{Shell, cmd};

    use super::*;

    #[test]
    fn cargo_does_not_inherit_this_package() {
        let shell = Shell::new().unwrap();
        let count = |variables: &str| variables.lines().filter(|line| line.starts_with("CARGO_PKG_")).count();
        assert_ne!(count(&cmd!(shell, "env").quiet().read().unwrap()), 0);
        assert_eq!(count(&without_package_variables(cmd!(shell, "env").quiet()).read().unwrap()), 0);
    }
}
