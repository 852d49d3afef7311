//! Loads the site configuration, and suites by address.

use benchbook_host::response::SuiteCard;
use benchbook_instrument::COUNTING_MODULE;
use js_sys::{ArrayBuffer, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use yew::Callback;

use super::fingerprint::fingerprint_of;
use super::suite_file::{foreign_host, unreadable};
use crate::effects::browser;
use crate::effects::worker::greeting::Greeting;
use crate::effects::worker::local::LocalHost;
use crate::effects::worker::module::compile;
use crate::effects::worker::{SCRIPT, retain_script, text_of};
use crate::state::site_config::SiteConfig;
use crate::state::suites::loaded_suite::{LoadedSuite, SuiteId};

/// The configuration file, next to the page.
const SITE_CONFIG: &str = "notebook.json";

/// A loaded suite and its host.
pub(crate) type SuiteAndHost = (LoadedSuite, LocalHost);

/// Loads `notebook.json`; a page without it shows the demo suite.
///
/// # Errors
/// If it cannot be fetched or is invalid; a sentence.
pub(crate) async fn site_config() -> Result<SiteConfig, String> {
    match fetch(SITE_CONFIG).await {
        Ok(text) => SiteConfig::read(&String::from_utf8_lossy(&Uint8Array::new(&text).to_vec())),
        Err(FetchError::Missing) => Ok(SiteConfig::default()),
        Err(FetchError::Unreachable(reason) | FetchError::Other(reason)) => {
            Err(format!("Cannot load {SITE_CONFIG}: {reason}."))
        }
    }
}

/// The file with the digests of the site's notebooks. Empty if it cannot be fetched: then, the start shows their titles only.
pub(crate) async fn digests(address: &str) -> Vec<u8> {
    fetch(address).await.map(|json| Uint8Array::new(&json).to_vec()).unwrap_or_default()
}

/// Loads and compiles the suite at `address`, requests its catalog and clock, and calls `on_loaded` once.
pub(crate) async fn suite(id: SuiteId, address: String, on_loaded: Callback<Result<SuiteAndHost, String>>) {
    match fetch_suite(&address).await {
        Ok(binary) => open_suite(id, &address, binary, on_loaded).await,
        Err(problem) => on_loaded.emit(Err(problem)),
    }
}

/// As [`suite`], but calls `on_loaded` with `None` if the fingerprint of the suite is among the `known` ones.
pub(crate) async fn changed_suite(
    id: SuiteId,
    address: String,
    known: Vec<String>,
    on_loaded: Callback<Result<Option<SuiteAndHost>, String>>,
) {
    match fetch_suite(&address).await {
        Ok(binary) if known.contains(&fingerprint_of(&binary).await) => on_loaded.emit(Ok(None)),
        Ok(binary) => open_suite(id, &address, binary, on_loaded.reform(|loaded: Result<_, _>| loaded.map(Some))).await,
        Err(problem) => on_loaded.emit(Err(problem)),
    }
}

async fn fetch_suite(address: &str) -> Result<ArrayBuffer, String> {
    let reason = match fetch(address).await {
        Ok(binary) => return Ok(binary),
        Err(FetchError::Missing) => "This host has no such file.".to_owned(),
        Err(FetchError::Unreachable(reason)) => {
            foreign_host(address).map_or_else(|| format!("The download failed: {reason}."), |host| unreadable(&host))
        }
        Err(FetchError::Other(reason)) => format!("The download failed: {reason}."),
    };
    Err(problem(address, &reason))
}

/// A sentence about a file that cannot be loaded as a suite. `reason`: a sentence.
pub(crate) fn problem(address: &str, reason: &str) -> String {
    format!("Cannot load the suite {address}. {reason}")
}

/// Compiles the suite of a binary from `address` or from a file of that name, requests its catalog and clock, and calls `on_loaded` once.
pub(crate) async fn open_suite(
    id: SuiteId,
    address: &str,
    binary: ArrayBuffer,
    on_loaded: Callback<Result<SuiteAndHost, String>>,
) {
    let host = LocalHost::new();
    let has_url = !id.is_own() || address.starts_with("https://") || address.starts_with("http://");
    host.set_counting_module_url(has_url.then(|| counting_module_url(address)).flatten());
    // Runs while the module compiles.
    let fingerprint = fingerprint_of(&binary);
    let module = match compile(&binary).await {
        Ok(module) => module,
        Err(reason) => return on_loaded.emit(Err(problem(address, &reason))),
    };
    let fingerprint = fingerprint.await;
    let (loaded, address) = (host.clone(), address.to_owned());
    let greeting = Callback::from(move |outcome: Result<Greeting, String>| {
        on_loaded.emit(match outcome {
            Ok(Greeting { suite, clock, .. }) => {
                let card = SuiteCard::new(&suite, fingerprint.clone());
                Ok((LoadedSuite { id, suite, card, clock: Some(clock) }, loaded.clone()))
            }
            Err(reason) => Err(problem(&address, &reason)),
        });
    });
    // A frame in a sandbox has no origin: it cannot start a worker from an address, only from a copy of the script.
    let has_origin = browser::has_origin();
    if !has_origin {
        copy_script().await;
    }
    host.greet(module, binary, greeting);
    if has_origin {
        copy_script().await;
    }
}

/// The URL of the counting module of a suite from this URL: it is next to the module that is timed.
pub(crate) fn counting_module_url(suite: &str) -> Option<String> {
    let end = suite.find(['?', '#']).unwrap_or(suite.len());
    let (path, rest) = suite.split_at(end);
    Some(format!("{}.{COUNTING_MODULE}{rest}", path.strip_suffix(".wasm")?))
}

/// Keeps a copy of the script. If this fails, later workers load the script as the first one did.
async fn copy_script() {
    if let Ok(script) = fetch(SCRIPT).await {
        retain_script(&script);
    }
}

enum FetchError {
    Missing,
    /// There is no response, or the browser withholds it from this page.
    Unreachable(String),
    Other(String),
}

/// The content of a file next to the page, or of another address.
///
/// # Errors
/// The reason, as a part of a sentence.
pub(crate) async fn fetch_file(address: &str) -> Result<ArrayBuffer, String> {
    fetch(address).await.map_err(|error| match error {
        FetchError::Missing => "the host has no such file".to_owned(),
        FetchError::Unreachable(reason) | FetchError::Other(reason) => reason.trim_end_matches('.').to_owned(),
    })
}

async fn fetch(address: &str) -> Result<ArrayBuffer, FetchError> {
    let other = |error: JsValue| FetchError::Other(text_of(&error));
    let window = web_sys::window().ok_or_else(|| FetchError::Other("there is no window".to_owned()))?;
    let response = JsFuture::from(window.fetch_with_str(address)).await;
    let response = response.map_err(|error| FetchError::Unreachable(text_of(&error)))?;
    let response: web_sys::Response = response.dyn_into().map_err(other)?;
    match response.status() {
        200 => {}
        404 => return Err(FetchError::Missing),
        status => return Err(FetchError::Other(format!("the host responded with status {status}"))),
    }
    let bytes = JsFuture::from(response.array_buffer().map_err(other)?).await.map_err(other)?;
    Ok(bytes.unchecked_into())
}
