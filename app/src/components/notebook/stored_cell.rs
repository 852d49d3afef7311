//! A measurement cell whose function is not in a loaded suite: its results stay readable.

use benchbook_notebook::cell::MeasurementCell;
use yew::prelude::*;

use crate::address::excerpt::excerpt;
use crate::components::results::result_view::ResultView;
use crate::components::widgets::code::with_code;
use benchbook_notebook::view::{CellView, ViewAction};
use benchbook_report::results::Results;

#[derive(PartialEq, Properties)]
pub(crate) struct StoredCellProps {
    pub(crate) measurement: MeasurementCell,
    /// Whether the note is hidden that the cell cannot be measured.
    pub(crate) is_reading: bool,
}

/// Begins with the notebook's view. Changes last until the page is left.
#[component]
pub(crate) fn StoredCell(props: &StoredCellProps) -> Html {
    let measurement = &props.measurement;
    let view = use_state(|| measurement.setup.view.clone());
    let on_present = {
        let view = view.clone();
        Callback::from(move |action: ViewAction| {
            let mut next = CellView::clone(&view);
            next.apply(action);
            view.set(next);
        })
    };
    let setup = &measurement.setup;
    let reason = format!(
        "Can't measure: this page has no `{}` in suite `{}`. Saved results remain.",
        excerpt(setup.functions.first().map_or("", String::as_str)),
        excerpt(&setup.suite),
    );
    let notes = html! {
        if !props.is_reading {
            <p class="problem-note inset" role="status" data-test="not-measurable">{ with_code(&reason) }</p>
        }
    };
    html! { <ResultView results={Results::of(measurement)} view={CellView::clone(&view)} {notes} {on_present} /> }
}
