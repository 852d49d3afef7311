//! The native face: an executable that answers on its standard output.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::catalog::{Catalog, DESCRIBE};

/// The catalog of the executable. It ends by itself when its input does.
pub(super) fn describe(program: &Path) -> Result<Catalog> {
    let starting = || format!("starting {}", program.display());
    let mut child =
        Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().with_context(starting)?;
    let mut input = child.stdin.take().context("the pipe was asked for")?;
    // A program that ended at once is told by its answer, not by the broken pipe.
    let _ = writeln!(input, "{DESCRIBE}");
    drop(input);
    let output = child.wait_with_output().with_context(starting)?;
    let answer = String::from_utf8_lossy(&output.stdout);
    ensure!(!answer.is_empty(), "the executable answered nothing ({}): {}", output.status, program.display());
    Catalog::from_answers(answer.lines()).context("the native executable")
}
