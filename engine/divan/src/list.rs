//! The benchmarks of a program as functions and generators of the catalog.
//!
//! Benchmarks of a module with the same parameters share a generator, and can be compared.
//!
//! Paths depend on the declarations only, so that opening a benchmark evaluates no options and lists of others.

use std::collections::{BTreeMap, BTreeSet};
use std::iter;

use benchbook_contract::catalog::{Function, Generator, Mode, listed_name};
use benchbook_contract::parameter::{Argument, Arguments, Parameter};
use benchbook_contract::protocol::FailedPart;
use benchbook_suite::__private::{
    BenchmarkGenerators, IgnoredSetting, OmittedParts, PRECISION_REPLACEMENT, input_parameter, inventory, is_input,
    list_part,
};

use crate::entry::{BenchEntry, BenchInstance, GroupEntry, Purpose, Visit};
use crate::options::BenchOptions;
use crate::settings::CYCLES_REPLACEMENT;

/// The path of the generator of benchmarks in the root of the crate.
const WITHOUT_MODULE: &str = "benchmarks";

/// The value of the parameter `threads` that stands for one thread per core.
const ALL_CORES: &str = "one per core";

const NO_BENCHMARKS: &str = "the program has no benchmarks to measure: write #[divan::bench] above a function";

/// A benchmark with one of its types, before its options and lists are evaluated.
struct DeclaredBenchmark {
    /// The path without the type.
    base: String,
    type_name: &'static str,
    entry: &'static BenchEntry,
    /// One for each constant.
    instances: Vec<&'static BenchInstance>,
    /// The generator's path starts with it.
    module: String,
    /// The groups around it, the outermost first.
    groups: Vec<&'static GroupEntry>,
}

/// A function of the catalog: a benchmark with one of its types.
pub(crate) struct ListedBenchmark {
    pub(crate) path: String,
    pub(crate) entry: &'static BenchEntry,
    pub(crate) options: BenchOptions,
    /// One for each constant.
    instances: Vec<&'static BenchInstance>,
    constants: InputList,
    arguments: InputList,
    /// The positions of the arguments in the list of the benchmark.
    positions: Vec<usize>,
    threads: InputList,
    /// The generator's path starts with it.
    module: String,
}

/// The values of a parameter. It is one only if there are several.
#[derive(Clone)]
struct InputList {
    name: String,
    description: &'static str,
    values: Vec<String>,
}

/// One value of each parameter.
pub(crate) struct ChosenInputs {
    pub(crate) instance: &'static BenchInstance,
    /// The position in the list of arguments.
    pub(crate) argument: Option<usize>,
    /// 0 stands for one per core.
    pub(crate) threads: usize,
}

/// The declared benchmarks of a program.
pub(crate) struct BenchmarkList {
    /// By path.
    declared: BTreeMap<String, DeclaredBenchmark>,
    /// Those without a type or a constant, each with the reason.
    omitted: Vec<String>,
    /// Those with the path of an earlier one.
    notes: Vec<String>,
}

/// The functions of the catalog, with everything that their options and lists contain.
#[derive(Default)]
pub(crate) struct ListedBenchmarks {
    pub(crate) benchmarks: Vec<ListedBenchmark>,
    /// The benchmarks that are not measured, each with the reason.
    pub(crate) omitted: Vec<String>,
    /// About benchmarks that are numbered.
    pub(crate) notes: Vec<String>,
}

impl BenchmarkList {
    /// Lists the registered benchmarks of a program, whose crate has this name.
    pub(crate) fn registered(crate_name: &str) -> Self {
        Self::of(inventory::iter::<BenchEntry>, inventory::iter::<GroupEntry>, crate_name)
    }

    /// As [`Self::registered`], for the given entries.
    pub(crate) fn of(
        entries: impl IntoIterator<Item = &'static BenchEntry>,
        groups: impl IntoIterator<Item = &'static GroupEntry>,
        crate_name: &str,
    ) -> Self {
        let groups: BTreeMap<&str, &'static GroupEntry> =
            groups.into_iter().map(|group| (group.module, group)).collect();
        let mut list = Self { declared: BTreeMap::new(), omitted: Vec::new(), notes: Vec::new() };
        let mut entries: Vec<&'static BenchEntry> = entries.into_iter().collect();
        entries.sort_by_key(|entry| (entry.module, entry.file, entry.line));
        for entry in entries {
            list.add(entry, &groups, crate_name);
        }
        list
    }

