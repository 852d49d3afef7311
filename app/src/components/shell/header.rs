//! The header of the page: start, title, clock, runner, link, help, theme.

use benchbook_host::response::ClockCard;
use benchbook_notebook::notebook::UNTITLED;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::contents::contents_button;
use super::landmarks::Landmarks;
use super::machine_card::machine_card;
use crate::components::widgets::theme::theme_button;
use crate::state::PageAction;
use crate::state::notebook::library::StorageAction;
use crate::state::notebook::saving::SaveStatus;
use crate::state::notebook::{NotebookAction, OpenNotebook};

#[derive(PartialEq, Properties)]
pub(crate) struct HeaderProps {
    /// The title of the site; may be empty.
    pub(crate) title: String,
    /// Whether this is a standalone page.
    pub(crate) is_standalone: bool,
    /// The notebook that is shown.
    pub(crate) notebook: Option<HeaderNotebook>,
    /// Whether a cell is measured or queued, in any notebook: one button stops all of them.
    pub(crate) can_stop: bool,
    /// Absent until a suite's clock is measured.
    pub(crate) clock: Option<ClockCard>,
    /// Whether a clock may still be measured.
    pub(crate) is_loading: bool,
    /// The chip of the runner.
    pub(crate) runner: Html,
    /// The Share menu, or a button that copies a link to the current view.
    pub(crate) share: Html,
    pub(super) landmarks: Landmarks,
    pub(crate) act: Callback<PageAction>,
    pub(crate) on_stop: Callback<()>,
    pub(crate) on_home: Callback<()>,
    pub(crate) on_help: Callback<()>,
}

/// What the header shows of a notebook.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HeaderNotebook {
    title: String,
    status: SaveStatus,
    /// Whether figures are shown that are not stored yet.
    is_measuring: bool,
    /// Whether they are stored only when they are as precise as the previous ones.
    is_repeated: bool,
    can_undo: bool,
    can_redo: bool,
    has_cells: bool,
    is_reading: bool,
    /// Whether it is a file of a runner, which only a copy of can be edited.
    is_file: bool,
    /// Whether this is a standalone page, which cannot edit.
    is_standalone: bool,
}

impl HeaderNotebook {
    pub(super) fn of(notebook: &OpenNotebook, is_standalone: bool) -> Self {
        let (can_undo, can_redo) = notebook.can_undo_redo();
        Self {
            title: notebook.document.title.clone(),
            status: notebook.saving.status.clone(),
            is_measuring: notebook.measuring().is_some(),
            is_repeated: notebook.is_measuring_again(),
            can_undo,
            can_redo,
            has_cells: notebook.live_cells().next().is_some(),
            is_reading: notebook.is_reading,
            is_file: notebook.file.is_some(),
            is_standalone,
        }
    }
}

#[component]
pub(crate) fn Header(props: &HeaderProps) -> Html {
    let on_home = props.on_home.reform(|_: MouseEvent| ());
    let on_help = props.on_help.reform(|_: MouseEvent| ());
    // On a phone, a second row with everything that is not always of use.
    let is_open = use_state_eq(|| false);
    let on_more = {
        let is_open = is_open.clone();
        Callback::from(move |_: MouseEvent| is_open.set(!*is_open))
    };
    html! {
        <header class={is_open.then_some("open")}>
            { contents_button() }
            if props.is_standalone {
                <b class="home">{ "Benchbook" }</b>
            } else {
                <button class="home" data-test="home" title="Start" onclick={on_home}>{ "Benchbook" }</button>
            }
            if let Some(notebook) = &props.notebook {
                { notebook_part(notebook, props) }
            } else {
                <span class="title" dir="auto">{ &props.title }</span>
                { for props.can_stop.then(|| run_button(props, false)) }
            }
            <div class="chips secondary">
                if let Some(clock) = &props.clock {
                    { machine_card(clock, &props.landmarks) }
                } else if props.is_loading {
                    <span class="chip pending">{ "This browser" }</span>
                }
                { props.runner.clone() }
            </div>
            { props.share.clone() }
            <button class="round secondary" data-test="help" aria-label="Help" title="Help (?)" onclick={on_help}>{ "?" }</button>
            { theme_button() }
            <button class="round more" data-test="more" aria-label="More" title="More" aria-expanded={is_open.to_string()} onclick={on_more}>{ "⋯" }</button>
        </header>
    }
}

