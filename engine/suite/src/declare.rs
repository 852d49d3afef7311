//! The declarations that `#[measured]` and `#[generator]` register, and the catalog made from them.

use std::collections::BTreeMap;

use benchbook_contract::catalog::{Function, Generator, Suite};
use benchbook_contract::compilation::build_card;
use benchbook_contract::protocol::{FailedPart, FailureStage, Open};

use crate::benchmarks::program::{Benchmarks, BenchmarksEntry};
use crate::collect::binding::Binding;
use crate::collect::ready_functions::BoundFunctions;
use crate::collect::slot::Slot;
use crate::generator::GeneratorSource;
use crate::identity::Identity;
use crate::service::Service;
use crate::stage;

/// A measured function, as `#[measured]` registers it.
pub struct FunctionEntry {
    /// Crate, modules and name; with the arguments of a generic function, such as `<u32>`.
    pub path: &'static str,
    /// The signature as rustfmt formats it.
    pub signature: &'static str,
    /// The doc comment.
    pub docs: &'static str,
    /// The signature and the body as their author wrote them; empty for generated code.
    pub source: &'static str,
    /// The source file.
    pub file: &'static str,
    /// The line of the attribute, or of the name in `measure!`.
    pub line: u32,
    /// Whether only a native runner can measure it.
    pub native: bool,
    /// The name of the work that this function shares with its alternatives; absent if it has no alternatives.
    pub alternatives: Option<&'static str>,
    /// Its bindings to generators.
    pub bindings: &'static [Binding],
}

inventory::collect!(FunctionEntry);

/// Replaces the body of a `native` function or generator in the wasm build.
pub fn native_only() -> ! {
    panic!("declared native: only a native runner can run this")
}

/// The registered functions, by their path in the catalog, and the benchmarks of the program.
pub(crate) struct Declarations {
    identity: Identity,
    functions: BTreeMap<String, &'static FunctionEntry>,
    benchmarks: Option<&'static dyn Benchmarks>,
}

impl Declarations {
    /// Collects all registered functions.
    ///
    /// # Errors
    /// Returns an error if two functions have the same path, or if there are neither functions nor benchmarks.
    pub(crate) fn registered(identity: Identity) -> Result<Self, String> {
        let benchmarks = inventory::iter::<BenchmarksEntry>.into_iter().next().map(|entry| entry.0);
        Self::new(identity, inventory::iter::<FunctionEntry>, benchmarks)
    }

    /// Like [`Self::registered`], for the given entries.
    pub(crate) fn new(
        identity: Identity,
        entries: impl IntoIterator<Item = &'static FunctionEntry>,
        benchmarks: Option<&'static dyn Benchmarks>,
    ) -> Result<Self, String> {
        let mut functions = BTreeMap::new();
        for entry in entries {
            let path = identity.shorten(entry.path);
            if let Some(other) = functions.insert(path.clone(), entry) {
                return Err(format!(
                    "two functions have the path `{path}`: {}:{} and {}:{}. Rename one, or move it into another module",
                    other.file, other.line, entry.file, entry.line
                ));
            }
        }
        if functions.is_empty() && benchmarks.is_none() {
            return Err(NO_FUNCTIONS.to_owned());
        }
        let declarations = Self { identity, functions, benchmarks };
        declarations.check_instances()?;
        Ok(declarations)
    }

    /// Checks that no two types have the same name in the arguments of a generic generator.
    fn check_instances(&self) -> Result<(), String> {
        let mut types = BTreeMap::new();
        for binding in self.bindings() {
            let path = self.generator_path(binding);
            let of = (binding.generator.type_name)();
            if let Some(other) = types.insert(path.clone(), of).filter(|other| *other != of) {
                return Err(format!(
                    "two generators have the path `{path}`: {other} and {of}. Give one of the types another name, such as \
                     `type Name = …;`"
                ));
            }
        }
        Ok(())
    }

    fn bindings(&self) -> impl Iterator<Item = &'static Binding> + use<'_> {
        self.functions.values().flat_map(|entry| entry.bindings)
    }

    /// Returns the catalog's path of a generator.
    fn generator_path(&self, binding: &Binding) -> String {
        self.identity.shorten(&binding.generator_path())
    }

