//! The offer of a new version of the page, which the service worker has stored (`static/isolation.js`).

use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use yew::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Resolves once a new version is available, to a function that loads it (`static/update.js`).
    ///
    /// # Errors
    /// On a standalone page, which has no such script.
    #[wasm_bindgen(js_name = benchbookUpdate, catch)]
    fn offered_update() -> Result<Promise, JsValue>;
}

#[derive(PartialEq, Properties)]
pub(super) struct UpdateNoteProps {
    /// Whether a measurement is in progress, which a reload would discard.
    pub(super) is_busy: bool,
}

/// A note with a button that loads the new version, as soon as there is one.
#[component]
pub(super) fn UpdateNote(props: &UpdateNoteProps) -> Html {
    let load = use_state(|| None::<Function>);
    {
        let load = load.clone();
        use_effect_with((), move |()| {
            spawn_local(async move {
                let Ok(offered) = offered_update() else { return };
                if let Ok(function) = JsFuture::from(offered).await {
                    load.set(function.dyn_into().ok());
                }
            });
        });
    }
    // Screen readers announce changes of a region that is present before.
    html! { <div role="status">{ for load.as_ref().map(|load| note(load.clone(), props.is_busy)) }</div> }
}

fn note(load: Function, is_busy: bool) -> Html {
    let onclick = Callback::from(move |_: MouseEvent| {
        // It throws nothing.
        let _ = load.call0(&JsValue::NULL);
    });
    let text = if is_busy {
        "A new version of Benchbook is available. You can load it after the measurement."
    } else {
        "A new version of Benchbook is available."
    };
    html! {
        <p class="update-note" data-test="update">
            { text }
            <button class="small" data-test="update-now" disabled={is_busy} {onclick}>{ "Reload" }</button>
        </p>
    }
}
