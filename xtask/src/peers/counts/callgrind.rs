//! The instructions that a native suite executes between readings of its clock, counted by callgrind.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::points::SentMessage;
use crate::peers::environment::remove_package_variables;

/// As hosts set them for native suites: `ALLOCATOR_SETTINGS` in `engine/host/src/child/child_settings.rs`.
const ALLOCATOR_SETTINGS: [(&str, &str); 2] =
    [("MALLOC_TRIM_THRESHOLD_", "2147483647"), ("MALLOC_MMAP_THRESHOLD_", "33554432")];

/// valgrind and a native suite.
pub(super) struct Callgrind {
    pub(super) valgrind: PathBuf,
    pub(super) suite: PathBuf,
    /// A folder for the profiles.
    pub(super) folder: PathBuf,
}

impl Callgrind {
    /// Sends the messages to a new process of the suite. Returns the instructions of each batch that was counted in wasm.
    pub(super) fn batches(&self, messages: &[SentMessage]) -> Result<Vec<u64>> {
        let profile = self.folder.join("profile");
        let mut command = Command::new(&self.valgrind);
        command.args(["--tool=callgrind", "--quiet", "--combine-dumps=yes", "--dump-before=clock_gettime*"]);
        command.arg(format!("--callgrind-out-file={}", profile.display())).arg(&self.suite);
        remove_package_variables(&mut command);
        command.env("BENCHBOOK_HOST", "4").env("BENCHBOOK_SCRATCH", &self.folder).envs(ALLOCATOR_SETTINGS);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().context("failed to start valgrind")?;
        // Messages and replies are shorter than the pipes, so neither process waits for the other.
        let mut input = child.stdin.take().context("standard input is not piped (this is a bug)")?;
        for message in messages {
            writeln!(input, "{}", message.message).context("failed to write to the suite")?;
        }
        drop(input);
        let output = child.wait_with_output().context("failed to wait for valgrind")?;
        let (replies, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        ensure!(
            output.status.success() && !replies.contains(r#""type":"failed""#),
            "the suite failed:\n{replies}\n{errors}"
        );
        let parts = parse(&read(&profile)?)?;
        fs::remove_file(&profile).with_context(|| format!("failed to delete {}", profile.display()))?;
        batches(messages, &parts)
    }
}

fn read(profile: &Path) -> Result<String> {
    fs::read_to_string(profile).with_context(|| format!("callgrind wrote no {}", profile.display()))
}

/// The instructions of each part of a profile: up to the first reading of the clock, between two readings, and after the last one.
fn parse(profile: &str) -> Result<Vec<u64>> {
    let parts = profile.lines().filter_map(|line| line.strip_prefix("summary: "));
    parts
        .map(|part| part.trim().parse().with_context(|| format!("`{part}` is not one number of instructions")))
        .collect()
}

/// The parts that are batches. A native suite reads its clock as often as the module, and once more at the first reading.
fn batches(messages: &[SentMessage], parts: &[u64]) -> Result<Vec<u64>> {
    let readings = 1 + messages.iter().map(|message| message.readings).sum::<usize>();
    ensure!(
        parts.len() == readings + 1,
        "the suite read its clock {} times, and its module {readings} times",
        parts.len().saturating_sub(1)
    );
    let mut first = 1;
    let mut batches = Vec::new();
    for message in messages {
        if let Some([start, end]) = message.batch {
            batches.push(parts[first + start + 1..=first + end].iter().sum());
        }
        first += message.readings;
    }
    Ok(batches)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn parts_end_at_readings_of_the_clock() {
        let message = |readings, batch| SentMessage { message: Value::Null, readings, batch };
        // The process starts, 1; its first reading, 2; those of the messages, from 3.
        let messages = [message(2, None), message(4, Some([1, 2])), message(4, Some([1, 3]))];
        let parts =
            parse(&(1..=12).map(|part| format!("part: {part}\nsummary: {part}\n")).collect::<String>()).unwrap();
        assert_eq!(batches(&messages, &parts).unwrap(), [6, 10 + 11]);
        assert!(batches(&messages, &parts[1..]).is_err());
        assert!(parse("summary: 3 4").is_err());
    }
}
