//! Loading: the notebook's file, and suites by address.

use benchbook_host::response::SuiteCard;
use js_sys::{ArrayBuffer, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use yew::Callback;

use super::fingerprint::fingerprint_of;
use super::local::{Greeting, LocalHost};
use super::module::compile;
use super::worker::text_of;
use crate::state::notebook::Notebook;
use crate::state::{LoadedSuite, SuiteId};

/// The file beside the page that says what to show.
const NOTEBOOK: &str = "notebook.json";

/// A suite that was greeted, and the host that measures it.
pub(crate) type Loaded = (LoadedSuite, LocalHost);

/// Reads `notebook.json`; a page without one shows the demo suite.
///
/// # Errors
/// What is wrong with it.
pub(crate) async fn notebook() -> Result<Notebook, String> {
    match fetch(NOTEBOOK).await {
        Ok(text) => Notebook::read(&String::from_utf8_lossy(&Uint8Array::new(&text).to_vec())),
        Err(FetchError::Missing) => Ok(Notebook::default()),
        Err(FetchError::Other(reason)) => Err(format!("{NOTEBOOK} cannot be read: {reason}.")),
    }
}

/// Loads the suite at `address`, compiles it and greets it; `tell` gets what comes of it, once.
pub(crate) async fn suite(id: SuiteId, address: String, tell: Callback<Result<Loaded, String>>) {
    let failed = {
        let (address, tell) = (address.clone(), tell.clone());
        move |reason: String| tell.emit(Err(format!("The suite {address} is not shown. {reason}")))
    };
    let host = LocalHost::new();
    let binary = match fetch(&address).await {
        Ok(binary) => binary,
        Err(FetchError::Missing) => return failed("There is no such file on this host.".to_owned()),
        Err(FetchError::Other(reason)) => return failed(format!("It cannot be read: {reason}.")),
    };
    // Both at once.
    let fingerprint = fingerprint_of(&binary);
    let module = match compile(&binary).await {
        Ok(module) => module,
        Err(reason) => return failed(reason),
    };
    let fingerprint = fingerprint.await;
    let greeted = host.clone();
    let greeting = Callback::from(move |outcome: Result<Greeting, String>| match outcome {
        Ok(greeting) => {
            let Greeting { suite, clock } = greeting;
            let card = SuiteCard::new(&suite, fingerprint.clone());
            tell.emit(Ok((LoadedSuite { id, suite, card, clock }, greeted.clone())));
        }
        Err(reason) => failed(reason),
    });
    host.greet(module, greeting);
}

enum FetchError {
    Missing,
    Other(String),
}

async fn fetch(address: &str) -> Result<ArrayBuffer, FetchError> {
    let other = |error: JsValue| FetchError::Other(text_of(&error));
    let window = web_sys::window().ok_or_else(|| FetchError::Other("there is no window".to_owned()))?;
    let response = JsFuture::from(window.fetch_with_str(address)).await.map_err(other)?;
    let response: web_sys::Response = response.dyn_into().map_err(other)?;
    match response.status() {
        200 => {}
        404 => return Err(FetchError::Missing),
        status => return Err(FetchError::Other(format!("the host answers {status}"))),
    }
    let bytes = JsFuture::from(response.array_buffer().map_err(other)?).await.map_err(other)?;
    Ok(bytes.unchecked_into())
}
