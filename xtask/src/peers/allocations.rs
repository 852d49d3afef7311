//! Compares the memory use that Benchbook counts with that of divan, for the same functions and inputs.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use benchbook_build::Target;
use benchbook_build::compile::{self, Executables};
use serde_json::{Value, json};
use xtask::workspace::Workspace;

use super::divan_allocations::{self, CallMemory};
use super::environment::WORKSPACE;

/// Prints a table of the counts.
///
/// # Errors
/// If the counts of a function differ.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let root = workspace.root().join(WORKSPACE);
    let mut divan =
        program(&compile::executables(&root, "peer-divan", Target::Native, &[])?, "peer-divan-allocations")?;
    let suite = program(&compile::executables(&root, "peer-suite", Target::Native, &[])?, "peer-suite")?;

    let output = divan.args(["--bench", "--color", "never"]).output().context("failed to start divan")?;
    ensure!(output.status.success(), "divan failed:\n{}", String::from_utf8_lossy(&output.stderr));
    let functions = divan_allocations::parse(&String::from_utf8_lossy(&output.stdout))?;
    ensure!(!functions.is_empty(), "divan's table has no functions");
    let counts = benchbook_counts(suite, functions.iter().map(|(name, _)| name.as_str()))?;

    println!("| function | allocations | bytes | peak bytes | divan |\n| --- | ---: | ---: | ---: | --- |");
    let mut different = Vec::new();
    for ((name, of_divan), ours) in functions.iter().zip(&counts) {
        let CallMemory { allocations, bytes, peak } = ours;
        let verdict = if ours == of_divan { "equal".to_owned() } else { format!("**{of_divan:?}**") };
        println!("| `{name}` | {allocations} | {bytes} | {peak} | {verdict} |");
        different.extend((ours != of_divan).then_some(name.as_str()));
    }
    ensure!(different.is_empty(), "Benchbook's counts differ from divan's for {}", different.join(", "));
    Ok(())
}

fn program(executables: &Executables, name: &str) -> Result<Command> {
    let path = executables.get(name).with_context(|| format!("{WORKSPACE} has no executable `{name}`"))?;
    Ok(Command::new(path as &Path))
}

/// Counts one call of each function of the suite.
fn benchbook_counts<'a>(mut suite: Command, functions: impl Iterator<Item = &'a str>) -> Result<Vec<CallMemory>> {
    let mut child = suite
        .env("BENCHBOOK_HOST", "4")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("failed to start the suite")?;
    let mut messages = child.stdin.take().context("standard input is not piped (this is a bug)")?;
    let mut replies =
        BufReader::new(child.stdout.take().context("standard output is not piped (this is a bug)")?).lines();
    let mut exchange = |message: Value| -> Result<Value> {
        writeln!(messages, "{message}").context("failed to write to the suite")?;
        let reply = replies.next().context("the suite ended")?.context("failed to read from the suite")?;
        serde_json::from_str(&reply).with_context(|| format!("the reply is not JSON: `{reply}`"))
    };
    let counts = functions.enumerate().map(|(slot, function)| {
        let module = format!("allocations::{function}");
        let opened = exchange(json!({
            "type": "open", "slot": slot, "functions": [format!("{module}::call")], "generator": format!("{module}::input"),
            "arguments": {}, "seed": 1, "priority": 1,
        }))?;
        ensure!(opened["type"] == "opened", "opening `{function}` failed: {opened}");
        let reply = exchange(
            json!({"type": "collect", "slot": slot, "target": {"count": 0}, "calls": 1, "batches": 3, "inputs": 0}),
        )?;
        parse_samples(&reply).with_context(|| format!("counting `{function}`"))
    });
    let counts = counts.collect();
    drop(messages);
    child.wait().context("failed to wait for the suite")?;
    counts
}

/// Reads the counts of batches of one call, which must be equal.
fn parse_samples(reply: &Value) -> Result<CallMemory> {
    let batches = reply["counts"].as_array().with_context(|| format!("the reply has no counts: {reply}"))?;
    ensure!(batches.windows(2).all(|pair| pair[0] == pair[1]), "the counts of equal calls differ: {reply}");
    let first = batches.first().context("the reply has no batches")?;
    let number = |name: &str| first[name].as_u64().with_context(|| format!("the counts have no `{name}`: {reply}"));
    Ok(CallMemory { allocations: number("allocations")?, bytes: number("bytes")?, peak: number("peak")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_batches_have_the_counts_of_a_call() {
        let batch = json!({"allocations": 2, "bytes": 100, "peak": 80});
        let counts = parse_samples(&json!({"counts": [batch, batch]})).unwrap();
        assert_eq!(counts, CallMemory { allocations: 2, bytes: 100, peak: 80 });
        let other = json!({"allocations": 3, "bytes": 100, "peak": 80});
        assert!(parse_samples(&json!({"counts": [batch, other]})).is_err());
        assert!(parse_samples(&json!({"type": "failed"})).is_err());
    }
}
