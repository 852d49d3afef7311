//! The benchmarks of a program as functions and generators of the catalog.
//!
//! A group is a generator. If its benchmarks have inputs, they are the values of its parameter `input`: numbers if all of them are,
//! otherwise a choice. Functions of a group with other inputs get a generator of their own.
//!
//! The path of a generator starts with the targets of its functions, so that a measurement runs only these.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use benchbook_contract::catalog::{Function, Generator, MAX_NAME, Mode, listed_name};
use benchbook_contract::parameter::Parameter;
use benchbook_suite::__private::{BenchmarkGenerators, input_parameter};

use crate::names::{NamedFunction, Names};

/// The name of the parameter of a group.
pub(crate) const INPUT: &str = "input";

/// Between the targets in the path of a generator: the name of a target contains no spaces.
const BETWEEN_TARGETS: &str = " + ";

/// The path of the generator of benchmarks that have neither a target nor a group.
const WITHOUT_TARGET: &str = "benchmarks";

/// The benchmarks of a program as a catalog lists them.
#[derive(Default)]
pub(crate) struct CriterionCatalog {
    /// By path.
    functions: BTreeMap<String, Function>,
    generators: BenchmarkGenerators,
    notes: Vec<String>,
}

impl CriterionCatalog {
    pub(crate) fn new(names: &Names) -> Self {
        let mut catalog = Self { notes: names.notes().collect(), ..Self::default() };
        names.functions().for_each(|(path, function)| catalog.add(&listed_name(&path), function));
        catalog
    }

    fn add(&mut self, path: &str, named: &NamedFunction) {
        let location = named.first.location;
        let entry = match self.functions.entry(path.to_owned()) {
            Entry::Vacant(entry) => entry,
            Entry::Occupied(_) => {
                self.notes.push(format!(
                    "`{path}` ({location}) is omitted, since another benchmark is listed under this name. Rename it"
                ));
                return;
            }
        };
        let inputs: Vec<&str> = named.inputs.iter().map(String::as_str).collect();
        // A single input is a part of the path.
        let inputs = if inputs.len() == 1 { Vec::new() } else { inputs };
        let mut signature = path.replace("::", "/");
        if !inputs.is_empty() && !path.ends_with(&format!("/{{{INPUT}}}")) {
            signature += &format!("/{{{INPUT}}}");
        }
        entry.insert(Function {
            path: path.to_owned(),
            signature,
            docs: String::new(),
            source: String::new(),
            file: location.file().to_owned(),
            line: location.line(),
            generators: vec![generator(named, &inputs, &mut self.generators)],
            native: false,
            alternatives: None,
        });
    }

    /// The functions and the generators, each sorted by path, and notes.
    pub(crate) fn into_parts(self) -> (Vec<Function>, Vec<Generator>, Vec<String>) {
        (self.functions.into_values().collect(), self.generators.into_sorted(), self.notes)
    }
}

/// Returns the path of the generator of a function, after adding it if necessary.
fn generator(named: &NamedFunction, inputs: &[&str], generators: &mut BenchmarkGenerators) -> String {
    let group = match (&named.first.group, &named.first.function) {
        (Some(group), _) => group,
        (None, Some(function)) if !inputs.is_empty() => function,
        (None, _) => "",
    };
    let targets = named.targets.join(BETWEEN_TARGETS);
    let path: Vec<&str> = [targets.as_str(), group].into_iter().filter(|name| !name.is_empty()).collect();
    let base = if path.is_empty() { WITHOUT_TARGET.to_owned() } else { path.join("::") };
    let names = [group, &named.first.target, WITHOUT_TARGET];
    let name = names.into_iter().find(|name| !name.is_empty()).unwrap_or_default();
    let parameters: Vec<Parameter> = input_parameter(INPUT, "Input.", inputs).into_iter().collect();
    generators.path(&base, name, Mode::Shared, &parameters)
}

/// Whether functions with this generator can need a target. A path that was shortened may lack some.
pub(crate) fn is_of_target(generator: &str, target: &str) -> bool {
    generator.chars().count() >= MAX_NAME
        || generator.split(BETWEEN_TARGETS).any(|part| {
            let rest = part.strip_prefix(target);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::") || rest.starts_with('#'))
        })
}

#[cfg(test)]
mod tests {
    use std::panic::Location;

    use benchbook_contract::parameter::Kind;
    use benchbook_suite::__private::Throughput;

    use super::*;
    use crate::benchmark_id::BenchmarkId;
    use crate::found::FoundBenchmark;

    fn found(group: Option<&str>, function: Option<&str>, parameter: Option<&str>) -> FoundBenchmark {
        found_in("bench", group, function, parameter)
    }

    fn found_in(target: &str, group: Option<&str>, function: Option<&str>, parameter: Option<&str>) -> FoundBenchmark {
        let id = BenchmarkId { function: function.map(str::to_owned), parameter: parameter.map(str::to_owned) };
        FoundBenchmark::new(target, group, &id, Throughput::default(), Location::caller())
    }

    fn catalog(benchmarks: &[FoundBenchmark]) -> (Vec<Function>, Vec<Generator>, Vec<String>) {
        let mut names = Names::default();
        benchmarks.iter().for_each(|benchmark| _ = names.add(benchmark));
        CriterionCatalog::new(&names).into_parts()
    }

