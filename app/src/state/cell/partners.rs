//! Functions that are measured together with a cell's function, and overlays.

use std::rc::Rc;

use benchbook_contract::catalog::Function;
use benchbook_contract::protocol::MAX_FUNCTIONS;
use benchbook_host::alternative::{Alternative, RetainedCatalog};
use benchbook_host::request::{Plan, Problem, Request};

use super::LiveCell;
use crate::state::suites::group::are_alternatives;

/// A function that can be measured together with a cell's.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Candidate {
    /// The function.
    pub(crate) function: Rc<Function>,
    /// Whether it does the same work, according to the suite.
    pub(crate) is_alternative: bool,
}

impl LiveCell {
    /// The other functions that accept the chosen generator's workloads, alternatives first.
    pub(crate) fn candidates(&self) -> Vec<Candidate> {
        let is_partner = |path: &str| self.functions().any(|function| function.path == path);
        let suitable = self.suite.suite.functions.iter().filter(|function| {
            let needs_runner = function.native && self.native_part().is_none();
            function.generators.contains(&self.generator.path) && !is_partner(&function.path) && !needs_runner
        });
        let candidate = |function: &Function| Candidate {
            is_alternative: are_alternatives(&self.function, function, &self.generator.path),
            function: Rc::new(function.clone()),
        };
        let (mut candidates, others): (Vec<_>, Vec<_>) =
            suitable.map(candidate).partition(|candidate| candidate.is_alternative);
        candidates.extend(others);
        candidates
    }

    /// Whether the plot has room for another curve.
    pub(crate) fn has_room(&self) -> bool {
        1 + self.partners.len() + self.results.overlays.len() < MAX_FUNCTIONS
    }

    pub(crate) fn add_partner(&mut self, path: &str) {
        let candidate = self.candidates().into_iter().find(|candidate| candidate.function.path == path);
        let partner = candidate.map(|candidate| candidate.function).or_else(|| self.in_earlier_build(path));
        if let Some(partner) = partner.filter(|_| self.has_room()) {
            self.partners.push(partner);
            self.problems.clear();
        }
    }

    /// Removes a function from the comparison. The next one takes the place of the first; a single function remains.
    pub(super) fn remove_function(&mut self, path: &str) {
        if self.function.path == path && !self.partners.is_empty() {
            self.function = self.partners.remove(0);
        } else {
            self.partners.retain(|partner| partner.path != path);
        }
    }

    /// Replaces the earlier builds in the comparison by another one, or by the current build. A cell that compares no builds yet
    /// is compared with the earlier build of its own function.
    pub(super) fn follow_build(&mut self, before: Option<&str>) {
        let is_earlier = |path: &String| Alternative::parse(path).build.is_some();
        let earlier: Vec<String> = self.functions().map(|function| function.path.clone()).filter(is_earlier).collect();
        for old in &earlier {
            let path = Alternative::parse(old).path;
            let new = before.map_or_else(|| path.to_owned(), |build| Alternative::in_build(path, build));
            self.replace_function(old, &new);
        }
        if let (Some(build), true) = (before, earlier.is_empty()) {
            self.add_partner(&self.function_in_build(build));
        }
    }

    /// Replaces a function of the comparison, or removes it if the other one is compared already.
    fn replace_function(&mut self, old: &str, new: &str) {
        if old == new {
            return;
        }
        if self.functions().any(|function| function.path == new) {
            return self.remove_function(old);
        }
        let Some(function) = self.suite.function(new).map(Rc::new) else { return };
        match self.partners.iter_mut().find(|partner| partner.path == old) {
            Some(partner) => *partner = function,
            None => self.function = function,
        }
    }

    /// The function in an earlier build that this text names, if it can be measured together with the others.
    fn in_earlier_build(&self, text: &str) -> Option<Rc<Function>> {
        let function = self.suite.function(text)?;
        let is_suitable = Alternative::parse(text).build.is_some()
            && function.generators.contains(&self.generator.path)
            && !self.functions().any(|function| function.path == text);
        is_suitable.then(|| Rc::new(function))
    }

    /// Compares its function in two builds, and nothing else. `functions`: as requests name them.
    pub(super) fn compare_in_builds(&mut self, functions: &[String; 2]) {
        let [first, second] = functions.each_ref().map(|function| self.suite.function(function).map(Rc::new));
        if let (Some(first), Some(second)) = (first, second) {
            self.function = first;
            self.partners = vec![second];
            self.problems.clear();
        }
    }

    /// Whether it measures named builds only, so that a later build changes nothing.
    pub(crate) fn has_named_builds_only(&self) -> bool {
        self.functions().all(|function| Alternative::parse(&function.path).build.is_some())
    }

    /// Its function in a build of its suite.
    pub(crate) fn function_in_build(&self, build: &str) -> String {
        Alternative::in_build(Alternative::parse(&self.function.path).path, build)
    }

    /// Whether builds are compared, which only a runner can do.
    pub(crate) fn compares_builds(&self) -> bool {
        self.functions().any(|function| Alternative::parse(&function.path).build.is_some())
    }

    /// The plan of a request.
    ///
    /// # Errors
    /// The invalid parts of the request. The runner checks the builds.
    pub(crate) fn plan(&self, request: Request) -> Result<Plan, Vec<Problem>> {
        let suite = &self.suite.suite;
        let builds = request.functions.iter().filter_map(|text| Alternative::parse(text).build);
        let retained: Vec<RetainedCatalog<'_>> = builds.map(|build| RetainedCatalog { build, suite }).collect();
        Plan::with_builds(suite, &retained, request.clone())
    }

    pub(super) fn add_alternatives(&mut self) {
        for candidate in self.candidates().into_iter().filter(|candidate| candidate.is_alternative) {
            self.add_partner(&candidate.function.path);
        }
    }
}
