//! A text cell: Markdown, and a field to edit it.

use benchbook_notebook::id::Id;
use web_sys::HtmlTextAreaElement;
use yew::prelude::*;

use crate::components::widgets::docs::Docs;
use crate::effects::browser::focus;
use crate::state::notebook::NotebookAction;

#[derive(PartialEq, Properties)]
pub(crate) struct TextCellProps {
    pub(crate) id: Id,
    pub(crate) text: String,
    /// Its first line.
    pub(crate) name: String,
    /// Whether only the first line is shown.
    pub(crate) is_collapsed: bool,
    /// Whether it is shown without controls.
    pub(crate) is_reading: bool,
    pub(crate) on_action: Callback<NotebookAction>,
}

/// The text, and while the user edits it, the field above its preview.
#[component]
pub(crate) fn TextCell(props: &TextCellProps) -> Html {
    let is_editing = use_state_eq(|| props.text.is_empty());
    let (field, edit_button) = (use_node_ref(), use_node_ref());
    {
        let field = field.clone();
        use_effect_with(*is_editing, move |is_editing| {
            if *is_editing {
                focus::on(&field);
            }
        });
    }
    let on_edit = {
        let is_editing = is_editing.clone();
        Callback::from(move |_: MouseEvent| is_editing.set(true))
    };
    let end = {
        let (is_editing, on_action) = (is_editing.clone(), props.on_action.clone());
        Callback::from(move |()| {
            is_editing.set(false);
            on_action.emit(NotebookAction::EndStep);
        })
    };
    let oninput = {
        let id = props.id.clone();
        props.on_action.reform(move |event: InputEvent| {
            NotebookAction::SetText(id.clone(), event.target_unchecked_into::<HtmlTextAreaElement>().value())
        })
    };
    let onkeydown = {
        let (end, edit_button) = (end.clone(), edit_button.clone());
        Callback::from(move |event: KeyboardEvent| {
            let ends = event.key() == "Escape" || event.key() == "Enter" && (event.ctrl_key() || event.meta_key());
            if ends {
                // Neither stops nor starts a measurement.
                event.prevent_default();
                end.emit(());
                focus::on(&edit_button);
            }
        })
    };
    if props.is_collapsed {
        return html! { <p class="text-line" data-test="text-line">{ &props.name }</p> };
    }
    let rows = props.text.lines().count().clamp(3, 24) + 1;
    html! {
        <div class="text-content">
            if *is_editing && !props.is_reading {
                <textarea dir="auto" class="text-field" ref={field} data-test="text-field" aria-label="Text in Markdown" rows={rows.to_string()} spellcheck="true"
                    placeholder="Text in Markdown: # Heading, **bold**, `code`, tables, links" value={props.text.clone()} {oninput} {onkeydown} />
                <p class="go">
                    <button class="small" data-test="text-done" onclick={end.reform(|_: MouseEvent| ())}>{ "Done" }</button>
                    <small>{ "Esc or Ctrl Enter" }</small>
                </p>
            } else if !props.is_reading {
                <button class="small edit" ref={edit_button} data-test="text-edit" onclick={on_edit.clone()}>{ "Edit" }</button>
            }
            <div data-test="text" ondblclick={on_edit}><Docs markdown={props.text.clone()} heading={2} /></div>
        </div>
    }
}
