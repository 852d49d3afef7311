//! What the plot's lines mean, which of them are drawn, and on which scales.

use plotters::style::RGBColor;
use yew::prelude::*;

use crate::chart::{Palette, Scale, css};
use crate::components::help::{HelpButton, Topic};
use crate::settings::presentation::{Presentation, PresentationAction};
use crate::share::link::scale_name;
use crate::state::shown_trace::ShownTrace;

/// The legend of what is shown, in the colours and on the scales (of axis and time) in which it is drawn.
pub(super) fn legend(
    shown: &[ShownTrace],
    presentation: &Presentation,
    palette: Palette,
    scales: (Scale, Scale),
    on_present: &Callback<PresentationAction>,
) -> Html {
    let Presentation { hide_mean, hide_median, show_samples, .. } = *presentation;
    let colour = |name: &str, colour: String| format!("{name}{colour}");
    // Where functions are compared, each has its own colours: what is left to tell is a single line from a double one.
    let swatch = |own: RGBColor| {
        if shown.len() > 1 { colour("background:", "currentColor".to_owned()) } else { colour("background:", css(own)) }
    };
    html! {
        <div class="legend">
            { switch("show-mean", "mean ± sd", Some(swatch(palette.mean(0))), !hide_mean, on_present, PresentationAction::ShowMean) }
            { switch("show-median", "median, quartiles", Some(swatch(palette.median(0))), !hide_median, on_present, PresentationAction::ShowMedian) }
            { switch("show-samples", "raw samples", None, show_samples, on_present, PresentationAction::ShowSamples) }
            <HelpButton topic={Topic::Plot} />
            <span class="scales">
                { scale("x", scales.0, on_present, PresentationAction::XScale) }
                { scale("y", scales.1, on_present, PresentationAction::YScale) }
            </span>
            if shown.len() > 1 {
                <ul class="series">
                    { for shown.iter().map(|shown| html! {
                        <li data-test="series" data-path={shown.trace.function.path.clone()} data-unpaired={shown.unpaired.to_string()}
                            data-machine={shown.trace.setup.target_name()} class={shown.is_sketch.then_some("sketch")}>
                            <i style={colour("color:", css(palette.mean(shown.hue)))}></i>
                            <i style={colour("color:", css(palette.median(shown.hue)))}></i>
                            { &shown.label }
                            if shown.unpaired {
                                <small title="Measured at another time or on other inputs: no ratio is told, since it cannot say which is faster">{ "unpaired" }</small>
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
    on_present: &Callback<PresentationAction>,
    action: fn(bool) -> PresentationAction,
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

/// A button that turns an axis from one scale to the other.
fn scale(
    axis: &'static str,
    now: Scale,
    on_present: &Callback<PresentationAction>,
    action: fn(Scale) -> PresentationAction,
) -> Html {
    let next = match now {
        Scale::Linear => Scale::Log,
        Scale::Log => Scale::Linear,
    };
    let onclick = on_present.reform(move |_: MouseEvent| action(next));
    html! {
        <button class="small" data-test={format!("scale-{axis}")} data-scale={scale_name(now)}
            title={format!("Make it {}", scale_name(next))} {onclick}>{ format!("{axis} {}", scale_name(now)) }</button>
    }
}
