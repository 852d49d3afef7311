//! Offering files for download.

use gloo::file::{Blob, ObjectUrl};
use gloo::timers::callback::Timeout;
use wasm_bindgen::JsCast;
use web_sys::HtmlAnchorElement;

/// How long the browser may take to read a downloaded file, in milliseconds.
const DOWNLOAD_MS: u32 = 60_000;

/// The name of a file without its extension: a title, with characters that all systems allow.
pub(crate) fn file_name(title: &str) -> String {
    let plain = |character: char| if character.is_ascii_alphanumeric() { character } else { '-' };
    let name: String = title.replace("::", "-").chars().map(plain).take(80).collect();
    let name = name.trim_matches('-');
    if name.is_empty() { "benchbook".to_owned() } else { name.to_owned() }
}

/// Offers a file for download; `None` if the browser has no document.
pub(crate) fn offer(blob: &Blob, name: &str) -> Option<()> {
    let url = ObjectUrl::from(blob.clone());
    let document = web_sys::window()?.document()?;
    let link: HtmlAnchorElement = document.create_element("a").ok()?.dyn_into().ok()?;
    link.set_href(&url);
    link.set_download(name);
    link.click();
    // The browser reads the address later.
    Timeout::new(DOWNLOAD_MS, move || drop(url)).forget();
    Some(())
}
