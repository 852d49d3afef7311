//! The choice of the plotted metric.

use benchbook_host::metric::{METRICS, Metric, TIME, WASM_INSTRUCTIONS, metric};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::components::widgets::select_value::use_select_value;
use benchbook_notebook::view::ViewAction;
use benchbook_report::shown_trace::ShownTrace;
use benchbook_report::table_rows::metrics_of;

#[derive(PartialEq, Properties)]
pub(super) struct MetricSelectProps {
    pub(super) shown: Vec<ShownTrace>,
    /// The plotted metric.
    pub(super) metric: &'static Metric,
    pub(super) on_present: Callback<ViewAction>,
}

/// Whether the points of a cell are counted: a context of what shows them. Where it is absent, nothing can be counted.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Counting {
    /// There is nothing left to count.
    Complete,
    /// Choosing the wasm instructions counts them.
    Possible,
    /// A measurement or a count is in progress.
    Running,
}

/// A list of the metrics that some point has, or would have if it were counted. Empty if points have only the time.
#[component]
pub(super) fn MetricSelect(props: &MetricSelectProps) -> Html {
    let MetricSelectProps { shown, metric: chosen, on_present } = props;
    let select = use_select_value(chosen.name.to_owned());
    let others = metrics_of(shown);
    let can_count = use_context::<Counting>().is_some_and(|counting| counting != Counting::Complete);
    let is_available = |metric: &&Metric| {
        metric == chosen || **metric == TIME || others.contains(metric) || (can_count && **metric == WASM_INSTRUCTIONS)
    };
    let available: Vec<&'static Metric> = METRICS.into_iter().filter(is_available).collect();
    let onchange = on_present.reform(|event: Event| {
        let name = event.target_unchecked_into::<HtmlSelectElement>().value();
        ViewAction::Metric(metric(&name).unwrap_or(&TIME))
    });
    // Always rendered: Yew would insert the list in the wrong position if the component had no element at first.
    html! {
        <div class="metric">
            if available.len() > 1 {
                <label><span class="visually-hidden">{ "Metric " }</span>
                    <select data-test="metric" ref={select} {onchange}>
                        { for available.into_iter().map(|metric| html! {
                            <option value={metric.name} selected={metric == *chosen}>{ metric.title }</option>
                        }) }
                    </select>
                </label>
            }
        </div>
    }
}
