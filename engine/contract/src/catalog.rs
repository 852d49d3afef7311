//! The catalog: how a suite describes itself.

mod check;

use serde::{Deserialize, Serialize};

use crate::parameter::Parameter;

/// All that a host needs to know of a suite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Suite {
    /// The name given to `suite!`.
    pub name: String,
    /// The version of the suite's crate.
    pub version: String,
    /// How it was compiled.
    pub build: Build,
    /// The measured functions, by path.
    pub functions: Vec<Function>,
    /// The generators bound to them, by path.
    pub generators: Vec<Generator>,
}

/// The build card: how a suite was compiled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Build {
    /// The compiler, such as `rustc 1.95.0 (59807616e 2026-04-14)`.
    pub rustc: String,
    /// The target triple.
    pub target: String,
    /// The optimisation level, as Cargo names it: `3`, `s`, `0`, …
    pub opt_level: String,
    /// Whether overflow checks and debug assertions are compiled in: figures of such a build mislead.
    pub debug_assertions: bool,
    /// The target features that the compiler was allowed to use, such as `simd128`.
    pub target_features: Vec<String>,
}

/// A measured function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Function {
    /// Module path and name. The suite's own crate is left out, other crates are named: `sorting::sort_unstable`.
    pub path: String,
    /// As rustfmt would print it, without visibility.
    pub signature: String,
    /// The doc comment, Markdown; empty where there is none.
    pub docs: String,
    /// The source file, as the compiler was given it.
    pub file: String,
    /// The line of the attribute, counted from 1.
    pub line: u32,
    /// Paths of the generators that prepare its workloads; the first is chosen at first.
    pub generators: Vec<String>,
    /// Whether only a native runner can measure it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub native: bool,
    /// Functions of a suite with the same text here do the same work: their outputs on the same input are equal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alternatives: Option<String>,
}

/// A generator of workloads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Generator {
    /// Module path and name, as for functions.
    pub path: String,
    /// What the page calls it.
    pub name: String,
    /// The doc comment, Markdown; empty where there is none.
    pub docs: String,
    /// How it hands out inputs.
    pub mode: Mode,
    /// Its controls, in the order of its parameters.
    pub parameters: Vec<Parameter>,
    /// Whether only a native runner can run it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub native: bool,
}

/// How a generator hands out inputs; the type that it returns says which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// An input for each call.
    Fresh,
    /// A few inputs that are kept.
    Shared,
    /// Several prepared calls; a batch is whole rounds of them.
    Calls,
}

impl Suite {
    /// The function at `path`.
    pub fn function(&self, path: &str) -> Option<&Function> {
        self.functions.iter().find(|function| function.path == path)
    }

    /// The generator at `path`.
    pub fn generator(&self, path: &str) -> Option<&Generator> {
        self.generators.iter().find(|generator| generator.path == path)
    }
}

impl Function {
    /// The last part of its path.
    pub fn name(&self) -> &str {
        self.path.rsplit("::").next().unwrap_or(&self.path)
    }

    /// What of its path stands before the name; empty where there is nothing.
    pub fn module(&self) -> &str {
        self.path.rsplit_once("::").map_or("", |(module, _)| module)
    }
}

impl Generator {
    /// The parameter called `name`.
    pub fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }

    /// The parameter that is the axis at first: the first with a default range.
    pub fn default_axis(&self) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.numeric().is_some_and(|n| n.axis && n.has_default_range()))
    }
}

fn is_false(value: &bool) -> bool {
    !value
}
