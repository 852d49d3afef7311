//! `cargo benchbook check --baseline REVISION`: measures the builds of two commits in turn.

mod builds;
mod changed_sources;
mod checkout;
mod code;
mod counted;
mod layout;
mod linked_parts;
mod overlay;
mod paired;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use benchbook_accepted::machine::current_card;
use benchbook_build::progress::BuildStep;
use benchbook_build::suite_target::SuiteTarget;
use benchbook_contract::axis_value::AxisValue;
use benchbook_host::analyze::history::difference::Difference;
use benchbook_host::child::NativeSuite;
use benchbook_host::history::{BuildOrigin, CheckedMetric, CheckedPoint, MachineClass, Mismatch};
use benchbook_host::request::Request;
use benchbook_host::request::shared_inputs::SharedInputs;
use benchbook_host::units::axis_value;
use benchbook_terminal::measurement::host_name;

use self::builds::{BaselineSuite, PairBuilder, SuitePairs};
use self::changed_sources::ChangedSources;
use self::checkout::BaselineCheckout;
use self::code::ComparedCode;
use self::paired::{PairedFigures, PairedMeasurement};
use super::Measurer;
use super::counts::{BuildCounter, FunctionCounts, paired};
use super::local::{self, ThisMachine};
use super::measured::{BaselineFigures, ChangedInputs, MeasuredBaseline, MeasuredResult, Measurements};
use crate::check::plan::{CheckPlan, PlannedCheck};
use crate::project::Project;
use crate::project::selection::is_selected;
use crate::project::suite_options::SuiteOptions;

/// The folder of all baselines in the project's output folder.
const FOLDER: &str = "baseline";

/// The folder of other commits than the current one that are compared with baselines.
const LATER: &str = "later";

/// The current builds and those of another commit, which are measured in turn.
#[derive(Debug)]
pub(crate) struct BothBuilds<'s> {
    /// The current builds.
    current: ThisMachine<'s>,
    checkout: BaselineCheckout,
    builder: PairBuilder,
    /// The targets of the suites, by the names of the suites.
    targets: BTreeMap<String, SuiteTarget>,
    /// The most pairs of a check, each with another layout of the code.
    count: u32,
    /// The pairs of each suite, or the reason why it cannot be built.
    pairs: BTreeMap<String, Result<SuitePairs, String>>,
    /// The functions that only the baseline contains: their suites and paths.
    removed: BTreeSet<(String, String)>,
    /// The inputs that only one of the commits has, by the numbers of the checks.
    inputs: BTreeMap<usize, ChangedInputs>,
    /// The names of the command line, which limit the check to some functions.
    names: Vec<String>,
    /// The number of the first layout.
    first: u32,
    /// Counts what the baseline's suites execute; absent until one of them does.
    counter: Option<BuildCounter>,
}

/// Deletes the checkouts and the builds of all baselines.
///
/// # Errors
/// If a folder cannot be deleted.
pub(crate) fn clean_up(project: &Project) -> Result<()> {
    checkout::remove_worktrees(&project.root)?;
    for builds in [FOLDER, LATER].map(|folder| project.output.join(folder)) {
        if builds.exists() {
            fs::remove_dir_all(&builds).with_context(|| format!("failed to delete {}", builds.display()))?;
        }
    }
    Ok(())
}

/// A revision that exists.
#[derive(Debug)]
pub(crate) struct BaselineRevision {
    checkout: BaselineCheckout,
    lays_over: bool,
}

impl BaselineRevision {
    /// Finds a revision in the repository of the project.
    ///
    /// # Errors
    /// Without git, outside a repository, and for an unknown revision.
    pub(crate) fn find(project: &Project, revision: &str) -> Result<Self> {
        Ok(Self { checkout: BaselineCheckout::find(&project.root, revision)?, lays_over: false })
    }

    /// The same revision, measured with the current suites where they have changed and compile with its code.
    pub(crate) fn with_current_suites(self) -> Self {
        Self { lays_over: true, ..self }
    }

    /// The hash of its commit.
    pub(crate) fn hash(&self) -> &str {
        &self.checkout.hash
    }

    /// The suites of the revision, checked out. As long as the returned lock exists, other checks wait.
    ///
    /// # Errors
    /// If it cannot be checked out, or if it has no suites.
    pub(crate) fn project(&self, current: &Project, options: &SuiteOptions) -> Result<(Project, File)> {
        self.project_in(current, options, &current.output.join(FOLDER))
    }

