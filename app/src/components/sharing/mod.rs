//! Sharing a notebook: as a link, as a file, and its results in other formats.

mod embed_code;
pub(crate) mod send_results;
mod share_outcome;

use benchbook_notebook::file;
use benchbook_notebook::link;
use benchbook_notebook::notebook::Notebook;
use gloo::file::Blob;
use wasm_bindgen_futures::spawn_local;
use web_sys::File;
use yew::prelude::*;

use crate::address::Address;
use crate::components::widgets::copy::copy;
use crate::components::widgets::file_picker::FilePicker;
use crate::components::widgets::menu;
use crate::components::widgets::menu::use_menu;
use crate::effects::browser::download::{file_name, offer};
use crate::effects::browser::latest::LatestState;
use crate::effects::documents::article;
use crate::effects::documents::standalone;
use crate::state::suites::article_suites::ArticleSuites;
use embed_code::embed_button;
use share_outcome::{ShareOutcome, share_notice, use_share_outcome};

/// Selects the export menu of the current cell.
const EXPORT_MENU: &str = "[data-current] .export";

/// What a file lacks if it would be too large otherwise.
const WITHOUT_SAMPLES: &str = "without raw samples: they are too large for a file";

/// A way to share a notebook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShareAction {
    CopyLink,
    DownloadFile,
    DownloadPage,
    DownloadArticle,
    CopyFile,
    /// Opens the export menu of the current cell.
    Export,
}

impl ShareAction {
    const ALL: [Self; 6] =
        [Self::CopyLink, Self::DownloadFile, Self::DownloadPage, Self::DownloadArticle, Self::CopyFile, Self::Export];

    fn label(self) -> &'static str {
        match self {
            Self::CopyLink => "Copy link",
            Self::DownloadFile => "Download file",
            Self::DownloadPage => "Download page",
            Self::DownloadArticle => "Download article for a website",
            Self::CopyFile => "Copy file as text",
            Self::Export => "Export results…",
        }
    }

    /// The name in the document.
    fn name(self) -> &'static str {
        match self {
            Self::CopyLink => "share",
            Self::DownloadFile => "share-file",
            Self::DownloadPage => "share-page",
            Self::DownloadArticle => "share-article",
            Self::CopyFile => "share-text",
            Self::Export => "share-export",
        }
    }

    /// The key that does the same.
    fn key(self) -> Option<&'static str> {
        match self {
            Self::CopyLink => Some("Ctrl Shift L"),
            Self::DownloadFile => Some("Ctrl S"),
            Self::DownloadPage | Self::DownloadArticle | Self::CopyFile | Self::Export => None,
        }
    }

    /// Shares a notebook. Returns the outcome for the user.
    async fn share(self, document: Notebook, suites: Result<ArticleSuites, String>) -> ShareOutcome {
        let text = match self {
            Self::CopyLink => return copy_link(&document).await,
            Self::DownloadFile => {
                let name = format!("{}{}", file_name(&document.title), file::EXTENSION);
                let written = file::write_for_reading(&document);
                let outcome = download(&written.text, "application/json", &name);
                if written.has_samples { outcome } else { format!("{outcome}, {WITHOUT_SAMPLES}") }
            }
            Self::DownloadPage => match standalone::page_of(&document).await {
                Ok(page) => download(&page, "text/html", &format!("{}.html", file_name(&document.title))),
                Err(problem) => problem,
            },
            Self::DownloadArticle => match download_article(&document, suites).await {
                Ok(outcome) | Err(outcome) => outcome,
            },
            Self::CopyFile => {
                let written = file::write_for_reading(&document);
                let text = "Copied the file as text";
                let text = if written.has_samples { text.to_owned() } else { format!("{text}, {WITHOUT_SAMPLES}") };
                outcome_of_copying(copy(&written.text).await, &text)
            }
            Self::Export if menu::open(EXPORT_MENU) => String::new(),
            Self::Export => "The current cell has no results. Measure it first.".to_owned(),
        };
        text.into()
    }
}

/// Offers the article as an archive. Returns the outcome for the user.
async fn download_article(document: &Notebook, suites: Result<ArticleSuites, String>) -> Result<String, String> {
    let archive = article::archive(document, &suites?).await?;
    let name = format!("{}.zip", file_name(&document.title));
    match offer(&Blob::new_with_options(archive.as_slice(), Some("application/zip")), &name) {
        Some(()) => Ok(format!("Downloaded {name}. Extract it on any static file host.")),
        None => Err("The browser rejected the download.".to_owned()),
    }
}

/// Offers a text as a file. Returns the outcome for the user.
fn download(text: &str, media_type: &str, name: &str) -> String {
    match offer(&Blob::new_with_options(text, Some(media_type)), name) {
        Some(()) => format!("Downloaded {name}"),
        None => "The browser rejected the download. Copy the file as text instead.".to_owned(),
    }
}

