//! Traces as the page shows them: labels, colours, and which of them are paired.

use std::collections::BTreeSet;

use benchbook_contract::catalog::name_of;
use benchbook_contract::protocol::MAX_FUNCTIONS;
use benchbook_host::alternative::Alternative;
use benchbook_notebook::trace::Trace;

/// The number of digits of a build's fingerprint that a reader sees.
pub(crate) const BUILD_DIGITS: usize = 8;

/// A trace with its label and colour among those shown together.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownTrace {
    /// The trace.
    pub trace: Trace,
    /// The function's name, or its path if another function has the same name; and the build, unless it is the current one.
    pub name: String,
    /// Distinguishes it from the others: this name, the machine's if there are two, and the differing arguments
    /// if it is unpaired.
    pub label: String,
    /// Measured at another time or on other inputs: the curves must not be compared.
    pub unpaired: bool,
    /// A quick curve from this browser next to a runner's.
    pub is_sketch: bool,
    /// The colour's index: unique, or shared by both machines if there are too many traces.
    pub hue: usize,
}

impl ShownTrace {
    /// The traces of the last measurement, then those of others.
    pub fn all(traces: &[Trace], others: &[Trace]) -> Vec<Self> {
        let Some(first) = traces.first() else { return Vec::new() };
        let all = || traces.iter().chain(others);
        let builds: BTreeSet<&str> = all().filter_map(|trace| Alternative::parse(&trace.path).build).collect();
        let name = |trace: &Trace| {
            let Alternative { path, build } = Alternative::parse(&trace.path);
            let mut paths = all().map(|other| Alternative::parse(&other.path).path);
            let is_unique = paths.all(|other| other == path || name_of(other) != name_of(path));
            let name = if is_unique { name_of(path) } else { path };
            match build {
                None => name.to_owned(),
                Some(_) if builds.len() == 1 => format!("{name} · earlier build"),
                Some(build) => format!("{name} · build {}", build.get(..BUILD_DIGITS).unwrap_or(build)),
            }
        };
        let functions = traces.iter().filter(|trace| trace.is_paired_with(first)).count();
        let on_two_machines = functions < traces.len();
        let shown = |(index, trace): (usize, &Trace)| {
            let unpaired = index >= traces.len();
            let name = name(trace);
            let label = match (unpaired, on_two_machines) {
                (true, _) => {
                    // Another measurement on one of the machines differs from the one there.
                    let here = traces.iter().find(|here| here.setup.machine.is_same(&trace.setup.machine));
                    let label = unpaired_label(&name, trace, here.unwrap_or(first), others);
                    match here {
                        Some(here) if on_two_machines => format!("{label} · {}", here.setup.machine.name),
                        _ => label,
                    }
                }
                (false, true) => format!("{name} · {}", trace.setup.machine.name),
                (false, false) => name.clone(),
            };
            let has_room = all().count() <= MAX_FUNCTIONS;
            let of_function = traces.iter().position(|other| other.path == trace.path);
            Self {
                trace: trace.clone(),
                name,
                label,
                unpaired,
                is_sketch: on_two_machines && !trace.is_native(),
                hue: match (has_room, unpaired) {
                    (true, _) => index,
                    (false, false) => index % functions,
                    (false, true) => of_function.unwrap_or(index % MAX_FUNCTIONS),
                },
            }
        };
        all().enumerate().map(shown).collect()
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
fn unpaired_label(name: &str, trace: &Trace, first: &Trace, others: &[Trace]) -> String {
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
        (!machine.is_same(here)).then(|| machine.name_next_to(here)),
    ];
    let differences: Vec<String> = differences.into_iter().flatten().collect();
    let differences = if differences.is_empty() { "earlier".to_owned() } else { differences.join(", ") };
    format!("{name} · {differences}")
}