    fn project_in(&self, current: &Project, options: &SuiteOptions, folder: &Path) -> Result<(Project, File)> {
        let Self { checkout, .. } = self;
        let preparing = || format!("preparing the commit `{}`", checkout.revision);
        let lock = builds::check_out(current, checkout).with_context(preparing)?;
        let baseline = builds::baseline_project(options, checkout, folder).with_context(preparing)?;
        Ok((baseline.with_context(|| format!("`{}` has no suites", checkout.revision))?, lock))
    }

    /// The revision as a project, checked out in another folder than baselines, so that it can be compared with them. Returns also the options that find it again.
    /// As long as the lock exists, other such commands wait.
    ///
    /// # Errors
    /// If it cannot be checked out, or if it has no suites.
    pub(crate) fn into_current(
        self,
        current: &Project,
        options: &SuiteOptions,
    ) -> Result<(Project, SuiteOptions, File)> {
        let revision = Self { checkout: self.checkout.later(), ..self };
        let folder = current.output.join(LATER);
        let (mut project, lock) = revision.project_in(current, options, &folder)?;
        project.output = folder;
        let manifest = revision.checkout.mirror.counterpart(&options.manifest()?)?;
        Ok((project, options.clone().with_manifest(manifest), lock))
    }
}

impl<'s> BothBuilds<'s> {
    /// Prepares the comparison of the current builds with those of a revision. `plan`: its number of processes is that of the pairs of builds.
    /// `names`: those of the command line.
    ///
    /// # Errors
    /// If the revision cannot be checked out.
    pub(crate) fn new(
        project: &Project,
        options: &SuiteOptions,
        current: ThisMachine<'s>,
        BaselineRevision { checkout, lays_over }: BaselineRevision,
        plan: &CheckPlan,
        names: &[String],
    ) -> Result<Self> {
        let count = plan.checks.iter().map(pairs_of).max().unwrap_or(1);
        let builder = PairBuilder::new(project.clone(), options, &checkout, project.output.join(FOLDER), lays_over)
            .with_context(|| format!("preparing the baseline `{}`", checkout.revision))?;
        let targets = current.suites.iter().map(|opened| (opened.suite.suite().name.clone(), opened.target.clone()));
        Ok(Self {
            current,
            checkout,
            builder,
            targets: targets.collect(),
            count,
            pairs: BTreeMap::new(),
            removed: BTreeSet::new(),
            inputs: BTreeMap::new(),
            names: names.to_vec(),
            first: 0,
            counter: None,
        })
    }

    /// The revision and its commit, such as `main (77c0a41f)`.
    fn name(&self) -> String {
        let BaselineCheckout { revision, hash, .. } = &self.checkout;
        let commit = hash.get(..8).unwrap_or(hash);
        if hash.starts_with(revision.as_str()) { commit.to_owned() } else { format!("{revision} ({commit})") }
    }

    /// Which version of a suite measured the baseline, if it is not clear.
    fn suite_note(&self, suite: &str, built: &SuitePairs) -> Option<String> {
        let name = self.name();
        match &built.suite {
            BaselineSuite::Own if built.pairs.is_empty() => {
                Some(format!("{name} has no suite `{suite}`, so its functions are new."))
            }
            BaselineSuite::Own => None,
            BaselineSuite::Current => Some(format!(
                "The suite `{suite}` has changed since {name}. Its current version measured both. To measure each with its own, use --own-suite."
            )),
            BaselineSuite::Rejected(reason) => Some(format!(
                "The suite `{suite}` has changed since {name}, and its current version does not compile with the code of that commit, so {} ({reason}).",
                if built.pairs.is_empty() { "its functions are new" } else { "each was measured with its own version" }
            )),
        }
    }

    /// Builds the first pair of a check, unless it is built already.
    ///
    /// # Errors
    /// If a build fails, now or before.
    fn build(&mut self, check: &PlannedCheck) -> Result<()> {
        let suite = &check.request.suite;
        if !self.pairs.contains_key(suite) {
            let target = self.targets.get(suite).context("the suite has no target (this is a bug)")?;
            let built = self.builder.first_pair(target, self.first);
            if let Ok(built) = &built {
                let current = built.pairs.first().map(|pair| pair.current.suite());
                let is_removed = |path: &&String| current.is_some_and(|suite| suite.function(path).is_none());
                let removed = built.own_functions.iter().filter(is_removed);
                self.removed.extend(removed.map(|path| (suite.clone(), path.clone())));
            }
            self.pairs.insert(suite.clone(), built.map_err(|error| format!("{error:#}")));
        }
        self.built(check).map(|_| ())
    }

