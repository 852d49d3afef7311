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
}

/// A button that copies a text and reports whether it succeeded.
#[component]
pub(crate) fn CopyButton(props: &CopyProps) -> Html {
    let (outcome, report) = use_outcome(OUTCOME_MS);
    let onclick = {
        let text = props.text.clone();
        Callback::from(move |_: MouseEvent| {
            let (text, report) = (text.emit(()), report.clone());
            spawn_local(async move {
                let outcome = if copy(&text).await { "Copied" } else { "Clipboard blocked. Copy manually." };
                report.emit(outcome.to_owned());
            });
        })
    };
    let label = if outcome.is_empty() { props.label.clone() } else { outcome.into() };
    html! {
        <button class="small" data-test={props.test.clone()} {onclick}><span role="status">{ label }</span></button>
    }
}

/// Copies a text to the clipboard. Returns whether it succeeded.
pub(super) async fn copy(text: &str) -> bool {
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
