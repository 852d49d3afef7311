//! The cell of a function: its documentation, its controls, and its results.

use std::rc::Rc;

use yew::prelude::*;

use super::cell_footer::cell_footer;
use super::compare::CompareView;
use super::controls::ControlsView;
use super::docs::Docs;
use super::focus;
use super::help::{HelpButton, Topic};
use super::output::Output;
use super::progress::ProgressView;
use super::quality::Quality;
use super::ranking::{Answer, use_rankings};
use super::target::{first_calls_switch, target_fields};
use crate::state::cell::{CellAction, LiveCell};
use benchbook_notebook::trace::Trace;

#[derive(PartialEq, Properties)]
pub(crate) struct CellProps {
    pub(crate) cell: Rc<LiveCell>,
    /// Curves of other measurements that can be drawn in the same plot.
    pub(crate) candidates: Vec<Trace>,
    pub(crate) can_measure: bool,
    /// Why the runner cannot be used; absent if it can.
    pub(crate) runner_problem: Option<String>,
    pub(crate) on_action: Callback<CellAction>,
    pub(crate) on_measure: Callback<()>,
    pub(crate) on_stop: Callback<()>,
}

#[component]
pub(crate) fn CellView(props: &CellProps) -> Html {
    let cell = &props.cell;
    let (section, measure_button) = (use_node_ref(), use_node_ref());
    let shown = cell.results.shown();
    let rankings = use_rankings(&shown);
    let on_present = props.on_action.reform(CellAction::Present);
    use_view_of_new_cell(&section);
    use_focus_on_rejection(&section, cell.rejections);
    let on_measure = props.on_measure.reform(|_: MouseEvent| ());
    let on_stop = {
        let measure_button = measure_button.clone();
        props.on_stop.reform(move |_: MouseEvent| {
            // Stop is about to be disabled, which would lose the focus.
            focus::on(&measure_button);
        })
    };
    let native_part = cell.native_part().filter(|_| !props.can_measure);
    let remark = cell.remark.as_ref().or(props.runner_problem.as_ref().filter(|_| native_part.is_none()));
    html! {
        <section class="cell" ref={section} data-test="cell" data-path={cell.function.path.clone()} aria-labelledby="cell-title">
            { head(cell) }
            <Answer shown={shown.clone()} rankings={Rc::clone(&rankings)} margin={cell.presentation.margin.ratio()}
                ranked_at={cell.presentation.ranked_at.clone()} on_present={on_present.clone()} />
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
                    { target_fields(&cell.measuring_options, &props.on_action) }
                    { first_calls_switch(&cell.measuring_options, &props.on_action) }
                    <CompareView cell={cell.clone()} candidates={props.candidates.clone()} on_action={props.on_action.clone()} />
                    if let Some(part) = native_part {
                        <p class="problem-note" data-test="problem">{ native_note(part, props.runner_problem.as_deref()) }
                            { " " }<HelpButton topic={Topic::Native} />
                        </p>
                    }
                    <div class="go">
                        <button class="primary" ref={measure_button} data-test="measure" disabled={!props.can_measure} onclick={on_measure}>{ "Measure" }</button>
                        <button data-test="stop" disabled={!cell.is_measuring()} onclick={on_stop}>{ "Stop" }</button>
                    </div>
                    <ProgressView run={cell.status.clone()} step={cell.step.clone()} />
                </div>
                <Output results={cell.results.clone()} {rankings} presentation={cell.presentation.clone()} is_measuring={cell.is_measuring()}
                    is_outdated={cell.is_outdated()} {on_present} />
            </div>
            if let Some(remark) = remark {
                <div class="warn" role="status" data-test="remark">{ remark }</div>
            }
            <Quality {shown} is_measuring={cell.is_measuring()} />
            { cell_footer(&cell.results) }
        </section>
    }
}

/// Scrolls to a cell when it appears.
#[hook]
fn use_view_of_new_cell(section: &NodeRef) {
    let section = section.clone();
    use_effect_with((), move |()| focus::bring_into_view(&section));
}

/// Focuses the first invalid field when a request is rejected, but not when the user returns to such a cell later.
#[hook]
fn use_focus_on_rejection(section: &NodeRef, rejections: u32) {
    let seen = use_mut_ref(|| rejections);
    let section = section.clone();
    use_effect_with(rejections, move |rejections| {
        if seen.replace(*rejections) != *rejections {
            focus::on_first_invalid(&section);
        }
    });
}

fn native_note(part: &str, runner_problem: Option<&str>) -> String {
    let remedy = runner_problem.unwrap_or("Choose a runner in the page's header.");
    format!("This {part} is native: only a runner can measure it. {remedy}")
}

fn head(cell: &LiveCell) -> Html {
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