    /// Builds the other pairs of a check, too: only a function that has to be measured needs them.
    ///
    /// # Errors
    /// If a build fails, now or before.
    fn build_all(&mut self, check: &PlannedCheck) -> Result<()> {
        let suite = &check.request.suite;
        let target = self.targets.get(suite).context("the suite has no target (this is a bug)")?;
        if let Some(Ok(built)) = self.pairs.get_mut(suite) {
            let missing = self.first + built.pairs.len() as u32..self.first + pairs_of(check);
            if let Err(error) = self.builder.add_pairs(built, target, missing) {
                self.pairs.insert(suite.clone(), Err(format!("{error:#}")));
            }
        }
        self.built(check).map(|_| ())
    }

    /// The pairs of a check, which are built.
    ///
    /// # Errors
    /// If a build has failed.
    fn built(&self, check: &PlannedCheck) -> Result<&SuitePairs> {
        let built = self.pairs.get(&check.request.suite).context("the suite was not built (this is a bug)")?;
        built.as_ref().map_err(|error| anyhow!("{error}"))
    }

    /// The check with the inputs that both builds have; unchanged if the baseline lacks the function or its generator.
    ///
    /// # Errors
    /// If they have no inputs in common: a sentence.
    fn with_shared_inputs(&mut self, check: &PlannedCheck) -> Result<PlannedCheck, String> {
        let Some(pair) = self.built(check).ok().and_then(|built| built.pairs.first()) else { return Ok(check.clone()) };
        let generators = [&pair.baseline, &pair.current].map(|suite| suite.suite().generator(&check.request.generator));
        let [Some(earlier), Some(current)] = generators else { return Ok(check.clone()) };
        let SharedInputs { arguments, added, removed } =
            SharedInputs::of(earlier, current, &check.request.arguments, check.quality.points)?;
        let varied = check.request.arguments.iter().find(|(_, argument)| argument.is_varied());
        if let Some((parameter, _)) = varied.filter(|_| !(added.is_empty() && removed.is_empty())) {
            let names = |inputs: &[AxisValue]| inputs.iter().map(axis_value).collect();
            let (added, removed) = (names(&added), names(&removed));
            let changed = ChangedInputs { function: check.function(), parameter: parameter.clone(), added, removed };
            self.inputs.insert(check.number, changed);
        }
        Ok(PlannedCheck { request: Request { arguments, ..check.request.clone() }, ..check.clone() })
    }

    /// The functions that the function of a check reaches, and whose native code differs; empty if the code cannot be compared, or nothing was built.
    pub(crate) fn different_code(&self, check: &PlannedCheck) -> Vec<String> {
        let code = self.built(check).ok().and_then(|built| built.code.as_ref());
        code.map(|code| code.different(&check.function(), &check.request.generator)).unwrap_or_default()
    }

    /// The build of the baseline.
    fn origin(&self, built: &SuitePairs) -> BuildOrigin {
        let card = built.pairs.first().map(|pair| pair.baseline.card());
        BuildOrigin {
            fingerprint: card.map(|card| card.fingerprint.clone()).unwrap_or_default(),
            commit: Some(self.checkout.hash.clone()),
            dirty: false,
            compiler: card.map(|card| card.build.compiler().to_owned()).unwrap_or_default(),
        }
    }

    /// Counts the memory use of both builds, which does not depend on the layout.
    fn count(&self, check: &PlannedCheck, built: &SuitePairs) -> Vec<(CheckedMetric, PairedFigures)> {
        let Some(pair) = built.pairs.first() else { return Vec::new() };
        let (quality, machine) = (check.counting_quality(), host_name());
        let request = check.counting_request();
        let measurement = PairedMeasurement { request: &request, quality: &quality, machine: &machine };
        let _step = BuildStep::start(format!("Counting the memory use of {} in both builds", check.function()));
        measurement.count([&pair.baseline, &pair.current], check.mode.exact_metrics())
    }

    /// Counts what the function of a check executes in the baseline.
    fn count_baseline(&mut self, check: &PlannedCheck) -> Result<FunctionCounts> {
        if self.counter.is_none() {
            self.counter = Some(self.builder.baseline_counter()?);
        }
        let built = self.built(check)?;
        let pair = built.pairs.first().context("the baseline has no such suite (this is a bug)")?;
        let target = self.targets.get(&check.request.suite).context("the suite has no target (this is a bug)")?;
        let counter = self.counter.as_ref().context("the baseline has no counter (this is a bug)")?;
        counter.count(target, &pair.baseline, check, " in the baseline")
    }

