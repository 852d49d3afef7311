//! The wasm files that the user opens as suites: from the disk, and from addresses. Both may contain anything.

use js_sys::{ArrayBuffer, Uint8Array};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, File, RequestInit, Response, Url};

use crate::effects::browser::limited_body::{BodyError, bytes_up_to, reported_size};

/// The largest file in bytes. Suites have a few megabytes; a browser compiles a larger module for minutes.
const MAX_BYTES: usize = 64 << 20;

/// The first bytes of a WebAssembly module.
const MAGIC: [u8; 4] = *b"\0asm";

/// Whether a file is meant to be a suite, by its content or its name.
pub(crate) async fn is_suite(file: &File) -> bool {
    file.name().ends_with(".wasm") || start_of(file).await.is_some_and(|start| start == MAGIC)
}

async fn start_of(file: &File) -> Option<Vec<u8>> {
    let start = file.slice_with_i32_and_i32(0, MAGIC.len() as i32).ok()?;
    let buffer = JsFuture::from(start.array_buffer()).await.ok()?;
    Some(Uint8Array::new(&buffer).to_vec())
}

/// Reads a file.
///
/// # Errors
/// A sentence if it is too large, cannot be read, or is not a WebAssembly module.
pub(crate) async fn read(file: &File) -> Result<ArrayBuffer, String> {
    // Before reading: a file that is too large would fill the memory of the tab.
    if file.size() > MAX_BYTES as f64 {
        return Err(too_large());
    }
    let unreadable = |_| "The browser cannot read the file. Choose it again.".to_owned();
    checked(JsFuture::from(file.array_buffer()).await.map_err(unreadable)?.unchecked_into())
}

/// Downloads a file from the address that the user typed. `on_part` receives the number of bytes so far, and the size if the host
/// reports it. `abort` ends the download.
///
/// # Errors
/// A sentence if the host does not deliver it to this page, or if it is too large or not a WebAssembly module.
pub(crate) async fn download(
    address: &str,
    abort: &AbortSignal,
    on_part: impl Fn(usize, Option<usize>),
) -> Result<ArrayBuffer, String> {
    if !address.starts_with("https://") && !address.starts_with("http://") {
        return Err("The address must begin with https:// or http://.".to_owned());
    }
    let window = web_sys::window().ok_or("There is no window.")?;
    let unreachable = |_| match foreign_host(address) {
        Some(host) => format!("{} Or download the file, and open it from your disk.", unreadable(&host)),
        None => "The host does not respond. Check the address.".to_owned(),
    };
    let options = RequestInit::new();
    options.set_signal(Some(abort));
    let response = JsFuture::from(window.fetch_with_str_and_init(address, &options)).await.map_err(unreachable)?;
    let response: Response = response.unchecked_into();
    if !response.ok() {
        return Err(format!("The host responded with status {}. Check the address.", response.status()));
    }
    let total = reported_size(&response);
    if total.is_some_and(|bytes| bytes > MAX_BYTES) {
        return Err(too_large());
    }
    let body = bytes_up_to(&response, MAX_BYTES, |received| on_part(received, total)).await;
    let bytes = body.map_err(|error| match error {
        BodyError::TooLarge => too_large(),
        BodyError::Interrupted | BodyError::NotText => {
            "The connection failed before the end of the file. Open it again.".to_owned()
        }
    })?;
    checked(Uint8Array::from(&bytes[..]).buffer())
}

fn too_large() -> String {
    format!("It exceeds the limit of {} MiB. Build the suite without debug information.", MAX_BYTES >> 20)
}

/// Checks the first bytes.
fn checked(binary: ArrayBuffer) -> Result<ArrayBuffer, String> {
    let start = Uint8Array::new(&binary.slice_with_end(0, MAGIC.len() as u32)).to_vec();
    if start != MAGIC {
        return Err("It is not a WebAssembly module. Open a .wasm file that `cargo benchbook build` wrote.".to_owned());
    }
    Ok(binary)
}

/// The host of an address, if it is not the one of the page.
pub(crate) fn foreign_host(address: &str) -> Option<String> {
    let page = web_sys::window()?.location();
    let url = Url::new_with_base(address, &page.href().ok()?).ok()?;
    (url.origin() != page.origin().ok()?).then(|| url.host())
}

/// Why the page got no response of another host: browsers do not reveal which of the reasons applies.
pub(crate) fn unreadable(host: &str) -> String {
    format!("Couldn't load from {host}. It may be down, or lack the header `Access-Control-Allow-Origin: *`.")
}
