//! Suites among the targets of cargo packages.

use std::fs;

use anyhow::{Context, Result, bail};
use cargo_metadata::{Package, TargetKind};

/// The kind of a cargo target that may be a suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SuiteTargetKind {
    /// A binary.
    Bin,
    /// An example.
    Example,
    /// A bench target with `harness = false`.
    Bench,
}

impl SuiteTargetKind {
    const ALL: [Self; 3] = [Self::Bin, Self::Example, Self::Bench];

    /// The option of cargo that selects a target of this kind.
    pub fn option(self) -> &'static str {
        match self {
            Self::Bin => "--bin",
            Self::Example => "--example",
            Self::Bench => "--bench",
        }
    }

    /// Whether targets of this kind are compiled with the dev-dependencies of their package.
    pub(crate) fn has_dev_dependencies(self) -> bool {
        match self {
            Self::Bin => false,
            Self::Example | Self::Bench => true,
        }
    }

    /// The name of the kind in cargo's metadata.
    pub(crate) fn in_metadata(self) -> TargetKind {
        match self {
            Self::Bin => TargetKind::Bin,
            Self::Example => TargetKind::Example,
            Self::Bench => TargetKind::Bench,
        }
    }
}

/// A cargo target that is a suite.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SuiteTarget {
    /// The name of the package.
    pub package: String,
    /// The kind of the target.
    pub kind: SuiteTargetKind,
    /// The name of the target.
    pub name: String,
    /// The harness that its source is written for.
    pub harness: SuiteHarness,
}

/// The harness that a suite is written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SuiteHarness {
    /// `benchbook`, whose attribute can mark a function as native.
    Benchbook,
    /// criterion or divan, which cannot.
    Other,
}

impl SuiteTarget {
    /// Whether a target of the package, as cargo's metadata describes it, is this one.
    pub fn is(&self, target: &cargo_metadata::Target) -> bool {
        target.is_kind(self.kind.in_metadata()) && target.name == self.name
    }
}

/// The crate whose macro `criterion_main!` makes a target a suite. The original one has the same macro.
const CRITERION: &str = "benchbook-criterion";

/// The crate whose attribute `#[divan::bench]` and function `divan::main` make a target a suite. The original one has the same ones.
const DIVAN: &str = "benchbook-divan";

/// What a suite of [`DIVAN`] contains: one of these.
const OF_DIVAN: [&str; 3] = ["divan::main(", "Divan::", "divan::bench"];

/// Whether a package may contain suites: it depends on a crate that makes a target one.
pub fn may_have_suites(package: &Package) -> bool {
    ["benchbook", CRITERION, DIVAN].into_iter().any(|name| depends_on(package, name))
}

fn depends_on(package: &Package, name: &str) -> bool {
    package.dependencies.iter().any(|dependency| dependency.name == name)
}

/// The suites of a package: its targets that call the macro `suite!`, `criterion_main!` of `benchbook-criterion`, or `main` of
/// `benchbook-divan`.
///
/// # Errors
/// If a source file cannot be read, if a bench target would run Rust's test harness instead of its suite, or if our crate does not have the name
/// that a target uses.
pub fn suites_of(package: &Package) -> Result<Vec<SuiteTarget>> {
    let (has_criterion, has_divan) = (depends_on(package, CRITERION), depends_on(package, DIVAN));
    let is_of_other = |source: &str| {
        has_criterion && contains("criterion_main!", source)
            || has_divan && OF_DIVAN.iter().any(|name| contains(name, source))
    };
    let harness_of = |source: &str| match contains("suite!", source) {
        true => Some(SuiteHarness::Benchbook),
        false => is_of_other(source).then_some(SuiteHarness::Other),
    };
    let mut suites = Vec::new();
    for target in &package.targets {
        let kind = SuiteTargetKind::ALL.into_iter().find(|kind| target.is_kind(kind.in_metadata()));
        let Some(kind) = kind else { continue };
        let source = fs::read_to_string(&target.src_path).with_context(|| format!("reading {}", target.src_path))?;
        if let Some(harness) = harness_of(&source) {
            check_names(package, &target.name, &source)?;
            let manifest = || fs::read_to_string(&package.manifest_path).unwrap_or_default();
            if kind == SuiteTargetKind::Bench && has_harness(&manifest(), &target.name) {
                bail!(
                    "the bench target `{0}` runs Rust's test harness instead of its suite. Add to {1}:\n  \
                     [[bench]]\n  name = \"{0}\"\n  harness = false",
                    target.name,
                    package.manifest_path
                );
            }
            suites.push(SuiteTarget { package: package.name.to_string(), kind, name: target.name.clone(), harness });
        }
    }
    Ok(suites)
}

