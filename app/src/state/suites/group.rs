//! Functions that do the same work on the same inputs, so that comparing them answers a question.

use std::rc::Rc;

use benchbook_contract::catalog::{Function, Suite};
use benchbook_contract::protocol::MAX_FUNCTIONS;

use super::loaded_suite::{FunctionId, LoadedSuite};

/// What a cell compares once its function's alternatives are added.
pub(crate) struct Group {
    /// The work that they do, as the suite says it.
    pub(crate) work: String,
    /// At least two, and as many as a cell compares.
    pub(crate) functions: Vec<FunctionId>,
}

/// Whether both functions do the same work on the workloads of this generator, according to their suite.
pub(crate) fn are_alternatives(first: &Function, second: &Function, generator: &str) -> bool {
    first.alternatives.is_some()
        && first.alternatives == second.alternatives
        && second.generators.iter().any(|path| path == generator)
}

/// The groups that a browser can measure. A function with alternatives begins one, unless an earlier group has it.
pub(crate) fn groups(suites: &[Rc<LoadedSuite>]) -> impl Iterator<Item = Group> {
    suites.iter().flat_map(|loaded| {
        of_suite(&loaded.suite).into_iter().filter(|functions| functions.len() > 1).filter_map(|functions| {
            let ids =
                functions.iter().take(MAX_FUNCTIONS).map(|one| FunctionId { suite: loaded.id, path: one.path.clone() });
            Some(Group { work: functions[0].alternatives.clone()?, functions: ids.collect() })
        })
    })
}

/// Each function that is not in an earlier list with alternatives, followed by its alternatives on its default generator.
fn of_suite(suite: &Suite) -> Vec<Vec<&Function>> {
    let mut lists: Vec<Vec<&Function>> = Vec::new();
    let functions = || suite.functions.iter().filter(|function| !function.native);
    for first in functions() {
        if lists.iter().any(|list| list.len() > 1 && list.iter().any(|one| one.path == first.path)) {
            continue;
        }
        let is_other =
            |other: &&Function| other.path != first.path && are_alternatives(first, other, &first.generators[0]);
        lists.push([first].into_iter().chain(functions().filter(is_other)).collect());
    }
    lists
}
