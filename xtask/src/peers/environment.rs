//! The workspace of the harnesses, and the environment of their programs.

use std::env;
use std::process::Command;

/// The workspace of the harnesses, below the root of the checkout.
pub(super) const WORKSPACE: &str = "tests/peers";

/// Removes cargo's variables, which describe this command's package. A harness would use them as its own.
pub(super) fn remove_package_variables(command: &mut Command) {
    for (variable, _) in env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("CARGO_")) {
        command.env_remove(variable);
    }
}
