//! The colour theme: the system's, or the user's choice.

#[cfg(test)]
mod tests;

use web_sys::{Event, MediaQueryList};
use yew::prelude::*;

/// A button that switches between light and dark.
pub(crate) fn theme_button() -> Html {
    let onclick = Callback::from(|_| {
        if let Some(root) = root() {
            let next = if is_dark() { "light" } else { "dark" };
            // Fails only if the attribute's name is invalid.
            let _ = root.set_attribute("data-theme", next);
            redraw_plots();
        }
    });
    html! { <button class="theme secondary" aria-label="Switch theme" title="Switch theme" {onclick}>{ "◐" }</button> }
}

/// Makes the plots draw again in the new colours: they do so when the window changes its size.
fn redraw_plots() {
    if let (Some(window), Ok(event)) = (web_sys::window(), Event::new("resize")) {
        // No listener cancels this event.
        let _ = window.dispatch_event(&event);
    }
}

/// Whether the page is dark.
pub(crate) fn is_dark() -> bool {
    let chosen = root().and_then(|root| root.get_attribute("data-theme"));
    match chosen.as_deref() {
        Some("dark") => true,
        Some("light") => false,
        _ => matches(DARK),
    }
}

/// Whether the system requests more contrast.
pub(crate) fn wants_more_contrast() -> bool {
    matches(MORE_CONTRAST) || matches(FORCED_COLOURS)
}

const DARK: &str = "(prefers-color-scheme: dark)";
const MORE_CONTRAST: &str = "(prefers-contrast: more)";
const FORCED_COLOURS: &str = "(forced-colors: active)";

/// The system's preferences; each query emits an event when one changes.
pub(crate) fn system_queries() -> [Option<MediaQueryList>; 3] {
    [DARK, MORE_CONTRAST, FORCED_COLOURS].map(query)
}

fn matches(condition: &str) -> bool {
    query(condition).is_some_and(|query| query.matches())
}

fn query(condition: &str) -> Option<MediaQueryList> {
    web_sys::window()?.match_media(condition).ok().flatten()
}

fn root() -> Option<web_sys::Element> {
    web_sys::window()?.document()?.document_element()
}
