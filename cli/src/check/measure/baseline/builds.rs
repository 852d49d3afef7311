//! Pairs of builds: the baseline and the current one, each pair with another layout of the code.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::env;
use std::fs::{self, File};
use std::mem;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use benchbook_build::compile::{self, BuildOptions, LoggedBuild};
use benchbook_build::progress::BuildStep;
use benchbook_build::suite_target::SuiteTarget;
use benchbook_host::child::NativeSuite;
use benchbook_host::fingerprint::fingerprint;

use super::changed_sources::ChangedSources;
use super::checkout::BaselineCheckout;
use super::code::ComparedCode;
use super::layout::{CodeLayout, LinkOrder};
use super::linked_parts::LinkedParts;
use super::overlay::SuiteFiles;
use crate::check::measure::BuildCounter;
use crate::project::suite_options::{NoSuite, SuiteOptions};
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
    /// Which suite measures the baseline.
    pub(super) suite: BaselineSuite,
    /// What differs between the sources of both.
    pub(super) sources: ChangedSources,
    /// The functions that the baseline's own suite has.
    pub(super) own_functions: Vec<String>,
}

/// Which suite measures the baseline.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum BaselineSuite {
    /// Its own one.
    #[default]
    Own,
    /// The current one, whose files were laid over those of the baseline.
    Current,
    /// Its own one: the current one does not compile with the code of the baseline, for this reason.
    Rejected(String),
}

/// Builds pairs.
#[derive(Debug)]
pub(super) struct PairBuilder {
    current: Project,
    /// Absent if the commit has no suites.
    baseline: Option<Project>,
    checkout: BaselineCheckout,
    /// Those of the command line.
    options: SuiteOptions,
    /// Whether suites that have changed measure the baseline, too.
    lays_over: bool,
    /// Which suite measures the baseline, for each suite that was built.
    suites: BTreeMap<SuiteTarget, BaselineSuite>,
    /// The folder of the baseline's builds, and of link maps.
    folder: PathBuf,
    /// The linker's option for the order; absent until the first build.
    order: Cell<Option<LinkOrder>>,
    /// What further layouts are linked from, where the linker can.
    parts: RefCell<BTreeMap<(SuiteTarget, Side), LinkedParts>>,
    /// Keeps other checks from changing the worktree.
    _lock: File,
}

impl PairBuilder {
    /// Checks the baseline out and finds its suites. `folder`: the folder for its builds.
    ///
    /// # Errors
    /// If git fails, or if a Cargo.toml of the baseline is invalid.
    pub(super) fn new(
        current: Project,
        options: &SuiteOptions,
        checkout: &BaselineCheckout,
        folder: PathBuf,
        lays_over: bool,
    ) -> Result<Self> {
        let lock = check_out(&current, checkout)?;
        fs::create_dir_all(&folder).with_context(|| format!("failed to create {}", folder.display()))?;
        let baseline = baseline_project(options, checkout, &folder)?;
        let (checkout, options) = (checkout.clone(), options.clone());
        let (suites, order, parts) = (BTreeMap::new(), Cell::new(None), RefCell::default());
        Ok(Self { current, baseline, checkout, options, lays_over, suites, folder, order, parts, _lock: lock })
    }

    /// Counts what the baseline's suites execute.
    ///
    /// # Errors
    /// If it has none, which is a bug.
    pub(super) fn baseline_counter(&self) -> Result<BuildCounter> {
        Ok(BuildCounter::new(self.baseline.clone().context("the baseline has no suites (this is a bug)")?))
    }

    /// Whether the layouts include the order of functions.
    pub(super) fn varies_order(&self) -> bool {
        self.order.get() != Some(LinkOrder::Fixed)
    }

    /// Builds the first pair of a suite, and compares its code. `seed`: the number of its layout.
    ///
    /// # Errors
    /// If one of them does not compile, with the output of both builds.
    pub(super) fn first_pair(&mut self, suite: &SuiteTarget, seed: u32) -> Result<SuitePairs> {
        let mut built = SuitePairs::default();
        let step = |side: Side| format!("Building {}, {}", suite.name, side.name());
        let of_current = self.build(suite, Side::Current, seed, &step(Side::Current))?;
        let Some(of_baseline) = self.first_of_baseline(suite, seed, &mut built, &step(Side::Baseline))? else {
            return Ok(built);
        };
        let programs =
            [Some(&of_baseline), of_current.as_ref()].map(|built| built.and_then(|built| built.program.clone()));
        self.add(&mut built, suite, of_baseline, of_current)?;
        let maps = [Side::Baseline, Side::Current].map(|side| self.map(suite, side, seed));
        if let [Some(baseline), Some(current)] = &programs {
            built.code = ComparedCode::read([(baseline, &maps[0]), (current, &maps[1])]).ok();
        }
        built.sources = ChangedSources::read(&self.checkout, &self.current, suite);
        Ok(built)
    }

