//! The times on both machines as a table: a row per axis value and function.

use benchbook_host::compare::machines::{FunctionOnBoth, MachinesAt, RankAgreement};
use benchbook_host::messages::machines::{machine_ratio, tau};
use benchbook_host::units::{Nanos, axis_value};
use yew::prelude::*;

use benchbook_report::machine_comparison::MachineComparison;

/// The table.
pub(super) fn ratio_table(comparison: &MachineComparison) -> Html {
    let heading = comparison.setup.axis_heading();
    let has_axis = comparison.values.iter().any(|at| !at.x.is_absent());
    html! {
        <div class="scroll" tabindex="0" role="region" aria-label="Browser and native times">
            <table data-test="machines-table">
                <thead>
                    <tr>
                        if has_axis {
                            <th scope="col">{ heading }</th>
                        }
                        <th scope="col" class="text">{ "function" }</th>
                        <th scope="col">{ "browser" }</th>
                        <th scope="col">{ "native" }</th>
                        <th scope="col">{ "browser ÷ native" }</th>
                        if comparison.has_ranks() {
                            <th scope="col">{ "Kendall's τ" }</th>
                        }
                    </tr>
                </thead>
                <tbody>{ for comparison.values.iter().map(|at| rows(comparison, at)) }</tbody>
            </table>
        </div>
    }
}

/// The rows of an axis value. The first one has the τ, which belongs to all of them.
fn rows(comparison: &MachineComparison, at: &MachinesAt) -> Html {
    let row = |(index, on_both): (usize, &FunctionOnBoth)| {
        let FunctionOnBoth { function, browser, native, ratio } = on_both;
        let name = comparison.functions.get(*function).cloned().unwrap_or_default();
        let title = ratio.interval.is_none().then_some("Too few samples for an interval");
        html! {
            <tr data-x={at.x.to_string()} data-function={name.clone()} data-ratio={ratio.value.to_string()}>
                if at.x.is_absent() {
                    <th scope="row" class="text">{ name }</th>
                } else {
                    <th scope="row">{ axis_value(&at.x) }</th>
                    <td class="text">{ name }</td>
                }
                <td>{ Nanos(browser.value).to_string() }</td>
                <td>{ Nanos(native.value).to_string() }</td>
                <td {title}>{ machine_ratio(*ratio) }</td>
                if comparison.has_ranks() && index == 0 {
                    <td rowspan={at.functions.len().to_string()} data-test="tau">{ at.ranks.as_ref().map(rank_text) }</td>
                }
            </tr>
        }
    };
    at.functions.iter().enumerate().map(row).collect()
}

/// The τ, and whether the order of a pair differs.
fn rank_text(ranks: &RankAgreement) -> String {
    let tau = tau(ranks.tau);
    if ranks.reversed.is_empty() { tau } else { format!("{tau}, order differs") }
}
