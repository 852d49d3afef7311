//! Programs in a terminal, as if a user had started them.

use std::process::Command;

use anyhow::{Context, Result};

/// The command that runs another one in a terminal, with its arguments, folder and variables. Its standard input is what the user
/// types, and its standard output what the terminal shows.
pub fn in_terminal(inner: &Command) -> Result<Command> {
    let words = [inner.get_program()].into_iter().chain(inner.get_args());
    let quoted = words.map(|word| Some(format!("'{}'", word.to_str()?))).collect::<Option<Vec<_>>>();
    let line = quoted.context("an argument is not a text")?.join(" ");
    // Both by their paths, since `inner` may have another PATH.
    let [script, stty] =
        ["script", "stty"].map(|name| which::which(name).with_context(|| format!("{name} is installed")));
    // Without a size, a terminal shows one line only.
    let line = format!("{} cols 120 rows 40; {line}", stty?.display());
    let mut terminal = Command::new(script?);
    terminal
        .args(["--quiet", "--return", "--command", &line, "/dev/null"])
        .env("SHELL", "/bin/sh")
        .env("TERM", "xterm");
    if let Some(folder) = inner.get_current_dir() {
        terminal.current_dir(folder);
    }
    for (name, value) in inner.get_envs() {
        match value {
            Some(value) => terminal.env(name, value),
            None => terminal.env_remove(name),
        };
    }
    Ok(terminal)
}
