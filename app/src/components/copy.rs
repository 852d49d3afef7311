//! Copying text to the clipboard.

use gloo::timers::callback::Timeout;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Document, HtmlElement, HtmlTextAreaElement};
use yew::prelude::*;

/// How long the button says what came of it, in milliseconds.
const TOLD_MS: u32 = 2_500;

#[derive(PartialEq, Properties)]
pub(crate) struct CopyProps {
    /// What is copied, made when it is asked for.
    pub(crate) text: Callback<(), String>,
    /// What the button is called to scripts.
    pub(crate) test: AttrValue,
    /// What the button says.
    pub(crate) label: AttrValue,
}

/// A button that copies a text, and says whether it did.
#[component]
pub(crate) fn CopyButton(props: &CopyProps) -> Html {
    let told = use_state_eq(|| None::<bool>);
    let onclick = {
        let (text, told) = (props.text.clone(), told.clone());
        Callback::from(move |_: MouseEvent| {
            let (text, told) = (text.emit(()), told.clone());
            spawn_local(async move {
                told.set(Some(copy(&text).await));
                Timeout::new(TOLD_MS, move || told.set(None)).forget();
            });
        })
    };
    let says = match *told {
        None => props.label.clone(),
        Some(true) => "Copied".into(),
        Some(false) => "The browser refuses: select and copy it yourself".into(),
    };
    html! {
        <button class="small" data-test={props.test.clone()} {onclick}><span role="status">{ says }</span></button>
    }
}

/// Whether the text is on the clipboard now.
async fn copy(text: &str) -> bool {
    let Some(window) = web_sys::window() else { return false };
    // Over plain http there is no such thing, whatever its type says.
    let clipboard: JsValue = window.navigator().clipboard().into();
    if clipboard.is_object() {
        let written = JsFuture::from(window.navigator().clipboard().write_text(text)).await;
        if written.is_ok() {
            return true;
        }
    }
    window.document().is_some_and(|document| copy_selected(&document, text).unwrap_or(false))
}

/// The old way, which needs no permission: select a field that holds the text, and copy the selection.
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
        // What cannot be focused again was not focused before.
        let _ = focused.focus();
    }
    Some(copied.ok()?.as_bool().unwrap_or(false))
}
