//! The toolbar of the plot: what is drawn, and on which scales.

use benchbook_chart::AxisScale;
use benchbook_contract::parameter::Scale;
use yew::prelude::*;

use super::limit_field::LimitField;
use super::machine_switches::machine_switches;
use super::metric_select::MetricSelect;
use super::model;
use crate::components::results::margin::MarginSelect;
use crate::components::widgets::help::{HelpButton, Topic};
use crate::components::widgets::menu::use_menu;
use benchbook_notebook::view::{CellView, ViewAction};
use benchbook_report::shown_trace::ShownTrace;

#[derive(PartialEq, Properties)]
pub(super) struct ToolbarProps {
    pub(super) shown: Vec<ShownTrace>,
    /// The view as it is drawn.
    pub(super) view: CellView,
    /// The scales of both axes.
    pub(super) scales: [AxisScale; 2],
    /// Whether the horizontal axis has no order.
    pub(super) has_categories: bool,
    /// Whether the plot can show ratios instead of times.
    pub(super) has_ratios: bool,
    /// Whether the plot can show a time limit.
    pub(super) has_limit: bool,
    pub(super) on_present: Callback<ViewAction>,
}

#[component]
pub(super) fn Toolbar(props: &ToolbarProps) -> Html {
    let ToolbarProps { shown, view, on_present, .. } = props;
    let menu = use_menu();
    let shows_mean = model::shows_mean(shown, view);
    html! {
        <div class="toolbar">
            <MetricSelect shown={shown.clone()} metric={view.metric()} on_present={on_present.clone()} />
            // Separate nodes: their contents are conditional.
            <span class="group" role="group" aria-label="Statistics">
                if !view.is_relative() {
                    { toggle("show-median", "Median", "The median with its quartile band", !view.hides_median(), on_present, ViewAction::ShowMedian) }
                    { toggle("show-mean", "Mean", "The mean with its standard deviation", shows_mean, on_present, ViewAction::ShowMean) }
                }
            </span>
            <span class="group" role="group" aria-label="Scales">
                if !props.has_categories {
                    { log_button("x", props.scales[0], on_present, ViewAction::XScale) }
                }
                { log_button("y", props.scales[1], on_present, ViewAction::YScale) }
            </span>
            <span>
                if shown.len() > 1 {
                    { relative_button(view.is_relative(), props.has_ratios, on_present) }
                }
            </span>
            <details class="menu show" data-test="show-menu" ref={menu.node} onkeydown={menu.onkeydown}>
                <summary>{ "Show" }</summary>
                <div class="card">
                    <ul>
                        if !view.is_relative() {
                            <li>{ check_box("show-samples", "Raw samples", view.show_samples, on_present, ViewAction::ShowSamples) }</li>
                        }
                        { machine_switches(&model::machines(shown), &view.hidden_machines, on_present) }
                    </ul>
                    <div class="limit">
                        if props.has_limit {
                            <LimitField limit={view.limit} on_present={on_present.clone()} />
                        }
                    </div>
                    <div>
                        if props.has_ratios {
                            <MarginSelect margin={view.margin} on_present={on_present.clone()} />
                        }
                    </div>
                </div>
            </details>
            <HelpButton topic={Topic::Plot} />
        </div>
    }
}

/// A button that is on or off.
fn toggle(
    test: &'static str,
    label: &'static str,
    title: &'static str,
    on: bool,
    on_present: &Callback<ViewAction>,
    action: fn(bool) -> ViewAction,
) -> Html {
    let onclick = on_present.reform(move |_: MouseEvent| action(!on));
    html! { <button class="small" data-test={test} aria-pressed={on.to_string()} {title} {onclick}>{ label }</button> }
}

fn check_box(
    test: &'static str,
    label: &'static str,
    on: bool,
    on_present: &Callback<ViewAction>,
    action: fn(bool) -> ViewAction,
) -> Html {
    let onchange = on_present.reform(move |_: Event| action(!on));
    html! { <label><input type="checkbox" checked={on} {onchange} data-test={test} />{ label }</label> }
}

/// A button that switches between times and ratios, disabled while there are none.
fn relative_button(is_relative: bool, has_ratios: bool, on_present: &Callback<ViewAction>) -> Html {
    let onclick = on_present.reform(move |_: MouseEvent| ViewAction::Relative(!is_relative));
    html! {
        <button class="small" data-test="relative" aria-pressed={is_relative.to_string()} disabled={!has_ratios}
            title="Ratios to the fastest function at each value" {onclick}>{ "Relative" }</button>
    }
}

/// A button that switches an axis between a logarithmic and a linear scale.
fn log_button(
    axis: &'static str,
    current: AxisScale,
    on_present: &Callback<ViewAction>,
    action: fn(Scale) -> ViewAction,
) -> Html {
    let is_log = Scale::from(current) == Scale::Log;
    let next = if is_log { Scale::Linear } else { Scale::Log };
    let onclick = on_present.reform(move |_: MouseEvent| action(next));
    html! {
        <button class="small" data-test={format!("scale-{axis}")} aria-pressed={is_log.to_string()} {onclick}>{ format!("Log {axis}") }</button>
    }
}