/// The title of the notebook, whether it is saved, and the commands that affect all of it.
fn notebook_part(notebook: &HeaderNotebook, props: &HeaderProps) -> Html {
    let act = &props.act;
    let oninput = act.reform(|event: InputEvent| {
        PageAction::Notebook(NotebookAction::SetTitle(event.target_unchecked_into::<HtmlInputElement>().value()))
    });
    let onblur = act.reform(|_: FocusEvent| PageAction::Notebook(NotebookAction::EndStep));
    let button = |test: &'static str, label: &'static str, text: &'static str, is_enabled: bool, action: PageAction| {
        let onclick = act.reform(move |_: MouseEvent| action.clone());
        html! {
            <button class="round secondary" data-test={test} aria-label={label} title={label} disabled={!is_enabled} {onclick}>{ text }</button>
        }
    };
    let reading = PageAction::Notebook(NotebookAction::SetReading(!notebook.is_reading));
    let (label, action) = match (notebook.is_reading, notebook.is_file) {
        (true, true) => ("Edit a copy", PageAction::EditCopy),
        (true, false) => ("Edit", reading),
        (false, _) => ("Read", reading),
    };
    let on_mode = act.reform(move |_: MouseEvent| action.clone());
    let mode = html! { <button class="small secondary" data-test="reader-mode" onclick={on_mode}>{ label }</button> };
    if notebook.is_reading {
        return html! {
            <div class="notebook-bar">
                <span class="title" dir="auto">{ &notebook.title }</span>
                { for (!notebook.is_standalone).then_some(mode) }
                { for props.can_stop.then(|| run_button(props, false)) }
            </div>
        };
    }
    html! {
        <div class="notebook-bar">
            <input class="title" type="text" dir="auto" aria-label="Title of the notebook" placeholder={UNTITLED} data-test="title"
                autocomplete="off" value={notebook.title.clone()} {oninput} {onblur} />
            { status(notebook, act) }
            { button("undo", "Undo (Ctrl Z)", "↶", notebook.can_undo, PageAction::Notebook(NotebookAction::Undo)) }
            { button("redo", "Redo (Ctrl Shift Z)", "↷", notebook.can_redo, PageAction::Notebook(NotebookAction::Redo)) }
            { mode }
            { run_button(props, notebook.has_cells) }
        </div>
    }
}

/// The button that measures all cells, or while any is measured or queued, stops all of them. It is one element, so that it keeps
/// the focus.
fn run_button(props: &HeaderProps, has_cells: bool) -> Html {
    let (test, label, text) = match props.can_stop {
        true => ("stop-all", "Stop all measurements (Esc)", "Stop"),
        false => ("measure-all", "Measure all cells (Ctrl Shift Enter)", "▶▶"),
    };
    let onclick = {
        let (act, on_stop, can_stop) = (props.act.clone(), props.on_stop.clone(), props.can_stop);
        Callback::from(move |_: MouseEvent| if can_stop { on_stop.emit(()) } else { act.emit(PageAction::MeasureAll) })
    };
    html! {
        <button class={classes!("round", "run-all", props.can_stop.then_some("stop"))} data-test={test} aria-label={label} title={label}
            disabled={!props.can_stop && !has_cells} {onclick}>{ text }</button>
    }
}

/// Whether the notebook is saved. A failure remains in view, wherever the user edits.
fn status(notebook: &HeaderNotebook, act: &Callback<PageAction>) -> Html {
    let (state, text) = match &notebook.status {
        SaveStatus::Saved if notebook.is_repeated => ("measuring", "Saved at the end"),
        SaveStatus::Saved if notebook.is_measuring => ("measuring", "Saved after each priority"),
        SaveStatus::Untouched => return html! { <span class="saved" data-test="saved" data-state="untouched"></span> },
        SaveStatus::Saving => ("saving", "Saving…"),
        SaveStatus::Saved => ("saved", "✓ Saved"),
        SaveStatus::Failed(reason) => ("failed", reason.as_str()),
    };
    html! {
        <span class={classes!("saved", state)} role="status" data-test="saved" data-state={state}>
            { text }
            if matches!(notebook.status, SaveStatus::Failed(_)) {
                <button class="small" data-test="save-again" onclick={act.reform(|_: MouseEvent| PageAction::Storage(StorageAction::Retry))}>{ "Try again" }</button>
            }
        </span>
    }
}