    /// Measures two builds in turn, for each layout. `step`: what the terminal shows meanwhile.
    fn measure_builds<'b>(
        &self,
        check: &PlannedCheck,
        builds: impl ExactSizeIterator<Item = [&'b NativeSuite; 2]>,
        metric: CheckedMetric,
        step: &str,
    ) -> PairedFigures {
        let (quality, machine) = (check.quality.of_process(), host_name());
        let measurement = PairedMeasurement { request: &check.request, quality: &quality, machine: &machine };
        let mut figures = PairedFigures::default();
        let count = builds.len();
        for (index, (builds, seed)) in builds.zip(self.first..).enumerate() {
            let _step = BuildStep::start(format!("{step}: layout {} of {count}", index + 1));
            figures.add(&measurement, builds, seed, metric);
        }
        // Most failures are the same in each process.
        figures.failures.sort();
        figures.failures.dedup();
        figures.points.sort_by(|one, other| one.x.total_cmp(&other.x));
        figures
    }
}

impl Measurer for BothBuilds<'_> {
    /// Measures a function in both builds, unless their code is the same. If they cannot be compared, it measures the current one alone, so that
    /// its results can be accepted.
    fn measure(&mut self, check: &PlannedCheck) -> Result<Measurements> {
        self.build(check)?;
        let shared = self.with_shared_inputs(check);
        let check = shared.as_ref().unwrap_or(check);
        let built = self.built(check)?;
        let known =
            shared.as_ref().err().cloned().map(BaselineFigures::Different).or_else(|| without_measuring(check, built));
        if known == Some(BaselineFigures::SameCode) {
            let machine = local::class(check);
            let same = |metric: CheckedMetric| {
                let of_wasm =
                    (metric == CheckedMetric::WasmInstructions).then(|| MachineClass::of_wasm(&check.build.compiler));
                let machine = of_wasm.as_ref().unwrap_or(&machine);
                MeasuredResult { baseline: known.clone(), ..check.described(metric, Vec::new(), machine) }
            };
            return Ok(Measurements { results: check.mode.metrics().map(same).collect(), ..Measurements::default() });
        }
        if let Some(known) = known {
            let mut measured = self.current.measure(check)?;
            measured.results.iter_mut().for_each(|one| one.baseline = Some(known.clone()));
            return Ok(measured);
        }
        self.build_all(check)?;
        let built = self.built(check)?;
        let mut measured = Measurements::default();
        let machine = local::class(check);
        let (function, generator) = (check.function(), &check.request.generator);
        let timed = check.mode.timed_metrics().iter().map(|&metric| {
            let pairs = built.pairs.iter().take(pairs_of(check) as usize);
            let builds = pairs.map(|pair| [&pair.baseline, &pair.current]);
            let step = format!("Measuring the {metric} of {} in both builds", check.function());
            (metric, self.measure_builds(check, builds, metric, &step))
        });
        let exact = if check.mode.exact_metrics().is_empty() { Vec::new() } else { self.count(check, built) };
        for (metric, PairedFigures { points, failures, interference }) in timed.chain(exact) {
            measured.add_failures(failures);
            measured.interference.add(interference);
            let of_current = points.iter().map(|paired| CheckedPoint {
                x: paired.x.clone(),
                means: paired.means[1].clone(),
                calls: paired.calls[1],
                ..CheckedPoint::default()
            });
            let result = check.result(metric, of_current.collect(), &machine, &mut measured.failures);
            let build = self.origin(built);
            let has_same_source = !built.sources.may_affect(&function, generator);
            let baseline = Some(BaselineFigures::Pairs { points, build, has_same_source });
            measured.results.extend(result.map(|result| MeasuredResult { baseline, ..result }));
        }
        if let Some(current) = self.current.count(check)? {
            let earlier = self.count_baseline(check)?;
            let points = paired(&earlier.points, &current.points);
            measured.add_failures([earlier.failures, current.failures].concat());
            let build = self.origin(self.built(check)?);
            let baseline = Some(BaselineFigures::Pairs { points, build, has_same_source: false });
            measured.results.extend(check.counted(current.points).map(|result| MeasuredResult { baseline, ..result }));
        }
        Ok(measured)
    }

    /// Uses other layouts from now on.
    fn vary_conditions(&mut self) {
        self.pairs.clear();
        self.first += self.count;
    }

    /// Measurements only on a virtual machine, whose processor is shared: half the width of the interval of the change, if the current build of a
    /// function is measured against itself, in turn.
    fn noise(&mut self, check: &PlannedCheck, metric: CheckedMetric, confidence: f64) -> Result<Option<f64>> {
        if current_card(&host_name(), None).virtualisation.is_none() {
            return Ok(None);
        }
        self.build(check)?;
        let check = &self.with_shared_inputs(check).map_err(anyhow::Error::msg)?;
        self.build_all(check)?;
        let built = self.built(check)?;
        let with_itself = built.pairs.iter().take(pairs_of(check) as usize).map(|pair| [&pair.current, &pair.current]);
        let step = format!("Measuring the noise of this virtual machine with {}", check.function());
        let figures = self.measure_builds(check, with_itself, metric, &step);
        if let Some(failure) = figures.failures.first() {
            bail!("{failure}");
        }
        let changes = figures.points.iter().filter_map(|point| Difference::of_pairs(&point.ln_ratios, confidence));
        Ok(changes.map(|change| change.half_width()).reduce(f64::max))
    }

    fn baseline(&self) -> Option<MeasuredBaseline> {
        let selected = self.removed.iter().filter(|(suite, path)| is_selected(&self.names, suite, path));
        let warning = "this linker cannot reorder functions, so the intervals exclude the effect of their order, and a second measurement repeats the \
             same executables. Link with lld or mold";
        Some(MeasuredBaseline {
            name: self.name(),
            commit: self.checkout.hash.clone(),
            removed: selected.map(|(_, path)| path.clone()).collect(),
            inputs: self.inputs.values().cloned().collect(),
            suites: self
                .pairs
                .iter()
                .filter_map(|(suite, built)| self.suite_note(suite, built.as_ref().ok()?))
                .collect(),
            warning: (!self.builder.varies_order()).then_some(warning),
        })
    }
}

