//! Progress of a build in a terminal: one line for each step, below everything that is printed.

use std::sync::LazyLock;
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

/// The lines at the end of standard error. Nothing is drawn unless that is a terminal.
static LINES: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// The interval at which the elapsed time is updated.
const TICK: Duration = Duration::from_millis(200);

/// A step that may take seconds. Its line disappears when this value is dropped.
#[derive(Debug)]
pub struct BuildStep(ProgressBar);

impl BuildStep {
    /// Shows a step such as “Optimising sorts.wasm”.
    pub fn start(text: impl Into<String>) -> Self {
        let style = ProgressStyle::with_template("  {spinner} {msg} ({elapsed})").expect("a valid template");
        let line = LINES.add(ProgressBar::new_spinner()).with_style(style).with_message(text.into());
        line.enable_steady_tick(TICK);
        Self(line)
    }

    /// Changes the text of the line.
    pub fn set_text(&self, text: impl Into<String>) {
        self.0.set_message(text.into());
    }

    /// Whether the line is visible, since standard error is a terminal.
    pub fn is_shown(&self) -> bool {
        !LINES.is_hidden()
    }
}

impl Drop for BuildStep {
    fn drop(&mut self) {
        self.0.finish_and_clear();
        LINES.remove(&self.0);
    }
}

/// Prints a line to standard error, above the steps.
pub fn print_line(line: &str) {
    LINES.suspend(|| anstream::eprintln!("{line}"));
}