    /// Adds pairs of a suite with other layouts. `seeds`: their numbers.
    ///
    /// # Errors
    /// As for [`Self::first_pair`].
    pub(super) fn add_pairs(&self, built: &mut SuitePairs, suite: &SuiteTarget, seeds: Range<u32>) -> Result<()> {
        let count = built.pairs.len() + seeds.len();
        for seed in seeds {
            let number = built.pairs.len() + 1;
            let step = |side: Side| format!("Building {}, {}: layout {number} of {count}", suite.name, side.name());
            let of_current = self.build(suite, Side::Current, seed, &step(Side::Current))?;
            let of_baseline = self.build(suite, Side::Baseline, seed, &step(Side::Baseline))?;
            self.add(built, suite, of_baseline.context("the baseline has no such suite (this is a bug)")?, of_current)?;
        }
        Ok(())
    }

    /// Starts both builds of a pair, and adds it.
    fn add(
        &self,
        built: &mut SuitePairs,
        suite: &SuiteTarget,
        of_baseline: LoggedBuild,
        of_current: Option<LoggedBuild>,
    ) -> Result<()> {
        let of_current = of_current.context("the suite has no workspace (this is a bug)")?;
        let (Some(baseline), Some(current)) = (&of_baseline.program, &of_current.program) else {
            bail!("`{}`: {}", suite.name, failure(&of_baseline, &of_current));
        };
        let baseline = self.start(baseline, suite, Side::Baseline)?;
        built.pairs.push(BuildPair { baseline, current: self.start(current, suite, Side::Current)? });
        Ok(())
    }

    /// The first build of the baseline: that of the current suite, if it has changed and compiles with the code of the baseline; otherwise that of its own
    /// one. `None` if it has none.
    fn first_of_baseline(
        &mut self,
        suite: &SuiteTarget,
        seed: u32,
        built: &mut SuitePairs,
        step: &str,
    ) -> Result<Option<LoggedBuild>> {
        if let Some(known) = self.suites.get(suite) {
            built.suite = known.clone();
            return self.build(suite, Side::Baseline, seed, step);
        }
        let own = self.compile(suite, Side::Baseline, seed, step)?;
        self.suites.insert(suite.clone(), BaselineSuite::Own);
        let own_program = own.as_ref().and_then(|own| own.program.clone());
        // Before another one replaces it.
        let own_suite = own_program.map(|program| self.start(&program, suite, Side::Baseline)).transpose()?;
        let paths = |own: NativeSuite| own.suite().functions.iter().map(|function| function.path.clone()).collect();
        built.own_functions = own_suite.map(paths).unwrap_or_default();
        let Some(files) = SuiteFiles::of(&self.current, suite).filter(|_| self.lays_over) else { return Ok(own) };
        if !files.lay_over(&self.checkout)? {
            return Ok(own);
        }
        let rejected = match baseline_project(&self.options, &self.checkout, &self.folder) {
            Ok(with_current) => {
                let own_project = mem::replace(&mut self.baseline, with_current);
                let with_current = self.compile(suite, Side::Baseline, seed, step)?;
                if with_current.as_ref().is_some_and(|built| built.program.is_some()) {
                    built.suite = BaselineSuite::Current;
                    self.suites.insert(suite.clone(), BaselineSuite::Current);
                    return Ok(with_current);
                }
                self.baseline = own_project;
                with_current.map(|built| built.log).unwrap_or_default()
            }
            Err(error) => format!("error: {error:#}"),
        };
        let first_error = rejected.lines().find(|line| line.starts_with("error")).unwrap_or("it is not declared there");
        built.suite = BaselineSuite::Rejected(first_error.to_owned());
        self.suites.insert(suite.clone(), built.suite.clone());
        files.restore(&self.checkout)?;
        // The current suite may have replaced the executable.
        self.compile(suite, Side::Baseline, seed, step)
    }

    fn project(&self, side: Side) -> Option<&Project> {
        match side {
            Side::Baseline => self.baseline.as_ref(),
            Side::Current => Some(&self.current),
        }
    }

    /// Starts a suite that was built.
    fn start(&self, program: &Path, suite: &SuiteTarget, side: Side) -> Result<NativeSuite> {
        let environment = self.project(side).map(|project| project.environment_of(suite));
        start_suite(program, environment.unwrap_or_default())
    }

