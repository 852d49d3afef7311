//! Light or dark: by the system, or by choice.

use web_sys::{Event, MediaQueryList};
use yew::prelude::*;

/// A button that turns light into dark and back.
pub(super) fn theme_button() -> Html {
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
        _ => holds(DARK),
    }
}

/// Whether the system asks for more contrast.
pub(super) fn wants_more_contrast() -> bool {
    holds(MORE_CONTRAST) || holds(FORCED_COLOURS)
}

const DARK: &str = "(prefers-color-scheme: dark)";
const MORE_CONTRAST: &str = "(prefers-contrast: more)";
const FORCED_COLOURS: &str = "(forced-colors: active)";

/// What the system wants; each tells when that changes.
pub(super) fn system_queries() -> [Option<MediaQueryList>; 3] {
    [DARK, MORE_CONTRAST, FORCED_COLOURS].map(query)
}

fn holds(condition: &str) -> bool {
    query(condition).is_some_and(|query| query.matches())
}

fn query(condition: &str) -> Option<MediaQueryList> {
    web_sys::window()?.match_media(condition).ok().flatten()
}

fn root() -> Option<web_sys::Element> {
    web_sys::window()?.document()?.document_element()
}
