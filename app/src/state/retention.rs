//! How long results are retained, and which of them can be overlaid.

use std::rc::Rc;

use benchbook_host::quality::Priority;

use super::cell::{CellId, LiveCell};
use super::page::State;
use benchbook_notebook::trace::Trace;

/// The most replaced traces to retain: each holds its raw samples.
const MAX_EARLIER: usize = 8;

/// The most cells that retain their results. With the default qualities, a curve of 33 points has up to 5 500 samples of
/// 16 bytes each, 3 MB: twelve cells with one to four curves fit any tab's memory.
const MAX_MEASURED_CELLS: usize = 12;

impl State {
    /// The traces that can be overlaid on the chosen cell's plot: the newest one for each function, arguments and machine.
    pub(crate) fn overlay_candidates(&self) -> Vec<Trace> {
        // Before the first measurement there is no plot.
        let Some(chosen) = self.cell().filter(|cell| !cell.results.is_empty()) else { return Vec::new() };
        let others = self.cells.iter().filter(|cell| cell.id() != chosen.id()).flat_map(|cell| cell.results.traces());
        let retained = others.chain(self.earlier.iter().rev().cloned());
        let shown: Vec<Trace> = chosen.results.traces().into_iter().chain(chosen.results.overlays.clone()).collect();
        let is_shown = |trace: &Trace| shown.iter().any(|shown| shown.is_same_measurement(trace));
        let mut candidates: Vec<Trace> = Vec::new();
        for trace in retained.filter(|trace| trace.has_figures() && !is_shown(trace)) {
            if !candidates.iter().any(|other| other.has_same_inputs(&trace)) {
                candidates.push(trace);
            }
        }
        candidates
    }

    /// Retains the traces that a new measurement replaces, unless a better one with the same inputs is retained: stopping
    /// after one point must not cost the complete curve before it.
    pub(super) fn retain_earlier(&mut self, traces: &[Trace]) {
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

    /// Moves a cell to the end: cells are ordered by when they were last shown or measured.
    pub(super) fn move_to_end(&mut self, id: &CellId) {
        if let Some(index) = self.cells.iter().position(|cell| cell.has_id(id)) {
            self.cells[index..].rotate_left(1);
        }
    }

    /// Drops the results of the cells that were shown or measured longest ago; their settings remain.
    pub(super) fn drop_oldest_results(&mut self) {
        let measured = self.cells.iter().filter(|cell| !cell.results.is_empty()).count();
        let chosen = self.chosen.clone();
        let is_idle =
            |cell: &LiveCell| !cell.is_measuring() && chosen.as_ref().is_none_or(|chosen| !cell.has_id(chosen));
        let oldest = self.cells.iter_mut().filter(|cell| !cell.results.is_empty() && is_idle(cell));
        for cell in oldest.take(measured.saturating_sub(MAX_MEASURED_CELLS)) {
            Rc::make_mut(cell).drop_results();
        }
    }
}

/// The rank of a trace: the priority of its least accurate point, then the number of points.
fn rank(trace: &Trace) -> (Option<Priority>, usize) {
    (trace.curve.priority(), trace.curve.readings().len())
}
