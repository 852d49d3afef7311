//! An open notebook: its document, and the parts of its cells that are not stored.

pub(crate) mod cell_context;
pub(crate) mod id_source;
pub(crate) mod library;
pub(crate) mod notices;
pub(crate) mod opened_document;
mod opening;
pub(crate) mod retention;
pub(crate) mod saving;
mod stored_notebooks;

use std::collections::BTreeMap;
use std::rc::Rc;

use benchbook_host::quality::Priority;
use benchbook_notebook::cell::{Cell, CellContent, MeasurementCell};
use benchbook_notebook::edit::Edit;
use benchbook_notebook::history::History;
use benchbook_notebook::id::Id;
use benchbook_notebook::notebook::Notebook;
use benchbook_notebook::result::{CellResult, SharedValue};
use benchbook_notebook::setup::CellSetup;

use super::cell::LiveCell;
use crate::address::FileAddress;
use crate::state::cell::action::{CellAction, CommitReason, RunEvent};
use crate::state::suites::loaded_suite::LoadedSuite;
use id_source::IdSource;
use notices::{Notice, Notices};
use saving::Saving;

/// An open notebook.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OpenNotebook {
    /// The identifier, which storage and addresses use.
    pub(crate) id: Id,
    /// The document: cells in order, with their setups and results.
    pub(crate) document: Notebook,
    history: History,
    /// The measurement cells whose function is in a loaded suite: their controls, and the measurement in progress.
    live: BTreeMap<Id, Rc<LiveCell>>,
    /// The cell that keys and the list of functions act on.
    pub(crate) current: Option<Id>,
    /// The edits that are not stored yet.
    pub(crate) saving: Saving,
    /// The file that it shows read-only; `None` if it is stored in this browser.
    pub(crate) file: Option<FileAddress>,
    /// Whether it is shown without controls, to read it.
    pub(crate) is_reading: bool,
    /// Notices that the user has not dismissed.
    pub(crate) notices: Notices,
}

/// A change of the open notebook by the user.
#[derive(Clone, Debug)]
pub(crate) enum NotebookAction {
    /// Sets the title.
    SetTitle(String),
    /// Inserts an empty text cell at an index.
    InsertText(usize),
    /// Inserts a measurement cell at an index.
    InsertMeasurement(usize),
    /// Inserts a copy after a cell, with its results.
    Duplicate(Id),
    /// Removes a cell.
    Remove(Id),
    /// Moves a cell to an index.
    Move(Id, usize),
    /// Collapses or expands a cell.
    SetCollapsed(Id, bool),
    /// Sets the text of a text cell.
    SetText(Id, String),
    /// Sets the title of a measurement cell.
    SetCellTitle(Id, String),
    /// Sets the comparison of two builds that a cell shows.
    SetPinpoint(Id, SharedValue),
    /// Makes a cell the current one.
    Select(Id),
    /// Shows the notebook without controls, or with them.
    SetReading(bool),
    /// The user has read the notice at this index.
    DismissNotice(usize),
    /// A field lost the focus: the next edit is a step of its own.
    EndStep,
    /// Undoes the last step.
    Undo,
    /// Redoes the step that was undone last.
    Redo,
}

impl NotebookAction {
    /// Whether it changes more than what is shown.
    fn is_edit(&self) -> bool {
        !matches!(
            self,
            Self::Select(_) | Self::SetReading(_) | Self::SetCollapsed(..) | Self::DismissNotice(_) | Self::EndStep
        )
    }
}

impl OpenNotebook {
    /// Opens a document. Its first cell becomes the current one. `saving`: what the storage contains of it.
    pub(crate) fn new(id: Id, document: Notebook, saving: Saving, suites: &[Rc<LoadedSuite>]) -> Self {
        let current = document.cells.first().map(|cell| cell.id.clone());
        let mut opened = Self {
            id,
            document,
            history: History::default(),
            live: BTreeMap::new(),
            current,
            saving,
            file: None,
            is_reading: false,
            notices: Notices::default(),
        };
        opened.attach(suites);
        opened
    }

    /// Opens a file, to read it.
    pub(crate) fn of_file(id: Id, file: FileAddress, document: Notebook, suites: &[Rc<LoadedSuite>]) -> Self {
        let opened = Self::new(id, document, Saving::read_only(), suites);
        Self { file: Some(file), is_reading: true, ..opened }
    }

    /// Connects cells to suites that were loaded in the meantime.
    pub(crate) fn attach(&mut self, suites: &[Rc<LoadedSuite>]) {
        for cell in &self.document.cells {
            if let Some(measurement) = cell.measurement().filter(|_| !self.live.contains_key(&cell.id))
                && let Some(live) = live_cell(measurement, suites)
            {
                self.live.insert(cell.id.clone(), Rc::new(live));
            }
        }
    }

