//! Asking a runner: `static/ask.js` at the other end.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::Promise;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use crate::json::Json;
use crate::state::runner::{Reach, Trouble};

#[wasm_bindgen]
extern "C" {
    type Asked;
    #[wasm_bindgen(js_name = benchbookAsk)]
    fn ask(address: &str, token: &str, body: &str, tell: &Closure<dyn FnMut(JsValue)>) -> Asked;
    #[wasm_bindgen(method, getter)]
    fn status(this: &Asked) -> Promise;
    #[wasm_bindgen(method)]
    fn end(this: &Asked);
}

/// Something that was asked. Dropping it gives it up.
pub(crate) struct Asking {
    asked: Asked,
    _tell: Closure<dyn FnMut(JsValue)>,
}

impl Asking {
    /// Asks for `path`, below the API's root; with a `body` it is posted. `tell` gets each line of the answer.
    pub(crate) fn start(reach: &Reach, path: &str, body: &str, tell: impl Fn(Json) + 'static) -> Self {
        let tell = Closure::new(move |line: JsValue| {
            // The last is empty where the answer ends with its line.
            if let Some(line) = line.as_string().and_then(|line| line.parse().ok()) {
                tell(line);
            }
        });
        Self { asked: ask(&reach.url(path), &reach.token, body, &tell), _tell: tell }
    }

    /// Resolves to the status of the answer, once that is whole; see `static/ask.js`.
    pub(crate) fn status(&self) -> impl Future<Output = i32> + use<> {
        let status = JsFuture::from(self.asked.status());
        async { status.await.ok().and_then(|status| status.as_f64()).unwrap_or_default() as i32 }
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        self.asked.end();
    }
}

/// The answer to a question that has one.
///
/// # Errors
/// Why there is none.
pub(crate) async fn get(reach: &Reach, path: &str) -> Result<Json, Trouble> {
    let answer = Rc::new(RefCell::new(Json::Null));
    let asking = {
        let answer = Rc::clone(&answer);
        Asking::start(reach, path, "", move |json| *answer.borrow_mut() = json)
    };
    let status = asking.status().await;
    let json = answer.replace(Json::Null);
    if status == 200 { Ok(json) } else { Err(super::trouble(reach, status, json.at("error").text())) }
}
