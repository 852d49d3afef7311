//! The declarations that `#[measured]` and `#[generator]` register, and the catalog made from them.

use std::collections::BTreeMap;

use benchbook_contract::catalog::{Function, Generator, Suite};
use benchbook_contract::compilation::build_card;

use crate::collect::binding::Binding;
use crate::generator::GeneratorSource;
use crate::identity::Identity;

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

/// The registered functions, by their path in the catalog.
pub(crate) struct Declarations {
    identity: Identity,
    functions: BTreeMap<String, &'static FunctionEntry>,
}

impl Declarations {
    /// Collects all registered functions.
    ///
    /// # Errors
    /// Returns an error if two functions have the same path, or if there are none.
    pub(crate) fn registered(identity: Identity) -> Result<Self, String> {
        Self::new(identity, inventory::iter::<FunctionEntry>)
    }

    /// Like [`Self::registered`], for the given entries.
    pub(crate) fn new(
        identity: Identity,
        entries: impl IntoIterator<Item = &'static FunctionEntry>,
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
        if functions.is_empty() {
            return Err(NO_FUNCTIONS.to_owned());
        }
        let declarations = Self { identity, functions };
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

    /// Returns the function with this path.
    pub(crate) fn function(&self, path: &str) -> Option<&'static FunctionEntry> {
        self.functions.get(path).copied()
    }

    /// Returns the binding of `function` to the generator with this path.
    pub(crate) fn binding(&self, function: &'static FunctionEntry, path: &str) -> Option<&'static Binding> {
        function.bindings.iter().find(|binding| self.generator_path(binding) == path)
    }

    /// Returns the catalog.
    pub(crate) fn catalog(&self) -> Suite {
        Suite {
            name: self.identity.name.to_owned(),
            version: self.identity.version.to_owned(),
            build: build_card(),
            functions: self.functions.iter().map(|(path, entry)| self.catalog_function(path, entry)).collect(),
            generators: self.catalog_generators(),
        }
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