    /// Builds a suite with a layout; `None` if that side has no such suite. If it was compiled already, it is only linked, if the linker can.
    fn build(&self, suite: &SuiteTarget, side: Side, seed: u32, step: &str) -> Result<Option<LoggedBuild>> {
        let parts = self.parts.borrow().get(&(suite.clone(), side)).cloned();
        let Some(parts) = parts else { return self.compile(suite, side, seed, step) };
        let _step = BuildStep::start(step.to_owned());
        let map = self.map(suite, side, seed);
        let options = CodeLayout { seed, order: LinkOrder::Lld }.link_options(&map);
        Ok(Some(LoggedBuild { program: Some(parts.link(&options, &map)?), log: String::new() }))
    }

    /// Compiles a suite with a layout; `None` if that side has no such suite. The first build detects what the linker accepts.
    fn compile(&self, suite: &SuiteTarget, side: Side, seed: u32, step: &str) -> Result<Option<LoggedBuild>> {
        let Some((project, root)) = self.project(side).and_then(|project| Some((project, project.root_of(suite)?)))
        else {
            return Ok(None);
        };
        let map = self.map(suite, side, seed);
        fs::create_dir_all(map.parent().context("the file has no folder (this is a bug)")?)?;
        let build = |order| -> Result<Option<LoggedBuild>> {
            let flags = CodeLayout { seed, order }.flags(&map);
            let built = compile::suite_with_flags(root, suite, &project.build, &flags, step.to_owned())?;
            let has_parts = order == LinkOrder::Lld && built.program.is_some();
            if let Some(parts) = has_parts.then(|| LinkedParts::unpack(&map, root)).flatten() {
                self.parts.borrow_mut().insert((suite.clone(), side), parts);
            }
            Ok(Some(built))
        };
        if let Some(order) = self.order.get() {
            return build(order);
        }
        let mut last = None;
        for order in LinkOrder::ALL {
            let built = build(order)?;
            // Some linkers ignore options that they do not have.
            if built.as_ref().is_some_and(|built| built.program.is_some()) && (order != LinkOrder::Lld || map.exists())
            {
                self.order.set(Some(order));
                return Ok(built);
            }
            last = built;
        }
        Ok(last)
    }

    /// The file to which the linker writes the map of an executable.
    fn map(&self, suite: &SuiteTarget, side: Side, seed: u32) -> PathBuf {
        let SuiteTarget { package, name, kind, .. } = suite;
        let BuildOptions { profile, arguments, features, .. } = &self.current.build;
        // If the folder was deleted, cargo has to link again.
        let created = fs::metadata(&self.folder).and_then(|folder| folder.created()).ok();
        // Cargo keeps an executable for each of these.
        let flags = env::var_os("RUSTFLAGS");
        let settings = fingerprint(format!("{profile} {arguments:?} {features:?} {flags:?} {created:?}").as_bytes());
        let settings = settings.get(..DIGITS).unwrap_or(&settings);
        let file = format!("{package}-{name}{}-{}-{settings}-{seed}.map", kind.option(), side.name().replace(' ', "-"));
        self.folder.join("maps").join(file)
    }
}

/// Checks the baseline of a project out. As long as the returned lock exists, other checks wait.
///
/// # Errors
/// If the revision cannot be checked out.
pub(super) fn check_out(current: &Project, checkout: &BaselineCheckout) -> Result<File> {
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
    Ok(lock)
}

/// The suites of the baseline, as it is checked out; `None` if it has none. `folder`: for its builds.
///
/// # Errors
/// If a Cargo.toml is invalid.
pub(super) fn baseline_project(
    options: &SuiteOptions,
    checkout: &BaselineCheckout,
    folder: &Path,
) -> Result<Option<Project>> {
    let manifest = checkout.mirror.counterpart(&options.manifest()?)?;
    if !manifest.exists() {
        return Ok(None);
    }
    let mut baseline = match options.clone().with_manifest(manifest).project() {
        Err(error) if error.is::<NoSuite>() => return Ok(None),
        project => project?,
    };
    let target = folder.join("target");
    let target = target.to_str().context("the path of cargo's output folder is not valid Unicode")?;
    baseline.build.arguments.extend(["--target-dir".to_owned(), target.to_owned()]);
    // If the user's configuration has a build folder, cargo would take one build for the other there: its hash of a
    // crate does not include the path of the workspace.
    baseline.build.arguments.extend(["--config".to_owned(), format!("build.build-dir={target:?}")]);
    Ok(Some(baseline))
}

/// The builds of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
