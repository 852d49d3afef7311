//! Runners saved in this browser: the chosen address, and a token for each address.

use wasm_bindgen::JsValue;
use web_sys::Storage;

use crate::address::token::split_token;
use crate::state::machines::runner::RunnerEndpoint;

/// The storage key of the chosen address; followed by an address, the key of its token.
const KEY: &str = "benchbook-runner";

fn storage() -> Option<Storage> {
    web_sys::window()?.local_storage().ok().flatten()
}

fn stored(key: &str) -> Option<String> {
    storage()?.get_item(key).ok().flatten().filter(|value| !value.is_empty())
}

/// The runner chosen in this browser, or else the site configuration's.
pub(crate) fn endpoint(configured: Option<&str>) -> Option<RunnerEndpoint> {
    let address = stored(KEY).or_else(|| configured.map(str::to_owned))?;
    let endpoint = RunnerEndpoint::new(&address, "");
    let token = stored(&format!("{KEY} {}", endpoint.address)).unwrap_or_default();
    Some(RunnerEndpoint { token, ..endpoint })
}

/// Saves the chosen address and its token, which may be empty; an empty address selects the site configuration's.
pub(crate) fn save(address: &str, token: &str, configured: Option<&str>) {
    let Some(storage) = storage() else { return };
    // Private windows may reject this; the user then enters it again next time.
    let _ = storage.set_item(KEY, address.trim());
    if let Some(endpoint) = endpoint(configured) {
        let _ = storage.set_item(&format!("{KEY} {}", endpoint.address), token.trim());
    }
}

/// Removes the token from the page's address, so that a copied address does not disclose it.
pub(crate) fn take_token() -> Option<String> {
    let window = web_sys::window()?;
    let hash = window.location().hash().ok()?;
    let (token, rest) = split_token(hash.strip_prefix('#')?)?;
    let without_token = format!("#{rest}");
    // If the browser rejects this, the address keeps the token.
    let _ = window.history().ok()?.replace_state_with_url(&JsValue::NULL, "", Some(&without_token));
    Some(token)
}
