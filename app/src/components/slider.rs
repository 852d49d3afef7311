//! Sliders over a parameter's bounds, on its scale.

use benchbook::parameter::{Numeric, Scale};
use benchbook::units;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::state::controls::End;

/// Positions of a slider: finer than any screen shows.
const POSITIONS: f64 = 1000.0;

#[derive(PartialEq, Properties)]
pub(crate) struct SliderProps {
    pub(crate) numeric: Numeric,
    pub(crate) value: f64,
    pub(crate) label: String,
    pub(crate) on_slide: Callback<f64>,
}

/// One handle.
#[component]
pub(crate) fn Slider(props: &SliderProps) -> Html {
    let place = place_of(&props.numeric, props.value);
    html! {
        <div class="slider" style={format!("--from:0%;--to:{}%", place / POSITIONS * 100.0)}>
            { handle(&props.numeric, props.value, &props.label, &props.on_slide) }
        </div>
    }
}

#[derive(PartialEq, Properties)]
pub(crate) struct RangeSliderProps {
    pub(crate) numeric: Numeric,
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// What is varied.
    pub(crate) label: String,
    pub(crate) on_slide: Callback<(End, f64)>,
}

/// Two handles, low and high.
#[component]
pub(crate) fn RangeSlider(props: &RangeSliderProps) -> Html {
    let percent = |value: f64| place_of(&props.numeric, value) / POSITIONS * 100.0;
    let style = format!("--from:{}%;--to:{}%", percent(props.low), percent(props.high));
    html! {
        <div class="slider double" {style}>
            { handle(&props.numeric, props.low, &format!("{}: low", props.label), &props.on_slide.reform(|value| (End::Low, value))) }
            { handle(&props.numeric, props.high, &format!("{}: high", props.label), &props.on_slide.reform(|value| (End::High, value))) }
        </div>
    }
}

fn handle(numeric: &Numeric, value: f64, label: &str, on_slide: &Callback<f64>) -> Html {
    let place = place_of(numeric, value);
    let oninput = {
        let numeric = numeric.clone();
        on_slide.reform(move |event: InputEvent| {
            let place = event.target_unchecked_into::<HtmlInputElement>().value_as_number();
            value_at(&numeric, place)
        })
    };
    html! {
        <input type="range" min="0" max={POSITIONS.to_string()} step="1" value={place.round().to_string()}
            aria-label={label.to_owned()} aria-valuetext={units::number(value)} {oninput} />
    }
}

/// Where a value stands on the slider, from 0 to [`POSITIONS`].
fn place_of(numeric: &Numeric, value: f64) -> f64 {
    let part = match numeric.scale {
        Scale::Linear => (value - numeric.min) / (numeric.max - numeric.min),
        Scale::Log => (value / numeric.min).ln() / (numeric.max / numeric.min).ln(),
    };
    part.clamp(0.0, 1.0) * POSITIONS
}

/// The value at a place of the slider, on the parameter's grid.
fn value_at(numeric: &Numeric, place: f64) -> f64 {
    let part = place / POSITIONS;
    numeric.snap(match numeric.scale {
        Scale::Linear => numeric.min + part * (numeric.max - numeric.min),
        Scale::Log => numeric.min * (numeric.max / numeric.min).powf(part),
    })
}

#[cfg(test)]
mod tests {
    use benchbook::parameter::NumericDefault;

    use super::*;

    fn numeric(scale: Scale) -> Numeric {
        Numeric {
            of: "u32".to_owned(),
            min: 100.0,
            max: 1_000_000.0,
            step: Some(100.0),
            default: NumericDefault::Value(100.0),
            unit: None,
            scale,
            axis: true,
        }
    }

    #[test]
    fn places_and_values_agree_on_both_scales() {
        for scale in [Scale::Linear, Scale::Log] {
            let numeric = numeric(scale);
            assert_eq!(value_at(&numeric, 0.0), 100.0);
            assert_eq!(value_at(&numeric, POSITIONS), 1_000_000.0);
            for place in [1.0, 250.0, 999.0] {
                let value = value_at(&numeric, place);
                assert!(numeric.holds(value), "{value}");
            }
        }
        assert_eq!(place_of(&numeric(Scale::Log), 10_000.0), POSITIONS / 2.0);
    }
}
