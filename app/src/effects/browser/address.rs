//! The fragment of the page's address: it follows the view, and the view follows back, forward and links.

use std::cell::RefCell;
use std::rc::Rc;

use gloo::events::EventListener;
use gloo::timers::callback::Timeout;
use wasm_bindgen::JsValue;
use yew::prelude::*;

use crate::address::link::Link;
use crate::address::token::split_token;
use crate::state::PageAction;
use crate::state::page_address::PageAddress;

/// The delay before a change is written, in milliseconds. A slider causes many changes, and browsers allow about a hundred
/// writes per minute.
const SETTLE_MS: u32 = 300;

/// The state of the hook.
#[derive(Default)]
struct AddressWriter {
    /// How many times the view has followed the address; such a view creates no new entry in the history.
    followed: u32,
    /// The fragment that will replace the current entry.
    pending: Option<(String, Timeout)>,
}

/// Synchronises address and view. A standalone page keeps the address of its file.
#[hook]
pub(crate) fn use_address(address: PageAddress, followed: u32, is_standalone: bool, act: &Callback<PageAction>) {
    let writer = use_mut_ref(AddressWriter::default);
    {
        let (writer, act) = (Rc::clone(&writer), act.clone());
        use_effect_with((), move |()| {
            if !is_standalone {
                follow(&writer, &act);
            }
            let listener = web_sys::window().filter(|_| !is_standalone).map(|window| {
                let page = window.location();
                EventListener::new(&window, "popstate", move |_| match split_token(&fragment_of_page()) {
                    // A token is only read when the page loads.
                    Some(_) => page.reload().unwrap_or_default(),
                    None => follow(&writer, &act),
                })
            });
            move || drop(listener)
        });
    }
    use_effect_with((address, followed), move |(address, followed)| {
        let fragment = match address {
            PageAddress::Waiting => return,
            PageAddress::Invalid => {
                writer.borrow_mut().followed = *followed;
                return;
            }
            PageAddress::Start => String::new(),
            PageAddress::At(address) => address.link(),
        };
        let before = fragment_of_page();
        let is_elsewhere = !is_same_view(&before, &fragment);
        let follows = std::mem::replace(&mut writer.borrow_mut().followed, *followed) != *followed;
        if is_elsewhere && !follows {
            flush(&writer);
            write(&fragment, false);
        } else if before != fragment {
            let late = Rc::clone(&writer);
            let timeout = Timeout::new(SETTLE_MS, move || flush(&late));
            writer.borrow_mut().pending = Some((fragment, timeout));
        } else {
            writer.borrow_mut().pending = None;
        }
    });
}

/// Shows the view that the address describes.
fn follow(writer: &Rc<RefCell<AddressWriter>>, act: &Callback<PageAction>) {
    let link = Link::read(&fragment_of_page());
    writer.borrow_mut().pending = None;
    act.emit(PageAction::Follow(link));
}

/// Writes the pending fragment immediately.
fn flush(writer: &RefCell<AddressWriter>) {
    let pending = writer.borrow_mut().pending.take();
    if let Some((fragment, _)) = pending {
        write(&fragment, true);
    }
}

fn is_same_view(one: &str, other: &str) -> bool {
    match (Link::read(one), Link::read(other)) {
        (Some(one), Some(other)) => one.address.is_same_page(&other.address),
        (one, other) => one.is_none() && other.is_none(),
    }
}

/// The fragment of the page's address, without its `#`.
pub(crate) fn fragment_of_page() -> String {
    let hash = web_sys::window().and_then(|window| window.location().hash().ok()).unwrap_or_default();
    hash.strip_prefix('#').unwrap_or_default().to_owned()
}

fn write(fragment: &str, replaces: bool) {
    let Some(window) = web_sys::window() else { return };
    let location = window.location();
    // The complete address: with an empty fragment, a bare "#" would remain.
    let folder = format!("{}{}", location.pathname().unwrap_or_default(), location.search().unwrap_or_default());
    let address = if fragment.is_empty() { folder } else { format!("{folder}#{fragment}") };
    if let Ok(history) = window.history() {
        // The browser may reject this (too many changes, an opaque origin); the address then stays unchanged.
        let _ = match replaces {
            true => history.replace_state_with_url(&JsValue::NULL, "", Some(&address)),
            false => history.push_state_with_url(&JsValue::NULL, "", Some(&address)),
        };
    }
}
