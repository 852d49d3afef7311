//! Why a function is slower than in an earlier build: the answer, what adds to it, the calls that lead to the cause, its source, and a search by time.

mod chain;
mod contributors;
mod model;
mod search;

use std::rc::Rc;

use benchbook_notebook::result::SharedValue;
use benchbook_pinpoint::{Found, PinpointReport, SourceLine};
use yew::prelude::*;

use crate::components::results::claims::headline;
use crate::components::widgets::code::with_code;
use crate::components::widgets::copy::CopyButton;
use chain::Chain;
use contributors::Contributors;
use model::{Total, totals};
use search::TimeSearchView;

#[derive(PartialEq, Properties)]
pub(super) struct PinpointCellProps {
    pub(super) document: SharedValue,
    /// Receives the report with what was found by time.
    pub(super) on_found: Callback<SharedValue>,
}

#[component]
pub(super) fn PinpointCell(props: &PinpointCellProps) -> Html {
    let report = use_memo(props.document.clone(), model::read);
    // What was found since the cell is shown: a notebook that is only read does not store it.
    let found = use_state_eq(|| None::<Rc<Found>>);
    let Some(stored) = &*report else {
        return html! {
            <p class="problem-note inset" role="alert" data-test="problem">{ "This page can't read the comparison of the builds. Run `cargo benchbook pinpoint` again." }</p>
        };
    };
    let by_time = found.as_deref().or(stored.by_time.as_ref());
    let report = PinpointReport::clone(stored);
    let report = Rc::new(match by_time {
        Some(by_time) => report.with_found(by_time.clone()),
        None => report,
    });
    let on_found = {
        let (found, on_found, report) = (found.setter(), props.on_found.clone(), Rc::clone(&report));
        Callback::from(move |by_time: Found| {
            found.set(Some(Rc::new(by_time.clone())));
            if let Ok(document) = serde_json::to_value(PinpointReport::clone(&report).with_found(by_time)) {
                on_found.emit(SharedValue(Rc::new(document)));
            }
        })
    };
    let markdown = {
        let report = Rc::clone(&report);
        Callback::from(move |()| report.markdown())
    };
    let total = |total: Total| {
        html! {
            <div><dt>{ total.name }</dt><dd><strong>{ with_code(&total.value) }</strong> { with_code(&total.details) }</dd></div>
        }
    };
    let PinpointReport { answer, instructions: pinpoint, different_code, .. } = &*report;
    html! {
        <div class="pinpoint" data-test="pinpoint">
            <div class="run-bar">
                { headline(std::slice::from_ref(answer), false) }
                <CopyButton text={markdown} test="pinpoint-markdown" label="Copy as Markdown" />
            </div>
            <dl class="pinpoint-totals" data-test="pinpoint-totals">{ for totals(&report).into_iter().map(total) }</dl>
            <Contributors report={Rc::clone(&report)} />
            <div class="pinpoint-body">
                <section>
                    <Chain report={Rc::clone(&report)} />
                    if let Some(file) = &pinpoint.source_file {
                        <h3>{ file }</h3>
                        <div class="scroll code-listing pinpoint-source" tabindex="0" role="region" aria-label="Changed source">
                            <table data-test="pinpoint-source"><tbody>{ for pinpoint.source.iter().map(source_line) }</tbody></table>
                        </div>
                    }
                </section>
                <section>
                    <TimeSearchView report={Rc::clone(&report)} {on_found} />
                    if !different_code.is_empty() {
                        <h3>{ "Other native code" }</h3>
                        <ul class="pinpoint-names" data-test="pinpoint-native">{ for different_code.iter().map(|name| html! { <li><code>{ name }</code></li> }) }</ul>
                    }
                    { for (report.memory_notes() + &report.silent_changes()).lines().map(|line| html! { <p class="soft">{ with_code(line) }</p> }) }
                </section>
            </div>
            <p class="profile-foot">
                <span>{ "Counted in WebAssembly: the same builds give the same counts on every machine." }</span>
                <span>{ format!("Compared with {}", report.baseline) }</span>
            </p>
        </div>
    }
}

/// A line with its number: that of the later build if it has the line.
fn source_line(line: &SourceLine) -> Html {
    let (class, mark, name) = match line.lines {
        [Some(_), None] => ("gone", "−", "removed: "),
        [None, Some(_)] => ("new", "+", "added: "),
        _ => ("", " ", ""),
    };
    let number = line.lines[1].or(line.lines[0]).unwrap_or_default();
    html! {
        <tr {class}>
            <th scope="row">{ number }</th>
            <td><span aria-hidden="true">{ mark }</span><span class="visually-hidden">{ name }</span></td>
            <td><code>{ &line.text }</code></td>
        </tr>
    }
}
