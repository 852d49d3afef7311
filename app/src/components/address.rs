//! The address of the page: its fragment follows what is shown, and what is shown follows back, forward and links.

use std::cell::RefCell;
use std::rc::Rc;

use gloo::events::EventListener;
use gloo::timers::callback::Timeout;
use wasm_bindgen::JsValue;
use yew::prelude::*;

use crate::share::link::Link;
use crate::share::token::split_token;
use crate::state::page::PageAction;
use crate::state::page_address::PageAddress;

/// How long the address waits for the next change, in milliseconds: a slider makes many, and browsers refuse to write
/// more than some hundred a minute.
const SETTLE_MS: u32 = 300;

/// What the hook remembers between two changes.
#[derive(Default)]
struct Writer {
    /// How many times the page followed the address so far: what is shown then makes no new entry in the history.
    followed: u32,
    /// What is still to be written over the current entry.
    waiting: Option<(String, Timeout)>,
}

/// Keeps address and page together.
#[hook]
pub(super) fn use_address(place: PageAddress, followed: u32, act: &Callback<PageAction>) {
    let writer = use_mut_ref(Writer::default);
    {
        let (writer, act) = (Rc::clone(&writer), act.clone());
        use_effect_with((), move |()| {
            follow(&writer, &act);
            let listener = web_sys::window().map(|window| {
                let page = window.location();
                EventListener::new(&window, "popstate", move |_| match split_token(&fragment_of_page()) {
                    // Only a page that begins takes a token.
                    Some(_) => page.reload().unwrap_or_default(),
                    None => follow(&writer, &act),
                })
            });
            move || drop(listener)
        });
    }
    use_effect_with((place, followed), move |(place, followed)| {
        let fragment = match place {
            PageAddress::Waiting => return,
            PageAddress::Invalid => {
                writer.borrow_mut().followed = *followed;
                return;
            }
            PageAddress::Start => String::new(),
            PageAddress::Link(link) => link.write(),
        };
        let before = fragment_of_page();
        let goes_elsewhere = !is_same_place(&before, &fragment);
        let follows = std::mem::replace(&mut writer.borrow_mut().followed, *followed) != *followed;
        if goes_elsewhere && !follows {
            flush(&writer);
            write(&fragment, false);
        } else if before != fragment {
            let late = Rc::clone(&writer);
            let timeout = Timeout::new(SETTLE_MS, move || flush(&late));
            writer.borrow_mut().waiting = Some((fragment, timeout));
        } else {
            writer.borrow_mut().waiting = None;
        }
    });
}

/// Shows what the address says.
fn follow(writer: &Rc<RefCell<Writer>>, act: &Callback<PageAction>) {
    let link = Link::read(&fragment_of_page());
    writer.borrow_mut().waiting = None;
    act.emit(PageAction::Follow(link));
}

/// Writes at once what waits.
fn flush(writer: &RefCell<Writer>) {
    let waiting = writer.borrow_mut().waiting.take();
    if let Some((fragment, _)) = waiting {
        write(&fragment, true);
    }
}

fn is_same_place(one: &str, other: &str) -> bool {
    match (Link::read(one), Link::read(other)) {
        (Some(one), Some(other)) => one.is_same_page(&other),
        (one, other) => one.is_none() && other.is_none(),
    }
}

/// The fragment of the page's address, without its `#`.
pub(super) fn fragment_of_page() -> String {
    let hash = web_sys::window().and_then(|window| window.location().hash().ok()).unwrap_or_default();
    hash.strip_prefix('#').unwrap_or_default().to_owned()
}

fn write(fragment: &str, over: bool) {
    let Some(window) = web_sys::window() else { return };
    let location = window.location();
    // The whole address: a bare "#" would stay where there is no fragment.
    let folder = format!("{}{}", location.pathname().unwrap_or_default(), location.search().unwrap_or_default());
    let address = if fragment.is_empty() { folder } else { format!("{folder}#{fragment}") };
    if let Ok(history) = window.history() {
        // Where the browser refuses (too many changes a second, an opaque origin) the address stays as it is.
        let _ = match over {
            true => history.replace_state_with_url(&JsValue::NULL, "", Some(&address)),
            false => history.push_state_with_url(&JsValue::NULL, "", Some(&address)),
        };
    }
}
