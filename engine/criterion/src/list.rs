//! The benchmarks of a program as functions and generators of the catalog.
//!
//! A group is a generator. If its benchmarks have inputs, they are the values of its parameter `input`: numbers if all of them are,
//! otherwise a choice. Functions of a group with other inputs get a generator of their own.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use benchbook_contract::catalog::{Function, Generator, Mode};
use benchbook_contract::parameter::Parameter;
use benchbook_suite::__private::{BenchmarkGenerators, input_parameter};

use crate::found::FoundBenchmark;

/// The name of the parameter of a group.
pub(crate) const INPUT: &str = "input";

/// The path of the generator of benchmarks that have neither a target nor a group.
const WITHOUT_TARGET: &str = "benchmarks";

const NO_BENCHMARKS: &str =
    "the program has no benchmarks: call `bench_function` in a function that `criterion_group!` names";

/// The functions and generators of benchmarks, each sorted by path.
///
/// # Errors
/// If two benchmarks have the same name, or if `found` is empty.
pub(crate) fn catalog(found: &[FoundBenchmark]) -> Result<(Vec<Function>, Vec<Generator>), String> {
    if found.is_empty() {
        return Err(NO_BENCHMARKS.to_owned());
    }
    let mut functions = BTreeMap::new();
    for listed in by_function(found)? {
        match functions.entry(listed.path()) {
            Entry::Vacant(entry) => entry.insert(listed),
            Entry::Occupied(entry) => return Err(same_name(entry.key(), entry.get().first, listed.first)),
        };
    }
    let mut generators = BenchmarkGenerators::default();
    let functions = functions.into_iter().map(|(path, listed)| listed.function(path, &mut generators)).collect();
    Ok((functions, generators.into_sorted()))
}

fn same_name(name: &str, one: &FoundBenchmark, other: &FoundBenchmark) -> String {
    format!("two benchmarks have the name `{name}`: {} and {}. Rename one", one.location, other.location)
}

/// A function with the inputs that its benchmarks have.
struct ListedFunction<'f> {
    first: &'f FoundBenchmark,
    /// In the order of the program; empty for a function with fewer than two.
    inputs: Vec<&'f str>,
}

/// The functions: benchmarks that differ only in their input are one.
fn by_function(found: &[FoundBenchmark]) -> Result<Vec<ListedFunction<'_>>, String> {
    let mut functions: BTreeMap<_, ListedFunction<'_>> = BTreeMap::new();
    for benchmark in found {
        let key = (&benchmark.target, benchmark.path(), benchmark.parameter.is_some());
        match functions.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(ListedFunction {
                    first: benchmark,
                    inputs: benchmark.parameter.as_deref().into_iter().collect(),
                });
            }
            Entry::Occupied(mut entry) => match &benchmark.parameter {
                Some(input) if !entry.get().inputs.contains(&input.as_str()) => entry.get_mut().inputs.push(input),
                _ => return Err(same_name(&benchmark.full_path(), entry.get().first, benchmark)),
            },
        }
    }
    let mut functions: Vec<ListedFunction<'_>> = functions.into_values().collect();
    for function in &mut functions {
        if function.inputs.len() == 1 {
            function.inputs.clear();
        }
    }
    Ok(functions)
}

impl ListedFunction<'_> {
    fn path(&self) -> String {
        if self.inputs.is_empty() { self.first.full_path() } else { self.first.path() }
    }

    /// The function in the catalog. Adds its generator, unless another function has the same.
    fn function(&self, path: String, generators: &mut BenchmarkGenerators) -> Function {
        let signature = match self.inputs.is_empty() {
            true => path.replace("::", "/"),
            false => format!("{}/{{{INPUT}}}", path.replace("::", "/")),
        };
        Function {
            path,
            signature,
            docs: String::new(),
            source: String::new(),
            file: self.first.location.file().to_owned(),
            line: self.first.location.line(),
            generators: vec![self.generator(generators)],
            native: false,
            alternatives: None,
        }
    }

    /// Returns the path of the generator, after adding it if necessary.
    fn generator(&self, generators: &mut BenchmarkGenerators) -> String {
        let group = match (&self.first.group, &self.first.function) {
            (Some(group), _) => group,
            (None, Some(function)) if !self.inputs.is_empty() => function,
            (None, _) => "",
        };
        let names: Vec<&str> =
            [self.first.target.as_str(), group].into_iter().filter(|name| !name.is_empty()).collect();
        let base = if names.is_empty() { WITHOUT_TARGET.to_owned() } else { names.join("::") };
        let parameters: Vec<Parameter> = input_parameter(INPUT, "Input.", &self.inputs).into_iter().collect();
        generators.path(&base, names.last().copied().unwrap_or(WITHOUT_TARGET), Mode::Shared, &parameters)
    }
}

