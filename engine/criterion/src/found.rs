//! A benchmark as the program declares it, and its place in the catalog.

use std::panic::Location;

use benchbook_contract::catalog::listed_name;
use benchbook_suite::__private::Throughput;

use crate::benchmark_id::BenchmarkId;

/// A benchmark that a run of the program has reached.
#[derive(Clone, Debug)]
pub(crate) struct FoundBenchmark {
    /// The function that `criterion_group!` names; empty for a benchmark outside of such a function.
    pub(crate) target: String,
    /// The name of the group; absent for a benchmark outside of groups.
    pub(crate) group: Option<String>,
    /// The name of the function; absent if the benchmark has only a parameter.
    pub(crate) function: Option<String>,
    /// The parameter as text.
    pub(crate) parameter: Option<String>,
    /// What a call processes.
    pub(crate) throughput: Throughput,
    /// Where the program declares it.
    pub(crate) location: &'static Location<'static>,
}

impl FoundBenchmark {
    /// A benchmark with the names of the program in their listed form.
    pub(crate) fn new(
        target: &str,
        group: Option<&str>,
        id: &BenchmarkId,
        throughput: Throughput,
        location: &'static Location<'static>,
    ) -> Self {
        Self {
            target: target.to_owned(),
            group: group.map(listed_name),
            function: id.function.as_deref().map(listed_name),
            parameter: id.parameter.as_deref().map(listed_name),
            throughput,
            location,
        }
    }

    /// The group and the function, as a path in the catalog.
    pub(crate) fn path(&self) -> String {
        match (&self.group, &self.function) {
            (Some(group), Some(function)) => format!("{group}::{function}"),
            (Some(name), None) | (None, Some(name)) => name.clone(),
            (None, None) => self.parameter.clone().unwrap_or_default(),
        }
    }

    /// The place of its declaration, for a note: a generic target declares several at one place.
    pub(crate) fn place(&self) -> String {
        let Self { target, location, .. } = self;
        if target.is_empty() { location.to_string() } else { format!("{location} (`{target}`)") }
    }

    /// The parameter, unless it is the whole name.
    pub(crate) fn input(&self) -> Option<&str> {
        let has_path = self.group.is_some() || self.function.is_some();
        self.parameter.as_deref().filter(|_| has_path)
    }
}
