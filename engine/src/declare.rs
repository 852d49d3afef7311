//! Declarations: what `#[measured]` and `#[generator]` register, and the catalog that it adds up to.

use std::collections::BTreeMap;

use crate::catalog::{Build, Function, Generator as GeneratorCard, Mode, Suite};
use crate::collect::binding::Binding;
use crate::entry::Identity;
use crate::parameter::{Arguments, ChoiceOption, Parameter};
use crate::service::Service;
use crate::workload::Workload;

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

/// A generator; `#[generator]` implements it for a type with the function's name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a generator",
    label = "name a function that has `#[generator]` above it"
)]
pub trait Generator: 'static {
    /// What it prepares.
    type Workload: Workload;
    /// What it is.
    const SOURCE: GeneratorSource;
    /// Calls the generator with the arguments.
    ///
    /// # Errors
    /// Where an argument is missing or has another type: the host sent what its plan should have refused.
    fn prepare(service: &Service, arguments: &Arguments) -> Result<Self::Workload, String>;
}

/// What a generator is.
pub struct GeneratorSource {
    /// Crate, modules and name.
    pub path: &'static str,
    /// What the page calls it.
    pub name: &'static str,
    /// The doc comment.
    pub docs: &'static str,
    /// How it hands out inputs.
    pub mode: Mode,
    /// Whether only a native runner can run it.
    pub native: bool,
    /// Its parameters.
    pub parameters: fn() -> Vec<Parameter>,
}

/// An enum of unit variants that can be a parameter; derive it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter",
    label = "use u32, u64, i32, i64, usize, f32, f64, bool, String, or an enum with #[derive(Choice)]"
)]
pub trait Choice: Sized {
    /// Names and doc comments of the variants.
    const OPTIONS: &'static [(&'static str, &'static str)];
    /// The variant called `name`.
    fn from_name(name: &str) -> Option<Self>;
    /// The options as the catalog lists them.
    fn options() -> Vec<ChoiceOption> {
        let option = |&(name, description): &(&str, &str)| ChoiceOption {
            name: name.to_owned(),
            description: description.to_owned(),
        };
        Self::OPTIONS.iter().map(option).collect()
    }
}

impl Choice for bool {
    const OPTIONS: &'static [(&'static str, &'static str)] = &[("false", "No."), ("true", "Yes.")];

    fn from_name(name: &str) -> Option<Self> {
        name.parse().ok()
    }
}

/// Stops the compilation if a choice's default is not one of its options.
#[track_caller]
pub const fn check_choice_default<C: Choice>(default: &str) {
    let mut index = 0;
    while index < C::OPTIONS.len() {
        if same(C::OPTIONS[index].0.as_bytes(), default.as_bytes()) {
            return;
        }
        index += 1;
    }
    panic!("the default is not a variant of the choice: write the name of one, such as default = \"Random\"");
}

const fn same(one: &[u8], other: &[u8]) -> bool {
    let mut index = 0;
    if one.len() != other.len() {
        return false;
    }
    while index < one.len() {
        if one[index] != other[index] {
            return false;
        }
        index += 1;
    }
    true
}

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
            build: build(),
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

    fn generator_cards(&self) -> Vec<GeneratorCard> {
        let sources = self.functions.values().flat_map(|entry| entry.bindings).map(|binding| binding.generator);
        let by_path: BTreeMap<_, _> = sources.map(|source| (self.identity.shorten(source.path), source)).collect();
        let card = |(path, source): (String, &GeneratorSource)| GeneratorCard {
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

fn build() -> Build {
    Build {
        rustc: env!("BENCHBOOK_RUSTC").to_owned(),
        target: env!("BENCHBOOK_TARGET").to_owned(),
        opt_level: env!("BENCHBOOK_OPT_LEVEL").to_owned(),
        debug_assertions: cfg!(debug_assertions),
        target_features: env!("BENCHBOOK_TARGET_FEATURES")
            .split(',')
            .filter(|feature| !feature.is_empty())
            .map(str::to_owned)
            .collect(),
    }
}

#[cfg(test)]
mod tests;
