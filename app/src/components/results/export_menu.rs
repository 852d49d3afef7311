//! The menu that exports the results of a cell, to the clipboard or to a file.

mod clipboard_image;

use std::rc::Rc;

use gloo::file::Blob;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use super::plot::DrawnPlot;
use super::profile::export::ProfileFormat;
use super::profile::model::ProfileModel;
use crate::components::widgets::copy::copy;
use crate::components::widgets::menu::use_menu;
use crate::components::widgets::outcome::use_outcome;
use crate::effects::browser::download::{file_name, offer};
use benchbook_report::export::ExportFormat;
use benchbook_report::results::Results;
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
    /// The profile, if it is shown: then it is exported instead.
    pub(super) profile: Option<Rc<ProfileModel>>,
}

/// How long the menu shows an outcome, in milliseconds.
const OUTCOME_MS: u32 = 2_500;

/// An entry of the menu.
#[derive(Clone, Copy, PartialEq)]
enum ExportEntry {
    Text(ExportFormat),
    Svg,
    Png,
    Profile(ProfileFormat),
}

impl ExportEntry {
    fn all(props: &ExportMenuProps) -> Vec<Self> {
        match props.profile {
            Some(_) => ProfileFormat::ALL.map(Self::Profile).to_vec(),
            None => ExportFormat::ALL.into_iter().map(Self::Text).chain([Self::Svg, Self::Png]).collect(),
        }
    }

    fn label(self) -> &'static str {
        match self {
            Self::Text(format) => format.label(),
            Self::Svg => "SVG of the plot",
            Self::Png => "PNG of the plot",
            Self::Profile(format) => format.label(),
        }
    }

    /// The name in the document.
    fn name(self) -> &'static str {
        match self {
            Self::Text(format) => format.name(),
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Profile(format) => format.name(),
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
            Self::Profile(format) => format.extension(),
        }
    }

    /// The text of the entry; `None` for an image of pixels, and if the plot is not drawn.
    fn text(self, props: &ExportMenuProps) -> Option<String> {
        match self {
            Self::Text(format) => Some(format.write(&props.results, props.margin, props.ranked_at.as_deref())),
            Self::Svg => props.plot.svg(),
            Self::Png => None,
            Self::Profile(format) => {
                let ProfileModel { profile, metric, point, .. } = &**props.profile.as_ref()?;
                format.write(profile, *metric, *point)
            }
        }
    }

    /// The file; `None` if the plot is not drawn.
    async fn blob(self, props: &ExportMenuProps) -> Option<Blob> {
        let media_type = match self {
            Self::Text(format) => format.media_type(),
            Self::Svg => "image/svg+xml",
            Self::Profile(format) => format.media_type(),
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
        let name = format!("{}{}", file_name(&props.results.title()), self.extension());
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
    let (outcome, report) = use_outcome(OUTCOME_MS);
    let menu = use_menu();
    let props = Rc::new(props.clone());
    let row = |entry: ExportEntry| {
        let handler = |is_copy: bool| {
            let (props, report) = (Rc::clone(&props), report.clone());
            Callback::from(move |_: MouseEvent| {
                let (props, report) = (Rc::clone(&props), report.clone());
                spawn_local(async move {
                    let outcome = if is_copy { entry.copy(&props).await } else { entry.download(&props).await };
                    report.emit(outcome.to_owned());
                });
            })
        };
        let (on_copy, on_download) = (handler(true), handler(false));
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
        <details class="menu export" data-test="export-menu" ref={menu.node} onkeydown={menu.onkeydown}>
            <summary>{ "Export" }</summary>
            <div class="card">
                <ul>{ for ExportEntry::all(&props).into_iter().map(row) }</ul>
                <p role="status" data-test="export-outcome">{ outcome }</p>
            </div>
        </details>
    }
}
