//! The accepted results of a hosted page: files in a folder that `notebook.json` names. Its host may send anything.

use benchbook_host::api::{AcceptedHistory, HistoryFunction};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;

use crate::effects::browser::limited_body::{BodyError, text_up_to};

/// The maximum size of a file in bytes: the results of a list have at most half of it.
const MAX_BYTES: usize = 32 << 20;

/// Lists the functions of the results in a folder.
///
/// # Errors
/// A sentence if the host does not deliver the list, or if it is damaged.
pub(crate) async fn functions(folder: &str) -> Result<Vec<HistoryFunction>, String> {
    let address = format!("{folder}{}", HistoryFunction::LIST);
    request(&address).await.and_then(|text| HistoryFunction::read(&text)).map_err(|reason| failed(&address, &reason))
}

/// Reads the results in a file of a folder.
///
/// # Errors
/// A sentence if the host does not deliver the file, or if it is damaged.
pub(crate) async fn results(folder: &str, file: &str) -> Result<AcceptedHistory, String> {
    let address = format!("{folder}{file}");
    request(&address).await.and_then(|text| AcceptedHistory::read(&text)).map_err(|reason| failed(&address, &reason))
}

fn failed(address: &str, reason: &str) -> String {
    format!("Cannot read the accepted results {address}: {reason}.")
}

/// Requests a file. Returns a clause if that fails.
async fn request(address: &str) -> Result<String, String> {
    let window = web_sys::window().ok_or("there is no window")?;
    let unreachable = |_| "the host does not respond, or does not allow requests from other pages (CORS)";
    let response: Response =
        JsFuture::from(window.fetch_with_str(address)).await.map_err(unreachable)?.dyn_into().map_err(unreachable)?;
    if !response.ok() {
        return Err(format!("the host responded with status {}", response.status()));
    }
    text_up_to(&response, MAX_BYTES).await.map_err(|error| match error {
        BodyError::TooLarge => format!("the file exceeds the limit of {} MiB", MAX_BYTES >> 20),
        BodyError::Interrupted => "the connection failed before the end of the file. Reload the page".to_owned(),
        BodyError::NotText => "the file is not a text in UTF-8".to_owned(),
    })
}
