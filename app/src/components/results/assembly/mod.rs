//! The generated code of a function: its instructions with lines of the source, or how they differ from those of other code.

mod listing;
mod model;

use std::rc::Rc;

use benchbook_assembly::number_of;
use benchbook_host::units::count;
use benchbook_notebook::view::{AssemblyView, CellView, Tab, ViewAction};
use benchbook_report::results::Results;
use yew::prelude::*;

use super::missing::{LoadProblem, Missing};
use super::sources::{Source, Sources};
use crate::components::widgets::choice::Choice;
use crate::components::widgets::code::with_code;
use crate::components::widgets::copy::CopyButton;
use listing::InstructionTable;
use model::CodeModel;

/// The code of a cell's functions, and what is shown of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ShownCode {
    sources: Sources,
    shown: Option<Source>,
    /// Absent if this version can't read it, and without code.
    model: Option<Rc<CodeModel>>,
}

/// Returns the code that a view shows; nothing unless it shows the tab.
#[hook]
pub(super) fn use_code(results: &Results, view: &CellView) -> ShownCode {
    let is_shown = view.tab == Tab::Assembly;
    let sources = match is_shown {
        true => Sources::of(results, |result, function| Some(&result.listing(function)?.listing)),
        false => Sources::default(),
    };
    let choice = (view.assembly.function.clone(), view.assembly.before.clone());
    let shown = use_memo((sources, choice), |(sources, (function, before))| {
        let shown = sources.shown(function.as_ref());
        let before = shown.and_then(|shown| sources.before(shown, before.as_ref()));
        let model = shown.and_then(|shown| CodeModel::new(shown, before)).map(Rc::new);
        ShownCode { sources: sources.clone(), shown: shown.cloned(), model }
    });
    ShownCode::clone(&shown)
}

#[derive(PartialEq, Properties)]
pub(super) struct AssemblyTabProps {
    pub(super) code: ShownCode,
    pub(super) view: AssemblyView,
    pub(super) on_present: Callback<ViewAction>,
}

/// The content of the tab.
#[component]
pub(super) fn AssemblyTab(props: &AssemblyTabProps) -> Html {
    let AssemblyTabProps { code: ShownCode { sources, shown, model }, view, on_present } = props;
    let (Some(model), Some(shown)) = (model, shown) else {
        return html! {
            <Missing tab={Tab::Assembly} is_unreadable={shown.is_some()} on_present={on_present.clone()}
                offer="See the instructions that the compiler generated." command="Show" />
        };
    };
    let change = |set: fn(&mut AssemblyView, Option<String>)| {
        let view = view.clone();
        on_present.reform(move |key: String| {
            let mut changed = AssemblyView { marked: None, ..view.clone() };
            set(&mut changed, Some(key).filter(|key| !key.is_empty()));
            ViewAction::Assembly(changed)
        })
    };
    let options = |source: &Source| (source.key.clone(), source.label.clone());
    let functions: Vec<_> = sources.current.iter().map(options).collect();
    let comparable = sources.comparable(shown).into_iter().map(options);
    let comparable: Vec<_> = std::iter::once((String::new(), "nothing".to_owned())).chain(comparable).collect();
    let toggle_around = {
        let view = view.clone();
        let shows_around = !view.shows_around;
        on_present.reform(move |_: MouseEvent| ViewAction::Assembly(AssemblyView { shows_around, ..view.clone() }))
    };
    let text = {
        let model = Rc::clone(model);
        Callback::from(move |()| model.text())
    };
    html! {
        <>
            <div class="toolbar">
                if functions.len() > 1 {
                    <Choice label="Function" test="assembly-function" options={functions} value={shown.key.clone()}
                        on_choose={change(|view, function| (view.function, view.before) = (function, None))} />
                }
                if comparable.len() > 1 {
                    <Choice label="Compare with" is_labelled=true test="assembly-before" options={comparable} value={view.before.clone().unwrap_or_default()}
                        on_choose={change(|view, before| view.before = before)} />
                }
                if model.has_code_around() {
                    <button class="small" data-test="assembly-around" aria-pressed={view.shows_around.to_string()} onclick={toggle_around}
                        title="Show the code that the function was inlined into">{ "Surrounding code" }</button>
                }
                <CopyButton {text} test="assembly-copy" label="Copy" />
            </div>
            <p class="code-answer" data-test="assembly-answer">{ with_code(&model.answer) }</p>
            if !model.inlined.is_empty() {
                <details class="code-inlined" data-test="assembly-inlined">
                    <summary>{ number_of(model.inlined.len(), "inlined function", count) }</summary>
                    <ul>{ for model.inlined.iter().map(|name| html! { <li><code>{ name }</code></li> }) }</ul>
                </details>
            }
            if let Some(difference) = &model.difference {
                { unified(difference) }
            } else {
                <InstructionTable key={shown.key.clone()} model={Rc::clone(model)} view={view.clone()} on_present={on_present.clone()} />
            }
            <p class="hints" data-test="assembly-note">{ with_code(&model.note()) }</p>
            <LoadProblem tab={Tab::Assembly} on_present={on_present.clone()} />
        </>
    }
}

/// A unified difference, without its header.
fn unified(difference: &str) -> Html {
    let line = |line: &str| {
        let class = match line.as_bytes().first() {
            Some(b'+') => "added",
            Some(b'-') => "removed",
            Some(b'@') => "soft",
            _ => "",
        };
        html! { <span {class}>{ line }{ "\n" }</span> }
    };
    html! {
        if !difference.is_empty() {
            <pre class="code-difference" tabindex="0" aria-label="Difference" data-test="assembly-difference">{ for difference.lines().skip(2).map(line) }</pre>
        }
    }
}
