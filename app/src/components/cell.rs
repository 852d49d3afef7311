//! The cell of a function: what it is, what is set for it, and what came of it.

use benchbook::units::Nanos;
use yew::prelude::*;

use super::controls::ControlsView;
use super::docs::Docs;
use super::output::Output;
use super::progress::ProgressView;
use super::sidebar::split;
use super::warnings::Warnings;
use crate::state::cell::{Cell, CellAction, MeasuredCurve};

#[derive(PartialEq, Properties)]
pub(crate) struct CellProps {
    pub(crate) cell: Cell,
    pub(crate) on_action: Callback<CellAction>,
    pub(crate) on_measure: Callback<()>,
    pub(crate) on_stop: Callback<()>,
}

#[component]
pub(crate) fn CellView(props: &CellProps) -> Html {
    let cell = &props.cell;
    let native = cell.native_part();
    let on_measure = props.on_measure.reform(|_: MouseEvent| ());
    let on_stop = props.on_stop.reform(|_: MouseEvent| ());
    html! {
        <section class="cell" data-test="cell" data-path={cell.function.path.clone()}>
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
                    if let Some(part) = native {
                        <p class="problem-note" data-test="problem">
                            { format!("This {part} is native: only a runner can measure it, not a browser; runners are still to come.") }
                        </p>
                    }
                    <div class="go">
                        <button class="primary" data-test="measure" disabled={native.is_some()} onclick={on_measure}>{ "Measure" }</button>
                        <button data-test="stop" disabled={!cell.is_measuring()} onclick={on_stop}>{ "Stop" }</button>
                    </div>
                    <ProgressView run={cell.run.clone()} step={cell.step} />
                </div>
                <Output result={cell.result.clone()} function={cell.function.clone()} is_outdated={cell.is_outdated()} />
            </div>
            if let Some(result) = &cell.result {
                <Warnings result={result.clone()} />
                { foot(cell, result) }
            }
        </section>
    }
}

fn head(cell: &Cell) -> Html {
    let function = &cell.function;
    let (module, name) = split(&function.path);
    let prefix = match module {
        "" => format!("{}::", cell.suite.suite.name),
        module => format!("{}::{module}::", cell.suite.suite.name),
    };
    html! {
        <div class="head">
            <h1 class="path"><i>{ prefix }</i>{ name }</h1>
            <div class="signature"><code>{ &function.signature }</code>{ format!(" · {}:{}", function.file, function.line) }</div>
            <Docs markdown={function.docs.clone()} />
        </div>
    }
}

/// What it comes to, and where it was measured.
fn foot(cell: &Cell, result: &MeasuredCurve) -> Html {
    let last = result.curve.readings().iter().rev().find_map(|reading| {
        let summary = &reading.measured()?.summary;
        Some((reading.x, summary.median.unwrap_or(summary.mean), summary.median.is_some()))
    });
    let card = &cell.suite.card;
    let build = card.build.rustc.split(" (").next().unwrap_or_default().to_owned();
    let fingerprint: String = card.fingerprint.chars().take(4).collect();
    html! {
        <div class="foot">
            if let Some((x, time, is_median)) = last {
                <span>
                    <b>{ Nanos(time).to_string() }</b>
                    { format!(" {} at {}", if is_median { "median" } else { "mean" }, benchbook::units::number(x)) }
                </span>
            }
            <span>{ format!("{} · {} · {build} · {} {fingerprint}…", result.face(), result.machine.name, card.name) }</span>
        </div>
    }
}
