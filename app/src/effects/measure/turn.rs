//! Turns between the tabs of this browser: simultaneous measurements would interfere with each other.

use std::cell::RefCell;
use std::rc::Rc;

use gloo::timers::callback::Timeout;
use js_sys::{Array, Function, Promise, Reflect};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// The lock shared by all tabs of one origin.
const LOCK: &str = "benchbook-measuring";

/// The turn of this tab. Dropping it, or closing the tab, passes the turn on.
pub(super) struct Turn {
    /// Resolves the promise whose end releases the lock; `None` without locks.
    release: Option<Function>,
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(release) = &self.release {
            // Resolving a promise does not fail.
            let _ = release.call0(&JsValue::NULL);
        }
    }
}

/// The time after which a turn counts as taken by another tab, in milliseconds: a free lock, or one that this tab just
/// released, is granted sooner.
const WAIT_MS: u32 = 150;

/// Waits for this tab's turn, and calls `on_wait` if another tab has it. Returns immediately without locks, which require
/// https or localhost.
pub(super) async fn take(on_wait: impl FnOnce() + 'static) -> Turn {
    let Some(locks) = locks() else { return Turn { release: None } };
    let _timeout = Timeout::new(WAIT_MS, on_wait);
    request(&locks).await.unwrap_or(Turn { release: None })
}

/// `navigator.locks`, if the browser has it.
fn locks() -> Option<JsValue> {
    let navigator = JsValue::from(web_sys::window()?.navigator());
    Reflect::get(&navigator, &"locks".into()).ok().filter(JsValue::is_object)
}

/// Requests the lock and waits for it; `None` if the browser denies it.
async fn request(locks: &JsValue) -> Option<Turn> {
    let request: Function = Reflect::get(locks, &"request".into()).ok()?.dyn_into().ok()?;
    let release = Rc::new(RefCell::new(None));
    let mut requested = None;
    let granted = Promise::new(&mut |resolve, _| {
        let release = Rc::clone(&release);
        let on_granted = Closure::once_into_js(move || {
            // The browser holds the lock until this promise resolves.
            let held = Promise::new(&mut |release_lock, _| *release.borrow_mut() = Some(release_lock));
            // Resolving a promise does not fail.
            let _ = resolve.call0(&JsValue::NULL);
            held
        });
        requested = request.call2(locks, &LOCK.into(), &on_granted).ok();
    });
    // A browser that denies the lock, in a sandboxed frame for instance, rejects the request's promise. If it grants the
    // lock, that promise remains pending until the release.
    JsFuture::from(Promise::race(&Array::of2(&granted, &requested?))).await.ok()?;
    let release = release.take();
    Some(Turn { release })
}
