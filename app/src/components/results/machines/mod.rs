//! Browser and native: the ratios of the times on both machines, and the order of the functions.

mod ratio_chart;
mod ratio_table;

use std::rc::Rc;

use benchbook_host::messages::machines::compared_statistics;
use yew::prelude::*;

use benchbook_report::machine_comparison::MachineComparison;
use benchbook_report::shown_trace::ShownTrace;
use ratio_chart::RatioChart;
use ratio_table::ratio_table;

#[derive(PartialEq, Properties)]
pub(crate) struct MachinesProps {
    /// The shown traces.
    pub(crate) shown: Vec<ShownTrace>,
    /// Whether later points may change the comparison.
    pub(crate) is_measuring: bool,
}

/// The comparison of both machines; empty during a measurement, or if only one of them has figures. The element is always
/// present: Yew would insert siblings that are added later on the wrong side of a component without one.
#[component]
pub(crate) fn Machines(props: &MachinesProps) -> Html {
    let complete = (!props.is_measuring).then(|| props.shown.clone());
    let comparison = use_memo(complete, |complete| complete.as_deref().and_then(MachineComparison::of).map(Rc::new));
    html! {
        <div class="machines">
            if let Some(comparison) = &*comparison {
                <div>
                    { for comparison.sentences().into_iter().map(|sentence| html! {
                        <p class="verdict" data-test="machines">{ sentence }</p>
                    }) }
                </div>
                <details>
                    <summary data-test="machines-details">{ "Browser and native" }</summary>
                    <RatioChart comparison={Rc::clone(comparison)} shown={props.shown.clone()} />
                    { ratio_table(comparison) }
                    { notes(comparison) }
                </details>
            }
        </div>
    }
}

/// The definitions of ratio and τ.
fn notes(comparison: &MachineComparison) -> Html {
    let statistics = compared_statistics(&comparison.values);
    html! {
        <p class="hints">
            { format!("Ratios of {statistics} with 95% intervals, at each value that was measured on both machines. They apply only to this browser and this runner.") }
            if comparison.has_ranks() {
                { " Kendall's τ compares the order of the functions: 1 if it is the same, −1 if it is reversed. Functions count as tied if their intervals overlap or are missing." }
            }
        </p>
    }
}
