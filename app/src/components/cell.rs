//! The cell of a function: what it is, what is set for it, and what came of it.

use std::rc::Rc;

use benchbook::units::{Nanos, number};
use yew::prelude::*;

use super::aim;
use super::compare::CompareView;
use super::controls::ControlsView;
use super::docs::Docs;
use super::focus;
use super::help::{HelpButton, Topic};
use super::output::Output;
use super::progress::ProgressView;
use super::warnings::Warnings;
use crate::state::cell::{Cell, CellAction};
use crate::state::trace::Trace;

#[derive(PartialEq, Properties)]
pub(crate) struct CellProps {
    pub(crate) cell: Rc<Cell>,
    /// What was measured elsewhere and can be drawn beside it.
    pub(crate) candidates: Vec<Trace>,
    /// The address of a runner, where the notebook names one.
    pub(crate) runner: Option<String>,
    pub(crate) on_action: Callback<CellAction>,
    pub(crate) on_measure: Callback<()>,
    pub(crate) on_stop: Callback<()>,
}

#[component]
pub(crate) fn CellView(props: &CellProps) -> Html {
    let cell = &props.cell;
    let native = cell.native_part();
    let on_measure = props.on_measure.reform(|_: MouseEvent| ());
    let on_stop = props.on_stop.reform(|_: MouseEvent| {
        // The button cannot be pressed again, and would lose the focus.
        focus::on("[data-test=measure]");
    });
    // Whoever is refused goes on where the first thing is to be mended; whoever comes back later does not.
    let known = use_mut_ref(|| cell.refusals);
    use_effect_with(cell.refusals, move |refusals| {
        if known.replace(*refusals) != *refusals {
            focus::on("[data-test=cell] [aria-invalid=true]");
        }
    });
    html! {
        <section class="cell" data-test="cell" data-path={cell.function.path.clone()} aria-labelledby="cell-title">
            { head(cell) }
            <div class="body">
                <div class="controls">
                    <ControlsView
                        suite={cell.suite.clone()}
                        function={cell.function.clone()}
                        generator={cell.generator.clone()}
                        controls={cell.controls.clone()}
                        problems={cell.problems.clone()}
                        on_action={props.on_action.clone()}
                    />
                    { aim::fields(&cell.aim, &props.on_action) }
                    <CompareView cell={cell.clone()} candidates={props.candidates.clone()} on_action={props.on_action.clone()} />
                    if let Some(part) = native {
                        <p class="problem-note" data-test="problem">{ native_note(part, props.runner.as_deref()) }
                            { " " }<HelpButton topic={Topic::Native} />
                        </p>
                    }
                    <div class="go">
                        <button class="primary" data-test="measure" disabled={native.is_some()} onclick={on_measure}>{ "Measure" }</button>
                        <button data-test="stop" disabled={!cell.is_measuring()} onclick={on_stop}>{ "Stop" }</button>
                    </div>
                    <ProgressView run={cell.run.clone()} step={cell.step} />
                </div>
                <Output cell={cell.clone()} on_action={props.on_action.clone()} />
            </div>
            <Warnings shown={cell.shown()} is_measuring={cell.is_measuring()} />
            { foot(cell) }
        </section>
    }
}

fn native_note(part: &str, runner: Option<&str>) -> String {
    let runner = match runner {
        Some(address) => format!("this notebook names one at {address}, which this page cannot ask yet"),
        None => "this notebook names none".to_owned(),
    };
    format!("This {part} is native: only a runner can measure it, not a browser; {runner}.")
}

fn head(cell: &Cell) -> Html {
    let function = &cell.function;
    let prefix = match function.module() {
        "" => format!("{}::", cell.suite.suite.name),
        module => format!("{}::{module}::", cell.suite.suite.name),
    };
    html! {
        <div class="head">
            <h1 class="path" id="cell-title"><i>{ prefix }</i>{ function.name() }</h1>
            <div class="signature"><code>{ &function.signature }</code>{ format!(" · {}:{}", function.file, function.line) }</div>
            <Docs markdown={function.docs.clone()} />
        </div>
    }
}

/// What each function comes to at the last point, and where it was measured.
fn foot(cell: &Cell) -> Html {
    let Some(setup) = cell.setup() else { return html! {} };
    let card = &setup.suite.card;
    let build = card.build.rustc.split(" (").next().unwrap_or_default().to_owned();
    let fingerprint: String = card.fingerprint.chars().take(4).collect();
    let several = cell.traces.len() > 1;
    html! {
        <div class="foot">
            { for cell.traces.iter().filter_map(|trace| headline(trace, several)) }
            <span>{ format!("{} · {} · {build} · {} {fingerprint}…", setup.face(), setup.machine.name, card.name) }</span>
        </div>
    }
}

/// The figure at the greatest value that was measured.
fn headline(trace: &Trace, is_named: bool) -> Option<Html> {
    let (x, measured) =
        trace.curve.readings().iter().rev().find_map(|reading| Some((reading.x, reading.measured()?)))?;
    let summary = &measured.summary;
    let (time, what) = match (measured.upper_bound(), summary.median) {
        (Some(bound), _) => (format!("< {}", Nanos(bound)), "a call"),
        (None, Some(median)) => (Nanos(median).to_string(), "median"),
        (None, None) => (Nanos(summary.mean).to_string(), "mean"),
    };
    let name = if is_named { format!(" {}", trace.function.name()) } else { String::new() };
    Some(html! { <span><b>{ time }</b>{ format!(" {what} at {}{name}", number(x)) }</span> })
}
