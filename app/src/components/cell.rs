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
    /// Whether it can be measured.
    pub(crate) can_measure: bool,
    /// What is wrong with the runner; absent where there is none.
    pub(crate) trouble: Option<String>,
    pub(crate) on_action: Callback<CellAction>,
    pub(crate) on_measure: Callback<()>,
    pub(crate) on_stop: Callback<()>,
}

#[component]
pub(crate) fn CellView(props: &CellProps) -> Html {
    let cell = &props.cell;
    let native = cell.native_part().filter(|_| !props.can_measure);
    let on_measure = props.on_measure.reform(|_: MouseEvent| ());
    let on_stop = props.on_stop.reform(|_: MouseEvent| {
        // The button cannot be pressed again, and would lose the focus.
        focus::on("[data-test=measure]");
    });
    // Whoever is refused goes on where the first thing is to be mended; whoever comes back later does not.
    let known = use_mut_ref(|| cell.rejections);
    use_effect_with(cell.rejections, move |refusals| {
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
                    { aim::fields(&cell.precision_target, &props.on_action) }
                    <CompareView cell={cell.clone()} candidates={props.candidates.clone()} on_action={props.on_action.clone()} />
                    if let Some(part) = native {
                        <p class="problem-note" data-test="problem">{ native_note(part, props.trouble.as_deref()) }
                            { " " }<HelpButton topic={Topic::Native} />
                        </p>
                    }
                    <div class="go">
                        <button class="primary" data-test="measure" disabled={!props.can_measure} onclick={on_measure}>{ "Measure" }</button>
                        <button data-test="stop" disabled={!cell.is_measuring()} onclick={on_stop}>{ "Stop" }</button>
                    </div>
                    <ProgressView run={cell.status.clone()} step={cell.step} />
                </div>
                <Output cell={cell.clone()} on_action={props.on_action.clone()} />
            </div>
            if let Some(remark) = cell.remark.as_ref().or(props.trouble.as_ref().filter(|_| native.is_none())) {
                <div class="warn" role="status" data-test="remark">{ remark }</div>
            }
            <Warnings shown={cell.shown()} is_measuring={cell.is_measuring()} />
            { foot(cell) }
        </section>
    }
}

fn native_note(part: &str, trouble: Option<&str>) -> String {
    let trouble = trouble.unwrap_or("Choose one at the head of this page.");
    format!("This {part} is native: only a runner can measure it, not a browser. {trouble}")
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

/// What each function comes to at the last point on the last machine, and where it was measured.
pub(super) fn foot(cell: &Cell) -> Html {
    let Some(last) = cell.traces.last() else { return html! {} };
    let setup = &last.setup;
    let card = &setup.suite.card;
    // What a runner measures is another binary of the same sources.
    let build = if last.is_native() {
        card.version.clone()
    } else {
        let fingerprint: String = card.fingerprint.chars().take(4).collect();
        format!("{fingerprint}… · {}", card.build.rustc.split(" (").next().unwrap_or_default())
    };
    let traces = || cell.traces.iter().filter(|trace| trace.is_paired_with(last));
    let several = traces().count() > 1;
    html! {
        <div class="foot">
            { for traces().filter_map(|trace| headline(trace, several)) }
            <span>{ format!("{} · {} · {} {build}", setup.target_name(), setup.machine.name, card.name) }</span>
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
