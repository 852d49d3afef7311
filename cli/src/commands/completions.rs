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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process;

    use clap::{CommandFactory, ValueEnum};

    use super::*;
    use crate::BenchbookTool;

    #[test]
    fn each_shell_has_a_script() {
        for shell in Shell::value_variants() {
            let script = script(*shell, BenchbookTool::command());
            for expected in ["cargo-benchbook", "measure", "describe", "priority"] {
                assert!(script.contains(expected), "{shell}: {expected}");
            }
        }
        // zsh's completion of cargo calls this function.
        assert!(script(Shell::Zsh, BenchbookTool::command()).contains("\n_cargo-benchbook() {\n"));
    }

    #[test]
    fn bash_completes_subcommands_options_and_values() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cargo-benchbook");
        fs::write(&path, script(Shell::Bash, BenchbookTool::command())).unwrap();
        for (words, expected) in [
            ("cargo-benchbook me", "measure\n"),
            ("cargo-benchbook list --all", "--all-features\n"),
            ("cargo-benchbook completions pow", "powershell\n"),
            ("cargo-benchbook measure --col", "--color\n"),
        ] {
            let line = format!(
                ". '{}'; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _cargo_benchbook cargo-benchbook \
                 \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"; echo \"${{COMPREPLY[@]}}\"; \
                 complete -p cargo-benchbook > /dev/null",
                path.display()
            );
            let output = process::Command::new("bash").args(["-c", &line]).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            assert_eq!(String::from_utf8(output.stdout).unwrap(), expected, "{words}");
        }
    }
}
