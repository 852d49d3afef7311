//! Declarations: what `#[measured]` and `#[generator]` register, and the catalog that it adds up to.

use std::collections::BTreeMap;

use benchbook_contract::catalog::{Function, Generator, Suite};
use benchbook_contract::compilation::build_card;

use crate::collect::binding::Binding;
use crate::generator::GeneratorSource;
use crate::identity::Identity;

/// A measured function, as `#[measured]` registers it.
pub struct FunctionEntry {
    /// Crate, modules and name.
    pub path: &'static str,
    /// As rustfmt prints it.
    pub signature: &'static str,
    /// The doc comment.
    pub docs: &'static str,
    /// The source file.
    pub file: &'static str,
    /// The line of the attribute.
    pub line: u32,
    /// Whether only a native runner can measure it.
    pub native: bool,
    /// What its alternatives have in common.
    pub alternatives: Option<&'static str>,
    /// Its generators.
    pub bindings: &'static [Binding],
}

inventory::collect!(FunctionEntry);

/// Stands for the body of what is declared `native` where it is compiled to wasm.
pub fn native_only() -> ! {
    panic!("declared native: only a native runner can run this")
}

/// The registered functions, by their path in the catalog.
pub(crate) struct Declared {
    identity: Identity,
    functions: BTreeMap<String, &'static FunctionEntry>,
}

impl Declared {
    /// Gathers what was registered.
    ///
    /// # Errors
    /// Where two functions have one path, or none is there.
    pub(crate) fn gather(identity: Identity) -> Result<Self, String> {
        Self::of(identity, inventory::iter::<FunctionEntry>)
    }

    /// The same for any entries.
    pub(crate) fn of(
        identity: Identity,
        entries: impl IntoIterator<Item = &'static FunctionEntry>,
    ) -> Result<Self, String> {
        let mut functions = BTreeMap::new();
        for entry in entries {
            let path = identity.shorten(entry.path);
            if let Some(other) = functions.insert(path.clone(), entry) {
                return Err(format!(
                    "two functions have the path `{path}`: {}:{} and {}:{}; rename one or move it into a module",
                    other.file, other.line, entry.file, entry.line
                ));
            }
        }
        match functions.is_empty() {
            true => Err(EMPTY.to_owned()),
            false => Ok(Self { identity, functions }),
        }
    }

    /// The function at `path`.
    pub(crate) fn function(&self, path: &str) -> Option<&'static FunctionEntry> {
        self.functions.get(path).copied()
    }

    /// The binding of `function` to the generator at `path`.
    pub(crate) fn binding(&self, function: &'static FunctionEntry, path: &str) -> Option<&'static Binding> {
        function.bindings.iter().find(|binding| self.identity.shorten(binding.generator.path) == path)
    }

    /// The suite as it describes itself.
    pub(crate) fn catalog(&self) -> Suite {
        Suite {
            name: self.identity.name.to_owned(),
            version: self.identity.version.to_owned(),
            build: build_card(),
            functions: self.functions.iter().map(|(path, entry)| self.function_card(path, entry)).collect(),
            generators: self.generator_cards(),
        }
    }

    fn function_card(&self, path: &str, entry: &FunctionEntry) -> Function {
        Function {
            path: path.to_owned(),
            signature: entry.signature.to_owned(),
            docs: entry.docs.to_owned(),
            file: entry.file.to_owned(),
            line: entry.line,
            generators: entry.bindings.iter().map(|binding| self.identity.shorten(binding.generator.path)).collect(),
            native: entry.native,
            alternatives: entry.alternatives.map(str::to_owned),
        }
    }

    fn generator_cards(&self) -> Vec<Generator> {
        let sources = self.functions.values().flat_map(|entry| entry.bindings).map(|binding| binding.generator);
        let by_path: BTreeMap<_, _> = sources.map(|source| (self.identity.shorten(source.path), source)).collect();
        let card = |(path, source): (String, &GeneratorSource)| Generator {
            path,
            name: source.name.to_owned(),
            docs: source.docs.to_owned(),
            mode: source.mode,
            parameters: (source.parameters)(),
            native: source.native,
        };
        by_path.into_iter().map(card).collect()
    }
}

const EMPTY: &str = "the suite has no functions: annotate some with #[measured]; if there are some, they were lost in \
    linking: build wasm with lto = \"thin\", and name a function of each library crate that holds measured ones";

#[cfg(test)]
mod tests;
