//! Traces as the page shows them: labels, colours, and which of them are paired.

use benchbook_contract::protocol::MAX_FUNCTIONS;

use benchbook_notebook::trace::Trace;

/// A trace with its label and colour among those shown together.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ShownTrace {
    /// The trace.
    pub(crate) trace: Trace,
    /// The function's name, or its path if another function has the same name.
    pub(crate) name: String,
    /// Distinguishes it from the others: this name, the machine's if there are two, and the differing arguments
    /// if it is unpaired.
    pub(crate) label: String,
    /// Measured at another time or on other inputs: the curves must not be compared.
    pub(crate) unpaired: bool,
    /// A quick curve from this browser next to a runner's.
    pub(crate) is_sketch: bool,
    /// The colour's index: unique, or shared by both machines if there are too many traces.
    pub(crate) hue: usize,
}

impl ShownTrace {
    /// The traces of the last measurement, then the overlays.
    pub(super) fn all(traces: &[Trace], overlays: &[Trace]) -> Vec<Self> {
        let Some(first) = traces.first() else { return Vec::new() };
        let all = || traces.iter().chain(overlays);
        let is_unique = |path: &str, name: &str| all().all(|other| other.name() != name || other.path == path);
        let name = |trace: &Trace| {
            if is_unique(&trace.path, trace.name()) { trace.name().to_owned() } else { trace.path.clone() }
        };
        let functions = traces.iter().filter(|trace| trace.is_paired_with(first)).count();
        let on_two_machines = functions < traces.len();
        let shown = |(index, trace): (usize, &Trace)| {
            let unpaired = index >= traces.len();
            let name = name(trace);
            let label = match (unpaired, on_two_machines) {
                (true, _) => unpaired_label(&name, trace, first),
                (false, true) => format!("{name} · {}", trace.setup.machine.name),
                (false, false) => name.clone(),
            };
            let has_room = all().count() <= MAX_FUNCTIONS;
            Self {
                trace: trace.clone(),
                name,
                label,
                unpaired,
                is_sketch: on_two_machines && !trace.is_native(),
                hue: if has_room || unpaired { index } else { index % functions },
            }
        };
        all().enumerate().map(shown).collect()
    }
}

/// The label of an overlay: its function, and its differences from `first`.
fn unpaired_label(name: &str, trace: &Trace, first: &Trace) -> String {
    let difference = trace.setup.difference_from(&first.setup);
    let machine = &trace.setup.machine.name;
    let is_same_machine = *machine == first.setup.machine.name;
    let difference = if difference.is_empty() { "earlier".to_owned() } else { difference };
    let difference = if is_same_machine { difference } else { format!("{difference}, {machine}") };
    format!("{name} · {difference}")
}
