//! A measurement cell: its documentation, its controls, and its results.

pub(crate) mod chips;
pub(crate) mod progress;
pub(crate) mod run_controls;

use std::rc::Rc;

use yew::prelude::*;

use super::controls::ControlsView;
use crate::components::controls::build_pair::BuildPair;
use crate::components::controls::compare::CompareView;
use crate::components::controls::target::{FirstCallsSwitch, RunOnBoxes, TargetFields};
use crate::components::results::missing::{Availabilities, Availability};
use crate::components::results::panel::{PanelChoice, SidePanel};
use crate::components::results::plot::metric_select::Counting;
use crate::components::results::ranking::{RowCommand, RowCommands};
use crate::components::results::result_view::ResultView;
use crate::components::widgets::docs::Docs;
use crate::components::widgets::help::{HelpButton, Topic};
use crate::effects::browser::focus;
use crate::state::cell::action::{CellAction, SetupEdit};
use crate::state::cell::{LiveCell, RunStatus};
use crate::state::notebook::cell_context::CellContext;
use benchbook_host::alternative::Alternative;
use benchbook_host::native_reason::NativeReason;
use progress::forecast;

#[derive(PartialEq, Properties)]
pub(crate) struct MeasurementProps {
    pub(crate) cell: Rc<LiveCell>,
    pub(crate) context: Rc<CellContext>,
    /// The progress, and the button that measures or stops.
    pub(crate) run: Html,
    pub(crate) panel: PanelChoice,
    pub(crate) on_compare_builds: Callback<[String; 2]>,
    pub(crate) on_action: Callback<CellAction>,
    /// Adds a cell with the function at a path.
    pub(crate) on_add_cell: Callback<String>,
}

#[component]
pub(crate) fn Measurement(props: &MeasurementProps) -> Html {
    let MeasurementProps { cell, context, .. } = props;
    let compare = use_node_ref();
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
        let on_open = props.panel.on_open.clone();
        Callback::from(move |()| {
            on_open.emit(SidePanel::Setup);
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
                    RowCommand::Remove => on_action.emit(CellAction::Edit(SetupEdit::RemoveFunction(path))),
                    RowCommand::AddCell => on_add_cell.emit(path),
                },
            ),
        }
    };
    let on_present = use_callback(props.on_action.clone(), |value, on_action| {
        on_action.emit(CellAction::Edit(SetupEdit::View(value)));
    });
    let native_part = cell.native_part().filter(|_| !context.can_measure);
    let remarks = cell.remarks.iter().chain(context.runner_problem.as_ref().filter(|_| native_part.is_none()));
    let notes = html! {
        <>
            { for remarks.map(|remark| html! { <div class="warn" role="status" data-test="remark">{ remark }</div> }) }
            if let Some(part) = native_part {
                <p class="problem-note inset" data-test="problem">{ native_note(cell, part, context.runner_problem.as_deref()) }
                    { " " }<HelpButton topic={Topic::Native} />
                </p>
            }
        </>
    };
    let setup = html! {
        <div class="controls">
            <ControlsView
                suite={cell.suite.clone()}
                function={cell.function.clone()}
                generator={cell.generator.clone()}
                controls={cell.controls.clone()}
                problems={cell.problems.clone()}
                on_action={props.on_action.clone()}
            />
            <dl class="inputs" data-test="inputs">
                { for cell.inputs().into_iter().map(|(name, text)| html! { <><dt>{ name }</dt><dd>{ text }</dd></> }) }
            </dl>
            <TargetFields target={cell.options.clone()} on_action={props.on_action.clone()} />
            <FirstCallsSwitch target={cell.options.clone()} on_action={props.on_action.clone()} />
            if let Some(runner) = context.runner.clone() {
                <RunOnBoxes options={cell.options.clone()} {runner} on_action={props.on_action.clone()} />
            }
            <CompareView cell={cell.clone()} candidates={context.candidates.clone()} on_action={props.on_action.clone()} select={compare.clone()} />
            if let Some(builds) = &context.builds {
                <BuildPair builds={builds.clone()} compared={compared_builds(cell)} on_compare={props.on_compare_builds.clone()} />
            }
            if !cell.results.is_empty() {
                <p class="soft">{ "Changes apply to the next measurement. These results stay until its first curve is ready." }</p>
            }
        </div>
    };
    let about = documentation(cell, context.source.as_deref());
    let plan = html! {
        <>
            { about.clone() }
            <p class="plan" data-test="plan">{ cell.announcement() }</p>
        </>
    };
    let counting = match (cell.can_count(), cell.is_measuring()) {
        (false, _) => Counting::Complete,
        (true, true) => Counting::Running,
        (true, false) => Counting::Possible,
    };
    html! {
        <ContextProvider<Counting> context={counting}>
        <ContextProvider<Availabilities> context={Availabilities { profile: profiling(cell), code: listing(cell) }}>
        <ResultView results={cell.results.clone()} view={cell.view.clone()} is_measuring={cell.is_measuring()}
            is_outdated={cell.is_outdated()} run={props.run.clone()} forecast={forecast(&cell.status, cell.step.as_ref())} {plan} {notes} {setup} about={(!cell.results.is_empty()).then_some(about)} panel={props.panel.clone()} {on_present} {on_add} {row_commands} />
        </ContextProvider<Availabilities>>
        </ContextProvider<Counting>>
    }
}

/// Whether the functions of a cell can be profiled.
fn profiling(cell: &LiveCell) -> Availability {
    let is_native = cell.functions().all(|function| NativeReason::of(function, &cell.generator).is_some());
    match (&cell.status, cell.unprofiled()) {
        (RunStatus::Counting { .. }, _) => Availability::Running,
        _ if cell.is_measuring() => Availability::Waiting,
        (_, Some(_)) => Availability::Possible,
        (_, None) if is_native => Availability::Impossible(
            "This function can't run in WebAssembly. Profile it natively: `cargo benchbook profile NAME --with perf`."
                .into(),
        ),
        (_, None) => {
            Availability::Impossible("Measure this build in this browser first. Then it can be profiled.".into())
        }
    }
}

/// Whether the code of the functions of a cell can be shown.
fn listing(cell: &LiveCell) -> Availability {
    match cell.unlisted() {
        None => Availability::Impossible("Measure this build to see its code.".into()),
        Some(_) if cell.loads_code => Availability::Running,
        Some(_) if cell.wants_code || cell.is_measuring() => Availability::Waiting,
        Some(_) if !cell.code_problems.is_empty() => Availability::Failed(cell.code_problems.join(" ").into()),
        Some(_) => Availability::Possible,
    }
}

/// The builds of a cell's first two functions.
fn compared_builds(cell: &LiveCell) -> [Option<String>; 2] {
    let mut builds = cell.functions().map(|function| Alternative::parse(&function.path).build.map(str::to_owned));
    [builds.next().flatten(), builds.next().flatten()]
}

fn native_note(cell: &LiveCell, part: &str, runner_problem: Option<&str>) -> String {
    let reason = cell.native_reason().map_or_else(String::new, |reason| format!(": {reason}"));
    let fix = runner_problem.unwrap_or("Choose a runner in the page's header.");
    format!("Only a runner can measure this {part}{reason}. {fix}")
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
