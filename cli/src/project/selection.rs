//! The functions that a command line names.

use anyhow::{Context, Result, anyhow, bail};
use benchbook_build::suite_target::SuiteTarget;
use benchbook_contract::catalog::{Function, Generator, Suite};
use benchbook_host::child::NativeSuite;
use benchbook_host::quality::Priority;
use benchbook_host::request::{Plan, Problem, Request};

use crate::advised_command::AdvisedCommand;
use crate::arguments::{SetArgument, arguments};
use crate::project::OpenedSuite;

/// A function of an opened suite.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SelectedFunction<'s> {
    pub(crate) suite: &'s NativeSuite,
    pub(crate) function: &'s Function,
}

impl<'s> SelectedFunction<'s> {
    /// The generator with this path or name; the function's first one without a name.
    ///
    /// # Errors
    /// If the function has no such generator.
    pub(crate) fn generator(&self, name: Option<&str>) -> Result<&'s Generator> {
        let paths = &self.function.generators;
        let is_chosen = |path: &&String| name.is_none_or(|name| *path == name || path.ends_with(&format!("::{name}")));
        let path = paths.iter().find(is_chosen).with_context(|| {
            format!("`{}` has no such generator. Its generators are {}", self.function.path, paths.join(", "))
        })?;
        self.suite.suite().generator(path).context("the catalog lacks the generator of a function")
    }

    /// A request of this function alone, with the default values of parameters that are not set. `generator`: its path or name; the function's first one if absent.
    ///
    /// # Errors
    /// If the function has no such generator, or if a value is invalid.
    pub(crate) fn request(&self, generator: Option<&str>, set: &[SetArgument]) -> Result<Request> {
        let generator = self.generator(generator)?;
        let path = &self.function.path;
        let arguments = arguments(generator, set).map_err(|reason| anyhow!("`{path}`: {reason}"))?;
        let suite = self.suite.suite().name.clone();
        Ok(Request::new(suite, vec![path.clone()], generator.path.clone(), arguments, Priority::LAST))
    }

    /// Validates a request whose first function is this one.
    ///
    /// # Errors
    /// Returns all problems of the request, in the words of the command line.
    pub(crate) fn plan(&self, request: Request) -> Result<Plan> {
        Plan::new(self.suite.suite(), request).map_err(|problems| {
            let problems: Vec<String> = problems.iter().map(problem_text).collect();
            anyhow!("`{}`: {}", self.function.path, problems.join("; "))
        })
    }
}

/// A problem of a request in the words of the command line, which names parameters and functions, not fields of the request.
fn problem_text(Problem { location, message }: &Problem) -> String {
    match location.strip_prefix("arguments.") {
        Some(argument) => {
            let parameter = argument.split_once(['.', '[']).map_or(argument, |(parameter, _)| parameter);
            format!("`{parameter}`: {message}")
        }
        // The message quotes the function.
        None if location.starts_with("functions") => message.clone(),
        // Only `--at` adds values.
        None if location.starts_with("also_at") => format!("--at: {message}"),
        None => format!("{location}: {message}"),
    }
}

/// Whether the path of a function, which begins with the name of its suite, contains one of the filters. Without filters, all do.
pub(crate) fn is_selected(filters: &[String], suite: &str, function: &str) -> bool {
    let path = format!("{suite}::{function}");
    filters.is_empty() || filters.iter().any(|filter| path.contains(filter.as_str()))
}

/// The functions whose path contains one of the filters, in the order of the suites; all without filters. The path may begin with
/// the name of the suite, as in `demo::sorting`.
///
/// # Errors
/// If no function matches.
pub(crate) fn matching<'s>(suites: &'s [OpenedSuite], filters: &[String]) -> Result<Vec<SelectedFunction<'s>>> {
    let matches = |suite: &Suite, function: &Function| is_selected(filters, &suite.name, &function.path);
    let all = suites
        .iter()
        .flat_map(|OpenedSuite { suite, .. }| suite.suite().functions.iter().map(move |function| (suite, function)));
    let chosen: Vec<SelectedFunction<'s>> = all
        .filter(|(suite, function)| matches(suite.suite(), function))
        .map(|(suite, function)| SelectedFunction { suite, function })
        .collect();
    if chosen.is_empty() && filters.is_empty() {
        bail!("the suites contain no functions. Annotate one with `#[measured]`");
    }
    if chosen.is_empty() {
        let similar = filters.iter().find_map(|filter| similar_name(suites, filter));
        bail!("no function matches {}. {}", filters.join(", "), advice(similar));
    }
    Ok(chosen)
}

/// The one function with this path, or with this name if it is unique.
///
/// # Errors
/// If there is none, or if several functions have the name.
pub(crate) fn named<'s>(suites: &'s [OpenedSuite], name: &str) -> Result<SelectedFunction<'s>> {
    let all = matching(suites, &[])?;
    let path = |one: &SelectedFunction<'_>| format!("{}::{}", one.suite.suite().name, one.function.path);
    let exact = all.iter().filter(|one| one.function.path == name || path(one) == name).collect::<Vec<_>>();
    let of_name = || all.iter().filter(|one| one.function.name() == name).collect();
    let candidates: Vec<&SelectedFunction<'s>> = if exact.is_empty() { of_name() } else { exact };
    match candidates.as_slice() {
        [one] => Ok(**one),
        [] => bail!("there is no function `{name}`. {}", advice(similar_name(suites, name))),
        several => {
            let paths: Vec<String> = several.iter().map(|one| path(one)).collect();
            bail!("`{name}` is ambiguous: {}. Use the full path", paths.join(", "))
        }
    }
}

/// The cargo target of a suite.
pub(crate) fn target_of<'s>(suites: &'s [OpenedSuite], suite: &NativeSuite) -> Option<&'s SuiteTarget> {
    suites.iter().find(|opened| opened.suite.suite().name == suite.suite().name).map(|opened| &opened.target)
}

/// The similarity from which on a name is suggested, as clap does for options.
const SIMILAR: f64 = 0.8;

/// The name of the function that is most similar to a misspelt one.
fn similar_name<'s>(suites: &'s [OpenedSuite], name: &str) -> Option<&'s str> {
    most_similar(suites.iter().flat_map(|opened| &opened.suite.suite().functions).map(Function::name), name)
}

fn most_similar<'n>(names: impl Iterator<Item = &'n str>, wanted: &str) -> Option<&'n str> {
    let wanted = wanted.rsplit("::").next().unwrap_or(wanted);
    let similar = names.map(|name| (strsim::jaro_winkler(name, wanted), name));
    let best = similar.max_by(|(one, _), (other, _)| one.total_cmp(other));
    best.filter(|(similarity, _)| *similarity >= SIMILAR).map(|(_, name)| name)
}

fn advice(similar: Option<&str>) -> String {
    let similar = similar.map(|name| format!("Did you mean `{name}`? ")).unwrap_or_default();
    format!("{similar}`{}` lists all functions", AdvisedCommand::List)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_gets_a_suggestion() {
        let names = ["longest_word", "word_counts", "sort<u32>"];
        for (wanted, expected) in [
            ("longest_wrod", Some("longest_word")),
            ("text::word_count", Some("word_counts")),
            ("sort", Some("sort<u32>")),
            ("parse", None),
        ] {
            assert_eq!(most_similar(names.into_iter(), wanted), expected, "{wanted}");
        }
        assert_eq!(advice(Some("sort")), "Did you mean `sort`? `cargo benchbook list` lists all functions");
        assert_eq!(advice(None), "`cargo benchbook list` lists all functions");
    }
}