#[cfg(test)]
mod tests {
    use std::panic::Location;

    use benchbook_contract::parameter::Kind;
    use benchbook_suite::__private::Throughput;

    use super::*;

    fn found(group: Option<&str>, function: Option<&str>, parameter: Option<&str>) -> FoundBenchmark {
        let owned = |text: &str| text.to_owned();
        FoundBenchmark {
            target: "bench".to_owned(),
            group: group.map(owned),
            function: function.map(owned),
            parameter: parameter.map(owned),
            throughput: Throughput::default(),
            location: Location::caller(),
        }
    }

    /// The paths of the functions, each with its generator and the inputs.
    fn listed(benchmarks: &[FoundBenchmark]) -> Vec<(String, String, String)> {
        let (functions, generators) = catalog(benchmarks).expect("the names are distinct");
        let inputs = |path: &str| {
            let generator = generators.iter().find(|generator| generator.path == path).expect("it is listed");
            generator.parameters.iter().map(|parameter| match &parameter.kind {
                Kind::Integer(numeric) => format!("{} {:?} {:?}", numeric.of, numeric.values, numeric.scale),
                Kind::Float(numeric) => format!("{} {:?} {:?}", numeric.of, numeric.values, numeric.scale),
                Kind::Choice { options, .. } => {
                    options.iter().map(|option| option.name.as_str()).collect::<Vec<_>>().join("|")
                }
                Kind::Text { .. } => "text".to_owned(),
            })
        };
        let row = |function: Function| {
            let generator = function.generators[0].clone();
            (function.path, generator.clone(), inputs(&generator).collect())
        };
        functions.into_iter().map(row).collect()
    }

    fn row(function: &str, generator: &str, inputs: &str) -> (String, String, String) {
        (function.to_owned(), generator.to_owned(), inputs.to_owned())
    }

    #[test]
    fn numbers_in_any_order_become_a_numeric_parameter() {
        let of = |inputs: &[&str]| {
            let benchmarks: Vec<_> = inputs.iter().map(|input| found(Some("sum"), Some("once"), Some(input))).collect();
            listed(&benchmarks).remove(0).2
        };
        assert_eq!(of(&["100", "10", "1"]), "u64 [1.0, 10.0, 100.0] Log");
        assert_eq!(of(&["-1", "0", "3"]), "i64 [-1.0, 0.0, 3.0] Linear");
        assert_eq!(of(&["0.5", "1"]), "f64 [0.5, 1.0] Linear");
        for texts in [&["10", "ten"][..], &["1", "1.0"], &["inf", "1"]] {
            assert_eq!(of(texts), texts.join("|"), "a choice, in the order of the program");
        }
    }

    #[test]
    fn functions_with_the_same_inputs_share_a_generator() {
        let mut benchmarks = Vec::new();
        for (function, inputs) in [("a", ["1", "2"]), ("b", ["1", "2"]), ("c", ["1", "3"])] {
            benchmarks.extend(inputs.map(|input| found(Some("sum"), Some(function), Some(input))));
        }
        benchmarks.push(found(Some("sum"), Some("d"), None));
        benchmarks.push(found(Some("sum"), Some("e"), Some("7")));
        benchmarks.push(found(None, Some("alone"), None));
        let expected = [
            row("alone", "bench", ""),
            row("sum::a", "bench::sum", "u64 [1.0, 2.0] Linear"),
            row("sum::b", "bench::sum", "u64 [1.0, 2.0] Linear"),
            row("sum::c", "bench::sum#2", "u64 [1.0, 3.0] Linear"),
            row("sum::d", "bench::sum#3", ""),
            row("sum::e/7", "bench::sum#3", ""),
        ];
        assert_eq!(listed(&benchmarks), expected);
    }

    #[test]
    fn equal_names_and_programs_without_benchmarks_are_reported() {
        let error = |benchmarks: &[FoundBenchmark]| catalog(benchmarks).expect_err("it is invalid");
        assert_eq!(error(&[]), NO_BENCHMARKS);
        let twice = [found(None, Some("sum"), Some("1")), found(None, Some("sum"), Some("1"))];
        assert!(error(&twice).starts_with("two benchmarks have the name `sum/1`: "), "{}", error(&twice));
        let once_in_a_group = [found(None, Some("sum"), None), found(Some("sum"), None, None)];
        assert!(error(&once_in_a_group).contains("the name `sum`"));
    }
}
