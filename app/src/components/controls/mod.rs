//! The controls of a cell: the generator and its parameters.

pub(crate) mod build_pair;
pub(crate) mod compare;
mod parameter;
pub(crate) mod target;
mod value_list;

use std::rc::Rc;

use benchbook_contract::catalog::{Function, Generator};
use benchbook_host::request::Problem;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::components::widgets::select_value::use_select_value;
use crate::components::widgets::unique_id::use_unique_id;
use crate::state::cell::action::{CellAction, SetupEdit};
use crate::state::cell::controls::Controls;
use crate::state::suites::loaded_suite::LoadedSuite;
use parameter::ParameterView;

#[derive(PartialEq, Properties)]
pub(crate) struct ControlsProps {
    pub(crate) suite: Rc<LoadedSuite>,
    pub(crate) function: Rc<Function>,
    /// The chosen generator.
    pub(crate) generator: Rc<Generator>,
    pub(crate) controls: Controls,
    /// The problems of the last request.
    pub(crate) problems: Vec<Problem>,
    pub(crate) on_action: Callback<CellAction>,
}

#[component]
pub(crate) fn ControlsView(props: &ControlsProps) -> Html {
    let onchange = props.on_action.reform(|event: Event| {
        CellAction::Edit(SetupEdit::ChooseGenerator(event.target_unchecked_into::<HtmlSelectElement>().value()))
    });
    let on_control = props.on_action.reform(|value| CellAction::Edit(SetupEdit::Control(value)));
    let generators = props.suite.suite.generators.iter();
    let bound = generators.filter(|generator| props.function.generators.contains(&generator.path));
    let select = use_select_value(props.generator.path.clone());
    let id = use_unique_id("generator");
    let axis_group = use_unique_id("axis");
    html! {
        <>
            <div class="control">
                <label for={id.to_string()}>{ "Input" }</label>
                <select id={id.to_string()} data-test="generator" ref={select} {onchange}>
                    { for bound.map(|generator| html! {
                        <option value={generator.path.clone()} selected={generator.path == props.generator.path}>
                            { option(generator) }
                        </option>
                    }) }
                </select>
            </div>
            { for props.generator.parameters.iter().map(|parameter| html! {
                <ParameterView
                    key={format!("{}/{}", props.generator.path, parameter.name)}
                    parameter={parameter.clone()}
                    setting={props.controls.settings.get(&parameter.name).cloned()}
                    role={props.controls.role(&parameter.name)}
                    problems={problems_of(&props.problems, &parameter.name)}
                    axis_group={Rc::clone(&axis_group)}
                    on_control={on_control.clone()}
                />
            }) }
            { for props.problems.iter().filter(|problem| !has_field(problem, &props.generator)).map(|problem| html! {
                <p class="problem-note" role="alert" data-test="problem">{ &problem.message }</p>
            }) }
        </>
    }
}

/// The name of a generator, and the summary of its docs if it has any.
fn option(generator: &Generator) -> String {
    match summary(&generator.docs) {
        summary if summary.is_empty() => generator.name.clone(),
        summary => format!("{} — {summary}", generator.name),
    }
}

/// The first line of a doc comment, in lower case and without the full stop.
fn summary(docs: &str) -> String {
    let line = docs.lines().next().unwrap_or("").trim_end_matches('.');
    let mut letters = line.chars();
    letters.next().map(|first| std::iter::once(first.to_ascii_lowercase()).chain(letters).collect()).unwrap_or_default()
}

fn problems_of(problems: &[Problem], name: &str) -> Vec<String> {
    let prefix = format!("arguments.{name}");
    let is_about = |problem: &&Problem| {
        problem.location == prefix
            || problem.location.starts_with(&format!("{prefix}."))
            || problem.location.starts_with(&format!("{prefix}["))
    };
    problems.iter().filter(is_about).map(|problem| problem.message.clone()).collect()
}

/// Whether the problem is shown next to its field.
fn has_field(problem: &Problem, generator: &Generator) -> bool {
    matches!(problem.location.as_str(), "precision" | "point_ms")
        || generator
            .parameters
            .iter()
            .any(|parameter| !problems_of(std::slice::from_ref(problem), &parameter.name).is_empty())
}
