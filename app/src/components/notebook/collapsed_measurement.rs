//! A collapsed measurement cell: its answer, its quality and its setup in one line each, and a thumbnail of its curves.

use yew::prelude::*;

use crate::components::results::claims::headline;
use crate::components::results::quality::{Quality, use_quality};
use crate::components::results::ranking::use_rankings;
use crate::components::results::thumbnail::ThumbnailView;
use benchbook_report::claims::claims;
use benchbook_report::results::Results;
use benchbook_report::thumbnail::Thumbnail;

#[derive(PartialEq, Properties)]
pub(crate) struct CollapsedMeasurementProps {
    pub(crate) results: Results,
    /// Generator and arguments on one line.
    pub(crate) summary: String,
    /// The relative difference up to which times count as the same.
    pub(crate) margin: f64,
    /// The progress, and the button that measures or stops.
    pub(crate) run: Html,
    pub(crate) is_measuring: bool,
}

#[component]
pub(crate) fn CollapsedMeasurement(props: &CollapsedMeasurementProps) -> Html {
    let CollapsedMeasurementProps { results, summary, margin, is_measuring, .. } = props;
    let shown = results.shown();
    let rankings = use_rankings(&shown);
    let reports = use_quality(&shown);
    let claims = claims(&shown, &rankings, (*margin, None), None);
    html! {
        <div class="collapsed">
            <div class="run-bar">
                { headline(&claims, false) }
                if let Some(thumbnail) = rankings.first().and_then(|first| Thumbnail::of(&shown, first)) {
                    <ThumbnailView {thumbnail} />
                }
                { props.run.clone() }
            </div>
            <div class="cell-foot"><Quality {shown} {reports} {is_measuring} /></div>
            <p class="setup-line" data-test="setup-line">{ summary }</p>
        </div>
    }
}
