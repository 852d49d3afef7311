//! Taking turns: tabs of this browser that measure at once would disturb each other's figures.

use std::cell::RefCell;
use std::rc::Rc;

use gloo::timers::callback::Timeout;
use js_sys::{Array, Function, Promise, Reflect};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// The lock that all tabs of one origin share.
const LOCK: &str = "benchbook-measuring";

/// The turn of this tab. Dropping it passes the turn on; so does closing the tab.
pub(super) struct Turn {
    /// Resolves the promise that the browser holds the lock for; absent where browser or address have no locks.
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

/// How long a turn may take to come before it is told that another tab has it, in milliseconds: a lock that is free, or
/// that this tab just let go of, is there sooner.
const PATIENCE_MS: u32 = 150;

/// Waits for this tab's turn; `on_wait` is called where another tab has it. Where there are no locks (they need https or
/// localhost) nobody waits.
pub(super) async fn take(on_wait: impl FnOnce() + 'static) -> Turn {
    let Some(locks) = locks() else { return Turn { release: None } };
    let _tell = Timeout::new(PATIENCE_MS, on_wait);
    request(&locks).await.unwrap_or(Turn { release: None })
}

/// `navigator.locks`, where there is one.
fn locks() -> Option<JsValue> {
    let navigator = JsValue::from(web_sys::window()?.navigator());
    Reflect::get(&navigator, &"locks".into()).ok().filter(JsValue::is_object)
}

/// Asks for the lock and waits for it; absent where the browser refuses.
async fn request(locks: &JsValue) -> Option<Turn> {
    let request: Function = Reflect::get(locks, &"request".into()).ok()?.dyn_into().ok()?;
    let release = Rc::new(RefCell::new(None));
    let mut asked = None;
    let granted = Promise::new(&mut |resolve, _| {
        let release = Rc::clone(&release);
        let on_granted = Closure::once_into_js(move || {
            // The browser holds the lock for as long as the promise that it gets here is open.
            let held = Promise::new(&mut |release_lock, _| *release.borrow_mut() = Some(release_lock));
            // Telling a promise does not fail.
            let _ = resolve.call0(&JsValue::NULL);
            held
        });
        asked = request.call2(locks, &LOCK.into(), &on_granted).ok();
    });
    // A browser that refuses, in a sandboxed frame for instance, does not throw: the promise of the request tells. Where
    // it grants the lock, that promise is open until the lock is released.
    JsFuture::from(Promise::race(&Array::of2(&granted, &asked?))).await.ok()?;
    let release = release.take();
    Some(Turn { release })
}
