//! The body of a response from an address that the user chose, up to a limit: its host may send any number of bytes.

use js_sys::{Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{ReadableStreamDefaultReader, Response};

/// Why a body cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyError {
    /// It exceeds the limit.
    TooLarge,
    /// The connection failed before its end.
    Interrupted,
    /// It is not UTF-8.
    NotText,
}

/// Reads a text; see [`bytes_up_to`].
///
/// # Errors
/// If the body is too large, incomplete, or not a text.
pub(crate) async fn text_up_to(response: &Response, max_bytes: usize) -> Result<String, BodyError> {
    let text = String::from_utf8(bytes_up_to(response, max_bytes, |_| ()).await?).map_err(|_| BodyError::NotText)?;
    // `Response.text()` ignores a byte order mark, too.
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

/// Reads a body part by part. Beyond `max_bytes`, cancels the rest. A `Content-Length` alone would not limit it: a compressed or chunked
/// response has none, or another one. After each part, `on_part` receives the number of bytes so far.
///
/// # Errors
/// If the body is too large or incomplete.
pub(crate) async fn bytes_up_to(
    response: &Response,
    max_bytes: usize,
    on_part: impl Fn(usize),
) -> Result<Vec<u8>, BodyError> {
    let Some(body) = response.body() else { return Ok(Vec::new()) };
    let reader: ReadableStreamDefaultReader = body.get_reader().unchecked_into();
    let mut bytes = Vec::new();
    while let Some(part) = next_part(&reader).await.map_err(|_| BodyError::Interrupted)? {
        if bytes.len() + part.length() as usize > max_bytes {
            // Its outcome does not matter: no part is read any more.
            let _ = reader.cancel();
            return Err(BodyError::TooLarge);
        }
        bytes.extend(part.to_vec());
        on_part(bytes.len());
    }
    Ok(bytes)
}

/// The size that the host reports in the header `Content-Length`.
pub(crate) fn reported_size(response: &Response) -> Option<usize> {
    response.headers().get("content-length").ok().flatten().and_then(|length| length.parse().ok())
}

/// The next part; `None` at the end.
async fn next_part(reader: &ReadableStreamDefaultReader) -> Result<Option<Uint8Array>, JsValue> {
    let part = JsFuture::from(reader.read()).await?;
    if Reflect::get(&part, &"done".into())?.is_truthy() {
        return Ok(None);
    }
    Reflect::get(&part, &"value".into())?.dyn_into().map(Some)
}
