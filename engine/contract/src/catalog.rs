//! The catalog: a suite's description of itself.

mod check;
mod names;

use serde::{Deserialize, Serialize};

use crate::parameter::{Kind, Parameter};
pub use names::listed_name;

/// The maximum length of a name or a path, in characters.
pub const MAX_NAME: usize = 500;

/// A suite: its build, its functions and their generators.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Suite {
    /// The name given to `suite!`.
    pub name: String,
    /// The version of the suite's crate.
    pub version: String,
    /// How the suite was compiled.
    pub build: Build,
    /// The measured functions, sorted by path.
    pub functions: Vec<Function>,
    /// The generators of these functions, sorted by path.
    pub generators: Vec<Generator>,
    /// Notes for the suite's author, such as ignored settings of another harness. Tools print each after `note: `.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The build card: how a suite was compiled.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Build {
    /// The compiler, such as `rustc 1.95.0 (59807616e 2026-04-14)`.
    pub rustc: String,
    /// The target triple.
    pub target: String,
    /// Cargo's name of the optimisation level: `3`, `s`, `0`, …
    pub opt_level: String,
    /// Whether debug assertions are enabled, which by default also enables overflow checks. Times of such a build are
    /// misleading.
    pub debug_assertions: bool,
    /// The target features that the compiler was allowed to use, such as `simd128`.
    pub target_features: Vec<String>,
    /// Cargo's profile. Without `cargo benchbook`, the profile `bench` counts as `release` and `test` as `dev`, whose folders they share.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// The profile's link-time optimisation as cargo spells it: `off`, `false` (within each crate), `thin` or `fat`. Absent unless
    /// `cargo benchbook` has built the suite.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lto: Option<String>,
    /// The processor that the compiler optimised for, such as `native`. Absent if no flag chose one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_cpu: Option<String>,
}

impl Build {
    /// The compiler without its commit, such as `rustc 1.95.0`. Another form of [`Self::rustc`] is returned as it is.
    pub fn compiler(&self) -> &str {
        self.rustc.split(" (").next().unwrap_or_default()
    }

    /// The settings as far as they are known: `suite profile, opt-level 3, LTO thin, target-cpu native`. Cargo's default, an LTO of `false`, is
    /// left out.
    pub fn settings(&self) -> String {
        let lto = self.lto.as_ref().filter(|lto| *lto != "false");
        let known = [
            self.profile.as_ref().map(|profile| format!("{profile} profile")),
            Some(format!("opt-level {}", self.opt_level)),
            lto.map(|lto| format!("LTO {lto}")),
            self.target_cpu.as_ref().map(|processor| format!("target-cpu {processor}")),
        ];
        known.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// A measured function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Function {
    /// Module path and name, such as `sorting::sort_unstable`, and the arguments of a generic function, such as `sort<u32>`. The path of a function from another crate than the
    /// suite's starts with the crate's name.
    pub path: String,
    /// The signature as rustfmt formats it, without visibility.
    pub signature: String,
    /// The doc comment in Markdown; empty if there is none.
    pub docs: String,
    /// The signature and the body as their author wrote them. Empty for generated code, and in suites that do not report it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// The source file as passed to the compiler.
    pub file: String,
    /// The line of the attribute, counted from 1.
    pub line: u32,
    /// Paths of the generators that prepare its workloads; the first is the default.
    pub generators: Vec<String>,
    /// Whether only a native runner can measure it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub native: bool,
    /// The name of the work that this function shares with its alternatives. Functions with the same name return equal
    /// outputs for equal inputs. Absent if the function has no alternatives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alternatives: Option<String>,
}

/// A generator of workloads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Generator {
    /// Module path and name, as for functions.
    pub path: String,
    /// The name shown on the page.
    pub name: String,
    /// The doc comment in Markdown; empty if there is none.
    pub docs: String,
    /// How calls share inputs.
    pub mode: Mode,
    /// The parameters in the order of the source.
    pub parameters: Vec<Parameter>,
    /// Whether only a native runner can run it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub native: bool,
    /// A hash of the source code, which lets a host detect that stored results had other inputs. The code that it calls does not count.
    /// Empty in suites that do not report it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source_hash: String,
}

