//! Pairs of builds: the baseline and the current one, each pair with another layout of the code.

use std::cell::Cell;
use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use benchbook_build::compile::{self, BuildOptions, LoggedBuild};
use benchbook_build::suite_target::SuiteTarget;
use benchbook_host::child::NativeSuite;
use benchbook_host::fingerprint::fingerprint;

use super::checkout::BaselineCheckout;
use super::code::ComparedCode;
use super::layout::{CodeLayout, LinkOrder};
use crate::project::counting_modules::CountingModules;
use crate::project::suite_options::SuiteOptions;
use crate::project::{Project, start_suite};

/// The digits of the settings in the name of a map.
const DIGITS: usize = 12;

/// Two builds of a suite with the same layout.
#[derive(Debug)]
pub(super) struct BuildPair {
    pub(super) baseline: NativeSuite,
    pub(super) current: NativeSuite,
}

/// The pairs of a suite.
#[derive(Debug, Default)]
pub(super) struct SuitePairs {
    /// Each with another layout; none if the baseline has no such suite.
    pub(super) pairs: Vec<BuildPair>,
    /// The code of the first pair; absent if it cannot be compared.
    pub(super) code: Option<ComparedCode>,
}

/// Builds pairs.
#[derive(Debug)]
pub(super) struct PairBuilder {
    current: Project,
    baseline: Project,
    /// The folder of the baseline's builds, and of link maps.
    folder: PathBuf,
    /// The linker's option for the order; absent until the first build.
    order: Cell<Option<LinkOrder>>,
    /// Keeps other checks from changing the worktree.
    _lock: File,
}

impl PairBuilder {
    /// Checks the baseline out and finds its suites. `folder`: the folder for its builds.
    ///
    /// # Errors
    /// If git fails, or if the baseline has no suites.
    pub(super) fn new(
        current: Project,
        options: &SuiteOptions,
        checkout: &BaselineCheckout,
        folder: PathBuf,
    ) -> Result<Self> {
        let (baseline, lock) = baseline_project(&current, options, checkout, &folder)?;
        Ok(Self { current, baseline, folder, order: Cell::new(None), _lock: lock })
    }

    /// Builds the counting modules of the baseline's suites.
    ///
    /// # Errors
    /// As for [`CountingModules::build`].
    pub(super) fn baseline_counting_modules(&self) -> Result<CountingModules> {
        CountingModules::build(&self.baseline)
    }

    /// Whether the layouts include the order of functions.
    pub(super) fn varies_order(&self) -> bool {
        self.order.get() != Some(LinkOrder::Fixed)
    }

    /// Builds pairs of a suite. `seeds`: the numbers of their layouts.
    ///
    /// # Errors
    /// If one of them does not compile, with the output of both builds.
    pub(super) fn pairs(&self, suite: &SuiteTarget, seeds: impl ExactSizeIterator<Item = u32>) -> Result<SuitePairs> {
        let Some(earlier) = self.baseline.root_of(suite) else { return Ok(SuitePairs::default()) };
        let current = self.current.root_of(suite).context("the suite has no workspace (this is a bug)")?;
        let count = seeds.len();
        let mut built = SuitePairs::default();
        for (index, seed) in seeds.enumerate() {
            let build = |side: Side, root| {
                let step = format!("Building {}, {}: layout {} of {count}", suite.name, side.name(), index + 1);
                self.build(suite, side, root, seed, &step)
            };
            let of_current = build(Side::Current, current)?;
            let of_baseline = build(Side::Baseline, earlier)?;
            let (Some(baseline), Some(current)) = (&of_baseline.program, &of_current.program) else {
                bail!("`{}`: {}", suite.name, failure(&of_baseline, &of_current));
            };
            if index == 0 {
                let maps = [Side::Baseline, Side::Current].map(|side| self.map(suite, side, seed));
                built.code = ComparedCode::read([(baseline, &maps[0]), (current, &maps[1])]).ok();
            }
            let start = |program: &PathBuf, project: &Project| start_suite(program, project.environment_of(suite));
            let (baseline, current) = (start(baseline, &self.baseline)?, start(current, &self.current)?);
            built.pairs.push(BuildPair { baseline, current });
        }
        Ok(built)
    }

    /// Builds a suite with a layout. The first build detects what the linker accepts.
    fn build(&self, suite: &SuiteTarget, side: Side, root: &Path, seed: u32, step: &str) -> Result<LoggedBuild> {
        let project = match side {
            Side::Baseline => &self.baseline,
            Side::Current => &self.current,
        };
        let map = self.map(suite, side, seed);
        fs::create_dir_all(map.parent().context("the file has no folder (this is a bug)")?)?;
        let build = |order| {
            let flags = CodeLayout { seed, order }.flags(&map);
            compile::suite_with_flags(root, suite, &project.build, &flags, step.to_owned())
        };
        if let Some(order) = self.order.get() {
            return build(order);
        }
        let mut last = None;
        for order in LinkOrder::ALL {
            let built = build(order)?;
            // Some linkers ignore options that they do not have.
            if built.program.is_some() && (order != LinkOrder::Lld || map.exists()) {
                self.order.set(Some(order));
                return Ok(built);
            }
            last = Some(built);
        }
        last.context("the code has no order (this is a bug)")
    }

