//! What a cell shows besides its own contents.

use benchbook_notebook::measuring_options::RunOn;
use benchbook_notebook::trace::Trace;

use super::OpenNotebook;
use crate::state::State;
use crate::state::cell::{CellId, LiveCell};
use crate::state::machines::runner_builds::RunnerBuilds;

/// What a cell shows besides its own contents: its place in the notebook, and what the page can do with it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CellContext {
    /// The cell.
    pub(crate) id: CellId,
    /// Its index, and the number of cells.
    pub(crate) position: (usize, usize),
    /// Whether it is the current cell of the notebook.
    pub(crate) is_current: bool,
    /// Whether it is shown without controls.
    pub(crate) is_reading: bool,
    /// Whether it can be measured although it is shown without controls.
    pub(crate) is_measured_by_readers: bool,
    /// Whether it is measured after the current measurement.
    pub(crate) is_queued: bool,
    /// Whether suites are still loading.
    pub(crate) is_loading: bool,
    /// Curves of other measurements that can be drawn in the same plot.
    pub(crate) candidates: Vec<Trace>,
    /// Whether this browser or a runner can measure it.
    pub(crate) can_measure: bool,
    /// The label of the button that measures.
    pub(crate) measure_label: &'static str,
    /// The name of the runner that can measure the functions, if a browser can, too.
    pub(crate) runner: Option<String>,
    /// The machines that measure, if there is a choice.
    pub(crate) run_on: RunOn,
    /// Why the runner cannot be used; absent if it can.
    pub(crate) runner_problem: Option<String>,
    /// The builds that the runner can measure together; absent without two.
    pub(crate) builds: Option<RunnerBuilds>,
    /// Why the results are stale: another build, browser or profile, or runner. Absent if they are current, and for readers, who do not measure.
    pub(crate) stale: Option<String>,
    /// The fragment of the link to the history of its function; absent without accepted results.
    pub(crate) history: Option<String>,
    /// The URL of the source of its function; absent if it is unknown.
    pub(crate) source: Option<String>,
}

impl CellContext {
    /// The machines that measure the cell; `None` without a choice.
    pub(crate) fn runs_on(&self) -> Option<String> {
        let runner = self.runner.as_ref()?;
        Some(match self.run_on {
            RunOn::Runner => runner.clone(),
            RunOn::Browser => "this browser".to_owned(),
            RunOn::Both => format!("{runner} + this browser"),
        })
    }
}

impl State {
    /// The context of the cell at an index.
    pub(crate) fn cell_context(&self, notebook: &OpenNotebook, index: usize) -> CellContext {
        let (cells, cell) = (&notebook.document.cells, &notebook.document.cells[index]);
        let live = notebook.live(&cell.id).map(|live| &**live);
        let is_current = notebook.current.as_ref() == Some(&cell.id);
        let id = CellId { notebook: notebook.id.clone(), cell: cell.id.clone() };
        CellContext {
            position: (index, cells.len()),
            is_current,
            is_reading: notebook.is_reading,
            is_measured_by_readers: notebook.is_measured_by_readers(),
            is_queued: self.queue.contains(&id),
            is_loading: self.is_loading(),
            candidates: if is_current { self.overlay_candidates() } else { Vec::new() },
            can_measure: live.is_some_and(|live| self.can_measure(live)),
            measure_label: live.map_or("", |live| self.measure_label(live)),
            runner: live.and_then(|live| self.optional_runner(live)),
            run_on: live.map(|live| live.options.run_on).unwrap_or_default(),
            runner_problem: live.and_then(|live| self.runner.problem(&live.suite)),
            builds: live.and_then(|live: &LiveCell| self.builds_of(live)),
            stale: live.filter(|_| !notebook.is_reading).and_then(|live| self.staleness(live)),
            history: live.and_then(|live| self.history_link(live)),
            source: live.and_then(|live| self.source_address(live)),
            id,
        }
    }
}
