//! The comparison of the current build with the one before it.

use benchbook_host::alternative::{Alternative, RetainedCatalog};
use benchbook_host::request::Plan;

use super::action::{CellAction, SetupEdit};
use super::{CellId, LiveCell};
use crate::state::State;
use crate::state::machines::runner_builds::RunnerBuilds;
use benchbook_notebook::measuring_options::RunOn;

impl State {
    /// The current cell's function in the latest earlier build, if the runner can measure both together.
    pub(crate) fn function_before(&self) -> Option<String> {
        let cell = self.cell().filter(|cell| cell.has_room())?;
        let before = cell.function_in_build(self.runner.earlier_build(&cell.suite)?);
        let is_compared = cell.functions().any(|function| function.path == before);
        (!is_compared).then_some(before)
    }

    /// Compares the current cell's function with the same function in the latest earlier build, and measures both next.
    pub(crate) fn compare_builds(&mut self) {
        let Some((id, before)) = self.current().zip(self.function_before()) else { return };
        self.apply_to_cell(&id, CellAction::Edit(SetupEdit::AddPartner(before)));
        self.measure_next(id);
    }

    /// Compares a cell's function in two builds of the runner, and measures both next.
    pub(crate) fn compare_two_builds(&mut self, id: CellId, [first, second]: &[String; 2]) {
        let Some(cell) = self.live(&id) else { return };
        let Some(builds) = self.runner.builds(&cell.suite) else { return };
        let functions = [first, second].map(|build| builds.function(&cell.function.path, build));
        self.apply_to_cell(&id, CellAction::Edit(SetupEdit::CompareInBuilds(functions)));
        self.measure_next(id);
    }

    /// The builds that a cell's runner can measure together, if there are two.
    pub(crate) fn builds_of(&self, cell: &LiveCell) -> Option<RunnerBuilds> {
        self.runner.builds(&cell.suite).filter(RunnerBuilds::has_pair)
    }

    /// The builds of the suite of the history that is shown; `None` without a runner that measures the suite.
    pub(crate) fn builds_of_history(&self) -> Option<RunnerBuilds> {
        let (suite, _) = self.history()?.function();
        let loaded = self.suites.iter().find(|loaded| loaded.suite.name == suite)?;
        self.runner.builds(loaded)
    }

    /// Once all new builds are loaded, measures the current cell next if it has results of an older build: together with the previous
    /// build if the runner measures the cell, or else by itself.
    pub(crate) fn finish_reload(&mut self) {
        if !self.rebuilding.take_completed() || self.rebuilding.is_manual {
            return;
        }
        let Some((id, cell)) = self.current().zip(self.cell()) else { return };
        let is_reading = self.notebook().is_some_and(|notebook| notebook.is_reading);
        if is_reading || cell.has_named_builds_only() || !self.can_measure(cell) || self.staleness(cell).is_none() {
            return;
        }
        let compares = cell.compares_builds();
        // Browsers keep no builds, so that a comparison of builds would omit this browser's results.
        let is_on_runner = compares || cell.options.run_on == RunOn::Runner;
        let before = is_on_runner.then(|| self.comparable_build(cell)).flatten();
        if compares || before.is_some() {
            self.apply_to_cell(&id, CellAction::Edit(SetupEdit::FollowBuild(before)));
        }
        self.measure_next(id);
    }

    /// The change of a cell before it is measured, if it compares a build that its runner no longer keeps.
    pub(crate) fn without_lost_builds(&self, id: &CellId) -> Option<CellAction> {
        // The runner rejects a build that the user named, and reports which ones there are.
        let cell = self.live(id).filter(|cell| !cell.has_named_builds_only())?;
        let retained = self.runner.retained_builds(&cell.suite)?;
        let is_lost = |path: &str| {
            Alternative::parse(path).build.is_some_and(|build| !retained.iter().any(|retained| retained == build))
        };
        let has_lost = cell.functions().any(|function| is_lost(&function.path));
        has_lost.then(|| CellAction::Edit(SetupEdit::FollowBuild(self.comparable_build(cell))))
    }

    /// The latest earlier build, if the cell can be compared with it: a change of the code may have added the function, or changed
    /// the parameters of its generator.
    fn comparable_build(&self, cell: &LiveCell) -> Option<String> {
        let build = self.runner.earlier_build(&cell.suite)?;
        let catalog = RetainedCatalog { build, suite: self.runner.catalog_of(build)? };
        let mut compared = cell.clone();
        compared.follow_build(Some(build));
        let request = compared.request("").ok()?;
        let is_valid = Plan::with_builds(&cell.suite.suite, &[catalog], request).is_ok();
        (is_valid && compared.compares_builds()).then(|| build.to_owned())
    }

    fn measure_next(&mut self, id: CellId) {
        self.queue.retain(|queued| *queued != id);
        self.queue.push_front(id);
    }
}
