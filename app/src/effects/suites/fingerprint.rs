//! The fingerprint of a suite's binary.

use benchbook_host::fingerprint::{fingerprint, hexadecimal};
use js_sys::{ArrayBuffer, Promise, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

/// Computes the fingerprint of a binary. The browser's digest starts immediately in another thread and takes a tenth of
/// the time; over plain http it is missing, and the page computes the fingerprint itself.
pub(super) fn fingerprint_of(binary: &ArrayBuffer) -> impl Future<Output = String> {
    let digest = digest(binary);
    let binary = binary.clone();
    async move {
        let digest = match digest {
            Ok(digest) => JsFuture::from(digest).await,
            Err(missing) => Err(missing),
        };
        match digest {
            Ok(digest) => hexadecimal(&Uint8Array::new(&digest).to_vec()),
            Err(_) => fingerprint(&Uint8Array::new(&binary).to_vec()),
        }
    }
}

fn digest(binary: &ArrayBuffer) -> Result<Promise, JsValue> {
    let crypto = web_sys::window().ok_or(JsValue::NULL)?.crypto()?;
    crypto.subtle().digest_with_str_and_buffer_source("SHA-256", binary)
}
