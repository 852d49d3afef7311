//! Comparing: what can be measured together with a function, and what can be drawn beside it.

use std::rc::Rc;

use benchbook_contract::catalog::Function;
use benchbook_contract::protocol::MAX_FUNCTIONS;
use benchbook_host::quality::Priority;

use super::State;
use super::cell::{Cell, CellId, Run};
use super::trace::Trace;

/// A trace as it is shown: beside which others, in which colours, and what it is called.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shown {
    /// The trace.
    pub(crate) trace: Trace,
    /// What tells it from the others: the function's name, the machine's where there are two, and for an unpaired one what
    /// it was measured with.
    pub(crate) label: String,
    /// Measured at another time, or on other inputs: the curves can be looked at beside each other, and say no more.
    pub(crate) unpaired: bool,
    /// A quick curve of this browser beside a runner's.
    pub(crate) is_sketch: bool,
    /// Which of the colours: its own, or where there are too many traces the same on both machines.
    pub(crate) hue: usize,
}

impl Shown {
    /// What was measured last, and what is drawn beside it.
    pub(super) fn all(traces: &[Trace], overlays: &[Trace]) -> Vec<Self> {
        let Some(first) = traces.first() else { return Vec::new() };
        let all = || traces.iter().chain(overlays);
        let is_only =
            |path: &str, name: &str| all().all(|other| other.function.name() != name || other.function.path == path);
        let name = |trace: &Trace| {
            let Function { path, .. } = &*trace.function;
            if is_only(path, trace.function.name()) { trace.function.name().to_owned() } else { path.clone() }
        };
        let functions = traces.iter().filter(|trace| trace.is_paired_with(first)).count();
        let on_two_machines = functions < traces.len();
        let shown = |(place, trace): (usize, &Trace)| {
            let unpaired = place >= traces.len();
            let label = match (unpaired, on_two_machines) {
                (true, _) => unpaired_label(&name(trace), trace, first),
                (false, true) => format!("{} · {}", name(trace), trace.setup.machine.name),
                (false, false) => name(trace),
            };
            let has_room = all().count() <= MAX_FUNCTIONS;
            Self {
                trace: trace.clone(),
                label,
                unpaired,
                is_sketch: on_two_machines && !trace.is_native(),
                hue: if has_room || unpaired { place } else { place % functions },
            }
        };
        all().enumerate().map(shown).collect()
    }
}

/// What an overlay is called beside `first`: its function, and what of its arguments differs.
fn unpaired_label(name: &str, trace: &Trace, first: &Trace) -> String {
    let difference = trace.setup.told_against(&first.setup);
    let machine = &trace.setup.machine.name;
    let is_same = *machine == first.setup.machine.name;
    let difference = if difference.is_empty() { "earlier".to_owned() } else { difference };
    let difference = if is_same { difference } else { format!("{difference}, {machine}") };
    format!("{name} · {difference}")
}

/// A function that can be measured together with a cell's.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Candidate {
    /// The function.
    pub(crate) function: Rc<Function>,
    /// Whether it does the same work, by what the suite says.
    pub(crate) is_alternative: bool,
}

impl Cell {
    /// Whether there is room for one more curve.
    pub(crate) fn has_room(&self) -> bool {
        1 + self.partners.len() + self.overlays.len() < MAX_FUNCTIONS
    }

    /// The other functions that take the workloads of the chosen generator, alternatives first.
    pub(crate) fn candidates(&self) -> Vec<Candidate> {
        let is_taken = |path: &str| self.functions().any(|function| function.path == path);
        let takers = self.suite.suite.functions.iter().filter(|function| {
            let is_native = function.native && self.native_part().is_none();
            function.generators.contains(&self.generator.path) && !is_taken(&function.path) && !is_native
        });
        let candidate = |function: &Function| Candidate {
            is_alternative: function.alternatives.is_some() && function.alternatives == self.function.alternatives,
            function: Rc::new(function.clone()),
        };
        let (mut candidates, others): (Vec<_>, Vec<_>) = takers.map(candidate).partition(|taker| taker.is_alternative);
        candidates.extend(others);
        candidates
    }

    pub(super) fn add_partner(&mut self, path: &str) {
        let candidate = self.candidates().into_iter().find(|candidate| candidate.function.path == path);
        if let Some(candidate) = candidate.filter(|_| self.has_room()) {
            self.partners.push(candidate.function);
            self.problems.clear();
        }
    }

