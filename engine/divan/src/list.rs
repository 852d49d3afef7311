//! The benchmarks of a program as functions and generators of the catalog.
//!
//! Benchmarks of a module with the same parameters share a generator, and can be compared.

use std::collections::{BTreeMap, BTreeSet};

use benchbook_contract::catalog::{Function, Generator, Mode};
use benchbook_contract::parameter::{Argument, Arguments, Parameter};
use benchbook_suite::__private::{
    BenchmarkGenerators, IgnoredSetting, PRECISION_REPLACEMENT, input_parameter, inventory, is_input,
};

use crate::entry::{BenchEntry, BenchInstance, GroupEntry, Purpose, Visit};
use crate::options::BenchOptions;
use crate::settings::CYCLES_REPLACEMENT;

/// The path of the generator of benchmarks in the root of the crate.
const WITHOUT_MODULE: &str = "benchmarks";

/// The value of the parameter `threads` that stands for one thread per core.
const ALL_CORES: &str = "one per core";

const NO_BENCHMARKS: &str = "the program has no benchmarks to measure: write #[divan::bench] above a function";

/// A function of the catalog: a benchmark with one of its types.
pub(crate) struct ListedBenchmark {
    pub(crate) path: String,
    pub(crate) entry: &'static BenchEntry,
    pub(crate) options: BenchOptions,
    /// One for each constant.
    instances: Vec<&'static BenchInstance>,
    constants: InputList,
    arguments: InputList,
    threads: InputList,
    /// The generator's path starts with it.
    module: String,
}

/// The values of a parameter. It is one only if there are several.
struct InputList {
    name: String,
    description: &'static str,
    values: Vec<String>,
}

/// One value of each parameter.
pub(crate) struct ChosenInputs {
    pub(crate) instance: &'static BenchInstance,
    pub(crate) argument: Option<String>,
    /// 0 stands for one per core.
    pub(crate) threads: usize,
}

/// The benchmarks of a program.
pub(crate) struct BenchmarkList {
    /// By path.
    pub(crate) benchmarks: BTreeMap<String, ListedBenchmark>,
    /// The benchmarks that are not measured, each with the reason.
    pub(crate) omitted: Vec<String>,
}

impl BenchmarkList {
    /// Lists the registered benchmarks of a program, whose crate has this name.
    ///
    /// # Errors
    /// If two have the same path, or two values of a parameter look the same.
    pub(crate) fn registered(crate_name: &str) -> Result<Self, String> {
        Self::of(inventory::iter::<BenchEntry>, inventory::iter::<GroupEntry>, crate_name)
    }

    /// As [`Self::registered`], for the given entries.
    pub(crate) fn of(
        entries: impl IntoIterator<Item = &'static BenchEntry>,
        groups: impl IntoIterator<Item = &'static GroupEntry>,
        crate_name: &str,
    ) -> Result<Self, String> {
        let groups: BTreeMap<&str, &GroupEntry> = groups.into_iter().map(|group| (group.module, group)).collect();
        let mut list = Self { benchmarks: BTreeMap::new(), omitted: Vec::new() };
        let mut entries: Vec<&'static BenchEntry> = entries.into_iter().collect();
        entries.sort_by_key(|entry| (entry.module, entry.file, entry.line));
        for entry in entries {
            list.add(entry, &groups, crate_name)?;
        }
        Ok(list)
    }

    fn add(
        &mut self,
        entry: &'static BenchEntry,
        groups: &BTreeMap<&str, &GroupEntry>,
        crate_name: &str,
    ) -> Result<(), String> {
        let module = ModulePath::of(entry.module, groups, crate_name);
        let options =
            module.groups.iter().rev().fold((entry.options)(), |options, group| options.or((group.options)()));
        let path =
            if module.path.is_empty() { entry.name.to_owned() } else { format!("{}::{}", module.path, entry.name) };
        if options.ignore == Some(true) {
            self.omitted.push(format!("`{path}` (ignored)"));
            return Ok(());
        }
        let listed = |instance: &&BenchInstance| instance.constant.as_ref().is_none_or(|constant| constant.is_listed);
        let instances: Vec<&'static BenchInstance> = entry.instances.iter().filter(listed).collect();
        // In the order of the list.
        let mut types: Vec<&str> = instances.iter().map(|instance| instance.type_name).collect();
        types.dedup();
        if types.is_empty() {
            self.omitted.push(format!("`{path}` (an empty list)"));
        }
        for type_name in types {
            let of_type = instances.iter().filter(|instance| instance.type_name == type_name).copied().collect();
            let listed = ListedBenchmark::new(
                format!("{path}{type_name}"),
                entry,
                options.clone(),
                of_type,
                module.path.clone(),
            )?;
            if listed.is_empty() {
                self.omitted.push(format!("`{}` (an empty list)", listed.path));
                continue;
            }
            let (file, line) = (entry.file, entry.line);
            if let Some(other) = self.benchmarks.insert(listed.path.clone(), listed) {
                return Err(format!(
                    "two benchmarks have the path `{}`: {}:{} and {file}:{line}. Rename one, such as #[divan::bench(name = \"…\")]",
                    other.path, other.entry.file, other.entry.line
                ));
            }
        }
        Ok(())
    }