    /// Connects cells of `old` suites to their new builds, which ends their measurements.
    pub(crate) fn reattach(&mut self, old: &[Rc<LoadedSuite>], suites: &[Rc<LoadedSuite>]) {
        if self.measuring().is_some_and(|(_, cell)| old.contains(&cell.suite)) {
            self.stop();
        }
        self.live.retain(|_, cell| !old.contains(&cell.suite));
        self.attach(suites);
    }

    /// The controls and the measurement of a cell; `None` for text, and if its function is not in a loaded suite.
    pub(crate) fn live(&self, cell: &Id) -> Option<&Rc<LiveCell>> {
        self.live.get(cell)
    }

    /// Replaces the controls of a cell by equal ones with notes on the values that a link set.
    pub(crate) fn set_live(&mut self, cell: Id, live: LiveCell) {
        self.live.insert(cell, Rc::new(live));
    }

    /// All cells that can be measured, in the order of the notebook.
    pub(crate) fn live_cells(&self) -> impl Iterator<Item = (&Id, &Rc<LiveCell>)> {
        self.document.cells.iter().filter_map(|cell| Some((&cell.id, self.live.get(&cell.id)?)))
    }

    /// Whether readers can measure its cells, although they cannot edit them: it is a file of the site.
    pub(crate) fn is_measured_by_readers(&self) -> bool {
        self.is_reading && matches!(&self.file, Some(FileAddress::Site(address)) if !address.is_empty())
    }

    /// The cell that is measured.
    pub(crate) fn measuring(&self) -> Option<(&Id, &Rc<LiveCell>)> {
        self.live.iter().find(|(_, cell)| cell.is_measuring())
    }

    /// The cell to count.
    pub(crate) fn cell_to_count(&self) -> Option<&Id> {
        self.live.iter().find(|(_, cell)| cell.is_to_count()).map(|(id, _)| id)
    }

    /// A cell whose code the user has chosen to see, and of which some is not known.
    pub(crate) fn cell_to_list(&self) -> Option<&Id> {
        self.live.iter().find(|(_, cell)| cell.wants_code && cell.unlisted().is_some()).map(|(id, _)| id)
    }

    /// Whether the measurement in progress has stored nothing yet, because the previous results of its cell are more precise.
    pub(crate) fn is_measuring_again(&self) -> bool {
        self.measuring().is_some_and(|(id, live)| {
            let stored = self.document.measurement(id).map(|cell| &cell.results[..]).unwrap_or_default();
            let latest = live.results.latest.last().map(|result| &result.id);
            stored.last().is_some_and(|stored| latest != Some(&stored.id))
        })
    }

    /// Stops the measurement in progress, if there is one.
    pub(crate) fn stop(&mut self) {
        if let Some(id) = self.measuring().map(|(id, _)| id.clone()) {
            self.apply_to_cell(&id, CellAction::Run(RunEvent::Stopped));
        }
    }

    /// Whether there is something to undo, and something to redo.
    pub(crate) fn can_undo_redo(&self) -> (bool, bool) {
        (self.history.next_undo().is_some(), self.history.next_redo().is_some())
    }

    pub(crate) fn apply(&mut self, action: NotebookAction, ids: &mut IdSource, suites: &[Rc<LoadedSuite>]) {
        if self.is_reading && action.is_edit() {
            return;
        }
        match action {
            NotebookAction::SetTitle(title) => self.edit(Edit::SetTitle { title }),
            NotebookAction::InsertText(index) => {
                self.insert(
                    index,
                    Cell { id: ids.next(), is_collapsed: false, content: CellContent::Text(String::new()) },
                );
            }
            NotebookAction::InsertMeasurement(index) => {
                if let Some(setup) = self.setup_for(index, suites) {
                    self.insert_measurement(index, setup, ids, suites);
                }
            }
            NotebookAction::Duplicate(cell) => {
                if let Some(index) = self.document.index(&cell) {
                    let copy = self.document.cells[index].copied(|| ids.next());
                    self.insert(index + 1, copy);
                    self.attach(suites);
                }
            }
            NotebookAction::Remove(cell) => self.remove(cell),
            NotebookAction::Move(cell, index) => self.step(Edit::MoveCell { cell, index }),
            NotebookAction::SetCollapsed(cell, is_collapsed) => self.edit(Edit::SetCollapsed { cell, is_collapsed }),
            NotebookAction::SetText(cell, text) => self.edit(Edit::SetText { cell, text }),
            NotebookAction::SetCellTitle(cell, title) => self.edit(Edit::SetCellTitle { cell, title }),
            NotebookAction::SetPinpoint(cell, pinpoint) => {
                self.step(Edit::SetPinpoint { cell, pinpoint: Some(pinpoint) });
            }
            NotebookAction::Select(cell) => {
                if self.document.index(&cell).is_some() {
                    self.current = Some(cell);
                }
            }
            // A file stays as it is; the user edits a copy.
            NotebookAction::SetReading(is_reading) => self.is_reading = is_reading || self.file.is_some(),
            NotebookAction::DismissNotice(index) => self.notices.dismiss(index),
            NotebookAction::EndStep => self.history.close_step(),
            NotebookAction::Undo => {
                let edit = self.history.undo(&mut self.document);
                self.after_undo(edit, suites);
            }
            NotebookAction::Redo => {
                let edit = self.history.redo(&mut self.document);
                self.after_undo(edit, suites);
            }
        }
    }

