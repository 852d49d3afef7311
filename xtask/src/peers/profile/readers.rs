//! Whether other programs read the exported files, and find the same totals.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use xtask::workspace::Workspace;

use super::{Report, profile};
use crate::tools::JavaScriptLibrary;

/// A function of the demo suite with many frames, at a size that is counted quickly.
const FUNCTION: [&str; 4] = ["memory::concat_format", "--std", "--set", "count=100"];

/// Prints the totals.
///
/// # Errors
/// If a reader fails, or finds another total.
pub(super) fn check(workspace: &Workspace, folder: &Path) -> Result<()> {
    let of_demo = |arguments: &[&str]| {
        profile(workspace, &workspace.root().join("suites/demo"), "demo", &[&FUNCTION, arguments].concat())
    };
    let report = Report::parse(&of_demo(&["--json"])?)?;
    // Exports have no negative amounts, which only the loop around the calls can have.
    let own = report.functions.iter().map(|row| row.own[report.shown]);
    ensure!(own.clone().all(|own| own.instructions >= 0), "a function has a negative count: choose another one");
    let (instructions, loads) = own.fold((0, 0), |(sum, loads), own| (sum + own.instructions, loads + own.loads));

    let file = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let callgrind = file("profile.callgrind");
    of_demo(&["--callgrind", &callgrind])?;
    let annotated = output(Command::new("callgrind_annotate").arg(&callgrind))?;
    let totals = annotated
        .lines()
        .find(|line| line.contains("PROGRAM TOTALS"))
        .context("callgrind_annotate prints no totals")?;
    let mut numbers = totals.split(") ").filter_map(|part| part.split_whitespace().next());
    let mut next =
        || numbers.next().map(|number| number.replace(',', "")).and_then(|number| number.parse::<i64>().ok());
    ensure!((next(), next()) == (Some(instructions), Some(loads)), "callgrind_annotate finds other totals: {totals}");

    for (option, name) in [("--folded", "profile.folded"), ("--firefox", "profile.json")] {
        let path = file(name);
        of_demo(&[option, &path])?;
        let total = firefox_total(&path)?;
        ensure!(total == instructions, "Firefox Profiler finds {total} instructions in {name}, not {instructions}");
    }
    let folded = fs::read_to_string(folder.join("profile.folded")).context("there is no folded file")?;
    println!(
        "callgrind_annotate and Firefox Profiler read the exported files, {} stacks with {instructions} instructions.",
        folded.lines().count()
    );
    Ok(())
}

/// The sum of the weights of all samples, as Firefox Profiler's own command computes it. It also reads folded stacks.
fn firefox_total(file: &str) -> Result<i64> {
    let script = JavaScriptLibrary::PROFILER_CLI.script()?;
    let run = |arguments: &[&str]| output(Command::new("node").arg(&script).args(arguments));
    run(&["load", file])?;
    let functions = run(&["thread", "functions", "--include-idle"]);
    run(&["stop"])?;
    // "f-7. core::fmt::write - self: 76000 (5.7%), total: 938172 (70.0%)"
    let own = |line: &str| line.split_once("self: ")?.1.split_whitespace().next()?.parse::<i64>().ok();
    Ok(functions?.lines().filter_map(own).sum())
}

fn output(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("failed to start {command:?}"))?;
    ensure!(output.status.success(), "{command:?} failed:\n{}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
