//! What this browser remembers of runners: the one that was chosen, and the tokens by address.

use wasm_bindgen::JsValue;
use web_sys::Storage;

use crate::share::token::parted;
use crate::state::runner::Reach;

/// Where the chosen address is kept, and before an address its token.
const KEY: &str = "benchbook-runner";

fn storage() -> Option<Storage> {
    web_sys::window()?.local_storage().ok().flatten()
}

fn kept(key: &str) -> Option<String> {
    storage()?.get_item(key).ok().flatten().filter(|kept| !kept.is_empty())
}

/// The runner that was chosen in this browser, or else the one that the notebook names.
pub(crate) fn reach(named: Option<&str>) -> Option<Reach> {
    let address = kept(KEY).or_else(|| named.map(str::to_owned))?;
    let reach = Reach::new(&address, "");
    let token = kept(&format!("{KEY} {}", reach.address)).unwrap_or_default();
    Some(Reach { token, ..reach })
}

/// Remembers a choice, and the token of its runner, empty where it has none; an empty address is that of the notebook.
pub(crate) fn remember(address: &str, token: &str, named: Option<&str>) {
    let Some(storage) = storage() else { return };
    // Where nothing may be kept, as in private windows, it is asked again next time.
    let _ = storage.set_item(KEY, address.trim());
    if let Some(reach) = reach(named) {
        let _ = storage.set_item(&format!("{KEY} {}", reach.address), token.trim());
    }
}

/// Takes the token out of the link that the page was opened with, lest it is copied with the address.
pub(crate) fn take_token() -> Option<String> {
    let window = web_sys::window()?;
    let hash = window.location().hash().ok()?;
    let (token, rest) = parted(hash.strip_prefix('#')?)?;
    let left = format!("#{rest}");
    // Where the browser refuses, the address keeps it.
    let _ = window.history().ok()?.replace_state_with_url(&JsValue::NULL, "", Some(&left));
    Some(token)
}