    fn add(&mut self, entry: &'static BenchEntry, groups: &BTreeMap<&str, &'static GroupEntry>, crate_name: &str) {
        let module = ModulePath::of(entry.module, groups, crate_name);
        let name = listed_name(entry.name);
        let path = if module.path.is_empty() { name } else { format!("{}::{name}", module.path) };
        let is_listed =
            |instance: &&BenchInstance| instance.constant.as_ref().is_none_or(|constant| constant.is_listed);
        let instances: Vec<&'static BenchInstance> = entry.instances.iter().filter(is_listed).collect();
        // In the order of the list.
        let mut types: Vec<&'static str> = Vec::new();
        for instance in &instances {
            if !types.contains(&instance.type_name) {
                types.push(instance.type_name);
            }
        }
        if types.is_empty() {
            self.omitted.push(format!("`{path}` (an empty list)"));
        }
        let same = types.iter().find_map(|type_name| self.declared.get(&listed_name(&format!("{path}{type_name}"))));
        let base = match same.map(|other| other.entry) {
            None => path,
            Some(other) => {
                let is_free = |base: &String| {
                    types.iter().all(|of| !self.declared.contains_key(&listed_name(&format!("{base}{of}"))))
                };
                let base = numbered(&path, "").find(is_free).unwrap_or_default();
                self.notes.push(format!(
                    "two benchmarks have the path `{path}`: {}:{} and {}:{}. The second is listed as `{base}`. Rename one, such as \
                     #[divan::bench(name = \"…\")]",
                    other.file, other.line, entry.file, entry.line
                ));
                base
            }
        };
        for type_name in types {
            let of_type = instances.iter().filter(|instance| instance.type_name == type_name).copied();
            let declared = DeclaredBenchmark {
                base: base.clone(),
                type_name,
                entry,
                instances: of_type.collect(),
                module: module.path.clone(),
                groups: module.groups.clone(),
            };
            self.declared.insert(declared.path(), declared);
        }
    }

    /// Evaluates the options and the lists of all benchmarks. One that panics is omitted.
    pub(crate) fn evaluate(&self, without: &[FailedPart]) -> ListedBenchmarks {
        let (omitted, notes) = (self.omitted.clone(), self.notes.clone());
        let mut listed = ListedBenchmarks { omitted, notes, ..ListedBenchmarks::default() };
        let mut omitted_parts = OmittedParts::new(without);
        for (path, declared) in &self.declared {
            if !omitted_parts.includes(path) {
                let evaluated = list_part(path, || self.evaluate_one(declared, &mut listed));
                evaluated.unwrap_or_else(|failed| omitted_parts.add(failed));
            }
        }
        listed.notes.extend(omitted_parts.notes());
        listed
    }

    /// Adds the functions of a benchmark: several if values of its lists look the same, so that each function has different ones.
    fn evaluate_one(&self, declared: &DeclaredBenchmark, listed: &mut ListedBenchmarks) {
        let DeclaredBenchmark { base, type_name, instances, .. } = declared;
        let path = declared.path();
        let options = declared.options();
        if options.ignore == Some(true) {
            return listed.omitted.push(format!("`{path}` (ignored)"));
        }
        let constants: Vec<String> = instances.iter().map(|instance| constant_text(instance)).collect();
        let mut arguments = Vec::new();
        if let Some(instance) = instances.first() {
            (instance.visit)(Visit(Purpose::List(&mut arguments)));
        }
        let arguments: Vec<String> = arguments.iter().map(|text| listed_name(text)).collect();
        let (of_constants, of_arguments) = (distinct_parts(&constants), distinct_parts(&arguments));
        let is_free = |path: &String| !self.declared.contains_key(path);
        let mut paths = iter::once(path.clone()).chain(numbered(base, type_name).filter(is_free));
        for constants_part in &of_constants {
            for arguments_part in &of_arguments {
                let Some(part_path) = paths.next() else { return };
                let instances = constants_part.iter().map(|index| instances[*index]).collect();
                let values = arguments_part.iter().map(|index| arguments[*index].clone()).collect();
                let part = ListedBenchmark::new(
                    part_path,
                    declared,
                    options.clone(),
                    instances,
                    (values, arguments_part.clone()),
                );
                if part.is_empty() {
                    listed.omitted.push(format!("`{path}` (an empty list)"));
                    continue;
                }
                if part.path != path {
                    listed.notes.push(repeated_note(&path, &part, of_constants.len() > 1));
                }
                listed.benchmarks.push(part);
            }
        }
    }

