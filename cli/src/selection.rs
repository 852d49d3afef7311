//! The functions that a command line names.

use anyhow::{Result, bail};
use benchbook_contract::catalog::{Function, Suite};
use benchbook_host::child::NativeSuite;

/// A function of an opened suite.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SelectedFunction<'s> {
    pub(crate) suite: &'s NativeSuite,
    pub(crate) function: &'s Function,
}

/// The functions whose path contains one of the filters, in the order of the suites; all without filters. The path may begin with
/// the name of the suite, as in `demo::sorting`.
///
/// # Errors
/// If no function matches.
pub(crate) fn matching<'s>(suites: &'s [NativeSuite], filters: &[String]) -> Result<Vec<SelectedFunction<'s>>> {
    let matches = |suite: &Suite, function: &Function| {
        let path = format!("{}::{}", suite.name, function.path);
        filters.is_empty() || filters.iter().any(|filter| path.contains(filter.as_str()))
    };
    let all = suites.iter().flat_map(|suite| suite.suite().functions.iter().map(move |function| (suite, function)));
    let chosen: Vec<SelectedFunction<'s>> = all
        .filter(|(suite, function)| matches(suite.suite(), function))
        .map(|(suite, function)| SelectedFunction { suite, function })
        .collect();
    if chosen.is_empty() && filters.is_empty() {
        bail!("the suites contain no functions. Annotate one with `#[measured]`");
    }
    if chosen.is_empty() {
        bail!("no function matches {}. `cargo benchbook list` lists all functions", filters.join(", "));
    }
    Ok(chosen)
}

/// The one function with this path, or with this name if it is unique.
///
/// # Errors
/// If there is none, or if several functions have the name.
pub(crate) fn named<'s>(suites: &'s [NativeSuite], name: &str) -> Result<SelectedFunction<'s>> {
    let all = matching(suites, &[])?;
    let path = |one: &SelectedFunction<'_>| format!("{}::{}", one.suite.suite().name, one.function.path);
    let exact = all.iter().filter(|one| one.function.path == name || path(one) == name).collect::<Vec<_>>();
    let of_name = || all.iter().filter(|one| one.function.name() == name).collect();
    let candidates: Vec<&SelectedFunction<'s>> = if exact.is_empty() { of_name() } else { exact };
    match candidates.as_slice() {
        [one] => Ok(**one),
        [] => bail!("there is no function `{name}`. `cargo benchbook list` lists all functions"),
        several => {
            let paths: Vec<String> = several.iter().map(|one| path(one)).collect();
            bail!("`{name}` is ambiguous: {}. Use the full path", paths.join(", "))
        }
    }
}
