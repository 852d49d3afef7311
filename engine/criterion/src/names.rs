//! The functions of the catalog to which the benchmarks of a program belong.
//!
//! Benchmarks that differ only in their input are one function, also if several targets add to it. criterion accepts everything else as
//! well: of two benchmarks with the same name, it numbers the second. So does this, in the order in which a run of the program reaches
//! them.
//!
//! A function lists all targets that can influence its name, so that a run of only these targets finds it under the same name.

use std::collections::BTreeMap;

use benchbook_suite::__private::is_number;

use crate::found::FoundBenchmark;

/// The names that a run of the program has given so far.
#[derive(Clone, Default)]
pub(crate) struct Names {
    functions: BTreeMap<FunctionName, NamedFunction>,
    /// The function of each benchmark, by its path with its parameter.
    by_full_path: BTreeMap<String, FunctionName>,
}

/// What identifies a function. A benchmark without a parameter never belongs to a function with inputs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FunctionName {
    pub(crate) path: String,
    has_inputs: bool,
}

/// A function with the benchmarks found so far.
#[derive(Clone)]
pub(crate) struct NamedFunction {
    pub(crate) first: FoundBenchmark,
    /// In the order of the program.
    pub(crate) inputs: Vec<String>,
    /// The targets that a run needs to find it under this name.
    pub(crate) targets: Vec<String>,
    /// The targets of its benchmarks.
    parts: Vec<String>,
    /// Why it is numbered; absent if it is not.
    note: Option<String>,
}

impl FunctionName {
    /// * `number`: 1 for the name in the program.
    fn new(benchmark: &FoundBenchmark, number: u32) -> Self {
        let path = benchmark.path();
        let path = if number == 1 { path } else { format!("{path}_{number}") };
        Self { path, has_inputs: benchmark.input().is_some() }
    }

    /// The path with the input of a benchmark.
    pub(crate) fn with_input(&self, input: Option<&str>) -> String {
        input.map_or_else(|| self.path.clone(), |input| format!("{}/{input}", self.path))
    }
}

impl Names {
    /// Adds a benchmark that the run has reached, and returns the name of its function.
    pub(crate) fn add(&mut self, benchmark: &FoundBenchmark) -> FunctionName {
        let (mut targets, mut note) = (Vec::new(), None);
        let mut number = 1;
        let name = loop {
            let name = FunctionName::new(benchmark, number);
            let Some((other, reason)) = self.obstacle(&name, benchmark) else { break name };
            note.get_or_insert(reason);
            targets.extend(other.targets.iter().cloned());
            number += 1;
        };
        targets.push(benchmark.target.clone());
        let note = note.map(|reason| format!("{reason} is listed as `{}`. Rename one to choose its name", name.path));
        let function = self.functions.entry(name.clone()).or_insert_with(|| NamedFunction {
            first: benchmark.clone(),
            inputs: Vec::new(),
            targets: Vec::new(),
            parts: Vec::new(),
            note,
        });
        function.inputs.extend(benchmark.input().map(str::to_owned));
        for target in targets.into_iter().filter(|target| !target.is_empty()) {
            if !function.targets.contains(&target) {
                function.targets.push(target);
            }
        }
        if !function.parts.contains(&benchmark.target) {
            function.parts.push(benchmark.target.clone());
        }
        self.by_full_path.insert(name.with_input(benchmark.input()), name.clone());
        name
    }

    /// The function that prevents a benchmark from having a name, and the beginning of a note about it.
    fn obstacle(&self, name: &FunctionName, benchmark: &FoundBenchmark) -> Option<(&NamedFunction, String)> {
        let full_path = name.with_input(benchmark.input());
        if let Some(owner) = self.by_full_path.get(&full_path) {
            let other = &self.functions[owner];
            let (one, next) = (other.first.place(), benchmark.place());
            return Some((other, format!("two benchmarks are named `{full_path}`: {one} and {next}. The second")));
        }
        let (other, input) = (self.functions.get(name)?, benchmark.input()?);
        let is_of_same_kind = || other.inputs.iter().all(|input| is_number(input)) == is_number(input);
        if other.parts.contains(&benchmark.target) || is_of_same_kind() {
            return None;
        }
        let (path, one, next) = (&name.path, other.first.place(), benchmark.place());
        Some((other, format!("only some inputs of `{path}` are numbers: {one} and {next}. The second part")))
    }

    /// The functions, each with its path in the catalog.
    pub(crate) fn functions(&self) -> impl Iterator<Item = (String, &NamedFunction)> {
        self.functions.iter().map(|(name, function)| {
            let path = match function.inputs.as_slice() {
                [] => name.path.clone(),
                [only] => name.with_input(Some(only)),
                // A benchmark without an input may have the name alone.
                _ if self.by_full_path.contains_key(&name.path) => function_of_inputs(&name.path),
                _ => name.path.clone(),
            };
            (path, function)
        })
    }

    /// A note for each numbered function.
    pub(crate) fn notes(&self) -> impl Iterator<Item = String> {
        self.functions.values().filter_map(|function| function.note.clone())
    }
}

/// The path of a function with several inputs, if a benchmark without an input has the same name.
pub(crate) fn function_of_inputs(path: &str) -> String {
    format!("{path}/{{input}}")
}
