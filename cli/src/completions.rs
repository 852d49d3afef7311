//! `cargo benchbook completions`: completion scripts for shells.

use std::io::{self, Write};

use anyhow::Result;
use clap::Command;
use clap_complete::Shell;

/// Print a shell completion script
///
/// The scripts complete `cargo-benchbook`, which accepts the same arguments as `cargo benchbook`. In zsh, cargo's own script then also
/// completes `cargo benchbook`.
#[derive(clap::Args)]
#[command(after_help = "\
Install the script, then open another shell:
  bash         cargo benchbook completions bash > ~/.local/share/bash-completion/completions/cargo-benchbook
  zsh          cargo benchbook completions zsh > DIR/_cargo-benchbook, with a folder DIR of $fpath
  fish         cargo benchbook completions fish > ~/.config/fish/completions/cargo-benchbook.fish
  powershell   cargo benchbook completions powershell >> $PROFILE
  elvish       cargo benchbook completions elvish >> ~/.config/elvish/rc.elv")]
pub(crate) struct CompletionsOptions {
    /// The shell
    shell: Shell,
}

/// The name of the executable.
const PROGRAM: &str = "cargo-benchbook";

pub(crate) fn run(options: &CompletionsOptions, tool: Command) -> Result<()> {
    Ok(io::stdout().write_all(script(options.shell, tool).as_bytes())?)
}

fn script(shell: Shell, mut tool: Command) -> String {
    let mut script = Vec::new();
    // In the script for bash, clap_complete 4.6 spells a name with a hyphen in two ways, so that no subcommand would be recognised.
    let name = if shell == Shell::Bash { "cargo_benchbook" } else { PROGRAM };
    clap_complete::generate(shell, &mut tool, name, &mut script);
    // The last word of a registration is the program.
    String::from_utf8_lossy(&script).replace(" cargo_benchbook\n", &format!(" {PROGRAM}\n"))
}
