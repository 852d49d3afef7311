//! A measurement cell: its documentation, its controls, and its results.

use std::rc::Rc;

use yew::prelude::*;

use super::build_pair::BuildPair;
use super::compare::CompareView;
use super::controls::ControlsView;
use super::docs::Docs;
use super::focus;
use super::help::{HelpButton, Topic};
use super::ranking::{RowCommand, RowCommands};
use super::result_view::ResultView;
use super::target::{FirstCallsSwitch, RunOnBoxes, TargetFields};
use super::unique_id::use_unique_id;
use crate::state::cell::{CellAction, LiveCell};
use crate::state::runner_builds::RunnerBuilds;
use benchbook_host::alternative::Alternative;
use benchbook_notebook::trace::Trace;

#[derive(PartialEq, Properties)]
pub(crate) struct MeasurementProps {
    pub(crate) cell: Rc<LiveCell>,
    /// The address of the source of its function; absent if it is unknown.
    pub(crate) source: Option<String>,
    /// Curves of other measurements that can be drawn in the same plot.
    pub(crate) candidates: Vec<Trace>,
    pub(crate) can_measure: bool,
    /// The label of the button that measures.
    pub(crate) measure_label: &'static str,
    /// The name of the runner that can measure the functions, if a browser can, too.
    pub(crate) runner: Option<String>,
    /// Why the runner cannot be used; absent if it can.
    pub(crate) runner_problem: Option<String>,
    /// The builds that the runner can measure together; absent without two.
    pub(crate) builds: Option<RunnerBuilds>,
    pub(crate) on_compare_builds: Callback<[String; 2]>,
    pub(crate) on_action: Callback<CellAction>,
    pub(crate) on_measure: Callback<()>,
    /// Adds a cell with the function at a path.
    pub(crate) on_add_cell: Callback<String>,
}

