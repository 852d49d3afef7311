//! Clicks with the mouse.

use std::collections::BTreeMap;

use anyhow::{Context, Result, anyhow};
use fantoccini::Client;
use fantoccini::actions::{InputSource as _, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use fantoccini::elements::Element;
use serde_json::{Value, json};

/// Returns the centre of the first element that matches a selector, in the current cell if it contains one, or why it cannot be clicked. Scrolls
/// the page if the centre is not visible. In a frame, whose position in the window is unknown, and in other browsers than Chromium, it returns the
/// element.
const CENTRE: &str = "
    const [selector, isChromium] = arguments;
    const element = document.querySelector(`[data-current] ${selector}`) ?? document.querySelector(selector);
    if (!element) return 'there is no such element';
    if (!isChromium || window !== window.top) return element;
    const centre = () => {
        const box = element.getClientRects()[0];
        return box && [box.left + box.width / 2, box.top + box.height / 2];
    };
    const isVisibleAt = (at) => element.contains(document.elementFromPoint(...at));
    if (!centre()) return 'it is not displayed';
    if (!isVisibleAt(centre())) element.scrollIntoView({ block: 'center', behavior: 'instant' });
    if (!isVisibleAt(centre())) return `it is covered by ${document.elementFromPoint(...centre())?.outerHTML.slice(0, 200)}`;
    return centre();";

/// Moves the mouse to an element and clicks it. The driver has a command for this, but that of Chromium takes 60 messages to the browser.
pub(super) async fn click(client: &Client, selector: &str, is_chromium: bool) -> Result<()> {
    let arguments = vec![json!(selector), json!(is_chromium)];
    let centre = client.execute(CENTRE, arguments).await.with_context(|| format!("finding {selector}"))?;
    let clicking = || format!("clicking {selector}");
    let (x, y) = match centre {
        Value::String(reason) => return Err(anyhow!(reason).context(clicking())),
        Value::Array(_) => serde_json::from_value(centre).with_context(clicking)?,
        element => {
            // A map from the protocol's name of such references to the reference.
            let reference: BTreeMap<String, String> = serde_json::from_value(element).with_context(clicking)?;
            let reference = reference.into_values().next().with_context(clicking)?;
            return Element::from_element_id(client.clone(), reference.into()).click().await.with_context(clicking);
        }
    };
    let click = MouseActions::new("mouse".to_owned())
        .then(PointerAction::MoveTo { duration: None, x, y })
        .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
        .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
    client.perform_actions(click).await.with_context(clicking)
}
