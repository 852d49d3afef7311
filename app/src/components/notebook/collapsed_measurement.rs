//! A collapsed measurement cell: its answer, its quality and its setup in one line each, and a thumbnail of its curves.

use yew::prelude::*;

use crate::components::results::quality::Quality;
use crate::components::results::ranking::{Answer, Thumbnail, use_rankings};
use benchbook_notebook::view::ViewAction;
use benchbook_report::results::Results;

#[derive(PartialEq, Properties)]
pub(crate) struct CollapsedMeasurementProps {
    pub(crate) results: Results,
    /// Generator and arguments on one line.
    pub(crate) summary: String,
    /// The relative difference up to which times count as the same.
    pub(crate) margin: f64,
    pub(crate) is_measuring: bool,
}

#[component]
pub(crate) fn CollapsedMeasurement(props: &CollapsedMeasurementProps) -> Html {
    let CollapsedMeasurementProps { results, summary, margin, is_measuring } = props;
    let shown = results.shown();
    let rankings = use_rankings(&shown);
    html! {
        <div class="collapsed">
            if !shown.is_empty() {
                <div class="abstract">
                    <Answer shown={shown.clone()} rankings={rankings.clone()} {margin} ranked_at={None::<String>} has_table={false}
                        on_present={Callback::<ViewAction>::noop()} />
                    <Thumbnail shown={shown.clone()} {rankings} />
                </div>
            }
            <Quality {shown} {is_measuring} is_brief={true} />
            <p class="setup-line" data-test="setup-line">{ summary }</p>
        </div>
    }
}