    /// The paths of the functions, each with its generator and the inputs.
    fn listed(benchmarks: &[FoundBenchmark]) -> Vec<(String, String, String)> {
        let (functions, generators, _) = catalog(benchmarks);
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

    fn notes(benchmarks: &[FoundBenchmark]) -> Vec<String> {
        catalog(benchmarks).2
    }

    #[test]
    fn a_group_of_two_targets_is_one_function_if_its_inputs_are_of_a_kind() {
        let part = |target: &str, inputs: [&str; 2]| {
            inputs.map(|input| found_in(target, Some("decode"), Some("fast"), Some(input)))
        };
        let parts = [part("small", ["10", "100"]), part("large", ["1000", "10000"])].concat();
        let all = "u64 [10.0, 100.0, 1000.0, 10000.0] Log";
        assert_eq!(listed(&parts), [row("decode::fast", "small + large::decode", all)]);
        assert!(notes(&parts).is_empty());

        let parts = [part("small", ["10", "100"]), part("texts", ["utf8", "ascii"]), part("large", ["1", "2"])];
        let expected = [
            row("decode::fast", "small + large::decode", "u64 [1.0, 2.0, 10.0, 100.0] Log"),
            row("decode::fast_2", "small + texts::decode", "utf8|ascii"),
        ];
        assert_eq!(listed(&parts.concat()), expected);
        let notes = notes(&parts.concat());
        assert!(
            notes.len() == 1 && notes[0].starts_with("only some inputs of `decode::fast` are numbers: "),
            "{notes:?}"
        );
        assert!(notes[0].ends_with("The second part is listed as `decode::fast_2`. Rename one to choose its name"));
    }

    #[test]
    fn of_equal_names_the_second_is_numbered() {
        let spin = |target: &str| found_in(target, None, Some("spin"), None);
        let spins = [spin("run::<10>"), spin("run::<1000>"), spin("run::<1000>"), found(None, Some("fine"), None)];
        let expected = [
            row("fine", "bench", ""),
            row("spin", "run::<10>", ""),
            row("spin_2", "run::<10> + run::<1000>", ""),
            row("spin_3", "run::<10> + run::<1000>", ""),
        ];
        assert_eq!(listed(&spins), expected);
        let notes = notes(&spins);
        assert!(notes.len() == 2 && notes[0].starts_with("two benchmarks are named `spin`: "), "{notes:?}");
        assert!(
            notes[0].contains("list.rs:")
                && notes[0].contains(" (`run::<10>`) and ")
                && notes[0].contains("The second is listed as `spin_2`."),
            "{notes:?}"
        );

        // The same inputs twice are two curves, and one input twice is a single point.
        let of = |inputs: &[&str]| {
            let benchmarks: Vec<_> = inputs.iter().map(|input| found(Some("sum"), Some("once"), Some(input))).collect();
            listed(&benchmarks).into_iter().map(|(path, _, inputs)| (path, inputs)).collect::<Vec<_>>()
        };
        let curve = |path: &str| (path.to_owned(), "u64 [1.0, 2.0] Linear".to_owned());
        assert_eq!(of(&["1", "2", "1", "2"]), [curve("sum::once"), curve("sum::once_2")]);
        assert_eq!(of(&["1", "2", "1"]), [curve("sum::once"), ("sum::once_2/1".to_owned(), String::new())]);
    }

    #[test]
    fn a_benchmark_without_an_input_and_others_with_inputs_may_have_one_name() {
        let with = |inputs: &[&str]| {
            let plain = found(None, Some("sum"), None);
            let others = inputs.iter().map(|input| found(None, Some("sum"), Some(input)));
            listed(&std::iter::once(plain).chain(others).collect::<Vec<_>>())
        };
        assert_eq!(with(&["1"]), [row("sum", "bench", ""), row("sum/1", "bench", "")]);
        let inputs = row("sum/{input}", "bench::sum", "u64 [1.0, 2.0] Linear");
        assert_eq!(with(&["1", "2"]), [row("sum", "bench", ""), inputs]);
    }

    #[test]
    fn names_have_their_listed_form() {
        let long = "n".repeat(2 * MAX_NAME);
        let benchmarks = [
            found(None, Some(""), None),
            found(Some("\u{1b}[2J"), Some("a\nb"), Some("")),
            found(Some("\u{1b}[2J"), Some("a\nb"), Some("\0")),
            found(Some(&long), Some(&long), None),
            found(Some(&long), Some(&format!("{long}2")), None),
        ];
        let (functions, generators, notes) = catalog(&benchmarks);
        let paths: Vec<&str> = functions.iter().map(|function| function.path.as_str()).collect();
        let [empty, escaped, one, other] = paths.as_slice() else { panic!("{paths:?}") };
        assert_eq!([*empty, *escaped], ["(empty)", "\\u{1b}[2J::a\\nb"]);
        assert!(one != other && [one, other].iter().all(|path| path.chars().count() == MAX_NAME), "{paths:?}");
        assert!(generators.iter().all(|generator| generator.path.chars().count() <= MAX_NAME));
        let Kind::Choice { options, .. } = &generators[1].parameters[0].kind else { panic!("{generators:?}") };
        assert_eq!((options[0].name.as_str(), options[1].name.as_str()), ("(empty)", "\\u{0}"));
        assert_eq!(notes, [""; 0]);
    }
}
