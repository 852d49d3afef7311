//! Progress of a build: in a terminal one line for each step, below everything that is printed. Elsewhere, such as in the log of continuous
//! integration, a line for each step that takes seconds.

use std::sync::LazyLock;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

/// The lines at the end of standard error. Nothing is drawn unless that is a terminal.
static LINES: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// The interval at which the elapsed time is updated.
const TICK: Duration = Duration::from_millis(200);

/// After this time, a step is printed if standard error is not a terminal.
const PRINTED_AFTER: Duration = Duration::from_secs(2);

/// A step that may take seconds. Its line in a terminal disappears when this value is dropped.
#[derive(Debug)]
pub struct BuildStep {
    line: ProgressBar,
    /// Dropping it ends the thread that prints the step.
    _running: Option<Sender<()>>,
}

impl BuildStep {
    /// Shows a step such as “Optimising sorts.wasm”.
    pub fn start(text: impl Into<String>) -> Self {
        let style = ProgressStyle::with_template("  {spinner} {msg} ({elapsed})").expect("a valid template");
        let line = LINES.add(ProgressBar::new_spinner()).with_style(style).with_message(text.into());
        line.enable_steady_tick(TICK);
        let running = LINES.is_hidden().then(|| print_if_slow(line.clone()));
        Self { line, _running: running }
    }

    /// Changes the text of the line.
    pub fn set_text(&self, text: impl Into<String>) {
        self.line.set_message(text.into());
    }
}

impl Drop for BuildStep {
    fn drop(&mut self) {
        self.line.finish_and_clear();
        LINES.remove(&self.line);
    }
}

/// Prints the text of a step after [`PRINTED_AFTER`], unless the returned value is dropped before.
fn print_if_slow(step: ProgressBar) -> Sender<()> {
    let (running, ended) = channel();
    thread::spawn(move || {
        if ended.recv_timeout(PRINTED_AFTER) == Err(RecvTimeoutError::Timeout) {
            print_line(&format!("{} …", step.message()));
        }
    });
    running
}

/// Prints a line to standard error, above the steps.
pub fn print_line(line: &str) {
    LINES.suspend(|| anstream::eprintln!("{line}"));
}