#[component]
pub(crate) fn Measurement(props: &MeasurementProps) -> Html {
    let cell = &props.cell;
    let compare = use_node_ref();
    // A cell from the storage shows its results; the controls are one click away.
    let has_controls = use_state_eq(|| cell.results.is_empty());
    // The number of clicks on the button that adds a function.
    let additions = use_state_eq(|| 0_u32);
    {
        let compare = compare.clone();
        use_effect_with(*additions, move |additions| {
            if *additions > 0 {
                focus::on(&compare);
            }
        });
    }
    let on_add = (cell.has_room() && !cell.candidates().is_empty()).then(|| {
        let (has_controls, additions) = (has_controls.clone(), additions.clone());
        Callback::from(move |()| {
            has_controls.set(true);
            additions.set(*additions + 1);
        })
    });
    let row_commands = {
        let (on_action, on_add_cell) = (props.on_action.clone(), props.on_add_cell.clone());
        RowCommands {
            functions: cell.functions().map(|function| function.path.clone()).collect(),
            on_command: use_callback(
                (on_action, on_add_cell),
                |(command, path): (RowCommand, String), (on_action, on_add_cell)| match command {
                    RowCommand::MakeBaseline => on_action.emit(CellAction::MakeBaseline(path)),
                    RowCommand::Remove => on_action.emit(CellAction::RemoveFunction(path)),
                    RowCommand::AddCell => on_add_cell.emit(path),
                },
            ),
        }
    };
    let controls_id = use_unique_id("controls");
    let on_present = props.on_action.reform(CellAction::Present);
    let on_measure = props.on_measure.reform(|_: MouseEvent| ());
    let native_part = cell.native_part().filter(|_| !props.can_measure);
    let remark = cell.remark.as_ref().or(props.runner_problem.as_ref().filter(|_| native_part.is_none()));
    let on_toggle = {
        let has_controls = has_controls.clone();
        Callback::from(move |_: MouseEvent| has_controls.set(!*has_controls))
    };
    let notes = html! {
        <>
            if let Some(remark) = remark {
                <div class="warn" role="status" data-test="remark">{ remark }</div>
            }
            <div class="setup-line">
                <button class="plain" aria-expanded={has_controls.to_string()} aria-controls={controls_id.to_string()}
                    data-test="toggle-controls" onclick={on_toggle}>
                    <i>{ if *has_controls { "▾" } else { "▸" } }</i>{ cell.summary() }
                </button>
                if !*has_controls {
                    <span class="go">
                        <button data-test="measure" disabled={!props.can_measure} onclick={on_measure.clone()}>{ props.measure_label }</button>
                    </span>
                }
            </div>
            if *has_controls {
                { documentation(cell, props.source.as_deref()) }
            }
        </>
    };
    let controls = has_controls.then(|| html! {
        <div class="controls" id={controls_id.to_string()}>
            <ControlsView
                suite={cell.suite.clone()}
                function={cell.function.clone()}
                generator={cell.generator.clone()}
                controls={cell.controls.clone()}
                problems={cell.problems.clone()}
                on_action={props.on_action.clone()}
            />
            <TargetFields target={cell.measuring_options.clone()} on_action={props.on_action.clone()} />
            <FirstCallsSwitch target={cell.measuring_options.clone()} on_action={props.on_action.clone()} />
            if let Some(runner) = props.runner.clone() {
                <RunOnBoxes options={cell.measuring_options.clone()} {runner} on_action={props.on_action.clone()} />
            }
            <CompareView cell={cell.clone()} candidates={props.candidates.clone()} on_action={props.on_action.clone()} select={compare.clone()} />
            if let Some(builds) = &props.builds {
                <BuildPair builds={builds.clone()} compared={compared_builds(cell)} on_compare={props.on_compare_builds.clone()} />
            }
            if let Some(part) = native_part {
                <p class="problem-note" data-test="problem">{ native_note(cell, part, props.runner_problem.as_deref()) }
                    { " " }<HelpButton topic={Topic::Native} />
                </p>
            }
            <div class="go">
                <button class="primary" data-test="measure" disabled={!props.can_measure} onclick={on_measure}>{ props.measure_label }</button>
            </div>
        </div>
    });
    html! {
        <ResultView results={cell.results.clone()} presentation={cell.presentation.clone()} is_measuring={cell.is_measuring()}
            is_outdated={cell.is_outdated()} {notes} {controls} {on_present} {on_add} {row_commands} />
    }
}

/// The builds of a cell's first two functions.
fn compared_builds(cell: &LiveCell) -> [Option<String>; 2] {
    let mut builds = cell.functions().map(|function| Alternative::parse(&function.path).build.map(str::to_owned));
    [builds.next().flatten(), builds.next().flatten()]
}

fn native_note(cell: &LiveCell, part: &str, runner_problem: Option<&str>) -> String {
    let reason = cell.native_reason().map_or_else(String::new, |reason| format!(": {reason}"));
    let remedy = runner_problem.unwrap_or("Choose a runner in the page's header.");
    format!("Only a runner can measure this {part}{reason}. {remedy}")
}

/// The signature, the documentation and the source of the function. `address`: that of the source, if it is known.
pub(super) fn documentation(cell: &LiveCell, address: Option<&str>) -> Html {
    let function = &cell.function;
    html! {
        <div class="about">
            <div class="signature"><code>{ &function.signature }</code>{ " · " }
                if let Some(address) = address {
                    <a href={address.to_owned()} data-test="source-link">{ format!("{}:{}", function.file, function.line) }</a>
                } else {
                    { format!("{}:{}", function.file, function.line) }
                }
            </div>
            <Docs markdown={function.docs.clone()} />
            if !function.source.is_empty() {
                <details class="docs source" data-test="source">
                    <summary>{ "Source" }</summary>
                    <pre tabindex="0"><code>{ &function.source }</code></pre>
                </details>
            }
        </div>
    }
}
