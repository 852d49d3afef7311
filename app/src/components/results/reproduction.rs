//! Which conclusions of an original measurement held when it was repeated, and the ratios to its times.

use benchbook_host::compare::machines::MachinesAt;
use benchbook_host::messages::machines::machine_ratio;
use benchbook_host::units::axis_value;
use yew::prelude::*;

use crate::components::widgets::code::with_code;
use benchbook_report::reproduction::{RepeatedRatios, Reproduction};

/// The summary, and on demand the ratios at all axis values.
pub(super) fn reproduction_view(reproduction: &Reproduction) -> Html {
    let Some((summary, details)) = reproduction.sentences.split_first() else { return html! {} };
    html! {
        <div class="reproduction" data-test="reproduction">
            <p>{ with_code(summary) }</p>
            <ul>{ for details.iter().map(|sentence| html! { <li>{ with_code(sentence) }</li> }) }</ul>
            if reproduction.ratios.values.len() > 1 {
                { ratio_table(&reproduction.ratios) }
            }
        </div>
    }
}

/// The ratios of all functions at all axis values.
fn ratio_table(ratios: &RepeatedRatios) -> Html {
    let RepeatedRatios { origin, names, setup, values } = ratios;
    let title = format!("Times here relative to {origin}, measured separately, at all {} values", values.len());
    html! {
        <details data-test="repeated-ratios">
            <summary>{ &title }</summary>
            <div class="scroll" tabindex="0" role="region" aria-label={title.clone()}>
                <table>
                    <thead>
                        <tr>
                            <th scope="col">{ setup.axis_heading() }</th>
                            { for names.iter().map(|name| html! { <th scope="col">{ name }</th> }) }
                        </tr>
                    </thead>
                    <tbody>{ for values.iter().map(|at| row(at, names.len())) }</tbody>
                </table>
            </div>
        </details>
    }
}

fn row(at: &MachinesAt, functions: usize) -> Html {
    let ratio = |function: usize| at.functions.iter().find(|one| one.function == function);
    html! {
        <tr data-test="repeated-ratio" data-x={at.x.to_string()}>
            <th scope="row">{ axis_value(&at.x) }</th>
            { for (0..functions).map(|function| html! { <td>{ ratio(function).map(|one| machine_ratio(one.ratio)) }</td> }) }
        </tr>
    }
}