/// The number of pairs that a check measures. Counts do not depend on the layout.
fn pairs_of(check: &PlannedCheck) -> u32 {
    if check.mode.timed_metrics().is_empty() { 1 } else { check.quality.processes }
}

/// The result of the comparison, if it needs no measurement; `None` if both builds can be interleaved.
fn without_measuring(check: &PlannedCheck, built: &SuitePairs) -> Option<BaselineFigures> {
    let function = check.function();
    let generator = &check.request.generator;
    let Some(pair) = built.pairs.first() else { return Some(BaselineFigures::Absent) };
    let Some(earlier) = pair.baseline.suite().function(&function) else { return Some(BaselineFigures::Absent) };
    let different = |reason: String| Some(BaselineFigures::Different(reason));
    let of_earlier = earlier.generators.iter().find(|path| *path == generator);
    match of_earlier.and_then(|path| pair.baseline.suite().generator(path)) {
        None => different(format!("the baseline of the function has no generator `{generator}`")),
        Some(other) if other.source_hash != check.inputs => different(Mismatch::OtherInputs.to_string()),
        Some(_) => {
            let fingerprints = [&pair.baseline, &pair.current].map(|suite| suite.card().fingerprint.as_str());
            let is_same = fingerprints[0] == fingerprints[1]
                || has_same_code(built.code.as_ref(), &built.sources, &function, generator);
            is_same.then_some(BaselineFigures::SameCode)
        }
    }
}

/// Whether both builds have the same native code for a function. Where executables cannot be compared, only builds of the same source have.
fn has_same_code(code: Option<&ComparedCode>, sources: &ChangedSources, function: &str, generator: &str) -> bool {
    let has_same_source = !sources.may_affect(function, generator);
    code.map_or(sources.is_empty(), |code| match has_same_source {
        true => code.has_same_instructions(function, generator),
        false => code.is_same(function, generator),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_executables_cannot_be_compared_builds_of_the_same_source_have_the_same_code() {
        let has_same_code = |now| {
            let before = "fn sum() { add() } fn add() {} fn other() {}";
            has_same_code(None, &ChangedSources::between([[Some(before), Some(now)]]), "sum", "sum")
        };
        assert!(has_same_code("fn sum() { add() /* both */ } fn add() {} fn other() {}"));
        assert!(!has_same_code("fn sum() { add() } fn add() {} fn other() { add() }"));
    }
}
