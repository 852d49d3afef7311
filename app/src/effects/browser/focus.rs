//! Moving the focus, and scrolling elements into view.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::NodeRef;

/// Focuses a rendered element.
pub(crate) fn on(node: &NodeRef) {
    on_element(node.cast::<Element>());
}

/// Focuses the first element inside `node` that matches `selector`.
pub(crate) fn on_first(node: &NodeRef, selector: &str) {
    on_element(node.cast::<Element>().and_then(|element| element.query_selector(selector).ok()?));
}

/// Focuses an element. Does nothing if the element is absent or cannot be focused.
pub(crate) fn on_element(element: Option<Element>) {
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        // Fails only for elements that cannot be focused.
        let _ = element.focus();
    }
}

/// If the focus is inside a panel of `side` that was just hidden, moves it to the button that opens that panel: `data-opens` names it. The nearest
/// one outside, since each cell has such buttons.
pub(crate) fn return_from_hidden(side: &NodeRef) {
    let focused = web_sys::window().and_then(|window| window.document()?.active_element());
    let panel = focused.and_then(|focused| focused.closest(".panel[hidden]").ok()?);
    let Some(side) = side.cast::<Element>() else { return };
    let Some(panel) = panel.filter(|panel| side.contains(Some(panel))) else { return };
    let Some(name) = panel.get_attribute("data-name") else { return };
    let selector = format!("[data-opens={name}]");
    let mut around = std::iter::successors(side.parent_element(), |element| element.parent_element());
    on_element(around.find_map(|element| element.query_selector(&selector).ok()?));
}

/// Scrolls an element to the top of the window.
pub(crate) fn scroll_to(node: &NodeRef) {
    if let Some(element) = node.cast::<Element>() {
        element.scroll_into_view();
    }
}

/// Scrolls to an element that starts outside the upper half of the window.
pub(crate) fn bring_into_view(node: &NodeRef) {
    let height = web_sys::window().and_then(|window| window.inner_height().ok()?.as_f64()).unwrap_or(0.0);
    let is_in_view = |element: Element| (0.0..=height / 2.0).contains(&element.get_bounding_client_rect().top());
    if !node.cast::<Element>().is_some_and(is_in_view) {
        scroll_to(node);
    }
}