    pub(super) fn add_alternatives(&mut self) {
        for candidate in self.candidates().into_iter().filter(|candidate| candidate.is_alternative) {
            self.add_partner(&candidate.function.path);
        }
    }

    pub(super) fn add_overlay(&mut self, trace: Trace) {
        if self.has_room() && !self.overlays.iter().any(|overlay| is_one_measurement(overlay, &trace)) {
            self.overlays.push(trace);
        }
    }

    /// Forgets what was measured, and what is drawn beside it.
    fn forget(&mut self) {
        self.traces.clear();
        self.overlays.clear();
        self.run = Run::Idle;
        self.step = None;
        self.presentation.zoom = None;
    }
}

/// How many traces of earlier measurements are kept: they hold their raw samples.
const MOST_EARLIER: usize = 8;

/// How many cells keep what they measured. By the qualities that a page has at first, a curve of 33 points holds up to
/// 5 500 samples of 16 bytes each, 3 MB: twelve cells of one to four curves stay below what a tab may use anywhere.
const MOST_MEASURED: usize = 12;

impl State {
    /// What was measured and can be drawn beside the chosen cell's curves: of each question the newest answer.
    pub(crate) fn overlay_candidates(&self) -> Vec<Trace> {
        // Before there is a plane, there is nothing to draw it on.
        let Some(chosen) = self.cell().filter(|cell| !cell.traces.is_empty()) else { return Vec::new() };
        let others = self.cells.iter().filter(|cell| cell.id() != chosen.id()).flat_map(|cell| &cell.traces);
        let known = others.chain(self.earlier.iter().rev());
        let is_shown =
            |trace: &Trace| chosen.traces.iter().chain(&chosen.overlays).any(|shown| is_one_measurement(shown, trace));
        known.filter(|trace| trace.has_figures() && !is_shown(trace)).fold(
            Vec::new(),
            |mut found: Vec<Trace>, trace| {
                if !found.iter().any(|other| other.asks_the_same(trace)) {
                    found.push(trace.clone());
                }
                found
            },
        )
    }

    /// Keeps what a new measurement is about to replace, unless more is known of its question: whoever stops after a
    /// point does not lose the whole curve before it.
    pub(super) fn keep_earlier(&mut self, traces: &[Trace]) {
        for trace in traces.iter().filter(|trace| trace.has_figures()) {
            let says_more = |earlier: &Trace| earlier.asks_the_same(trace) && worth(earlier) > worth(trace);
            if !self.earlier.iter().any(says_more) {
                self.earlier.retain(|earlier| !earlier.asks_the_same(trace));
                self.earlier.push(trace.clone());
            }
        }
        let surplus = self.earlier.len().saturating_sub(MOST_EARLIER);
        self.earlier.drain(..surplus);
    }

    /// Makes a cell the last of all: the cells stand in the order in which they were shown or measured last.
    pub(super) fn bring_up(&mut self, id: &CellId) {
        if let Some(place) = self.cells.iter().position(|cell| cell.is(id)) {
            self.cells[place..].rotate_left(1);
        }
    }

    /// Forgets what was measured in the cells that were shown or measured longest ago, so that samples do not gather
    /// without end. What is set in them stays.
    pub(super) fn forget_oldest(&mut self) {
        let measured = self.cells.iter().filter(|cell| !cell.traces.is_empty()).count();
        let chosen = self.chosen.clone();
        let is_at_rest = |cell: &Cell| !cell.is_measuring() && chosen.as_ref().is_none_or(|chosen| !cell.is(chosen));
        let oldest = self.cells.iter_mut().filter(|cell| !cell.traces.is_empty() && is_at_rest(cell));
        for cell in oldest.take(measured.saturating_sub(MOST_MEASURED)) {
            Rc::make_mut(cell).forget();
        }
    }
}

/// Whether both are of one function in one measurement; one may have points that the other was too early for.
fn is_one_measurement(one: &Trace, other: &Trace) -> bool {
    one.is_paired_with(other) && one.asks_the_same(other)
}

/// How much a trace says: the priority that all of it has, then the number of its points.
fn worth(trace: &Trace) -> (Option<Priority>, usize) {
    (trace.curve.priority(), trace.curve.readings().len())
}
