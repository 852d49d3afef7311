//! A user's crate that `cargo benchbook check` measures.

use std::fs;
use std::path::PathBuf;
use std::process::Output;
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, ensure};

use crate::own_crate::OwnCrate;

/// The tests with baselines use the same output folder.
static TURN: Mutex<()> = Mutex::new(());

/// A short check. Only a great change counts, since the speed of a shared machine changes between two checks.
const SHORT: [&str; 7] = ["--samples", "8", "--time-out", "200ms", "--minimum-effect", "40%", "--history"];

/// A check with three layouts. Only a great change counts.
const PAIRED: [&str; 9] =
    ["check", "--samples", "3", "--time-out", "100ms", "--minimum-effect", "30%", "--set", "size=1k"];

/// A crate whose function is checked.
pub struct CheckedCrate {
    /// The crate.
    pub own: OwnCrate,
    /// The folder of accepted results.
    pub history: String,
    _turn: Option<MutexGuard<'static, ()>>,
}

impl CheckedCrate {
    /// Checks a crate.
    pub fn new(own: OwnCrate) -> Result<Self> {
        let history = own.path().join("history").to_str().context("a valid path")?.to_owned();
        Ok(Self { own, history, _turn: None })
    }

    /// Compares a crate with commits. There is one at a time.
    pub fn with_baselines(own: OwnCrate) -> Result<Self> {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Self { _turn: Some(turn), ..Self::new(own.with_shared_output()?)? })
    }

    /// Runs `cargo benchbook`. Returns the exit status and both outputs, with ordinary spaces.
    pub fn run(&self, arguments: &[&str]) -> Result<(i32, String, String)> {
        let Output { status, stdout, stderr } = self.own.command(arguments)?.output()?;
        let text = |bytes| String::from_utf8(bytes).map(|text| text.replace('\u{202f}', " "));
        Ok((status.code().context("an exit status")?, text(stdout)?, text(stderr)?))
    }

    /// Runs the tool, and requires an exit status. Returns both outputs.
    fn expect(&self, expected: i32, arguments: &[&str]) -> Result<(String, String)> {
        let (status, stdout, stderr) = self.run(arguments)?;
        ensure!(status == expected, "exit status {status} instead of {expected}:\n{stdout}{stderr}");
        Ok((stdout, stderr))
    }

    /// Compares with accepted results.
    pub fn check(&self, status: i32, arguments: &[&str]) -> Result<(String, String)> {
        self.expect(status, &[&["check"][..], &SHORT, &[&self.history], arguments].concat())
    }

    /// Compares with a commit.
    pub fn check_against(&self, status: i32, revision: &str, arguments: &[&str]) -> Result<(String, String)> {
        self.expect(status, &[&PAIRED[..], &["--baseline", revision], arguments].concat())
    }

    /// Accepts the results of the last check. Returns the output.
    pub fn accept(&self) -> Result<String> {
        // The machine may be busy.
        let accept = ["accept", "--noisy", "--history", &self.history, "--by", "Ada", "--note", "normal"];
        Ok(self.expect(0, &accept)?.0)
    }

    /// The accepted results, the oldest first.
    pub fn accepted_files(&self) -> Result<Vec<PathBuf>> {
        let folder = PathBuf::from(&self.history).join("mixing/mix");
        let mut files = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
        files.sort();
        Ok(files)
    }
}
