//! The legend of the plot, with switches for its lines and scales.

use benchbook_chart::{Chart, Palette, css};
use benchbook_contract::parameter::Scale;
use yew::prelude::*;

use super::machine_switches::MachineSwitches;
use super::model;
use super::model::MeanVisibility;
use crate::address::link::scale_name;
use crate::components::widgets::help::{HelpButton, Topic};
use benchbook_notebook::view::{CellView, ViewAction};
use benchbook_report::shown_trace::ShownTrace;

/// The legend of the shown curves, in their colours. `has_ratios`: whether the plot can show ratios instead of times.
pub(super) fn legend(
    shown: &[ShownTrace],
    view: &CellView,
    palette: Palette,
    chart: &Chart,
    has_ratios: bool,
    on_present: &Callback<ViewAction>,
) -> Html {
    let CellView { show_samples, is_relative, .. } = *view;
    let mean = model::mean_visibility(shown, view);
    let shows_mean = matches!(mean, MeanVisibility::Shown);
    // If functions are compared, the colours identify them, and these swatches only distinguish single from double lines.
    let swatch = |colour: String| {
        if shown.len() > 1 { "background:currentColor".to_owned() } else { format!("background:{colour}") }
    };
    html! {
        <div class="legend">
            // A separate node: the switches are conditional.
            <span class="lines">
                if !is_relative {
                    { switch("show-mean", "mean ± sd", Some(swatch(css(palette.mean(0)))), shows_mean, on_present, ViewAction::ShowMean) }
                    if let MeanVisibility::HiddenBecause(reason) = mean {
                        <small data-test="mean-hidden">{ reason }</small>
                    }
                    { switch("show-median", "median, quartiles", Some(swatch(css(palette.median(0)))), !view.hides_median(), on_present, ViewAction::ShowMedian) }
                    { switch("show-samples", "raw samples", None, show_samples, on_present, ViewAction::ShowSamples) }
                }
            </span>
            <HelpButton topic={Topic::Plot} />
            <MachineSwitches machines={model::machines(shown)} hidden={view.hidden_machines.clone()} {on_present} />
            <span class="scales">
                if has_ratios {
                    { relative_button(shown, is_relative, on_present) }
                }
                if !chart.x.is_categorical() {
                    { scale_button("x", chart.x.scale.into(), on_present, ViewAction::XScale) }
                }
                { scale_button("y", chart.y.scale.into(), on_present, ViewAction::YScale) }
            </span>
            if shown.len() > 1 {
                <ul class="series">
                    { for shown.iter().map(|one| html! {
                        <li data-test="series" class={classes!(one.is_sketch.then_some("sketch"), one.unpaired.then_some("unpaired"))}
                            data-hidden={view.hidden_machines.contains(&model::machine_name(one, shown)).then_some("true")}>
                            <i style={format!("color:{}", css(palette.mean(one.hue)))}></i>
                            <i style={format!("color:{}", css(palette.median(one.hue)))}></i>
                            { &one.label }
                            if one.unpaired {
                                <small title="Measured at another time or with other inputs, so there is no ratio">{ "unpaired" }</small>
                            }
                        </li>
                    }) }
                </ul>
            }
        </div>
    }
}

fn switch(
    test: &'static str,
    label: &'static str,
    swatch: Option<String>,
    on: bool,
    on_present: &Callback<ViewAction>,
    action: fn(bool) -> ViewAction,
) -> Html {
    let onchange = on_present.reform(move |_: Event| action(!on));
    html! {
        <label>
            <input type="checkbox" checked={on} {onchange} data-test={test} />
            if let Some(style) = swatch {
                <i {style}></i>
            }
            { label }
        </label>
    }
}

/// A button that switches between times and ratios.
fn relative_button(shown: &[ShownTrace], is_relative: bool, on_present: &Callback<ViewAction>) -> Html {
    let onclick = on_present.reform(move |_: MouseEvent| ViewAction::Relative(!is_relative));
    let baseline = shown.first().map(|first| first.name.as_str()).unwrap_or_default();
    html! {
        <button class="small" data-test="relative" aria-pressed={is_relative.to_string()}
            title={format!("Ratios to {baseline}, the first function")} {onclick}>{ "Relative" }</button>
    }
}

/// A button that switches an axis to the other scale.
fn scale_button(
    axis: &'static str,
    current: Scale,
    on_present: &Callback<ViewAction>,
    action: fn(Scale) -> ViewAction,
) -> Html {
    let next = match current {
        Scale::Linear => Scale::Log,
        Scale::Log => Scale::Linear,
    };
    let onclick = on_present.reform(move |_: MouseEvent| action(next));
    html! {
        <button class="small" data-test={format!("scale-{axis}")}
            title={format!("Switch to {}", scale_name(next))} {onclick}>{ format!("{axis} {}", scale_name(current)) }</button>
    }
}