    /// Evaluates the benchmark of a function.
    ///
    /// # Errors
    /// If there is no such function.
    pub(crate) fn find(&self, path: &str) -> Result<ListedBenchmark, String> {
        let mut listed = ListedBenchmarks::default();
        match self.declared.get(path) {
            Some(declared) => self.evaluate_one(declared, &mut listed),
            None => {
                let parts = self.declared.values().filter(|declared| declared.may_have_part(path));
                parts.for_each(|declared| self.evaluate_one(declared, &mut listed));
            }
        }
        let found = listed.benchmarks.into_iter().find(|listed| listed.path == path);
        found.ok_or_else(|| format!("there is no function `{path}`"))
    }
}

impl ListedBenchmarks {
    /// The functions and generators, each sorted by path.
    ///
    /// # Errors
    /// If there are no benchmarks.
    pub(crate) fn catalog(&self) -> Result<(Vec<Function>, Vec<Generator>), String> {
        if self.benchmarks.is_empty() {
            let reasons = self.omitted_note().into_iter().chain(self.notes.iter().cloned());
            return Err(iter::once(NO_BENCHMARKS.to_owned()).chain(reasons).collect::<Vec<_>>().join("; "));
        }
        let mut generators = BenchmarkGenerators::default();
        let mut benchmarks: Vec<&ListedBenchmark> = self.benchmarks.iter().collect();
        benchmarks.sort_by_key(|listed| &listed.path);
        let functions = benchmarks.into_iter().map(|listed| listed.function(&mut generators)).collect();
        Ok((functions, generators.into_sorted()))
    }

    /// A note that lists the benchmarks that are not measured; `None` if all are measured.
    pub(crate) fn omitted_note(&self) -> Option<String> {
        (!self.omitted.is_empty()).then(|| format!("not measured: {}", self.omitted.join(", ")))
    }

    /// The options without effect.
    pub(crate) fn without_effect(&self) -> BTreeSet<IgnoredSetting> {
        let options = || self.benchmarks.iter().map(|listed| &listed.options);
        let names = options().flat_map(|options| options.without_effect.iter());
        let settings = names.map(|name| IgnoredSetting { replacement: PRECISION_REPLACEMENT, name });
        let has_cycles = options().any(|options| options.counted.cycles.is_some());
        let cycles = has_cycles.then_some(IgnoredSetting { replacement: CYCLES_REPLACEMENT, name: "cycles_count" });
        settings.chain(cycles).collect()
    }
}

/// A note about a function with the repeated values of a benchmark.
fn repeated_note(path: &str, part: &ListedBenchmark, repeats_constants: bool) -> String {
    let list = if repeats_constants { &part.constants } else { &part.arguments };
    let values = if list.name.is_empty() { "types".to_owned() } else { format!("values of `{}`", list.name) };
    let BenchEntry { file, line, .. } = part.entry;
    format!(
        "two {values} of the benchmark `{path}` ({file}:{line}) are the same text. Those that are repeated are listed as `{}`. Remove them, \
         or give them different texts",
        part.path
    )
}

/// The path of a benchmark with the numbers from 2 on.
fn numbered(base: &str, type_name: &str) -> impl Iterator<Item = String> {
    (2..).map(move |number: u32| listed_name(&format!("{base}_{number}{type_name}")))
}

/// The constant as text; empty without one.
fn constant_text(instance: &BenchInstance) -> String {
    instance.constant.as_ref().map_or_else(String::new, |constant| listed_name(&(constant.text)()))
}

/// The positions of texts in parts without equal ones: the first part has the first text of each kind. A list without texts is one part.
fn distinct_parts(texts: &[String]) -> Vec<Vec<usize>> {
    let mut parts = vec![Vec::new()];
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (position, text) in texts.iter().enumerate() {
        let count = counts.entry(text).or_default();
        if *count == parts.len() {
            parts.push(Vec::new());
        }
        parts[*count].push(position);
        *count += 1;
    }
    parts
}

/// The path of a module in the catalog, with the groups around it.
struct ModulePath {
    path: String,
    /// The outermost first.
    groups: Vec<&'static GroupEntry>,
}

impl ModulePath {
    fn of(module: &str, groups: &BTreeMap<&str, &'static GroupEntry>, crate_name: &str) -> Self {
        let (mut names, mut around, mut current) = (Vec::new(), Vec::new(), String::new());
        for (depth, segment) in module.split("::").enumerate() {
            if depth > 0 {
                current.push_str("::");
            }
            current.push_str(segment);
            let group = groups.get(current.as_str()).copied();
            around.extend(group);
            // The suite has the name of the program's crate.
            if depth > 0 || segment != crate_name {
                let name = group.and_then(|group| group.name);
                names.push(listed_name(name.unwrap_or_else(|| segment.trim_start_matches("r#"))));
            }
        }
        Self { path: names.join("::"), groups: around }
    }
}

