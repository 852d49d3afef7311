//! Results that readers of a notebook measured on their machines and sent to its author.

use std::collections::BTreeSet;
use std::rc::Rc;

use benchbook_host::response::Machine;

use crate::cell::{Cell, CellContent, MeasurementCell};
use crate::edit::Edit;
use crate::id::Id;
use crate::notebook::Notebook;
use crate::result::CellResult;

/// The edits that add the results of readers to a notebook.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReaderResults {
    /// The edits that add the results, one for each cell.
    pub edits: Vec<Edit>,
    /// The number of results that are added.
    pub added: usize,
    /// The number of results that the notebook contains already, or of which it has a newer one from the same machine.
    pub duplicates: usize,
    /// One sentence for each result that does not match its cell.
    pub rejected: Vec<String>,
}

impl ReaderResults {
    /// A sentence for the user.
    pub fn message(&self) -> String {
        let results = |count: usize| if count == 1 { "1 result".to_owned() } else { format!("{count} results") };
        let mut message = format!("Added {}", results(self.added));
        if self.duplicates > 0 {
            message += &format!(", {} already present", self.duplicates);
        }
        if !self.rejected.is_empty() {
            message += &format!(", rejected {}", self.rejected.len());
        }
        message + "."
    }
}

impl Notebook {
    /// The results that copies of this notebook contain and that it lacks itself, without raw samples. They precede its own results.
    /// Only results of the same functions and arguments match: readers send what they measured in a cell of the author. Of several
    /// results of a build on one machine, the newest remains.
    pub fn reader_results(&self, copies: &[Self]) -> ReaderResults {
        let mut found = ReaderResults::default();
        let mut ids: BTreeSet<Id> = self.results().map(|result| result.id.clone()).collect();
        let mut cells: Vec<(Id, Vec<Rc<CellResult>>)> = Vec::new();
        for sent in copies.iter().flat_map(|copy| &copy.cells) {
            let Some(results) = sent.measurement().map(|measurement| &measurement.results) else { continue };
            let new = |result: &&Rc<CellResult>| result.has_figures() && !ids.contains(&result.id);
            let (new, known): (Vec<_>, Vec<_>) = results.iter().partition(new);
            found.duplicates += known.len();
            if new.is_empty() {
                continue;
            }
            let Some(own) = self.measurement(&sent.id) else {
                found.rejected.push(format!("“{}”: this notebook has no such cell.", sent.name()));
                continue;
            };
            let index = cells.iter().position(|(id, _)| *id == sent.id).unwrap_or_else(|| {
                cells.push((sent.id.clone(), own.results.clone()));
                cells.len() - 1
            });
            for result in new {
                match add(&mut cells[index].1, own, sent, result) {
                    Ok(true) => {
                        ids.insert(result.id.clone());
                        found.added += 1;
                    }
                    Ok(false) => found.duplicates += 1,
                    Err(reason) => found.rejected.push(reason),
                }
            }
        }
        let changed = cells
            .into_iter()
            .filter(|(id, results)| self.measurement(id).is_some_and(|measurement| measurement.results != *results));
        found.edits = changed.map(|(cell, results)| Edit::SetResults { cell, results }).collect();
        found
    }

    /// Returns the cells that this machine measured, with its results only, for the author. `processor`: the reader's own description of
    /// the processor.
    pub fn results_of(&self, machine: &Machine, processor: Option<&str>) -> Self {
        let own = |result: &&Rc<CellResult>| result.setup.machine.is_same(machine);
        let with_processor = |result: &Rc<CellResult>| {
            let mut result = CellResult::clone(result);
            let setup = Rc::make_mut(&mut result.setup);
            setup.machine.processor = processor.map(str::to_owned).or(setup.machine.processor.take());
            Rc::new(result)
        };
        let cell = |cell: &Rc<Cell>| {
            let measurement = cell.measurement()?;
            let results: Vec<_> = measurement.results.iter().filter(own).map(with_processor).collect();
            let measurement = MeasurementCell { results, overlays: Vec::new(), ..measurement.clone() };
            let is_measured = !measurement.results.is_empty();
            is_measured.then(|| {
                Rc::new(Cell { content: CellContent::Measurement(Box::new(measurement)), ..Cell::clone(cell) })
            })
        };
        Self { title: self.title.clone(), cells: self.cells.iter().filter_map(cell).collect() }
    }
}

/// Adds a result in front of those of a cell. Returns `false` if there is a newer one of the same build on the same machine, or one of the
/// author.
///
/// # Errors
/// A sentence if the result is of other functions or arguments.
fn add(
    results: &mut Vec<Rc<CellResult>>,
    own: &MeasurementCell,
    sent: &Cell,
    result: &Rc<CellResult>,
) -> Result<bool, String> {
    let matches = match results.last() {
        Some(last) => last.setup.request.is_of_same_work(&result.setup.request),
        None => {
            let setup = &result.setup.request;
            (&own.setup.suite, &own.setup.functions) == (&setup.suite, &setup.functions)
        }
    };
    if !matches {
        let machine = result.setup.machine.name_and_processor();
        return Err(format!("“{}”: {machine} measured other functions or other arguments.", sent.name()));
    }
    let is_same = |other: &Rc<CellResult>| {
        is_same_computer(&other.setup.machine, &result.setup.machine)
            && other.setup.suite.fingerprint == result.setup.suite.fingerprint
    };
    // The author's own results are never replaced: a file may claim to be from any machine.
    let remains = |other: &Rc<CellResult>| !other.from_reader || other.started >= result.started;
    if results.iter().any(|other| is_same(other) && remains(other)) {
        return Ok(false);
    }
    results.retain(|other| !is_same(other));
    results.insert(0, Rc::new(CellResult { from_reader: true, ..result.without_samples() }));
    Ok(true)
}

/// Whether both are the same machine. A browser keeps its identifier when it is updated.
fn is_same_computer(one: &Machine, other: &Machine) -> bool {
    match (&one.id, &other.id) {
        (Some(one_id), Some(other_id)) => (one.kind, one_id) == (other.kind, other_id),
        _ => one.is_same(other),
    }
}
