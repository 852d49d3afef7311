//! Traces as the page shows them: labels, colours, and which of them are paired.

use benchbook_contract::catalog::unique_name;
use benchbook_contract::protocol::MAX_FUNCTIONS;
use benchbook_host::alternative::{Alternative, build_id};
use benchbook_notebook::curve::Reading;
use benchbook_notebook::trace::Trace;

use super::build_names::short_builds;

/// The number of digits of a build's fingerprint that a reader sees.
pub(crate) const BUILD_DIGITS: usize = 8;

/// A trace with its label and colour among those shown together.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownTrace {
    /// The trace.
    pub trace: Trace,
    /// The function's name, or its path if another function has the same name; and the build, if builds are compared: `before` if a single
    /// earlier one is compared with the current one.
    pub name: String,
    /// The first digits of its build; absent unless its measurement compares builds.
    pub build: Option<String>,
    /// It is the only earlier build in a measurement of the current one.
    pub is_before: bool,
    /// Distinguishes it from the others: this name, the machine's if there are two, and the differing arguments
    /// if it was measured separately.
    pub label: String,
    /// Measured at another time or on other inputs: the curves must not be compared.
    pub is_separate: bool,
    /// The less precise of the curves from this browser and a runner: the browser's quick one, or that of a runner which was lost.
    pub is_sketch: bool,
    /// Measured on another machine than the last measurement, of whose machines the more precise one counts.
    pub is_elsewhere: bool,
    /// The colour's index: that of the function on all machines. Another measurement of it on the same machine has another one, and also one with
    /// other inputs or another build.
    pub hue: usize,
}

impl ShownTrace {
    /// The traces of the last measurement, then those of others.
    pub fn all(traces: &[Trace], others: &[Trace]) -> Vec<Self> {
        let Some(first) = traces.first() else { return Vec::new() };
        let all = || traces.iter().chain(others);
        let builds: Vec<Option<&str>> = all().map(|trace| build_of(trace, all())).collect();
        let known: Vec<&str> = builds.iter().copied().flatten().collect();
        let mut short = short_builds(&known).into_iter();
        let builds: Vec<Option<&str>> = builds.iter().map(|build| build.and_then(|_| short.next())).collect();
        let function_name = |trace: &Trace| {
            let paths = all().map(|other| Alternative::parse(&other.path).path);
            unique_name(Alternative::parse(&trace.path).path, paths).to_owned()
        };
        let functions = traces.iter().filter(|trace| trace.is_paired_with(first)).count();
        let on_two_machines = functions < traces.len();
        let is_sketch = |trace: &Trace| traces.iter().any(|other| is_more_precise(other, trace));
        let here = &traces.iter().find(|trace| !is_sketch(trace)).unwrap_or(first).setup.machine;
        let hues = hues(traces, others);
        let shown = |(index, trace): (usize, &Trace)| {
            let is_separate = index >= traces.len();
            let build = builds[index];
            let has_before = has_single_earlier_build(trace, all());
            let is_before = has_before && is_earlier_build(trace);
            let name = match build {
                Some(_) if is_before => format!("{} · before", function_name(trace)),
                Some(build) if !has_before => format!("{} · build {build}", function_name(trace)),
                Some(_) | None => function_name(trace),
            };
            let label = match (is_separate, on_two_machines) {
                (true, _) => {
                    // Another measurement on one of the machines differs from the one there.
                    let here = traces.iter().find(|here| here.setup.machine.is_same(&trace.setup.machine));
                    let label = separate_label(&name, trace, here.unwrap_or(first), others);
                    match here {
                        Some(here) if on_two_machines => format!("{label} · {}", here.setup.machine.name),
                        _ => label,
                    }
                }
                (false, true) => format!("{name} · {}", trace.setup.machine.name),
                (false, false) => name.clone(),
            };
            Self {
                trace: trace.clone(),
                name,
                build: build.map(str::to_owned),
                is_before,
                label,
                is_separate,
                is_sketch: !is_separate && is_sketch(trace),
                is_elsewhere: !trace.setup.machine.is_same(here),
                hue: hues[index],
            }
        };
        all().enumerate().map(shown).collect()
    }
}

/// The colours of the traces of the last measurement, then of others: one for each function, and further ones, as long as there are some, for
/// its other measurements on the same machine.
fn hues<'t>(traces: &'t [Trace], others: &'t [Trace]) -> Vec<usize> {
    let mut of_hue: Vec<Vec<&Trace>> = Vec::new();
    let hue = |trace: &'t Trace| {
        let is_only_elsewhere = |one: &&Trace| {
            let (here, there) = (&one.setup, &trace.setup);
            one.path == trace.path
                && !here.machine.is_same(&there.machine)
                && here.request.is_of_same_work(&there.request)
                && here.suite.catalog_hash == there.suite.catalog_hash
        };
        let found = of_hue.iter().position(|members| members.iter().all(is_only_elsewhere));
        let hue = found.unwrap_or(of_hue.len());
        of_hue.resize(of_hue.len().max(hue + 1), Vec::new());
        of_hue[hue].push(trace);
        hue % MAX_FUNCTIONS
    };
    traces.iter().chain(others).map(hue).collect()
}