    /// Inserts a measurement cell and makes it the current one.
    pub(crate) fn insert_measurement(
        &mut self,
        index: usize,
        setup: CellSetup,
        ids: &mut IdSource,
        suites: &[Rc<LoadedSuite>],
    ) {
        self.insert(index, new_measurement(ids.next(), setup));
        self.attach(suites);
    }

    /// Replaces the setup of a cell.
    pub(crate) fn replace_setup(&mut self, cell: &Id, setup: CellSetup, suites: &[Rc<LoadedSuite>]) {
        self.step_setup(cell, setup);
        self.refresh(cell, suites);
    }

    /// Applies an action to a cell, and to the document what it changes there.
    pub(crate) fn apply_to_cell(&mut self, id: &Id, action: CellAction) {
        let Some(live) = self.live.get_mut(id).map(Rc::make_mut) else { return };
        match action {
            CellAction::Edit(edit) => {
                let is_typing = edit.is_typing();
                live.edit(edit);
                let setup = live.setup();
                if is_typing { self.edit_setup(id, setup) } else { self.step_setup(id, setup) }
            }
            CellAction::Run(event) => {
                let (is_start, commit) = (matches!(event, RunEvent::Started(_)), event.commit());
                live.apply_event(event);
                if is_start {
                    // It may have reset the zoom.
                    let setup = live.setup();
                    self.step_setup(id, setup);
                }
                commit.into_iter().for_each(|commit| self.commit_results(id, commit));
            }
            CellAction::Overlay(action) => {
                live.apply_overlay(action);
                self.commit_results(id, CommitReason::Interim);
            }
        }
    }

    /// Stores the results of a cell in the document. A measurement that was stopped before its first figure leaves the results
    /// before it.
    fn commit_results(&mut self, id: &Id, commit: CommitReason) {
        let (Some(live), Some(cell)) = (self.live.get_mut(id), self.document.measurement(id)) else { return };
        let live = Rc::make_mut(live);
        let has_figures = live.results.latest.iter().any(|result| result.has_figures());
        if commit == CommitReason::Stopped && !has_figures && !cell.results.is_empty() {
            live.results = benchbook_report::results::Results::of(cell);
        }
        let (results, overlays) = (live.results.stored(), live.results.overlays.clone());
        // Undo brings back what a new measurement replaced; later figures of the same measurement are no steps of their own.
        let is_run = |result: &Id| cell.results.iter().any(|stored| stored.id == *result);
        let replaces = !cell.results.is_empty() && !results.last().is_some_and(|last| is_run(&last.id));
        // While the measurement continues, a more precise result remains: a crash must not cost it.
        if replaces && commit == CommitReason::Interim && priority(&results) < priority(&cell.results) {
            return;
        }
        let set = Edit::SetResults { cell: id.clone(), results };
        if replaces {
            self.step(set);
        } else {
            self.apply_silently(set);
        }
        self.step(Edit::SetOverlays { cell: id.clone(), overlays });
    }

    /// Adds the results that readers sent, as steps that can be undone, and a notice about them.
    pub(crate) fn add_reader_results(&mut self, copies: &[Notebook], damaged: Vec<String>, suites: &[Rc<LoadedSuite>]) {
        if self.is_reading {
            return;
        }
        self.stop();
        let found = self.document.reader_results(copies);
        self.notices.add(Notice::information(found.message()));
        damaged.into_iter().chain(found.rejected).for_each(|sentence| self.notices.add(Notice::problem(sentence)));
        for edit in found.edits {
            let cell = edit.cell().cloned();
            self.step(edit);
            cell.iter().for_each(|cell| self.refresh(cell, suites));
        }
    }

    /// Sets the setup of a cell as a step of its own.
    fn step_setup(&mut self, cell: &Id, setup: CellSetup) {
        self.history.close_step();
        self.edit_setup(cell, setup);
        self.history.close_step();
    }

