//! Menus that a choice, a click outside and Escape close.

use gloo::events::EventListener;
use wasm_bindgen::JsCast;
use web_sys::{Element, Node};
use yew::prelude::*;

use crate::effects::browser::focus;

/// A menu: a `<details>` with this reference and this handler. One whose contents are no entries, but settings or results, stays open.
#[derive(Clone)]
pub(crate) struct Menu {
    pub(crate) node: NodeRef,
    pub(crate) onkeydown: Callback<KeyboardEvent>,
    /// Closes the menu and focuses its button.
    pub(crate) close: Callback<()>,
}

impl Menu {
    /// An entry, which closes the menu.
    pub(crate) fn entry(&self, test: &'static str, label: Html, is_disabled: bool, choose: Callback<()>) -> Html {
        let close = self.close.clone();
        // Closes first: what is chosen may move the focus elsewhere.
        let onclick = Callback::from(move |_: MouseEvent| {
            close.emit(());
            choose.emit(());
        });
        html! { <li><button class="plain" data-test={test} disabled={is_disabled} {onclick}>{ label }</button></li> }
    }
}

#[hook]
pub(crate) fn use_menu() -> Menu {
    let node = use_node_ref();
    let close = {
        let node = node.clone();
        use_callback((), move |(), ()| {
            if let Some(menu) = node.cast::<Element>() {
                shut(&menu);
                focus::on_element(menu.query_selector("summary").ok().flatten());
            }
        })
    };
    let onkeydown = {
        let (node, close) = (node.clone(), close.clone());
        use_callback((), move |event: KeyboardEvent, ()| {
            let is_open = node.cast::<Element>().is_some_and(|menu| menu.has_attribute("open"));
            if event.key() == "Escape" && is_open {
                // It does not stop the measurement, too.
                event.prevent_default();
                close.emit(());
            }
        })
    };
    {
        let node = node.clone();
        use_effect_with((), move |()| {
            let listener = web_sys::window().map(|window| {
                EventListener::new(&window, "pointerdown", move |event| {
                    let target = event.target().and_then(|target| target.dyn_into::<Node>().ok());
                    if let Some(menu) = node.cast::<Element>().filter(|menu| !menu.contains(target.as_ref())) {
                        shut(&menu);
                    }
                })
            });
            move || drop(listener)
        });
    }
    Menu { node, onkeydown, close }
}

/// Opens the first menu that a selector selects, and focuses its button. Returns whether there is one.
pub(crate) fn open(selector: &str) -> bool {
    let document = web_sys::window().and_then(|window| window.document());
    let menu = document.and_then(|document| document.query_selector(selector).ok().flatten());
    let Some(menu) = menu else { return false };
    // Setting an attribute fails only if the name is invalid.
    let _ = menu.set_attribute("open", "");
    focus::on_element(menu.query_selector("summary").ok().flatten());
    true
}

fn shut(menu: &Element) {
    // Removing an attribute fails only if the name is invalid.
    let _ = menu.remove_attribute("open");
}