/// Whether one trace is the more precise one of a function that two machines measured: that with the higher priority at all of its points
/// so far, or else the runner's.
fn is_more_precise(one: &Trace, other: &Trace) -> bool {
    let precision = |trace: &Trace| {
        let measured = trace.curve.readings().iter().filter(|reading| reading.measured().is_some());
        (measured.map(Reading::priority).min(), trace.is_native())
    };
    one.path == other.path && precision(one) > precision(other)
}

/// The build of a trace, if its measurement compares builds.
fn build_of<'t>(trace: &'t Trace, mut all: impl Iterator<Item = &'t Trace>) -> Option<&'t str> {
    let named = Alternative::parse(&trace.path).build;
    let is_comparison = named.is_some()
        || all.any(|other| other.is_paired_with(trace) && Alternative::parse(&other.path).build.is_some());
    named.or_else(|| is_comparison.then(|| build_id(&trace.setup.suite.fingerprint)))
}

/// Whether a trace is that of an earlier build, which its path names.
fn is_earlier_build(trace: &Trace) -> bool {
    Alternative::parse(&trace.path).build.is_some()
}

/// Whether the measurement of a trace compares the current build with a single earlier one.
fn has_single_earlier_build<'t>(trace: &Trace, all: impl Iterator<Item = &'t Trace>) -> bool {
    let of_measurement =
        all.filter(|other| other.is_paired_with(trace)).map(|other| Alternative::parse(&other.path).build);
    let (earlier, current): (Vec<_>, Vec<_>) = of_measurement.partition(Option::is_some);
    let is_single = earlier.windows(2).all(|pair| pair[0] == pair[1]);
    !current.is_empty() && !earlier.is_empty() && is_single
}

/// The builds that were measured together, such as `Build a41f against 77c0`; `None` unless a measurement compares builds of a single function,
/// or the current build with a single earlier one.
pub fn builds_compared(shown: &[ShownTrace]) -> Option<String> {
    let first = shown.first()?;
    let path = |trace: &Trace| Alternative::parse(&trace.path).path.to_owned();
    let measured: Vec<&ShownTrace> = shown.iter().filter(|one| one.trace.is_paired_with(&first.trace)).collect();
    let is_one_function = measured.iter().all(|one| path(&one.trace) == path(&first.trace));
    let has_before = measured.iter().any(|one| one.is_before);
    let mut builds: Vec<&str> = Vec::new();
    for build in measured.iter().filter_map(|one| one.build.as_deref()) {
        if !builds.contains(&build) {
            builds.push(build);
        }
    }
    match builds.split_first() {
        Some((first, others)) if (is_one_function || has_before) && !others.is_empty() => {
            Some(format!("Build {first} against {}", others.join(" and ")))
        }
        _ => None,
    }
}

/// The shown traces by measurement and machine, as indices: each overlay is a measurement of its own.
pub fn measurements(shown: &[ShownTrace]) -> Vec<Vec<usize>> {
    let mut measurements: Vec<Vec<usize>> = Vec::new();
    for (ordinal, one) in shown.iter().enumerate() {
        let is_same = |of: &&mut Vec<usize>| shown[of[0]].trace.is_paired_with(&one.trace);
        match measurements.iter_mut().find(is_same) {
            Some(measurement) => measurement.push(ordinal),
            None => measurements.push(vec![ordinal]),
        }
    }
    measurements
}

/// The label of a trace of another measurement: its function, and its differences from `first`. `others`: all other measurements.
fn separate_label(name: &str, trace: &Trace, first: &Trace, others: &[Trace]) -> String {
    let difference = trace.setup.difference_from(&first.setup);
    let (machine, here) = (&trace.setup.machine, &first.setup.machine);
    let is_other_build = |other: &Trace| {
        other.setup.suite.fingerprint != first.setup.suite.fingerprint
            && other.setup.suite.name == first.setup.suite.name
            && other.setup.machine.kind == first.setup.machine.kind
    };
    let is_third =
        |other: &Trace| is_other_build(other) && other.setup.suite.fingerprint != trace.setup.suite.fingerprint;
    let build: String = trace.setup.suite.fingerprint.chars().take(BUILD_DIGITS).collect();
    let build = if others.iter().any(is_third) { format!("build {build}") } else { "before".to_owned() };
    let differences = [
        (!difference.is_empty()).then_some(difference),
        is_other_build(trace).then_some(build),
        match trace.from_reader {
            true => Some(format!("{} of a reader", machine.name)),
            false => (!machine.is_same(here)).then(|| machine.name_next_to(here)),
        },
    ];
    let differences: Vec<String> = differences.into_iter().flatten().collect();
    let differences = if differences.is_empty() { "earlier".to_owned() } else { differences.join(", ") };
    format!("{name} · {differences}")
}