/// Checks that the name of another harness in a source stands for our crate.
fn check_names(package: &Package, target: &str, source: &str) -> Result<()> {
    for (name, ours) in [("criterion", CRITERION), ("divan", DIVAN)] {
        let is_renamed = package.dependencies.iter().any(|dependency| dependency.rename.as_deref() == Some(name));
        if depends_on(package, ours) && !is_renamed && expects_dependency(name, source) {
            bail!(
                "`{target}` uses the name `{name}`, but {} has `{ours}` under another name. Change it to:\n  \
                 {name} = {{ package = \"{ours}\", version = \"{}\" }}",
                package.manifest_path,
                env!("CARGO_PKG_VERSION")
            );
        }
    }
    Ok(())
}

/// Whether a source uses the name of another harness without giving it to our crate itself, as in `use benchbook_criterion as criterion`.
fn expects_dependency(name: &str, source: &str) -> bool {
    contains(&format!("{name}::"), source) && !contains(&format!("benchbook_{name} as {name}"), source)
}

/// Whether a bench target has the test harness, as by default. Cargo's metadata does not contain this.
fn has_harness(manifest: &str, name: &str) -> bool {
    let manifest = manifest.parse::<toml::Table>().unwrap_or_default();
    let benches = manifest.get("bench").and_then(toml::Value::as_array).map_or(&[][..], Vec::as_slice);
    let is_named = |bench: &&toml::Value| bench.get("name").and_then(toml::Value::as_str) == Some(name);
    let harness = benches.iter().find(is_named).and_then(|bench| bench.get("harness")?.as_bool());
    harness.unwrap_or(true)
}

/// Whether a source contains a name, such as `suite!`, outside of line comments.
fn contains(name: &str, source: &str) -> bool {
    let has_name = |code: &str| {
        let mut before = code.match_indices(name).map(|(at, _)| code[..at].chars().next_back());
        before.any(|before| before.is_none_or(|before| !before.is_alphanumeric() && before != '_'))
    };
    source.lines().any(|line| line.split("//").next().is_some_and(has_name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bench_targets_have_a_harness_unless_the_manifest_disables_it() {
        let manifest = "[[bench]]\nname = \"sorting\"\nharness = false\n\n[[bench]]\nname = \"maps\"\n";
        assert!(!has_harness(manifest, "sorting"));
        assert!(has_harness(manifest, "maps") && has_harness(manifest, "texts") && has_harness("", "sorting"));
    }

    #[test]
    fn a_suite_is_found_by_its_macro() {
        for (source, expected) in [
            ("benchbook::suite!(\"mine\");", true),
            ("use benchbook::suite;\nsuite! { \"mine\" }", true),
            ("// benchbook::suite!(\"mine\");\nfn main() {}", false),
            ("/// See suite!\nfn main() {}", false),
            ("test_suite!(mine);", false),
            ("fn main() {}", false),
        ] {
            assert_eq!(contains("suite!", source), expected, "{source}");
        }
    }

    #[test]
    fn a_source_may_name_our_crate_itself() {
        for (source, expected) in [
            ("use criterion::Criterion;", true),
            ("use benchbook_criterion::Criterion;", false),
            ("use benchbook_criterion as criterion;\nuse criterion::Criterion;", false),
        ] {
            assert_eq!(expects_dependency("criterion", source), expected, "{source}");
        }
    }

    #[test]
    fn a_suite_of_divan_is_found_by_its_main_function_or_a_benchmark() {
        for (source, expected) in [
            ("fn main() {\n    divan::main();\n}", true),
            ("use divan::Divan;\nfn main() { Divan::from_args().main() }", true),
            ("mod other;\n#[divan::bench]\nfn add() {}\nfn main() { other::main() }", true),
            ("// divan::main();\nfn main() {}", false),
            ("use divan::black_box;\nfn main() {}", false),
        ] {
            assert_eq!(OF_DIVAN.iter().any(|name| contains(name, source)), expected, "{source}");
        }
    }
}
