//! Sliders over a parameter's bounds, on its scale.

use benchbook_contract::parameter::{Numeric, Scale};
use benchbook_host::units;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::state::cell::controls::End;

/// The number of positions of a slider; more than any screen resolves.
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
    let position = position_of(&props.numeric, props.value);
    html! {
        <div class="slider" style={format!("--from:0%;--to:{}%", position / POSITIONS * 100.0)}>
            { handle(&props.numeric, props.value, (props.numeric.min, props.numeric.max), &props.label, &props.on_slide) }
        </div>
    }
}

#[derive(PartialEq, Properties)]
pub(crate) struct RangeSliderProps {
    pub(crate) numeric: Numeric,
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// The label of the parameter.
    pub(crate) label: String,
    pub(crate) on_slide: Callback<(End, f64)>,
}

/// Two handles, low and high.
#[component]
pub(crate) fn RangeSlider(props: &RangeSliderProps) -> Html {
    let RangeSliderProps { numeric, low, high, label, on_slide } = props;
    let percent = |value: f64| position_of(numeric, value) / POSITIONS * 100.0;
    // If both handles are at the same end, the one that can still move is on top.
    let low_on_top = i32::from(percent(*low) > 50.0);
    let style = format!("--from:{}%;--to:{}%;--low:{}", percent(*low), percent(*high), 1 + low_on_top);
    html! {
        <div class="slider double" {style}>
            { handle(numeric, *low, (numeric.min, *high), &format!("{label}: low"), &on_slide.reform(|value| (End::Low, value))) }
            { handle(numeric, *high, (*low, numeric.max), &format!("{label}: high"), &on_slide.reform(|value| (End::High, value))) }
        </div>
    }
}

/// A handle between bounds: those of the parameter, or the position of the other handle.
fn handle(numeric: &Numeric, value: f64, bounds: (f64, f64), label: &str, on_slide: &Callback<f64>) -> Html {
    let position = position_of(numeric, value);
    let oninput = {
        let numeric = numeric.clone();
        on_slide.reform(move |event: InputEvent| {
            let input = event.target_unchecked_into::<HtmlInputElement>();
            let value = value_at(&numeric, input.value_as_number()).max(bounds.0).min(bounds.1);
            // At a bound the value does not change, so Yew renders nothing: the handle is moved back here.
            input.set_value_as_number(position_of(&numeric, value).round());
            value
        })
    };
    let onkeydown = {
        let (numeric, on_slide) = (numeric.clone(), on_slide.clone());
        Callback::from(move |event: KeyboardEvent| {
            let moved = match event.key().as_str() {
                "ArrowRight" | "ArrowUp" => stepped(&numeric, value, SMALL),
                "ArrowLeft" | "ArrowDown" => stepped(&numeric, value, -SMALL),
                "PageUp" => stepped(&numeric, value, LARGE),
                "PageDown" => stepped(&numeric, value, -LARGE),
                "Home" => numeric.min,
                "End" => numeric.max,
                _ => return,
            };
            event.prevent_default();
            on_slide.emit(moved);
        })
    };
    let value_text = match &numeric.unit {
        Some(unit) => format!("{} {unit}", units::number(value)),
        None => units::number(value),
    };
    html! {
        <input type="range" min="0" max={POSITIONS.to_string()} step="1" value={position.round().to_string()}
            aria-label={label.to_owned()} aria-valuetext={value_text} {oninput} {onkeydown} />
    }
}

/// The steps of the arrow keys, and of Page up and Page down, in positions.
const SMALL: f64 = POSITIONS / 100.0;
const LARGE: f64 = POSITIONS / 10.0;

/// The value after a step of so many positions, and at least the next valid value: on a coarse grid or a short list, several
/// positions have the same value.
fn stepped(numeric: &Numeric, value: f64, positions: f64) -> f64 {
    let moved = value_at(numeric, (position_of(numeric, value) + positions).clamp(0.0, POSITIONS));
    let next = numeric.next(value, positions > 0.0);
    if positions > 0.0 { moved.max(next) } else { moved.min(next) }
}

