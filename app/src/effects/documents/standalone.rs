//! Standalone pages: writing one, and being one. `static/standalone.js` writes them.

use benchbook_notebook::link;
use benchbook_notebook::notebook::Notebook;
use js_sys::Promise;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use crate::effects::worker::text_of;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = benchbookStandalone, catch)]
    fn write_page(title: &str, content: &str) -> Result<Promise, JsValue>;
}

/// The id of the element with the notebook.
const CONTENT: &str = "benchbook-content";

/// The notebook that this page contains, or a sentence if it is damaged; `None` if the page is not a standalone one.
pub(crate) fn own_content() -> Option<Result<Notebook, String>> {
    let element = web_sys::window()?.document()?.get_element_by_id(CONTENT)?;
    let content = element.text_content().unwrap_or_default();
    Some(link::read(content.trim()).map_err(|error| error.to_string()))
}

/// A page that contains a notebook with its figures, without raw samples, and shows it without a server.
///
/// # Errors
/// Returns a sentence that says how to fix it if the page cannot be written.
pub(crate) async fn page_of(notebook: &Notebook) -> Result<String, String> {
    let failed = |error: &JsValue| {
        format!("The page cannot be written: {}. Download the file instead.", text_of(error).trim_end_matches('.'))
    };
    let writing = write_page(notebook.shown_title(), &link::encoded(&notebook.without_samples()))
        .map_err(|error| failed(&error))?;
    let page = JsFuture::from(writing).await.map_err(|error| failed(&error))?;
    Ok(page.as_string().unwrap_or_default())
}
