//! Reading notebook files: chosen ones, dropped ones, and those at an address.

use benchbook_notebook::file::{self, MAX_BYTES};
use benchbook_notebook::notebook::Notebook;
use gloo::events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{DragEvent, File, Response};
use yew::prelude::*;

use crate::effects::browser::limited_body::{BodyError, reported_size, text_up_to};
use crate::effects::suites::suite_file::is_suite;
use crate::state::PageAction;

/// Opens notebooks and suites that the user drops anywhere on the page.
#[hook]
pub(crate) fn use_dropped_files(open_suite: &Callback<File>, act: &Callback<PageAction>) {
    let (open_suite, act) = (open_suite.clone(), act.clone());
    use_effect_with((), move |()| {
        let listeners = web_sys::window().map(|window| {
            let options = EventListenerOptions::enable_prevent_default();
            let over = EventListener::new_with_options(&window, "dragover", options, |event| {
                if event.dyn_ref::<DragEvent>().is_some_and(has_files) {
                    event.prevent_default();
                }
            });
            let drop = EventListener::new_with_options(&window, "drop", options, move |event| {
                let Some(event) = event.dyn_ref::<DragEvent>().filter(|event| has_files(event)) else { return };
                event.prevent_default();
                let file = event.data_transfer().and_then(|data| data.files()).and_then(|files| files.get(0));
                if let Some(file) = file {
                    open(file, open_suite.clone(), act.clone());
                }
            });
            [over, drop]
        });
        move || drop(listeners)
    });
}

/// Whether files are being dragged, rather than a part of the page.
fn has_files(event: &DragEvent) -> bool {
    event.data_transfer().is_some_and(|data| data.types().includes(&"Files".into(), 0))
}

/// Opens a notebook or a suite.
pub(crate) fn open(file: File, open_suite: Callback<File>, act: Callback<PageAction>) {
    spawn_local(async move {
        if is_suite(&file).await {
            open_suite.emit(file);
        } else {
            act.emit(PageAction::OpenDocument(read(&file).await));
        }
    });
}

/// Reads the files of readers, and returns a sentence for each that is not a notebook.
pub(crate) async fn read_all(files: &[File]) -> (Vec<Notebook>, Vec<String>) {
    let (mut notebooks, mut damaged) = (Vec::new(), Vec::new());
    for file in files {
        match read(file).await {
            Ok(notebook) => notebooks.push(notebook),
            Err(problem) => damaged.push(format!("{}: {problem}", file.name())),
        }
    }
    (notebooks, damaged)
}

async fn read(file: &File) -> Result<Notebook, String> {
    // Before reading: a file that is too long would fill the memory of the tab.
    let bytes = file.size();
    if bytes > MAX_BYTES as f64 {
        return Err(file::FileError::TooLarge { bytes: bytes as usize }.to_string());
    }
    let unreadable = || format!("The browser cannot read the file {}. Choose it again.", file.name());
    let text = JsFuture::from(file.text()).await.map_err(|_| unreadable())?;
    file::read(&text.as_string().ok_or_else(unreadable)?).map_err(|error| error.to_string())
}

/// Requests a file from the address that the user typed.
///
/// # Errors
/// Like `request`, and if the address is not one of the web.
pub(crate) async fn fetch(url: &str) -> Result<Notebook, String> {
    let failed = |reason: &str| format!("Cannot open {url}: {reason}.");
    if !url.starts_with("https://") && !url.starts_with("http://") {
        return Err(failed("the address must begin with https:// or http://"));
    }
    request(url).await
}

/// Requests a file from an address, which may be relative to the page.
///
/// # Errors
/// Returns a sentence if the host does not deliver the file, or if it is not a notebook.
pub(crate) async fn request(url: &str) -> Result<Notebook, String> {
    let failed = |reason: &str| format!("Cannot open {url}: {reason}.");
    let window = web_sys::window().ok_or_else(|| failed("there is no window"))?;
    let unreachable =
        |_| failed("the request failed; the host may be down, or may not allow requests from other pages (CORS)");
    let response: Response =
        JsFuture::from(window.fetch_with_str(url)).await.map_err(unreachable)?.dyn_into().map_err(unreachable)?;
    if !response.ok() {
        return Err(failed(&format!("the host responded with status {}", response.status())));
    }
    if let Some(bytes) = reported_size(&response).filter(|bytes| *bytes > MAX_BYTES) {
        return Err(file::FileError::TooLarge { bytes }.to_string());
    }
    let text = text_up_to(&response, MAX_BYTES).await.map_err(|error| match error {
        BodyError::TooLarge => {
            failed(&format!("the file exceeds the limit of {} MiB. Remove cells or results", MAX_BYTES >> 20))
        }
        BodyError::Interrupted => failed("the connection failed before the end of the file. Open it again"),
        BodyError::NotText => failed("the file is not a text in UTF-8"),
    })?;
    file::read(&text).map_err(|error| error.to_string())
}
