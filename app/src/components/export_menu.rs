//! The menu that exports the results of a cell, to the clipboard or to a file.

mod clipboard_image;

use std::rc::Rc;

use gloo::file::{Blob, ObjectUrl};
use gloo::timers::callback::Timeout;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, HtmlAnchorElement};
use yew::prelude::*;

use super::copy::copy;
use super::focus;
use super::plot::DrawnPlot;
use crate::state::export::ExportFormat;
use crate::state::results::Results;
use clipboard_image::{copy_image, png};

#[derive(Clone, PartialEq, Properties)]
pub(super) struct ExportMenuProps {
    /// Results with at least one measurement.
    pub(super) results: Results,
    /// The relative difference up to which times count as the same.
    pub(super) margin: f64,
    /// The axis value of the ranking, as text.
    pub(super) ranked_at: Option<String>,
    /// The plot of these results.
    pub(super) plot: DrawnPlot,
}

/// How long the menu shows an outcome, in milliseconds.
const OUTCOME_MS: u32 = 2_500;

/// How long the browser may take to read a downloaded file, in milliseconds.
const DOWNLOAD_MS: u32 = 60_000;

/// An entry of the menu.
#[derive(Clone, Copy, PartialEq)]
enum ExportEntry {
    Text(ExportFormat),
    Svg,
    Png,
}

impl ExportEntry {
    fn all() -> impl Iterator<Item = Self> {
        ExportFormat::ALL.into_iter().map(Self::Text).chain([Self::Svg, Self::Png])
    }

    fn label(self) -> &'static str {
        match self {
            Self::Text(format) => format.label(),
            Self::Svg => "SVG of the plot",
            Self::Png => "PNG of the plot",
        }
    }

    /// The name in the document.
    fn name(self) -> &'static str {
        match self {
            Self::Text(format) => format.name(),
            Self::Svg => "svg",
            Self::Png => "png",
        }
    }

    fn has_samples(self) -> bool {
        matches!(self, Self::Text(format) if format.has_samples())
    }

    fn extension(self) -> &'static str {
        match self {
            Self::Text(format) => format.extension(),
            Self::Svg => ".svg",
            Self::Png => ".png",
        }
    }

    /// The text of the entry; `None` for an image of pixels, and if the plot is not drawn.
    fn text(self, props: &ExportMenuProps) -> Option<String> {
        match self {
            Self::Text(format) => Some(format.write(&props.results, props.margin, props.ranked_at.as_deref())),
            Self::Svg => props.plot.svg(),
            Self::Png => None,
        }
    }

    /// The file; `None` if the plot is not drawn.
    async fn blob(self, props: &ExportMenuProps) -> Option<Blob> {
        let media_type = match self {
            Self::Text(format) => format.media_type(),
            Self::Svg => "image/svg+xml",
            Self::Png => return Some(png(&props.plot.canvas()?).await?.into()),
        };
        Some(Blob::new_with_options(self.text(props)?.as_str(), Some(media_type)))
    }

    /// Copies the entry. Returns the outcome for the user.
    async fn copy(self, props: &ExportMenuProps) -> &'static str {
        let is_copied = match (self.text(props), props.plot.canvas()) {
            (Some(text), _) => copy(&text).await,
            (None, Some(canvas)) if self == Self::Png => copy_image(&canvas).await,
            (None, _) => return NOT_DRAWN,
        };
        if is_copied { "Copied" } else { "Clipboard blocked. Download the file." }
    }

    /// Offers the entry as a file. Returns the outcome for the user.
    async fn download(self, props: &ExportMenuProps) -> &'static str {
        let Some(blob) = self.blob(props).await else { return NOT_DRAWN };
        let name = format!("{}{}", file_name(&props.results), self.extension());
        match offer(&blob, &name) {
            Some(()) => "Downloaded",
            None => "The browser rejected the download. Copy instead.",
        }
    }
}

/// The outcome if the plot has no size.
const NOT_DRAWN: &str = "The plot is hidden. Select its tab first.";

#[component]
pub(super) fn ExportMenu(props: &ExportMenuProps) -> Html {
    let outcome = use_state_eq(String::new);
    // Replacing the timer cancels the previous one.
    let timer = use_mut_ref(|| None::<Timeout>);
    let report = {
        let outcome = outcome.clone();
        Callback::from(move |text: &str| {
            outcome.set(text.to_owned());
            let outcome = outcome.clone();
            timer.replace(Some(Timeout::new(OUTCOME_MS, move || outcome.set(String::new()))));
        })
    };
    let menu = use_node_ref();
    let onkeydown = {
        let menu = menu.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" {
                close(&menu);
            }
        })
    };
    let props = Rc::new(props.clone());
    let row = |entry: ExportEntry| {
        let on_copy = {
            let (props, report) = (Rc::clone(&props), report.clone());
            Callback::from(move |_: MouseEvent| {
                let (props, report) = (Rc::clone(&props), report.clone());
                spawn_local(async move { report.emit(entry.copy(&props).await) });
            })
        };
        let on_download = {
            let (props, report) = (Rc::clone(&props), report.clone());
            Callback::from(move |_: MouseEvent| {
                let (props, report) = (Rc::clone(&props), report.clone());
                spawn_local(async move { report.emit(entry.download(&props).await) });
            })
        };
        let label = entry.label();
        let is_missing = entry.has_samples() && props.results.lacks_samples();
        html! {
            <li data-test="export" data-format={entry.name()}>
                <span>{ label }if is_missing { <small>{ " (show the raw samples first)" }</small> }</span>
                <button class="small" data-test="export-copy" aria-label={format!("Copy {label}")} disabled={is_missing} onclick={on_copy}>{ "Copy" }</button>
                <button class="small" data-test="export-download" aria-label={format!("Download {label}")} disabled={is_missing} onclick={on_download}>{ "Download" }</button>
            </li>
        }
    };
    html! {
        <details class="menu" data-test="export-menu" ref={menu} {onkeydown}>
            <summary>{ "Export" }</summary>
            <div class="card">
                <ul>{ for ExportEntry::all().map(row) }</ul>
                <p role="status" data-test="export-outcome">{ &*outcome }</p>
            </div>
        </details>
    }
}

/// Closes the menu and focuses its button.
fn close(menu: &NodeRef) {
    let Some(menu) = menu.cast::<Element>() else { return };
    // Removing an attribute fails only if the name is invalid.
    let _ = menu.remove_attribute("open");
    focus::on_element(menu.query_selector("summary").ok().flatten());
}

/// The name of a file without its extension: the functions, with characters that all systems allow.
fn file_name(results: &Results) -> String {
    let paths = results.setup().map(|setup| setup.request.functions.join("-")).unwrap_or_default();
    let plain = |character: char| if character.is_ascii_alphanumeric() { character } else { '-' };
    let name: String = paths.replace("::", "-").chars().map(plain).take(80).collect();
    if name.is_empty() { "benchbook".to_owned() } else { name }
}

/// Offers a file for download; `None` if the browser has no document.
fn offer(blob: &Blob, name: &str) -> Option<()> {
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
