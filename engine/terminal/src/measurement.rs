//! A measurement of a native suite with its progress on standard error.

use std::io::{IsTerminal, stderr};
use std::rc::Rc;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};
use benchbook_contract::catalog::Generator;
use benchbook_host::child::{MeasurementEvent, MeasurementTask, NativeSuite};
use benchbook_host::quality::{Qualities, Quality};
use benchbook_host::request::Plan;
use benchbook_host::response::{METHOD, Machine, MachineKind, Response};
use benchbook_notebook::id::Id;
use benchbook_notebook::result::CellResult;
use benchbook_notebook::result_setup::ResultSetup;
use benchbook_report::results::Results;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::machine_history::StoredHistory;
use crate::report;

/// How often the elapsed time of a measurement is updated.
const TICK: Duration = Duration::from_millis(500);

/// A validated measurement of a suite.
#[derive(Debug)]
pub struct NativeMeasurement<'s> {
    /// The suite.
    pub suite: &'s NativeSuite,
    /// The generator of the inputs.
    pub generator: &'s Generator,
    /// What to measure.
    pub plan: Plan,
}

/// A complete measurement: the response, and the result that reports and notebooks show.
pub type CompleteMeasurement = (Response, Rc<CellResult>);

impl NativeMeasurement<'_> {
    /// Measures. If standard error is a terminal, it shows the progress and the figures so far. `machine`: the name of this machine;
    /// `id`: the identifier of the result.
    ///
    /// # Errors
    /// If the executable can no longer be started.
    pub fn run(&self, machine: &str, id: Id) -> Result<CompleteMeasurement> {
        self.run_with(&self.plan.quality(&Qualities::default()), machine, id)
    }

    /// As [`Self::run`], with a quality of its own instead of that of the request's priority.
    ///
    /// # Errors
    /// As for [`Self::run`].
    pub fn run_with(&self, quality: &Quality, machine: &str, id: Id) -> Result<CompleteMeasurement> {
        let build = &self.suite.card().fingerprint;
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs_f64();
        let mut history = StoredHistory::read(machine);
        let past = history.at(build, now);
        let task = MeasurementTask { past: past.clone(), ..MeasurementTask::new(&self.plan, quality, machine) };
        let request = self.plan.request();
        let own = Machine {
            kind: MachineKind::Native,
            name: machine.to_owned(),
            id: None,
            processor: None,
            clock: self.suite.clock(),
        };
        let setup = ResultSetup::new(request.clone(), self.generator, self.suite.card().clone(), own, METHOD);
        let mut result = CellResult::new(id, now * 1e3, Rc::new(setup));
        let bar = progress_bar(&request.functions.join(", "));
        let response = self.suite.measure(&task, |event| match event {
            MeasurementEvent::Progress(progress) => {
                bar.set_length(progress.total as u64);
                bar.set_position(progress.done as u64);
            }
            MeasurementEvent::Point(point) => {
                result.add(request.priority, vec![point.clone()]);
                // Several lines below the bar.
                bar.set_message(format!("\n{}", report::table(&results_of(&Rc::new(result.clone())).shown())));
            }
        });
        bar.finish_and_clear();
        let response = response.with_context(|| format!("measuring {}", request.functions.join(", ")))?;
        history.record(&past, request, &response.points);
        Ok((response, Rc::new(result)))
    }
}

/// The results of a cell with this result only.
pub fn results_of(result: &Rc<CellResult>) -> Results {
    Results { latest: vec![Rc::clone(result)], ..Results::default() }
}

/// The host name of this machine.
pub fn host_name() -> String {
    #[cfg(unix)]
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    let name = std::env::var("COMPUTERNAME").unwrap_or_else(|_| "this machine".to_owned());
    name
}

fn progress_bar(functions: &str) -> ProgressBar {
    let target = if stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let style = ProgressStyle::with_template("{prefix}  {bar:30} {pos}/{len} points  {elapsed}{msg}");
    let bar = ProgressBar::with_draw_target(None, target).with_prefix(functions.to_owned());
    bar.enable_steady_tick(TICK);
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
