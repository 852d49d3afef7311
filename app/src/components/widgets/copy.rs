//! Copying text to the clipboard.

use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Document, HtmlElement, HtmlTextAreaElement};
use yew::prelude::*;

use super::outcome::use_outcome;

/// How long the button shows the outcome, in milliseconds.
const OUTCOME_MS: u32 = 2_500;

#[derive(PartialEq, Properties)]
pub(crate) struct CopyProps {
    /// Returns the text to copy.
    pub(crate) text: Callback<(), String>,
    /// The `data-test` of the button.
    pub(crate) test: AttrValue,
    /// The label of the button.
    pub(crate) label: AttrValue,
    /// The style of the button.
    #[prop_or("small")]
    pub(crate) class: &'static str,
}

/// A button that copies a text and reports whether it succeeded. If the browser does not permit it, a field offers the text instead.
#[component]
pub(crate) fn CopyButton(props: &CopyProps) -> Html {
    let (outcome, report) = use_outcome(OUTCOME_MS);
    let blocked = use_state_eq(|| None::<String>);
    let onclick = {
        let (text, blocked) = (props.text.clone(), blocked.setter());
        Callback::from(move |_: MouseEvent| {
            let (text, report, blocked) = (text.emit(()), report.clone(), blocked.clone());
            spawn_local(async move {
                let is_copied = copy(&text).await;
                report.emit(if is_copied { "Copied" } else { "Clipboard blocked" }.to_owned());
                blocked.set((!is_copied).then_some(text));
            });
        })
    };
    let close = {
        let blocked = blocked.setter();
        Callback::from(move |()| blocked.set(None))
    };
    let label = if outcome.is_empty() { props.label.clone() } else { outcome.into() };
    let button = use_node_ref();
    html! {
        <>
            <button class={props.class} data-test={props.test.clone()} ref={button.clone()} {onclick}><span role="status">{ label }</span></button>
            if let Some(text) = &*blocked {
                <TextToCopy text={text.clone()} {button} {close} />
            }
        </>
    }
}

#[derive(PartialEq, Properties)]
struct TextToCopyProps {
    text: String,
    /// Receives the focus after the key Escape.
    button: NodeRef,
    close: Callback<()>,
}

/// A field over the page that contains the text, selected, until it loses the focus.
#[component]
fn TextToCopy(props: &TextToCopyProps) -> Html {
    let field = use_node_ref();
    use_effect_with(field.clone(), |field| {
        if let Some(field) = field.cast::<HtmlTextAreaElement>() {
            // A field of the page can be focused.
            let _ = field.focus();
            field.select();
        }
    });
    let onblur = props.close.reform(|_: FocusEvent| ());
    let onkeydown = {
        let button = props.button.clone();
        Callback::from(move |event: KeyboardEvent| {
            if let Some(button) = button.cast::<HtmlElement>().filter(|_| event.key() == "Escape") {
                // A menu around it stays open.
                event.stop_propagation();
                // It had the focus before, so it can be focused. The field loses the focus, and closes.
                let _ = button.focus();
            }
        })
    };
    html! {
        <label class="text-to-copy">
            { "The browser does not permit copying. Copy this text yourself:" }
            <textarea readonly=true data-test="text-to-copy" ref={field} value={props.text.clone()} {onblur} {onkeydown} />
        </label>
    }
}

/// Copies a text to the clipboard. Returns whether it succeeded.
pub(crate) async fn copy(text: &str) -> bool {
    let Some(window) = web_sys::window() else { return false };
    // Absent over plain HTTP, although its type is not optional.
    let clipboard: JsValue = window.navigator().clipboard().into();
    if clipboard.is_object() {
        let written = JsFuture::from(window.navigator().clipboard().write_text(text)).await;
        if written.is_ok() {
            return true;
        }
    }
    window.document().is_some_and(|document| copy_selected(&document, text).unwrap_or(false))
}

/// The deprecated way, which needs no permission: selects a field that contains the text, and copies the selection.
fn copy_selected(document: &Document, text: &str) -> Option<bool> {
    let field: HtmlTextAreaElement = document.create_element("textarea").ok()?.dyn_into().ok()?;
    field.set_value(text);
    let body = document.body()?;
    let focused = document.active_element().and_then(|element| element.dyn_into::<HtmlElement>().ok());
    body.append_child(&field).ok()?;
    field.select();
    let copied = js_sys::Reflect::get(document, &"execCommand".into())
        .ok()?
        .dyn_into::<js_sys::Function>()
        .ok()?
        .call1(document, &"copy".into());
    field.remove();
    if let Some(focused) = focused {
        // The element had the focus before, so it can be focused.
        let _ = focused.focus();
    }
    Some(copied.ok()?.as_bool().unwrap_or(false))
}