    /// Prepares a workload for its functions.
    ///
    /// # Errors
    /// If a function does not exist or does not take it, or if the generator reports an error.
    pub(crate) fn open(&self, open: &Open, service: &Service) -> Result<Slot, String> {
        match self.benchmarks {
            Some(benchmarks) if open.functions.iter().all(|path| !self.functions.contains_key(path)) => {
                benchmarks.open(open).map(Slot::Benchmarks)
            }
            _ => self.open_bound(open, service).map(Slot::Bound),
        }
    }

    fn open_bound(&self, open: &Open, service: &Service) -> Result<BoundFunctions, String> {
        let mut functions = Vec::new();
        for path in &open.functions {
            let entry = self.functions.get(path).ok_or_else(|| format!("there is no function `{path}`"))?;
            let binding = self
                .binding(entry, &open.generator)
                .ok_or_else(|| format!("`{path}` takes no workload of `{}`", open.generator))?;
            functions.push(binding.loops.ok_or_else(|| format!("`{path}` is native: only a runner can measure it"))?);
        }
        let first = functions.first().ok_or_else(|| "expected at least one function".to_owned())?;
        stage::enter(FailureStage::Generator);
        let inputs = (first.open)(service, &open.arguments)?;
        Ok(BoundFunctions { inputs, functions })
    }

    /// Returns the binding of `function` to the generator with this path.
    fn binding(&self, function: &'static FunctionEntry, path: &str) -> Option<&'static Binding> {
        function.bindings.iter().find(|binding| self.generator_path(binding) == path)
    }

    /// Returns the catalog. `without`: parts of the program that failed in earlier instances.
    ///
    /// # Errors
    /// Says why the benchmarks of the program cannot be listed.
    pub(crate) fn catalog(&self, without: &[FailedPart]) -> Result<Suite, String> {
        let mut functions: Vec<_> =
            self.functions.iter().map(|(path, entry)| self.catalog_function(path, entry)).collect();
        let mut generators = self.catalog_generators();
        let mut notes = Vec::new();
        if let Some(benchmarks) = self.benchmarks {
            let found = benchmarks.find(without)?;
            functions.extend(found.functions);
            functions.sort_by(|one, other| one.path.cmp(&other.path));
            generators.extend(found.generators);
            generators.sort_by(|one, other| one.path.cmp(&other.path));
            notes = found.notes;
        }
        Ok(Suite {
            name: self.identity.name.to_owned(),
            version: self.identity.version.to_owned(),
            build: build_card(),
            functions,
            generators,
            notes,
        })
    }

    fn catalog_function(&self, path: &str, entry: &FunctionEntry) -> Function {
        Function {
            path: path.to_owned(),
            signature: entry.signature.to_owned(),
            docs: entry.docs.to_owned(),
            source: entry.source.to_owned(),
            file: entry.file.to_owned(),
            line: entry.line,
            generators: self.generators_of(entry),
            native: entry.native,
            alternatives: entry.alternatives.map(str::to_owned),
        }
    }

    /// Returns the paths of a function's generators. One that is named and part of a list, too, is listed once.
    fn generators_of(&self, entry: &FunctionEntry) -> Vec<String> {
        let mut paths = Vec::with_capacity(entry.bindings.len());
        for path in entry.bindings.iter().map(|binding| self.generator_path(binding)) {
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        paths
    }

    fn catalog_generators(&self) -> Vec<Generator> {
        let by_path: BTreeMap<_, _> =
            self.bindings().map(|binding| (self.generator_path(binding), binding.generator)).collect();
        let generator = |(path, source): (String, &GeneratorSource)| Generator {
            path,
            name: source.name.to_owned(),
            docs: source.docs.to_owned(),
            mode: source.mode,
            parameters: (source.parameters)(),
            native: source.native,
            source_hash: source.source_hash.to_owned(),
        };
        by_path.into_iter().map(generator).collect()
    }
}

const NO_FUNCTIONS: &str = "the suite has no functions. Annotate some with #[measured]. If there are some, the linker \
    removed them: build wasm with lto = \"thin\", and refer to a function of each library crate that has measured \
    functions";

#[cfg(test)]
mod tests;
