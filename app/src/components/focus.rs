//! Moving the focus, and bringing things into view.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlDialogElement, HtmlElement};

/// Gives the focus to the first element that the selector finds; where there is none, it stays.
pub(super) fn on(selector: &str) {
    if let Some(element) = find(selector).and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        // An element that cannot be focused leaves the focus where it is.
        let _ = element.focus();
    }
}

/// Whether the selector finds anything.
pub(super) fn is_there(selector: &str) -> bool {
    find(selector).is_some()
}

/// Folds the first `<details>` that the selector finds, and gives its head the focus.
pub(super) fn fold(selector: &str) {
    if let Some(details) = find(selector) {
        // An attribute that is not there cannot be taken away, and need not.
        let _ = details.remove_attribute("open");
        on(&format!("{selector} summary"));
    }
}

/// Closes the dialog that is open.
pub(super) fn close_dialog() {
    if let Some(dialog) = find("dialog[open]").and_then(|dialog| dialog.dyn_into::<HtmlDialogElement>().ok()) {
        dialog.close();
    }
}

/// Scrolls to the first element that the selector finds, where its beginning is not to be seen: on a narrow screen it
/// lies below the list.
pub(super) fn bring_into_view(selector: &str) {
    let height = web_sys::window().and_then(|window| window.inner_height().ok()?.as_f64()).unwrap_or(0.0);
    if let Some(element) = find(selector) {
        let top = element.get_bounding_client_rect().top();
        if top < 0.0 || top > height / 2.0 {
            element.scroll_into_view();
        }
    }
}

/// Scrolls to the first element that the selector finds.
pub(super) fn scroll_to(selector: &str) {
    if let Some(element) = find(selector) {
        element.scroll_into_view();
    }
}

fn find(selector: &str) -> Option<Element> {
    web_sys::window()?.document()?.query_selector(selector).ok()?
}
