//! The measurements of the self-test. The suite is the tool itself, in processes of its own.

use std::env;

use anyhow::{Context, Result};
use benchbook_accepted::machine::current_cpu_time;
use benchbook_host::child::{MeasurementTask, NativeSuite};
use benchbook_host::request::Plan;
use benchbook_host::response::Point;
use benchbook_host::self_test::checks::SelfTest;
use benchbook_host::self_test::steps::{RUNG_MS, SelfTestStep, steps};
use benchbook_terminal::child_settings::child_settings;
use benchbook_terminal::measurement::host_name;
use indicatif::{ProgressBar, ProgressStyle};

const WRONG_SUITE: &str = "the tool's own suite lacks the functions of the self-test (this is a bug)";

/// Opens the tool as a suite.
///
/// # Errors
/// If the system cannot start it.
pub(crate) fn open_suite() -> Result<NativeSuite> {
    let program = env::current_exe().context("failed to find the path of this program")?;
    Ok(NativeSuite::open_with(&program, child_settings())?)
}

/// Carries out the self-test with `tries` comparisons of equal functions, and shows the progress.
///
/// # Errors
/// If the suite lacks a function. A measurement that fails is a problem in the result.
pub(crate) fn self_test(suite: &NativeSuite, tries: u32) -> Result<SelfTest> {
    let steps = steps(tries, RUNG_MS);
    let mut progress = SelfTestProgress::new(&steps);
    let mut test = SelfTest::default();
    let before = current_cpu_time();
    for step in &steps {
        progress.begin(step);
        let request = step.request(suite.suite(), "").context(WRONG_SUITE)?;
        let plan = Plan::new(suite.suite(), request).ok().context(WRONG_SUITE)?;
        match measure(suite, &plan, step) {
            Ok(points) => test.add(step, &points),
            Err(reason) => test.add_problem(step, &format!("{reason:#}")),
        }
    }
    let times = current_cpu_time().zip(before);
    test.stolen = times.and_then(|(now, before)| now.stolen_share_since(before));
    Ok(test)
}

fn measure(suite: &NativeSuite, plan: &Plan, step: &SelfTestStep) -> Result<Vec<Point>> {
    let machine = host_name();
    let response = suite.measure(&MeasurementTask::new(plan, &step.quality, &machine), |_| {})?;
    Ok(response.points)
}

/// What is being measured, and for how long, on standard error: as a bar in a terminal, otherwise as a line for each part.
struct SelfTestProgress {
    bar: ProgressBar,
    total_ms: f64,
    done_ms: f64,
    /// The last printed part.
    printed: Option<&'static str>,
}

impl SelfTestProgress {
    fn new(steps: &[SelfTestStep]) -> Self {
        let total_ms = steps.iter().map(SelfTestStep::ms).sum();
        let bar = ProgressBar::new(total_ms as u64);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {msg}") {
            bar.set_style(style);
        }
        Self { bar, total_ms, done_ms: 0.0, printed: None }
    }

    fn begin(&mut self, step: &SelfTestStep) {
        let part = step.part.title();
        let text = format!("{part}: at most {:.0} s left", (self.total_ms - self.done_ms) / 1e3);
        if self.bar.is_hidden() && self.printed != Some(part) {
            eprintln!("{text}");
            self.printed = Some(part);
        }
        self.bar.set_message(text);
        self.bar.set_position(self.done_ms as u64);
        self.done_ms += step.ms();
    }
}

impl Drop for SelfTestProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
