//! Counts the same calls in two builds.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use benchbook_build::suite_target::SuiteTarget;
use benchbook_contract::axis_value::AxisValue;
use benchbook_count::Rounds;
use benchbook_host::history::Mismatch;
use benchbook_host::request::{Plan, Request};
use benchbook_instrument::{CodeMap, ContextCounts};
use benchbook_pinpoint::{BuildCode, SourceFile};
use benchbook_profile::{FunctionFilter, Profile};

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
    /// The fingerprint of the generator's source.
    inputs: String,
    plan: Plan,
}

impl Target {
    /// `suites`: those of the later build.
    pub(super) fn of(suites: &[OpenedSuite], selected: &SelectedFunction<'_>, request: Request) -> Result<Self> {
        let suite = target_of(suites, selected.suite).context("the function has no suite (this is a bug)")?.clone();
        let plan = selected.plan(request.clone())?;
        if let Some(reason) = plan.native_reason(0) {
            bail!("`{}` can't run in wasm, so it can't be counted: {}", selected.function.path, reason.text());
        }
        let inputs = selected.generator(Some(&request.generator))?.source_hash.clone();
        let (xs, axis) = (plan.axis_values(POINTS), plan.axis_name().to_owned());
        Ok(Self { suite, request, axis, xs, inputs, plan })
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

/// What a build has counted.
#[derive(Debug)]
pub(super) struct CountedBuild {
    map: CodeMap,
    counts: Vec<(AxisValue, ContextCounts)>,
    /// The folder to which the paths of its source files are relative.
    root: PathBuf,
}

impl CountedBuild {
    /// The calls, without those that the filter leaves out.
    pub(super) fn profile(&self, target: &Target, filter: &FunctionFilter) -> Profile {
        Profile::by_call(&self.map, target.function(), &target.axis, &self.counts).filtered(filter)
    }

    /// Its functions, with their sources.
    pub(super) fn code(&self) -> BuildCode {
        let read = |path: &str| fs::read_to_string(self.root.join(path)).ok().map(|text| SourceFile::read(&text));
        BuildCode::new(&self.map, read)
    }
}

/// A build whose calls are counted.
struct Counting {
    modules: CountingModules,
    plan: Plan,
    root: PathBuf,
}

impl Counting {
    fn of(project: &Project, target: &Target) -> Result<Self> {
        let root = project.root_of(&target.suite).context("it has no such suite")?.to_owned();
        let project = project.only(&target.suite);
        Ok(Self { modules: CountingModules::build(&project)?, plan: target.plan.clone(), root })
    }

    fn of_baseline(project: &Project, target: &Target) -> Result<Self> {
        let project = project.only(&target.suite);
        let suites = project.open()?;
        let selected = target.selected(&suites)?;
        let generator = selected.generator(Some(&target.request.generator))?;
        ensure!(generator.source_hash == target.inputs, "{}, so the counts can't be compared", Mismatch::OtherInputs);
        let plan = selected.plan(target.request.clone())?;
        Ok(Self { plan, ..Self::of(&project, target)? })
    }

    fn count(&mut self, target: &Target, rounds: Rounds) -> Result<(CodeMap, Vec<(AxisValue, ContextCounts)>)> {
        self.modules.count_contexts(&target.suite, &self.plan, &target.xs, rounds)
    }
}

/// Counts the calls of a function in the earlier and in the later build: the same calls in both.
///
/// # Errors
/// If one of them does not have the function, has other inputs, or cannot be counted.
pub(super) fn count_both(projects: [&Project; 2], target: &Target) -> Result<[CountedBuild; 2]> {
    let mut before = Counting::of_baseline(projects[0], target).context("the baseline")?;
    let mut after = Counting::of(projects[1], target)?;
    let mut counts =
        [before.count(target, Rounds::Usual).context("the baseline")?, after.count(target, Rounds::Usual)?];
    let calls = |(_, counts): &(CodeMap, Vec<(AxisValue, ContextCounts)>)| -> Vec<u64> {
        counts.iter().map(|(_, counts)| counts.calls).collect()
    };
    let is_other = |(one, other): (&u64, &u64)| one != other;
    if calls(&counts[0]).iter().zip(&calls(&counts[1])).any(is_other) {
        // A round of one of them is long.
        counts = [before.count(target, Rounds::One).context("the baseline")?, after.count(target, Rounds::One)?];
    }
    let [(map, of_before), (map_after, of_after)] = counts;
    Ok([
        CountedBuild { map, counts: of_before, root: before.root },
        CountedBuild { map: map_after, counts: of_after, root: after.root },
    ])
}