    /// The file to which the linker writes the map of an executable.
    fn map(&self, suite: &SuiteTarget, side: Side, seed: u32) -> PathBuf {
        let SuiteTarget { package, name, kind, .. } = suite;
        let BuildOptions { profile, arguments, features, .. } = &self.current.build;
        // Cargo keeps an executable for each of these.
        let settings =
            fingerprint(format!("{profile} {arguments:?} {features:?} {:?}", env::var_os("RUSTFLAGS")).as_bytes());
        let settings = settings.get(..DIGITS).unwrap_or(&settings);
        let file = format!("{package}-{name}{}-{}-{settings}-{seed}.map", kind.option(), side.name().replace(' ', "-"));
        self.folder.join("maps").join(file)
    }
}

/// The suites of the baseline, checked out. `folder`: for its builds. As long as the returned lock exists, other checks wait.
///
/// # Errors
/// If the revision cannot be checked out, or if it has no suites.
pub(super) fn baseline_project(
    current: &Project,
    options: &SuiteOptions,
    checkout: &BaselineCheckout,
    folder: &Path,
) -> Result<(Project, File)> {
    let lock = checkout.check_out()?;
    for part in &current.parts {
        let lock = part.original(part.metadata.workspace_root.join("Cargo.lock").as_std_path());
        // Without one, both builds fail in the same way.
        if lock.exists() {
            checkout.supply(&lock)?;
        }
    }
    for part in &current.parts {
        for folder in part.source_folders()? {
            // Cargo resolves relative paths without following symbolic links, but the path of the repository has none.
            checkout.mirror.link(&folder)?;
            checkout
                .mirror
                .link(&folder.canonicalize().with_context(|| format!("failed to read {}", folder.display()))?)?;
        }
    }
    let manifest = checkout.mirror.counterpart(&options.manifest()?)?;
    let mut baseline = options.clone().with_manifest(manifest).project()?;
    let target = folder.join("target");
    let target = target.to_str().context("the path of cargo's output folder is not valid Unicode")?;
    baseline.build.arguments.extend(["--target-dir".to_owned(), target.to_owned()]);
    // If the user's configuration has a build folder, cargo would take one build for the other there: its hash of a
    // crate does not include the path of the workspace.
    baseline.build.arguments.extend(["--config".to_owned(), format!("build.build-dir={target:?}")]);
    Ok((baseline, lock))
}

/// The builds of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Baseline,
    Current,
}

impl Side {
    fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Current => "current code",
        }
    }
}

/// Which of the builds failed, with the output of both.
fn failure(baseline: &LoggedBuild, current: &LoggedBuild) -> String {
    let mut text = match (&baseline.program, &current.program) {
        (None, None) => "neither the baseline nor the current code compiles.",
        (None, _) => "the baseline does not compile, although the current code does.",
        _ => "the current code does not compile, although the baseline does.",
    }
    .to_owned();
    if baseline.program.is_none() && baseline.log.contains("No such file or directory") {
        text += " The baseline is in another folder, where relative paths to folders outside the repository resolve only for dependencies of the current code: make them absolute.";
    }
    text + &format!("\n\nThe build of the baseline:\n{}\nThe build of the current code:\n{}", baseline.log, current.log)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_the_build_and_has_the_output_of_both() {
        let build = |program: Option<&str>, log: &str| LoggedBuild {
            program: program.map(PathBuf::from),
            log: format!("{log}\n"),
        };
        let (complete, broken) = (build(Some("suite"), "Finished"), build(None, "error: broken"));
        let elsewhere = build(None, "No such file or directory");
        for (baseline, current, expected) in [
            (&broken, &complete, "the baseline does not compile, although the current code does.\n"),
            (&complete, &broken, "the current code does not compile, although the baseline does.\n"),
            (&broken, &broken, "neither the baseline nor the current code compiles.\n"),
            (
                &elsewhere,
                &complete,
                "although the current code does. The baseline is in another folder, where relative paths",
            ),
        ] {
            let text = failure(baseline, current);
            let logs = format!(
                "The build of the baseline:\n{}\nThe build of the current code:\n{}",
                baseline.log, current.log
            );
            assert!(text.contains(expected) && text.ends_with(&logs), "{text}");
        }
    }
}