async fn copy_link(document: &Notebook) -> ShareOutcome {
    let written = match link::write(document) {
        Ok(written) => written,
        Err(error) => return ShareOutcome { text: error.to_string(), offers_file: true },
    };
    let address = Address::Content(written.text);
    let has_results = document.results().next().is_some();
    let text = match (has_results, written.has_figures) {
        (true, true) => "Copied the link, with results but without raw samples",
        (true, false) => "Copied the link without results, which are too long. The file contains them.",
        (false, _) => "Copied the link",
    };
    let is_copied = copy(&address_of(&address.link())).await;
    let is_complete = is_copied && (written.has_figures || !has_results);
    ShareOutcome { text: outcome_of_copying(is_copied, text), offers_file: !is_complete }
}

fn outcome_of_copying(is_copied: bool, text: &str) -> String {
    if is_copied { text.to_owned() } else { "The browser blocks the clipboard. Download the file instead.".to_owned() }
}

/// The address of a link into this page.
pub(super) fn address_of(link: &str) -> String {
    let page = web_sys::window().and_then(|window| window.location().href().ok()).unwrap_or_default();
    format!("{}#{link}", page.split('#').next().unwrap_or_default())
}

#[derive(PartialEq, Properties)]
pub(crate) struct ShareMenuProps {
    /// Whether this page is a standalone one, which cannot write another one.
    pub(crate) is_standalone: bool,
    /// The fragment of the link to the cell that other pages can show, and its name.
    pub(super) embed: Option<(String, String)>,
    /// The outcome of the last action.
    pub(super) outcome: ShareOutcome,
    pub(super) on_share: Callback<ShareAction>,
    /// Adds the results that readers sent; absent if the notebook cannot be edited.
    pub(super) on_results: Option<Callback<Vec<File>>>,
    /// Closes the outcome.
    pub(super) on_close: Callback<()>,
}

/// The Share button with its menu.
#[component]
pub(crate) fn ShareMenu(props: &ShareMenuProps) -> Html {
    let menu = use_menu();
    let entry = |action: ShareAction| {
        let label = html! { <>{ action.label() }if let Some(key) = action.key() { <kbd>{ key }</kbd> }</> };
        menu.entry(action.name(), label, false, props.on_share.reform(move |()| action))
    };
    // A standalone page has no address for others.
    let is_local = |action: &ShareAction| {
        matches!(action, ShareAction::DownloadFile | ShareAction::CopyFile | ShareAction::Export)
    };
    let is_possible = |action: &ShareAction| !props.is_standalone || is_local(action);
    // Closing the notice removes its buttons, so the focus returns to the menu.
    let then_close = || {
        let close = menu.close.clone();
        move |()| close.emit(())
    };
    let on_file = props.on_share.reform(|()| ShareAction::DownloadFile).reform(then_close());
    let on_close = props.on_close.reform(then_close());
    let on_results = props.on_results.as_ref().map(|on_results| {
        let close = menu.close.clone();
        on_results.reform(move |files| {
            close.emit(());
            files
        })
    });
    html! {
        <>
        <details class="menu share secondary" data-test="share-menu" ref={menu.node.clone()} onkeydown={menu.onkeydown.clone()}>
            <summary>{ "Share" }</summary>
            <div class="card">
                <ul>
                    { for ShareAction::ALL.into_iter().filter(is_possible).map(entry) }
                    if let Some((link, name)) = props.embed.clone() {
                        // It stays open: the button shows the outcome.
                        <li>{ embed_button(link, &name) }</li>
                    }
                    if let Some(on_results) = on_results {
                        <li><FilePicker label="Add results of readers…" accept=".json,application/json" class="plain" is_multiple=true
                            button_test="add-results" input_test="results-picker" on_files={on_results} /></li>
                    }
                </ul>
            </div>
        </details>
        { share_notice(&props.outcome, &on_file, &on_close) }
        </>
    }
}

/// The outcome of sharing, and the callbacks of the Share menu.
#[derive(Clone)]
pub(super) struct Sharing {
    /// The outcome that is shown.
    pub(super) outcome: ShareOutcome,
    pub(super) on_share: Callback<ShareAction>,
    pub(super) on_close: Callback<()>,
}

/// Shares the notebook that is shown.
#[hook]
pub(super) fn use_share(latest: &LatestState) -> Sharing {
    let (outcome, report) = use_share_outcome();
    let latest = latest.clone();
    let on_close = report.reform(|()| ShareOutcome::default());
    let on_share = use_callback(report, move |action: ShareAction, report| {
        let report = report.clone();
        let state = latest.get();
        let document = state.notebook().map(|notebook| notebook.document.clone()).unwrap_or_default();
        let suites = state.article_suites();
        spawn_local(async move { report.emit(action.share(document, suites).await) });
    });
    Sharing { outcome, on_share, on_close }
}
