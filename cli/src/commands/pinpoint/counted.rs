//! Counts the same calls in two builds.

use std::path::{Path, PathBuf};
use std::{env, fs, slice};

use anyhow::{Context, Result, bail, ensure};
use benchbook_build::suite_target::SuiteTarget;
use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::protocol::Open;
use benchbook_count::Rounds;
use benchbook_host::history::Mismatch;
use benchbook_host::request::{Plan, Request};
use benchbook_instrument::{CodeMap, ContextCounts};
use benchbook_pinpoint::{BuildCode, SourceFile};
use benchbook_profile::{FunctionFilter, Profile, ProfileMetric, is_function};

use crate::project::build::suite_build;
use crate::project::counting_modules::CountingModules;
use crate::project::selection::{SelectedFunction, named, target_of};
use crate::project::{OpenedSuite, Project};

/// The axis values of a range: growth needs six, and a few more show its curve.
const POINTS: u32 = 9;

/// The function, and how it is called.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) suite: SuiteTarget,
    pub(super) request: Request,
    pub(super) axis: String,
    xs: Vec<AxisValue>,
    /// Whether the page is to search by time.
    is_searched: bool,
    /// The fingerprint of the generator's source.
    inputs: String,
    plan: Plan,
}

impl Target {
    /// `suites`: those of the later build.
    pub(super) fn of(
        suites: &[OpenedSuite],
        selected: &SelectedFunction<'_>,
        request: Request,
        is_searched: bool,
    ) -> Result<Self> {
        let suite = target_of(suites, selected.suite).context("the function has no suite (this is a bug)")?.clone();
        let plan = selected.plan(request.clone())?;
        if let Some(reason) = plan.native_reason(0) {
            bail!("`{}` can't run in wasm, so it can't be counted: {}", selected.function.path, reason.text());
        }
        let inputs = selected.generator(Some(&request.generator))?.source_hash.clone();
        let (xs, axis) = (plan.axis_values(POINTS), plan.axis_name().to_owned());
        Ok(Self { suite, request, axis, xs, is_searched, inputs, plan })
    }

    /// The inputs of the calls at an axis value.
    pub(super) fn open(&self, x: &AxisValue) -> Open {
        self.plan.open(1, self.request.functions.clone(), x)
    }

    /// The function in the later build.
    pub(super) fn selected<'s>(&self, suites: &'s [OpenedSuite]) -> Result<SelectedFunction<'s>> {
        named(suites, &format!("{}::{}", self.request.suite, self.function()))
    }

    /// The path of the function.
    pub(super) fn function(&self) -> &str {
        &self.request.functions[0]
    }
}

/// What a build has counted, and its functions.
#[derive(Debug)]
pub(super) struct CountedBuild {
    map: CodeMap,
    counts: Vec<(AxisValue, ContextCounts)>,
    /// With their sources as they were when it was counted: another commit may be checked out since.
    pub(super) code: BuildCode,
    /// The module that times ranges of the calls, if the page is to search.
    pub(super) ranges: Option<Vec<u8>>,
}

impl CountedBuild {
    /// The calls, without those that the filter leaves out.
    pub(super) fn profile(&self, target: &Target, filter: &FunctionFilter) -> Profile {
        Profile::by_call(&self.map, target.function(), &target.axis, &self.counts).filtered(filter)
    }

    /// The instructions per call at the largest axis value that another build has counted, too.
    pub(super) fn instructions(&self, target: &Target, other: &Self) -> Option<f64> {
        let profile = self.profile(target, &FunctionFilter::default());
        let is_counted = |x: &AxisValue| other.counts.iter().any(|(other, _)| other == x);
        let point = profile.points.iter().rposition(|point| is_counted(&point.x))?;
        Some(profile.per_call(point, ProfileMetric::Instructions, &profile.total(point)))
    }
}

/// A build whose calls are counted.
pub(super) struct Counting {
    modules: CountingModules,
    ranges: Option<Vec<u8>>,
    plan: Plan,
    /// The folder to which the paths of its source files are relative.
    root: PathBuf,
}

impl Counting {
    /// Builds the later build.
    pub(super) fn of(project: &Project, target: &Target) -> Result<Self> {
        let root = project.root_of(&target.suite).context("it has no such suite")?.to_owned();
        let project = project.only(&target.suite);
        let modules = CountingModules::build(&project)?;
        let ranges = target.is_searched.then(|| range_module(&project, &root, target)).transpose()?;
        Ok(Self { modules, ranges, plan: target.plan.clone(), root })
    }

    /// Builds a commit.
    ///
    /// # Errors
    /// If it does not have the function, has other inputs, or cannot be built.
    pub(super) fn of_commit(project: &Project, target: &Target) -> Result<Self> {
        let project = project.only(&target.suite);
        let suites = project.open()?;
        let selected = target.selected(&suites)?;
        let generator = selected.generator(Some(&target.request.generator))?;
        ensure!(generator.source_hash == target.inputs, "{}, so the counts can't be compared", Mismatch::OtherInputs);
        let plan = selected.plan(target.request.clone())?;
        Ok(Self { plan, ..Self::of(&project, target)? })
    }

    /// Counts the calls.
    pub(super) fn count(&mut self, target: &Target, rounds: Rounds) -> Result<CountedBuild> {
        let (map, counts) = self.modules.count_contexts(&target.suite, &self.plan, &target.xs, rounds)?;
        let folders: Vec<PathBuf> = [self.root.clone()].into_iter().chain(registries()).collect();
        let read = |path: &str| {
            let text = folders.iter().find_map(|folder| fs::read_to_string(folder.join(path)).ok())?;
            Some(SourceFile::read(&text))
        };
        Ok(CountedBuild { code: BuildCode::new(&map, read), map, counts, ranges: self.ranges.clone() })
    }
}

/// Builds the module that times ranges of the calls of the function.
fn range_module(project: &Project, root: &Path, target: &Target) -> Result<Vec<u8>> {
    let build = suite_build(project, root, slice::from_ref(&target.suite), true, None);
    build.range_module(&target.suite, &|name| is_function(name, target.function()))
}

/// The folders with the packages that cargo has downloaded from registries.
fn registries() -> Vec<PathBuf> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")));
    let folders = home.and_then(|home| fs::read_dir(home.join("registry/src")).ok());
    folders.into_iter().flatten().flatten().map(|folder| folder.path()).collect()
}

/// Counts the calls of a function in the earlier and in the later build: the same calls in both.
///
/// # Errors
/// If one of them does not have the function, has other inputs, or cannot be counted.
pub(super) fn count_both(projects: [&Project; 2], target: &Target) -> Result<[CountedBuild; 2]> {
    let mut before = Counting::of_commit(projects[0], target).context("the baseline")?;
    let mut after = Counting::of(projects[1], target)?;
    let mut count =
        |rounds| anyhow::Ok([before.count(target, rounds).context("the baseline")?, after.count(target, rounds)?]);
    let counted = count(Rounds::Usual)?;
    let calls = counted.each_ref().map(|build| build.counts.iter().map(|(_, counts)| counts.calls));
    let [calls_before, calls_after] = calls;
    // A round of one of them is long.
    if calls_before.zip(calls_after).any(|(one, other)| one != other) { count(Rounds::One) } else { Ok(counted) }
}
