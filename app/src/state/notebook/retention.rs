//! Curves that can be drawn in the plot of another cell.

use benchbook_host::quality::Priority;

use crate::state::State;
use benchbook_notebook::trace::Trace;

/// The most replaced traces to keep: each holds its raw samples.
const MAX_EARLIER: usize = 8;

impl State {
    /// The traces that can be overlaid on the plot of the current cell: the newest one for each function, arguments and machine.
    pub(crate) fn overlay_candidates(&self) -> Vec<Trace> {
        // Before the first measurement there is no plot.
        let (Some(notebook), Some(cell)) = (self.notebook(), self.cell()) else { return Vec::new() };
        if cell.results.is_empty() {
            return Vec::new();
        }
        let others = notebook.live_cells().filter(|(id, _)| notebook.current.as_ref() != Some(id));
        let others = others.flat_map(|(_, other)| other.results.traces());
        let retained = others.chain(self.earlier.iter().rev().cloned());
        let shown: Vec<Trace> = cell.results.traces().into_iter().chain(cell.results.overlaid()).collect();
        let is_shown = |trace: &Trace| shown.iter().any(|shown| shown.is_same_measurement(trace));
        let mut candidates: Vec<Trace> = Vec::new();
        for trace in retained.filter(|trace| trace.has_figures() && !is_shown(trace)) {
            if !candidates.iter().any(|other| other.has_same_inputs(&trace)) {
                candidates.push(trace);
            }
        }
        candidates
    }

    /// Keeps the traces that a new measurement replaces, unless a better one with the same inputs is kept: stopping
    /// after one point must not cost the complete curve before it.
    pub(crate) fn retain_earlier(&mut self, traces: &[Trace]) {
        for trace in traces.iter().filter(|trace| trace.has_figures()) {
            let is_better = |earlier: &Trace| earlier.has_same_inputs(trace) && rank(earlier) > rank(trace);
            if !self.earlier.iter().any(is_better) {
                self.earlier.retain(|earlier| !earlier.has_same_inputs(trace));
                self.earlier.push(trace.clone());
            }
        }
        let surplus = self.earlier.len().saturating_sub(MAX_EARLIER);
        self.earlier.drain(..surplus);
    }
}

/// What distinguishes traces in a list, apart from their functions: inputs and machine, and the time of the measurement if two of them
/// still look the same. `date`: formats a time in milliseconds since 1970.
pub(crate) fn overlay_details(traces: &[Trace], date: impl Fn(f64) -> String) -> Vec<String> {
    let details = |trace: &Trace| {
        let (inputs, machine) = (trace.setup.summary(), &trace.setup.machine.name);
        if inputs.is_empty() { machine.clone() } else { format!("{inputs} · {machine}") }
    };
    let all: Vec<(&str, String)> = traces.iter().map(|trace| (trace.path.as_str(), details(trace))).collect();
    let is_unique = |one: &(&str, String)| all.iter().filter(|other| *other == one).count() == 1;
    let unique = |(trace, one): (&Trace, &(&str, String))| match is_unique(one) {
        true => one.1.clone(),
        false => format!("{} · {}", one.1, date(trace.started)),
    };
    traces.iter().zip(&all).map(unique).collect()
}

/// The rank of a trace: the priority of its least accurate point, then the number of points.
fn rank(trace: &Trace) -> (Option<Priority>, usize) {
    (trace.curve.priority(), trace.curve.readings().len())
}
