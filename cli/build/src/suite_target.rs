//! Suites among the targets of cargo packages.

use std::{fmt, fs};

use cargo_metadata::{Package, Target, TargetKind};

use crate::features::ChosenFeatures;
use crate::harness::{Harness, HarnessCrates, contains};

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
    /// Whether another package has a target of this name, so that its suite is named after both: `encode/benches`.
    pub is_qualified: bool,
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
    /// The variable with the crates of a build whose suites are named after package and target; items are separated by commas. The
    /// harnesses read it at compile time, in `program_name`.
    pub(crate) const QUALIFIED: &str = "BENCHBOOK_QUALIFIED";

    /// Marks the suites whose target names occur in several packages.
    pub fn qualify<'s>(suites: impl Iterator<Item = &'s mut Self>) {
        let mut all: Vec<&mut Self> = suites.collect();
        let names: Vec<(String, String)> =
            all.iter().map(|suite| (suite.package.clone(), suite.crate_name())).collect();
        for suite in &mut all {
            let is_other =
                |(package, name): &(String, String)| *package != suite.package && *name == suite.crate_name();
            suite.is_qualified = names.iter().any(is_other);
        }
    }

    /// The name of its crate.
    pub fn crate_name(&self) -> String {
        crate_name(&self.name)
    }

    /// The name of its files in a folder with the suites of all packages, without an extension.
    pub fn file_stem(&self) -> String {
        // Without a period: what follows one is an extension.
        self.to_string().replace('/', "--")
    }

    /// Whether a target of the package, as cargo's metadata describes it, is this one.
    pub fn is(&self, target: &Target) -> bool {
        target.is_kind(self.kind.in_metadata()) && target.name == self.name
    }
}

/// The name of a target as rustc knows it.
pub(crate) fn crate_name(target: &str) -> String {
    target.replace('-', "_")
}

impl fmt::Display for SuiteTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { package, name, is_qualified, .. } = self;
        if *is_qualified { write!(f, "{package}/{name}") } else { f.write_str(name) }
    }
}

/// Whether a package may contain suites: it depends on a crate that makes a target one.
pub fn may_have_suites(package: &Package, crates: HarnessCrates) -> bool {
    depends_on(package, "benchbook") || Harness::ALL.iter().any(|harness| harness.is_of(package, crates))
}

fn depends_on(package: &Package, name: &str) -> bool {
    package.dependencies.iter().any(|dependency| dependency.name == name)
}

/// The suites of a package.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundSuites {
    /// The targets.
    pub suites: Vec<SuiteTarget>,
    /// Others, which cannot be built.
    pub left_out: Vec<LeftOut>,
}

/// A target that is written as a suite, but cannot be built as one. It displays as a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The target.
    pub target: SuiteTarget,
    /// What is wrong, and what to do.
    pub obstacle: String,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is left out: {}", self.target, self.obstacle)
    }
}

/// Finds the suites of a package: its targets that call the macro `suite!`, and those that are written for a harness.
pub fn suites_of(package: &Package, crates: HarnessCrates, features: &ChosenFeatures) -> FoundSuites {
    let harnesses: Vec<Harness> = Harness::ALL.into_iter().filter(|harness| harness.is_of(package, crates)).collect();
    let harness_of = |source: &str| match contains("suite!", source) {
        true => Some(SuiteHarness::Benchbook),
        false => harnesses.iter().any(|harness| harness.is_used_in(source)).then_some(SuiteHarness::Other),
    };
    let mut found = FoundSuites::default();
    for target in &package.targets {
        let kind = SuiteTargetKind::ALL.into_iter().find(|kind| target.is_kind(kind.in_metadata()));
        let Some(kind) = kind else { continue };
        let (harness, obstacle) = match fs::read_to_string(&target.src_path) {
            Ok(source) => match harness_of(&source) {
                Some(harness) => (harness, obstacle(package, target, kind, &source, features)),
                None => match harnesses.iter().find_map(|harness| harness.obstacle(&source)) {
                    Some(obstacle) => (SuiteHarness::Other, Some(obstacle.to_owned())),
                    None => continue,
                },
            },
            Err(error) => (SuiteHarness::Other, Some(format!("failed to read {}: {error}", target.src_path))),
        };
        let (package, name) = (package.name.to_string(), target.name.clone());
        let target = SuiteTarget { package, kind, name, harness, is_qualified: false };
        match obstacle {
            Some(obstacle) => found.left_out.push(LeftOut { target, obstacle }),
            None => found.suites.push(target),
        }
    }
    found
}

/// What keeps a target from being built as a suite, and what to do.
fn obstacle(
    package: &Package,
    target: &Target,
    kind: SuiteTargetKind,
    source: &str,
    features: &ChosenFeatures,
) -> Option<String> {
    let manifest = &package.manifest_path;
    let has_own_harness = || {
        has_harness(&fs::read_to_string(manifest).unwrap_or_default(), &target.name) && kind == SuiteTargetKind::Bench
    };
    let lacking = features.lacking(package, target);
    match lacking.as_slice() {
        [] if has_own_harness() => Some(format!(
            "it runs Rust's test harness. Add to {manifest}:\n  [[bench]]\n  name = \"{}\"\n  harness = false",
            target.name
        )),
        [] => wrong_name(package, source),
        lacking => {
            let [noun, names] = match lacking {
                [one] => ["the feature", one],
                _ => ["the features", &lacking.join(",")],
            };
            let options = format!("--features {names}");
            let lines = lacking.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
            Some(format!(
                "it requires {noun} {names}. Add `{options}`, or for all commands `features = [{lines}]` to benchbook.toml in {}",
                manifest.parent().map_or("its folder", |folder| folder.as_str())
            ))
        }
    }
}

/// What to do if the name of another harness in a source does not stand for our crate.
fn wrong_name(package: &Package, source: &str) -> Option<String> {
    let is_wrong = |harness: &&Harness| {
        let Harness { name, ours, .. } = **harness;
        let is_renamed = package.dependencies.iter().any(|dependency| dependency.rename.as_deref() == Some(name));
        depends_on(package, ours) && !is_renamed && expects_dependency(name, source)
    };
    let Harness { name, ours, .. } = Harness::ALL.iter().find(is_wrong)?;
    Some(format!(
        "it uses the name `{name}`, but {} has `{ours}` under another name. Change it to:\n  \
         {name} = {{ package = \"{ours}\", version = \"{}\" }}",
        package.manifest_path,
        env!("CARGO_PKG_VERSION")
    ))
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
    fn a_source_may_name_our_crate_itself() {
        for (source, expected) in [
            ("use criterion::Criterion;", true),
            ("use benchbook_criterion::Criterion;", false),
            ("use benchbook_criterion as criterion;\nuse criterion::Criterion;", false),
        ] {
            assert_eq!(expects_dependency("criterion", source), expected, "{source}");
        }
    }
}
