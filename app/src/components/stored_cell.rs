//! A measurement cell whose function is not in a loaded suite: its results stay readable.

use benchbook_notebook::cell::MeasurementCell;
use yew::prelude::*;

use super::result_view::ResultView;
use crate::settings::presentation::{Presentation, PresentationAction};
use crate::share::excerpt::excerpt;
use crate::share::link::Link;
use benchbook_report::results::Results;

#[derive(PartialEq, Properties)]
pub(crate) struct StoredCellProps {
    pub(crate) measurement: MeasurementCell,
    /// Whether the note is hidden that the cell cannot be measured.
    pub(crate) is_reading: bool,
}

/// Begins with the notebook's presentation. Changes last until the page is left.
#[component]
pub(crate) fn StoredCell(props: &StoredCellProps) -> Html {
    let measurement = &props.measurement;
    let presentation = use_state(|| Link::of_setup(&measurement.setup).presentation);
    let on_present = {
        let presentation = presentation.clone();
        Callback::from(move |action: PresentationAction| {
            let mut next = Presentation::clone(&presentation);
            next.apply(action);
            presentation.set(next);
        })
    };
    let setup = &measurement.setup;
    let reason = format!(
        "This page has no function {} in a suite named {}, so it cannot be measured here. The results remain.",
        excerpt(setup.functions.first().map_or("", String::as_str)),
        excerpt(&setup.suite),
    );
    let notes = html! {
        if !props.is_reading {
            <p class="problem-note inset" role="status" data-test="not-measurable">{ reason }</p>
        }
    };
    html! { <ResultView results={Results::of(measurement)} presentation={Presentation::clone(&presentation)} {notes} {on_present} /> }
}
