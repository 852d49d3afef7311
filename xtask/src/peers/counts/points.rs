//! The points of the demo suite, counted twice by `peer-wasmtime`.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::slice;

use anyhow::{Context, Result, ensure};
use benchbook_build::Target;
use benchbook_build::compile::{self, BuildOptions, PrintedErrors};
use benchbook_build::suite_target::SuiteTarget;
use serde::Deserialize;
use serde_json::Value;
use xtask::workspace::Workspace;

use crate::peers::environment::WORKSPACE;

/// The suite whose functions are counted.
const SUITE: &str = "demo";

/// A function at a size.
#[derive(Debug, Deserialize)]
pub(super) struct CountedPoint {
    pub(super) function: String,
    /// The size as text; empty without an axis.
    #[serde(default)]
    pub(super) x: String,
    /// The messages that were compared, from opening the workload to the last batch.
    #[serde(default)]
    pub(super) messages: u64,
    /// The counted batches among them.
    #[serde(default)]
    pub(super) batches: u64,
    /// The instructions of all messages.
    #[serde(default)]
    pub(super) instructions: u64,
    /// The bytes and elements of their bulk instructions.
    #[serde(default)]
    pub(super) amounts: u64,
    /// The differences between fuel and count.
    #[serde(default)]
    pub(super) differences: Vec<String>,
    /// The count of the calls; absent if they could not be counted.
    pub(super) calls: Option<CountedCalls>,
    /// Why they could not be counted.
    pub(super) failure: Option<String>,
    /// The messages to the suite.
    #[serde(default)]
    pub(super) steps: Vec<SentMessage>,
}

/// The instructions of some calls without the loop around them.
#[derive(Debug, Deserialize)]
pub(super) struct CountedCalls {
    pub(super) number: u64,
    pub(super) instructions: i64,
    /// The bytes of bulk instructions.
    pub(super) bytes: i64,
}

/// A message to the suite.
#[derive(Debug, Deserialize)]
pub(super) struct SentMessage {
    pub(super) message: Value,
    /// How often the suite read its clock meanwhile.
    pub(super) readings: usize,
    /// The numbers of the two readings that the batch lies between, from 0; absent if the batch was not counted.
    pub(super) batch: Option<[usize; 2]>,
}

/// The demo suite's file for a target.
pub(super) fn suite(workspace: &Workspace, target: Target) -> Result<PathBuf> {
    let suites: Vec<SuiteTarget> = workspace.suites_of(SUITE)?;
    let suite = suites.first().context("the package has no suite (this is a bug)")?;
    let options = BuildOptions::default();
    let mut compiled = compile::suites(workspace.root(), slice::from_ref(suite), target, &options, PrintedErrors::All)?;
    compiled.files.remove(suite).context("the demo suite does not compile")
}

/// Counts all functions at five sizes of their default axis.
pub(super) fn count(workspace: &Workspace) -> Result<Vec<CountedPoint>> {
    let module = suite(workspace, Target::Wasm)?;
    let output = Command::new(program(workspace)?).arg("suite").arg(module).stderr(Stdio::inherit()).output();
    let output = output.context("failed to start peer-wasmtime")?;
    ensure!(output.status.success(), "peer-wasmtime failed");
    parse(&String::from_utf8_lossy(&output.stdout))
}

/// The program that executes modules in wasmtime.
pub(super) fn program(workspace: &Workspace) -> Result<PathBuf> {
    let root = workspace.root().join(WORKSPACE);
    // Without link-time optimisation, which takes long for a compiler.
    let mut programs = compile::programs(&root, &["--package", "peer-wasmtime"], "release")?;
    programs.remove("peer-wasmtime").context("the executable of wasmtime is missing")
}

fn parse(lines: &str) -> Result<Vec<CountedPoint>> {
    let point = |line| serde_json::from_str(line).with_context(|| format!("not a counted point: `{line}`"));
    lines.lines().map(point).collect()
}

/// The points of each function.
pub(super) fn by_function(points: &[CountedPoint]) -> impl Iterator<Item = &[CountedPoint]> {
    points.chunk_by(|one, other| one.function == other.function)
}

/// A number with groups of three digits.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let starts_group = |index: usize| index > 0 && (digits.len() - index).is_multiple_of(3);
    let digit = |(index, digit)| if starts_group(index) { format!(" {digit}") } else { format!("{digit}") };
    digits.chars().enumerate().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_lines_of_json() {
        let lines = concat!(
            r#"{"function":"memory::write_file","failure":"only a runner can measure it"}"#,
            "\n",
            r#"{"function":"sorting::sort","x":"10","messages":1,"batches":0,"instructions":70,"amounts":8,"differences":[],"#,
            r#""calls":{"number":16,"instructions":32,"bytes":0},"failure":null,"#,
            r#""steps":[{"message":{"type":"open"},"readings":2,"batch":null},{"message":{},"readings":5,"batch":[1,2]}]}"#,
        );
        let points = parse(lines).unwrap();
        assert_eq!(by_function(&points).map(<[_]>::len).collect::<Vec<_>>(), [1, 1]);
        assert!(points[0].calls.is_none() && points[0].failure.is_some());
        assert_eq!((points[1].steps[1].batch, points[1].steps[0].readings), (Some([1, 2]), 2));
        assert!(parse("42").is_err());
    }

    #[test]
    fn digits_are_grouped() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1 000", "1 234 567"]);
    }
}
