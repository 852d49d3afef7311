//! The state of the self-test: its progress, its measurements so far, and its checks at the end.

use benchbook_host::response::Point;
use benchbook_host::self_test::checks::{SelfTest, SelfTestCheck};
use benchbook_host::self_test::steps::SelfTestStep;

/// The self-test in this browser.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SelfTestState {
    /// Its progress.
    pub(crate) status: SelfTestStatus,
    /// The measurements so far.
    test: SelfTest,
    /// The longest time of the completed measurements, in milliseconds.
    done_ms: f64,
    /// The longest time of all measurements, in milliseconds.
    total_ms: f64,
}

/// The progress of the self-test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum SelfTestStatus {
    /// It was not started yet.
    #[default]
    Idle,
    /// Its suite is loading.
    Loading,
    /// Another tab is measuring.
    Queued,
    /// It is measuring; contains the name of the part.
    Measuring(&'static str),
    /// The tab is hidden.
    Paused,
    /// It is complete.
    Done,
    /// The user stopped it, or started another measurement.
    Stopped,
    /// It cannot continue; a sentence.
    Failed(String),
}

/// An event of the self-test.
#[derive(Clone, Debug)]
pub(crate) enum SelfTestAction {
    /// The user started it.
    Started,
    /// Another tab is measuring.
    Queued,
    /// It can measure; the longest time of all measurements in milliseconds.
    Ready(f64),
    /// A measurement begins, or continues after a pause; contains the name of the part.
    StepStarted(&'static str),
    /// The tab was hidden.
    Paused,
    /// A measurement is complete.
    Measured(SelfTestStep, Vec<Point>),
    /// All measurements are complete.
    Done,
    /// The user stopped it.
    Stopped,
    /// It cannot continue; a sentence.
    Failed(String),
}

impl SelfTestState {
    /// Whether it is in progress.
    pub(crate) fn is_running(&self) -> bool {
        use SelfTestStatus::{Done, Failed, Idle, Loading, Measuring, Paused, Queued, Stopped};
        match self.status {
            Loading | Queued | Measuring(_) | Paused => true,
            Idle | Done | Stopped | Failed(_) => false,
        }
    }

    /// The completed share, 0 to 1.
    pub(crate) fn share(&self) -> f64 {
        if self.total_ms > 0.0 { self.done_ms / self.total_ms } else { 0.0 }
    }

    /// The longest remaining time in milliseconds.
    pub(crate) fn left_ms(&self) -> f64 {
        self.total_ms - self.done_ms
    }

    /// The checks of a complete test.
    pub(crate) fn checks(&self) -> Option<Vec<SelfTestCheck>> {
        (self.status == SelfTestStatus::Done).then(|| self.test.checks())
    }

    pub(crate) fn apply(&mut self, action: SelfTestAction) {
        if matches!(action, SelfTestAction::Started) {
            *self = Self { status: SelfTestStatus::Loading, ..Self::default() };
        }
        // Events of a test that was stopped can still arrive.
        if !self.is_running() {
            return;
        }
        match action {
            SelfTestAction::Started => {}
            SelfTestAction::Queued => self.status = SelfTestStatus::Queued,
            SelfTestAction::Ready(total_ms) => self.total_ms = total_ms,
            SelfTestAction::StepStarted(title) => self.status = SelfTestStatus::Measuring(title),
            SelfTestAction::Paused => self.status = SelfTestStatus::Paused,
            SelfTestAction::Measured(step, points) => {
                self.done_ms += step.ms();
                self.test.add(&step, &points);
            }
            SelfTestAction::Done => self.status = SelfTestStatus::Done,
            SelfTestAction::Stopped => self.status = SelfTestStatus::Stopped,
            SelfTestAction::Failed(reason) => self.status = SelfTestStatus::Failed(reason),
        }
    }
}
