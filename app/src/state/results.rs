//! The results in a plot: those of the last measurement, and overlays.

use std::rc::Rc;

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::quality::Priority;
use benchbook_host::response::{METHOD, Machine, MachineKind, Point, Run, SuiteCard};
use benchbook_notebook::id::Id;
use benchbook_notebook::result::CellResult;
use benchbook_notebook::result_setup::ResultSetup;
use benchbook_notebook::trace::Trace;

use super::shown_trace::ShownTrace;

/// The results in a plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Results {
    /// The results of the last measurement: one for each machine, this browser's first. Empty before the first measurement.
    pub(crate) latest: Vec<CellResult>,
    /// Traces of other measurements.
    pub(crate) overlays: Vec<Trace>,
}

/// The origin of the points of a result.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ResultOrigin {
    /// The identifier of the result.
    pub(crate) id: Id,
    /// When its measurement started, in milliseconds since 1970.
    pub(crate) started: f64,
    /// The machine that measures.
    pub(crate) machine: Machine,
    /// The build that it measures.
    pub(crate) suite: SuiteCard,
}

impl Results {
    /// The setup of the last measurement; `None` before the first.
    pub(crate) fn setup(&self) -> Option<&Rc<ResultSetup>> {
        self.latest.first().map(|result| &result.setup)
    }

    /// The traces of the last measurement: one for each function and machine.
    pub(crate) fn traces(&self) -> Vec<Trace> {
        self.latest.iter().flat_map(CellResult::traces).collect()
    }

    /// The traces of the last measurement, then the overlays.
    pub(crate) fn shown(&self) -> Vec<ShownTrace> {
        ShownTrace::all(&self.traces(), &self.overlays)
    }

    /// Whether some figures come without their samples.
    pub(crate) fn lacks_samples(&self) -> bool {
        self.latest.iter().flat_map(|result| &result.curves).any(|measured| measured.curve.lacks_samples())
    }

    /// Whether there are no results of a measurement.
    pub(crate) fn is_empty(&self) -> bool {
        self.latest.is_empty()
    }

    /// Replaces the results of the last measurement with an empty one.
    pub(super) fn start(&mut self, origin: ResultOrigin, setup: ResultSetup) {
        self.latest = vec![CellResult::new(origin.id, origin.started, Rc::new(setup))];
    }

    /// Adds an empty result of the runner with the setup of the first one. If there is one already, only updates its machine and
    /// its build.
    pub(super) fn escalate(&mut self, origin: ResultOrigin) {
        let Some(before) = self.setup() else { return };
        let ResultOrigin { id, started, machine, suite } = origin;
        let setup = Rc::new(ResultSetup { machine, suite, method: METHOD, ..(**before).clone() });
        match self.result_mut(MachineKind::Native) {
            Some(native) => native.setup = setup,
            None => self.latest.push(CellResult::new(id, started, setup)),
        }
    }

    /// Adds points to the result of a machine.
    pub(super) fn add_points(&mut self, kind: MachineKind, priority: Priority, points: Vec<Point>) {
        if let Some(result) = self.result_mut(kind) {
            result.add(priority, points);
        }
    }

    /// Adds the samples of a stored point; `None` if there is no curve of this function.
    pub(super) fn add_samples(&mut self, function: &str, x: &AxisValue, runs: Vec<Run>) -> Option<()> {
        let mut curves = self.latest.iter_mut().flat_map(|result| &mut result.curves);
        let measured = curves.find(|measured| measured.function == function)?;
        Rc::make_mut(&mut measured.curve).add_samples(x, runs);
        Some(())
    }

    fn result_mut(&mut self, kind: MachineKind) -> Option<&mut CellResult> {
        self.latest.iter_mut().find(|result| result.setup.machine.kind == kind)
    }
}
