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

/// The groups that a browser can measure. Each function belongs to one at most.
pub(crate) fn groups(suites: &[Rc<LoadedSuite>]) -> impl Iterator<Item = Group> {
    suites.iter().flat_map(|loaded| {
        of_suite(&loaded.suite).into_iter().filter_map(|functions| {
            let work = functions[0].alternatives.clone()?;
            let functions = functions
                .iter()
                .take(MAX_FUNCTIONS)
                .map(|function| FunctionId { suite: loaded.id, path: function.path.clone() });
            Some(Group { work, functions: functions.collect() }).filter(|group| group.functions.len() > 1)
        })
    })
}

/// Each function with its alternatives on its default generator, unless an earlier list has it.
fn of_suite(suite: &Suite) -> Vec<Vec<&Function>> {
    let mut lists: Vec<Vec<&Function>> = Vec::new();
    for function in suite.functions.iter().filter(|function| !function.native) {
        let with_it = |list: &&mut Vec<&Function>| are_alternatives(list[0], function, &list[0].generators[0]);
        match lists.iter_mut().find(with_it) {
            Some(list) => list.push(function),
            None => lists.push(vec![function]),
        }
    }
    lists
}
