//! Light or dark: by the system, or by choice.

use web_sys::Event;
use yew::prelude::*;

/// A button that turns light into dark and back.
#[component]
pub(crate) fn ThemeButton() -> Html {
    let onclick = Callback::from(|_| {
        if let Some(root) = root() {
            let next = if is_dark() { "light" } else { "dark" };
            // The attribute's name is valid, so this cannot fail.
            let _ = root.set_attribute("data-theme", next);
            redraw_plots();
        }
    });
    html! { <button class="theme" aria-label="Light or dark" title="Light or dark" {onclick}>{ "◐" }</button> }
}

/// A canvas keeps what was drawn: plots draw anew when the window says that it changed.
fn redraw_plots() {
    if let (Some(window), Ok(event)) = (web_sys::window(), Event::new("resize")) {
        // Nobody cancels this event, and nothing depends on it.
        let _ = window.dispatch_event(&event);
    }
}

/// Whether the page is dark now.
pub(super) fn is_dark() -> bool {
    let chosen = root().and_then(|root| root.get_attribute("data-theme"));
    match chosen.as_deref() {
        Some("dark") => true,
        Some("light") => false,
        _ => system_is_dark().is_some_and(|query| query.matches()),
    }
}

/// What the system wants; it tells when that changes.
pub(super) fn system_is_dark() -> Option<web_sys::MediaQueryList> {
    web_sys::window()?.match_media("(prefers-color-scheme: dark)").ok().flatten()
}

fn root() -> Option<web_sys::Element> {
    web_sys::window()?.document()?.document_element()
}