impl DeclaredBenchmark {
    fn path(&self) -> String {
        listed_name(&format!("{}{}", self.base, self.type_name))
    }

    fn options(&self) -> BenchOptions {
        self.groups.iter().rev().fold((self.entry.options)(), |options, group| options.or((group.options)()))
    }

    /// Whether a path may be that of a numbered part.
    fn may_have_part(&self, path: &str) -> bool {
        let number = path.strip_prefix(&format!("{}_", self.base)).and_then(|rest| rest.strip_suffix(self.type_name));
        number.is_some_and(|number| number.parse::<u32>().is_ok())
    }
}

impl ListedBenchmark {
    /// * `arguments`: the texts of its arguments, and their positions in the list of the benchmark.
    fn new(
        path: String,
        declared: &DeclaredBenchmark,
        options: BenchOptions,
        instances: Vec<&'static BenchInstance>,
        (arguments, positions): (Vec<String>, Vec<usize>),
    ) -> Self {
        let entry = declared.entry;
        let has_constants = instances.iter().any(|instance| instance.constant.is_some());
        let constants =
            if has_constants { instances.iter().map(|instance| constant_text(instance)).collect() } else { Vec::new() };
        let threads = options.threads.clone().unwrap_or_else(|| vec![1]);
        let threads = threads.iter().map(|count| if *count == 0 { ALL_CORES.to_owned() } else { count.to_string() });
        let constants = InputList::new(entry.constant, "Constant parameter.", constants);
        let mut arguments = InputList::new(entry.argument, "Argument.", arguments);
        if arguments.name == constants.name {
            arguments.name.push_str(" (argument)");
        }
        let mut threads =
            InputList::new("threads", "Threads that call the function at the same time.", threads.collect());
        if [&constants.name, &arguments.name].contains(&&threads.name) {
            threads.name.push_str(" (divan)");
        }
        let module = declared.module.clone();
        Self { path, entry, options, instances, constants, arguments, positions, threads, module }
    }

    /// Whether one of its lists is empty.
    fn is_empty(&self) -> bool {
        self.instances.is_empty()
            || !self.entry.argument.is_empty() && self.arguments.values.is_empty()
            || self.threads.values.is_empty()
    }

    /// Whether several threads call it, which a browser cannot do.
    pub(crate) fn is_threaded(&self) -> bool {
        self.threads.values.iter().any(|count| count != "1")
    }

    fn function(&self, generators: &mut BenchmarkGenerators) -> Function {
        let entry = self.entry;
        let parameters: Vec<Parameter> =
            [&self.constants, &self.arguments, &self.threads].into_iter().filter_map(InputList::parameter).collect();
        let base = if self.module.is_empty() { WITHOUT_MODULE } else { &self.module };
        let name = base.rsplit("::").next().unwrap_or(base);
        let mode = if self.is_threaded() { Mode::Contended } else { Mode::Shared };
        Function {
            path: self.path.clone(),
            signature: entry.signature.to_owned(),
            docs: entry.docs.to_owned(),
            source: entry.source.to_owned(),
            file: entry.file.to_owned(),
            line: entry.line,
            generators: vec![generators.path(base, name, mode, &parameters)],
            native: self.is_threaded(),
            alternatives: None,
        }
    }

    /// The inputs that a request names.
    ///
    /// # Errors
    /// If an argument is missing or is not one of the values.
    pub(crate) fn choose(&self, arguments: &Arguments) -> Result<ChosenInputs, String> {
        let constant = self.constants.index(arguments)?;
        let argument = self.arguments.index(arguments)?;
        let threads = &self.threads.values[self.threads.index(arguments)?];
        Ok(ChosenInputs {
            instance: self.instances[constant],
            argument: self.positions.get(argument).copied(),
            threads: threads.parse().unwrap_or(0),
        })
    }
}

impl InputList {
    fn new(name: &str, description: &'static str, values: Vec<String>) -> Self {
        Self { name: name.to_owned(), description, values }
    }

    fn parameter(&self) -> Option<Parameter> {
        let values: Vec<&str> = self.values.iter().map(String::as_str).collect();
        if values.len() > 1 { input_parameter(&self.name, self.description, &values) } else { None }
    }

    /// The index of the value that a request names; 0 if this is not a parameter.
    fn index(&self, arguments: &Arguments) -> Result<usize, String> {
        if self.values.len() < 2 {
            return Ok(0);
        }
        let argument: &Argument =
            arguments.get(&self.name).ok_or_else(|| format!("the argument `{}` is missing", self.name))?;
        let index = self.values.iter().position(|value| is_input(argument, value));
        index.ok_or_else(|| format!("{argument} is not a value of `{}`", self.name))
    }
}