    /// The functions and generators, each sorted by path.
    ///
    /// # Errors
    /// If there are no benchmarks.
    pub(crate) fn catalog(&self) -> Result<(Vec<Function>, Vec<Generator>), String> {
        if self.benchmarks.is_empty() {
            let omitted = self.omitted_note().map_or_else(String::new, |note| format!("; {note}"));
            return Err(format!("{NO_BENCHMARKS}{omitted}"));
        }
        let mut generators = BenchmarkGenerators::default();
        let functions = self.benchmarks.values().map(|listed| listed.function(&mut generators)).collect();
        Ok((functions, generators.into_sorted()))
    }

    /// A note that lists the benchmarks that are not measured; `None` if all are measured.
    pub(crate) fn omitted_note(&self) -> Option<String> {
        (!self.omitted.is_empty()).then(|| format!("not measured: {}", self.omitted.join(", ")))
    }

    /// The options without effect.
    pub(crate) fn without_effect(&self) -> BTreeSet<IgnoredSetting> {
        let options = || self.benchmarks.values().map(|listed| &listed.options);
        let names = options().flat_map(|options| options.without_effect.iter());
        let settings = names.map(|name| IgnoredSetting { replacement: PRECISION_REPLACEMENT, name });
        let has_cycles = options().any(|options| options.counted.cycles.is_some());
        let cycles = has_cycles.then_some(IgnoredSetting { replacement: CYCLES_REPLACEMENT, name: "cycles_count" });
        settings.chain(cycles).collect()
    }
}

/// The path of a module in the catalog, with the groups around it.
struct ModulePath<'g> {
    path: String,
    /// The outermost first.
    groups: Vec<&'g GroupEntry>,
}

impl<'g> ModulePath<'g> {
    fn of(module: &str, groups: &BTreeMap<&str, &'g GroupEntry>, crate_name: &str) -> Self {
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
                names.push(group.and_then(|group| group.name).unwrap_or_else(|| segment.trim_start_matches("r#")));
            }
        }
        Self { path: names.join("::"), groups: around }
    }
}

impl ListedBenchmark {
    fn new(
        path: String,
        entry: &'static BenchEntry,
        options: BenchOptions,
        instances: Vec<&'static BenchInstance>,
        module: String,
    ) -> Result<Self, String> {
        let constants = instances.iter().filter_map(|instance| Some((instance.constant.as_ref()?.text)()));
        let mut arguments = Vec::new();
        if let Some(instance) = instances.first() {
            (instance.visit)(Visit(Purpose::List(&mut arguments)));
        }
        let threads = options.threads.clone().unwrap_or_else(|| vec![1]);
        let threads = threads.iter().map(|count| if *count == 0 { ALL_CORES.to_owned() } else { count.to_string() });
        let constants = InputList::new(entry.constant, "Constant parameter.", constants.collect());
        let mut arguments = InputList::new(entry.argument, "Argument.", arguments);
        if arguments.name == constants.name {
            arguments.name.push_str(" (argument)");
        }
        let mut threads =
            InputList::new("threads", "Threads that call the function at the same time.", threads.collect());
        if [&constants.name, &arguments.name].contains(&&threads.name) {
            threads.name.push_str(" (divan)");
        }
        for list in [&constants, &arguments] {
            if let Some(again) = list.repeated() {
                return Err(format!(
                    "two values of `{}` are `{again}` in the benchmark `{path}` ({}:{}): remove one, or give them different texts",
                    list.name, entry.file, entry.line
                ));
            }
        }
        Ok(Self { path, entry, options, instances, constants, arguments, threads, module })
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
            argument: self.arguments.values.get(argument).cloned(),
            threads: threads.parse().unwrap_or(0),
        })
    }
}

impl InputList {
    fn new(name: &str, description: &'static str, values: Vec<String>) -> Self {
        Self { name: name.to_owned(), description, values }
    }

    fn repeated(&self) -> Option<&str> {
        let mut seen = BTreeSet::new();
        self.values.iter().map(String::as_str).find(|value| !seen.insert(*value))
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