    fn edit_setup(&mut self, cell: &Id, setup: CellSetup) {
        let view = Box::new(setup.view.clone());
        self.edit(Edit::SetSetup { cell: cell.clone(), setup: Box::new(setup) });
        self.edit(Edit::SetView { cell: cell.clone(), view });
    }

    /// Applies an edit that can continue the last step.
    fn edit(&mut self, edit: Edit) {
        if self.history.apply(&mut self.document, edit.clone()) {
            self.saving.add(edit);
        }
    }

    /// Applies an edit as a step of its own.
    fn step(&mut self, edit: Edit) {
        self.history.close_step();
        self.edit(edit);
        self.history.close_step();
    }

    /// Applies an edit that undo skips.
    fn apply_silently(&mut self, edit: Edit) {
        if self.document.apply(edit.clone()).is_some() {
            self.saving.add(edit);
        }
    }

    fn insert(&mut self, index: usize, cell: Cell) {
        self.current = Some(cell.id.clone());
        self.step(Edit::InsertCell { index, cell: Rc::new(cell) });
    }

    /// Removes a cell. The one after it becomes the current one, or else the one before it.
    fn remove(&mut self, cell: Id) {
        let Some(index) = self.document.index(&cell) else { return };
        self.apply_to_cell(&cell, CellAction::Run(RunEvent::Stopped));
        self.live.remove(&cell);
        self.step(Edit::RemoveCell { cell });
        self.select_near(index);
    }

    fn select_near(&mut self, index: usize) {
        let last = self.document.cells.len().saturating_sub(1);
        self.current = self.document.cells.get(index.min(last)).map(|cell| cell.id.clone());
    }

    /// Updates everything that depends on the document after undo or redo applied an edit.
    fn after_undo(&mut self, edit: Option<Edit>, suites: &[Rc<LoadedSuite>]) {
        let Some(edit) = edit else { return };
        if let Some(cell) = edit.cell().cloned() {
            self.refresh(&cell, suites);
            match self.document.index(&cell) {
                Some(_) => self.current = Some(cell),
                None if self.current.as_ref() == Some(&cell) => self.select_near(0),
                None => {}
            }
        }
        self.saving.add(edit);
    }

    /// Replaces the live state of a cell after its document has changed, which ends its measurement.
    fn refresh(&mut self, cell: &Id, suites: &[Rc<LoadedSuite>]) {
        self.live.remove(cell);
        self.attach(suites);
    }

    /// Replaces the document with the stored one, which another tab has changed.
    pub(crate) fn replace_document(&mut self, document: Notebook, suites: &[Rc<LoadedSuite>]) {
        let before = std::mem::replace(&mut self.document, document);
        let changed: Vec<Id> = (before.cells.iter())
            .filter(|cell| self.document.cell(&cell.id).is_none_or(|now| now.content != cell.content))
            .map(|cell| cell.id.clone())
            .collect();
        changed.iter().for_each(|cell| _ = self.live.remove(cell));
        self.attach(suites);
        if self.current.as_ref().is_some_and(|current| self.document.index(current).is_none()) {
            self.select_near(0);
        }
    }

    /// The setup for a new measurement cell: a copy of the nearest one before it, or else the first function that a browser can measure.
    fn setup_for(&self, index: usize, suites: &[Rc<LoadedSuite>]) -> Option<CellSetup> {
        let before = self.document.cells.iter().take(index).rev().find_map(|cell| cell.measurement());
        before.map(|measurement| measurement.setup.clone()).or_else(|| {
            suites.iter().find_map(|loaded| {
                let function = loaded.suite.functions.iter().find(|function| !function.native)?;
                Some(LiveCell::new(loaded, &function.path)?.setup())
            })
        })
    }
}

/// The priority of the least accurate point of the last result.
fn priority(results: &[Rc<CellResult>]) -> Option<Priority> {
    results.last()?.curves.iter().map(|measured| measured.curve.priority()).min().flatten()
}

/// A measurement cell without results.
pub(crate) fn new_measurement(id: Id, setup: CellSetup) -> Cell {
    let measurement = MeasurementCell { setup, ..MeasurementCell::default() };
    Cell { id, is_collapsed: false, content: CellContent::Measurement(Box::new(measurement)) }
}

/// The live state of a cell; `None` if its function is not in a loaded suite.
fn live_cell(measurement: &MeasurementCell, suites: &[Rc<LoadedSuite>]) -> Option<LiveCell> {
    let suite = suites.iter().find(|loaded| loaded.suite.name == measurement.setup.suite)?;
    LiveCell::of(suite, measurement)
}
