//! The contents on a narrow screen: a sheet with the outline and the list of functions, behind a button in the header. On a wide
//! screen the same element is the sidebar.

use web_sys::{Element, HtmlElement};
use yew::prelude::*;

/// The identifier of the sheet in the document.
pub(super) const CONTENTS_ID: &str = "contents";

/// The button in the header. Wide screens hide it.
pub(super) fn contents_button() -> Html {
    html! {
        <button class="round contents-button" data-test="contents" aria-label="Contents" title="Contents" popovertarget={CONTENTS_ID}>{ "☰" }</button>
    }
}

/// The head of the sheet. Wide screens hide it.
pub(super) fn sheet_head() -> Html {
    html! {
        <div class="sheet-head">
            <b>{ "Contents" }</b>
            <button class="small" data-test="close-contents" popovertarget={CONTENTS_ID} popovertargetaction="hide">{ "Close" }</button>
        </div>
    }
}

/// Whether the sheet is open.
pub(super) fn is_open(sheet: &NodeRef) -> bool {
    sheet.cast::<Element>().is_some_and(|sheet| sheet.matches(":popover-open").unwrap_or(false))
}

/// Closes the sheet if it is open. The browser returns the focus to the button if the sheet has it.
pub(super) fn close(sheet: &NodeRef) {
    if let Some(element) = sheet.cast::<HtmlElement>().filter(|_| is_open(sheet)) {
        // Fails only if it is not open.
        let _ = element.hide_popover();
    }
}

/// Opens the sheet unless it is visible, as a sheet or as the sidebar.
pub(super) fn reveal(sheet: &NodeRef) {
    if let Some(element) = sheet.cast::<HtmlElement>().filter(|element| element.offset_height() == 0) {
        // Fails only if it is open already.
        let _ = element.show_popover();
    }
}