/// The position of a value on the slider, from 0 to [`POSITIONS`].
fn position_of(numeric: &Numeric, value: f64) -> f64 {
    let part = match numeric.scale {
        Scale::Linear => (value - numeric.min) / (numeric.max - numeric.min),
        Scale::Log => (value / numeric.min).ln() / (numeric.max / numeric.min).ln(),
    };
    part.clamp(0.0, 1.0) * POSITIONS
}

/// The value at a position of the slider, on the parameter's grid. Without a grid, it has only the digits that the slider
/// can resolve.
fn value_at(numeric: &Numeric, position: f64) -> f64 {
    let part = position / POSITIONS;
    let value = match numeric.scale {
        Scale::Linear => numeric.min + part * (numeric.max - numeric.min),
        Scale::Log => numeric.min * (numeric.max / numeric.min).powf(part),
    };
    match numeric.step {
        Some(_) => numeric.snap(value),
        None => numeric.snap(format!("{value:.3e}").parse().unwrap_or(value)),
    }
}

#[cfg(test)]
mod tests {
    use benchbook_contract::parameter::NumericDefault;

    use super::*;
    use crate::state::tests::numeric as default_numeric;

    fn numeric(scale: Scale) -> Numeric {
        Numeric { max: 1_000_000.0, scale, ..default_numeric(NumericDefault::Value(100.0)) }
    }

    #[test]
    fn positions_and_values_agree_on_both_scales() {
        for scale in [Scale::Linear, Scale::Log] {
            let numeric = numeric(scale);
            assert_eq!(value_at(&numeric, 0.0), 100.0);
            assert_eq!(value_at(&numeric, POSITIONS), 1_000_000.0);
            for position in [1.0, 250.0, 999.0] {
                let value = value_at(&numeric, position);
                assert!(numeric.contains(value), "{value}");
            }
        }
        assert_eq!(position_of(&numeric(Scale::Log), 10_000.0), POSITIONS / 2.0);
    }

    #[test]
    fn a_value_without_a_grid_has_few_digits() {
        let numeric = Numeric { min: 0.0, max: 1.0, step: None, ..numeric(Scale::Linear) };
        assert_eq!(value_at(&numeric, 333.0), 0.333);
        let numeric = Numeric { min: 0.1, max: 70.0, scale: Scale::Log, ..numeric };
        assert_eq!((value_at(&numeric, 500.0), value_at(&numeric, POSITIONS)), (2.646, 70.0));
    }

    #[test]
    fn a_key_moves_a_handle_to_the_next_listed_value() {
        let sizes = Numeric { min: 10.0, max: 1_000.0, values: vec![10.0, 20.0, 1_000.0], ..numeric(Scale::Linear) };
        assert_eq!((stepped(&sizes, 10.0, SMALL), stepped(&sizes, 20.0, SMALL)), (20.0, 1_000.0));
        assert_eq!((stepped(&sizes, 1_000.0, -SMALL), stepped(&sizes, 10.0, -LARGE)), (20.0, 10.0));
    }

    #[test]
    fn a_key_moves_a_handle_by_a_hundredth_and_at_least_by_a_step() {
        let numeric = numeric(Scale::Log);
        let walk = |from: f64, positions: f64| stepped(&numeric, from, positions);
        assert_eq!(walk(100.0, SMALL), 200.0, "a hundredth is less than a step");
        assert_eq!(walk(200.0, -SMALL), 100.0);
        assert_eq!(walk(10_000.0, SMALL), 11_000.0);
        assert_eq!(walk(10_000.0, LARGE), 25_100.0);
        assert_eq!((walk(100.0, -LARGE), walk(1_000_000.0, SMALL)), (100.0, 1_000_000.0), "the bounds limit it");
    }
}