/// How calls share a generator's inputs. The generator's return type determines the mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// One input per call.
    Fresh,
    /// A few inputs that all calls share.
    Shared,
    /// Several prepared calls that form a round; a batch consists of whole rounds.
    Calls,
    /// One input that several threads share; they make their calls at the same time.
    Contended,
}

impl Suite {
    /// Returns the function with this path.
    pub fn function(&self, path: &str) -> Option<&Function> {
        self.functions.iter().find(|function| function.path == path)
    }

    /// Returns the generator with this path.
    pub fn generator(&self, path: &str) -> Option<&Generator> {
        self.generators.iter().find(|generator| generator.path == path)
    }
}

/// The name of a function or a generator: the last segment of its path, with the arguments of a generic one.
pub fn name_of(path: &str) -> &str {
    module_and_name(path).1
}

/// The name of a function; its path if others among `all` have the same name, in other modules.
pub fn unique_name<'p, 'o>(path: &'p str, all: impl IntoIterator<Item = &'o str>) -> &'p str {
    let name = name_of(path);
    let is_unique = all.into_iter().all(|other| other == path || name_of(other) != name);
    if is_unique { name } else { path }
}

/// The path of the modules, empty for the root of the suite's crate, and the name.
fn module_and_name(path: &str) -> (&str, &str) {
    // Paths of types may be among the arguments, as in `sort<a::Key>`.
    let without_arguments = path.find('<').map_or(path, |start| &path[..start]);
    match without_arguments.rfind("::") {
        Some(end) => (&path[..end], &path[end + 2..]),
        None => ("", path),
    }
}

impl Function {
    /// Returns the last segment of the path, with the arguments of a generic function.
    pub fn name(&self) -> &str {
        name_of(&self.path)
    }

    /// Returns the path without the name; empty for a function in the root of the suite's crate.
    pub fn module(&self) -> &str {
        module_and_name(&self.path).0
    }
}

impl Generator {
    /// Returns the parameter with this name.
    pub fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }

    /// Returns the default axis: the first number with a default range, or else the first choice that is varied by default. `None` if
    /// nothing is.
    pub fn default_axis(&self) -> Option<&Parameter> {
        let is_range = |parameter: &&Parameter| parameter.numeric().is_some_and(|n| n.axis && n.has_default_range());
        let is_varied = |parameter: &&Parameter| matches!(parameter.kind, Kind::Choice { varied: true, .. });
        self.parameters.iter().find(is_range).or_else(|| self.parameters.iter().find(is_varied))
    }
}

pub(crate) fn is_false(value: &bool) -> bool {
    !value
}

#[cfg(test)]
mod tests {
    use super::{Build, module_and_name};

    #[test]
    fn the_settings_are_those_that_are_known() {
        let old = r#"{"rustc": "", "target": "", "opt_level": "3", "debug_assertions": false, "target_features": []}"#;
        let old: Build = serde_json::from_str(old).expect("a build card of an earlier version");
        assert_eq!(old.settings(), "opt-level 3");
        let with = |profile: &str, lto: &str, processor: Option<&str>| {
            let [profile, lto] = [profile, lto].map(|text| Some(text.to_owned()));
            Build { profile, lto, target_cpu: processor.map(str::to_owned), ..old.clone() }.settings()
        };
        assert_eq!(with("suite", "thin", Some("native")), "suite profile, opt-level 3, LTO thin, target-cpu native");
        assert_eq!(with("bench", "false", None), "bench profile, opt-level 3");
        assert_eq!(with("dev", "off", None), "dev profile, opt-level 3, LTO off");
    }

    #[test]
    fn a_path_consists_of_a_module_and_a_name() {
        for (path, expected) in [
            ("sort", ("", "sort")),
            ("sorting::sort", ("sorting", "sort")),
            ("a::b::sort<u32>", ("a::b", "sort<u32>")),
            ("sort<a::Key, Vec<b::Key>>", ("", "sort<a::Key, Vec<b::Key>>")),
            ("a::sort<b::Key>", ("a", "sort<b::Key>")),
            ("::", ("", "")),
            ("a::<", ("a", "<")),
            ("", ("", "")),
        ] {
            assert_eq!(module_and_name(path), expected, "{path}");
        }
    }
}
