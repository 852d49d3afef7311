//! A notebook: a title and its cells in order.

use std::collections::BTreeSet;
use std::rc::Rc;

use benchbook_host::response::{Machine, SuiteCard};

use crate::cell::{Cell, CellContent, MeasurementCell};
use crate::id::Id;
use crate::result::CellResult;

/// What is shown in place of an empty title.
pub const UNTITLED: &str = "Untitled notebook";

/// A notebook. Cloning it is cheap: the clones share their cells until one is changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notebook {
    /// The title; may be empty.
    pub title: String,
    /// The cells in the order of the page, each with an identifier of its own.
    pub cells: Vec<Rc<Cell>>,
}

impl Notebook {
    /// The title as it is shown: a substitute for an empty one.
    pub fn shown_title(&self) -> &str {
        if self.title.is_empty() { UNTITLED } else { &self.title }
    }

    /// The index of a cell; `None` if the notebook has no such cell.
    pub fn index(&self, id: &Id) -> Option<usize> {
        self.cells.iter().position(|cell| cell.id == *id)
    }

    /// The cell with this identifier.
    pub fn cell(&self, id: &Id) -> Option<&Rc<Cell>> {
        self.cells.iter().find(|cell| cell.id == *id)
    }

    /// The cell with this identifier, to change it.
    pub fn cell_mut(&mut self, id: &Id) -> Option<&mut Cell> {
        self.cells.iter_mut().find(|cell| cell.id == *id).map(Rc::make_mut)
    }

    /// The measurement of a cell; `None` if there is no such cell, or if it contains text.
    pub fn measurement(&self, id: &Id) -> Option<&MeasurementCell> {
        self.cell(id)?.measurement()
    }

    /// The measurement of a cell, to change it.
    pub fn measurement_mut(&mut self, id: &Id) -> Option<&mut MeasurementCell> {
        match &mut self.cell_mut(id)?.content {
            CellContent::Measurement(measurement) => Some(measurement),
            CellContent::Text(_) => None,
        }
    }

    /// The notebook without raw samples; the figures remain.
    pub fn without_samples(&self) -> Self {
        self.with_results(|results| results.iter().map(|result| Rc::new(result.without_samples())).collect())
    }

    /// The notebook without results: texts and setups.
    pub fn without_results(&self) -> Self {
        self.with_results(|_| Vec::new())
    }

    fn with_results(&self, change: impl Fn(&[Rc<CellResult>]) -> Vec<Rc<CellResult>>) -> Self {
        let mut changed = self.clone();
        for cell in &mut changed.cells {
            if let CellContent::Measurement(measurement) = &mut Rc::make_mut(cell).content {
                measurement.results = change(&measurement.results);
                measurement.overlays = change(&measurement.overlays);
            }
        }
        changed
    }

    /// All results, in the order of the cells.
    pub fn results(&self) -> impl Iterator<Item = &Rc<CellResult>> {
        self.cells.iter().filter_map(|cell| cell.measurement()).flat_map(MeasurementCell::all_results)
    }

    /// The machines of the results, each once, with the clock card of its first result.
    pub fn machines(&self) -> Vec<&Machine> {
        let mut machines: Vec<&Machine> = Vec::new();
        for machine in self.results().map(|result| &result.setup.machine) {
            if !machines.iter().any(|other| other.is_same(machine)) {
                machines.push(machine);
            }
        }
        machines
    }

    /// The names of the suites that its cells measure.
    pub fn measured_suites(&self) -> BTreeSet<&str> {
        let measurements = self.cells.iter().filter_map(|cell| cell.measurement());
        measurements.map(|measurement| measurement.setup.suite.as_str()).collect()
    }

    /// The builds of the suites behind the results, each once.
    pub fn suites(&self) -> Vec<&SuiteCard> {
        let mut suites: Vec<&SuiteCard> = Vec::new();
        for suite in self.results().map(|result| &result.setup.suite) {
            if !suites.iter().any(|other| other.fingerprint == suite.fingerprint) {
                suites.push(suite);
            }
        }
        suites
    }
}
