//! The control of one parameter.

use benchbook::parameter::{ChoiceOption, Kind, Numeric, Parameter};
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::slider::{RangeSlider, Slider};
use crate::state::controls::{ControlAction, End, Field, Note, Setting};
use crate::state::trace::heading;

#[derive(PartialEq, Properties)]
pub(crate) struct ParameterProps {
    pub(crate) parameter: Parameter,
    /// What is set; absent only while another generator is being chosen.
    pub(crate) setting: Option<Setting>,
    /// Whether it is the one that is varied.
    pub(crate) is_axis: bool,
    /// What is wrong with it.
    pub(crate) problems: Vec<String>,
    pub(crate) on_control: Callback<ControlAction>,
}

#[component]
pub(crate) fn ParameterView(props: &ParameterProps) -> Html {
    let parameter = &props.parameter;
    let id = format!("parameter-{}", parameter.name);
    let control = match (&parameter.kind, &props.setting) {
        (Kind::Integer(numeric) | Kind::Float(numeric), Some(Setting::Number { value, low, high })) => {
            match props.is_axis {
                true => range(props, numeric, low, high, &id),
                false => value_of(props, numeric, value, &id),
            }
        }
        (Kind::Choice { options, .. }, Some(Setting::Text(chosen))) => choice(props, options, chosen, &id),
        (Kind::Text { .. }, Some(Setting::Text(text))) => text_field(props, text, &id),
        _ => html! {},
    };
    html! {
        <div class="control" role="group" aria-labelledby={id.clone()} data-test="parameter" data-name={parameter.name.clone()}>
            <div class="label">
                <span id={id.clone()}>{ heading(parameter) }</span>
                { axis_switch(props) }
            </div>
            { control }
            <div class="notes" id={notes_id(&id)}>
                { for notes(props).into_iter().map(|note| html! { <p>{ note }</p> }) }
                { for wrongs(props).into_iter().map(|wrong| html! { <p class="wrong" data-test="problem">{ wrong }</p> }) }
            </div>
        </div>
    }
}

/// The element that tells what is noted about the parameter with this label.
fn notes_id(id: &str) -> String {
    format!("{id}-notes")
}

fn axis_switch(props: &ParameterProps) -> Html {
    if !props.parameter.numeric().is_some_and(|numeric| numeric.axis) {
        return html! {};
    }
    let name = props.parameter.name.clone();
    let onchange = props.on_control.reform(move |_: Event| ControlAction::Vary(name.clone()));
    html! {
        <label class="axis">
            <input type="radio" name="axis" data-test="axis" checked={props.is_axis} {onchange} />
            { if props.is_axis { "varied" } else { "vary" } }
        </label>
    }
}

fn range(props: &ParameterProps, numeric: &Numeric, low: &Field, high: &Field, id: &str) -> Html {
    let name = props.parameter.name.clone();
    let on_slide = props.on_control.reform(move |(end, value)| ControlAction::Slide(name.clone(), end, value));
    html! {
        <>
            <RangeSlider numeric={numeric.clone()} low={low.value} high={high.value} label={heading(&props.parameter)} {on_slide} />
            <div class="numbers">
                { number_field(props, low, End::Low, "low", "from", id) }
                <span>{ "to" }</span>
                { number_field(props, high, End::High, "high", "to", id) }
            </div>
        </>
    }
}

fn value_of(props: &ParameterProps, numeric: &Numeric, value: &Field, id: &str) -> Html {
    let name = props.parameter.name.clone();
    let on_slide = props.on_control.reform(move |value| ControlAction::Slide(name.clone(), End::Value, value));
    html! {
        <>
            <Slider numeric={numeric.clone()} value={value.value} label={heading(&props.parameter)} {on_slide} />
            <div class="numbers">{ number_field(props, value, End::Value, "value", "value", id) }</div>
        </>
    }
}

fn number_field(
    props: &ParameterProps,
    field: &Field,
    end: End,
    test: &'static str,
    word: &'static str,
    id: &str,
) -> Html {
    let (typed, left) = (props.parameter.name.clone(), props.parameter.name.clone());
    let oninput = props.on_control.reform(move |event: InputEvent| {
        ControlAction::Type(typed.clone(), end, event.target_unchecked_into::<HtmlInputElement>().value())
    });
    let onchange = props.on_control.reform(move |_: Event| ControlAction::Settle(left.clone(), end));
    let own = |field: &&Field| matches!(field.note, Some(Note::Invalid(_)));
    // Where no field alone is wrong, it is what they say together.
    let wrong = own(&field) || (!wrongs(props).is_empty() && !fields(props).iter().any(own));
    html! {
        <input class="text" type="text" inputmode="decimal" autocomplete="off" spellcheck="false"
            aria-label={format!("{}: {word}", heading(&props.parameter))} aria-describedby={notes_id(id)} aria-invalid={wrong.to_string()}
            data-test={test} value={field.text.clone()} {oninput} {onchange} />
    }
}

fn choice(props: &ParameterProps, options: &[ChoiceOption], chosen: &str, id: &str) -> Html {
    html! {
        <div class="segments" role="radiogroup" aria-labelledby={id.to_owned()} data-test="value">
            { for options.iter().map(|option| {
                let (name, text) = (props.parameter.name.clone(), option.name.clone());
                let onchange = props.on_control.reform(move |_: Event| ControlAction::Text(name.clone(), text.clone()));
                let on = option.name == chosen;
                html! {
                    <label class={on.then_some("on")} title={option.description.clone()}>
                        <input type="radio" name={id.to_owned()} value={option.name.clone()} checked={on} {onchange} />
                        { words(&option.name) }
                    </label>
                }
            }) }
        </div>
    }
}

fn text_field(props: &ParameterProps, text: &str, id: &str) -> Html {
    let name = props.parameter.name.clone();
    let oninput = props.on_control.reform(move |event: InputEvent| {
        ControlAction::Text(name.clone(), event.target_unchecked_into::<HtmlInputElement>().value())
    });
    html! {
        <input class="text plain" type="text" aria-labelledby={id.to_owned()} aria-describedby={notes_id(id)} autocomplete="off" spellcheck="false"
            placeholder="empty" aria-invalid={(!wrongs(props).is_empty()).to_string()}
            data-test="value" value={text.to_owned()} {oninput} />
    }
}

fn notes(props: &ParameterProps) -> Vec<String> {
    let note = |field: &Field| match &field.note {
        Some(Note::Snapped(note)) => Some(note.clone()),
        _ => None,
    };
    fields(props).into_iter().filter_map(note).collect()
}

/// What is wrong with what is set, or else with the request that was tried.
fn wrongs(props: &ParameterProps) -> Vec<String> {
    let wrongs = props.setting.as_ref().map(|setting| setting.errors(props.is_axis)).unwrap_or_default();
    if wrongs.is_empty() { props.problems.clone() } else { wrongs }
}

fn fields(props: &ParameterProps) -> Vec<&Field> {
    props.setting.as_ref().map(|setting| setting.fields(props.is_axis)).unwrap_or_default()
}

/// A variant's name as words: `FewDistinct` is "Few distinct".
fn words(name: &str) -> String {
    let mut words = String::new();
    for (index, letter) in name.chars().enumerate() {
        if index > 0 && letter.is_ascii_uppercase() {
            words.push(' ');
            words.push(letter.to_ascii_lowercase());
        } else {
            words.push(letter);
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn variants_become_words() {
        for (name, expected) in [("FewDistinct", "Few distinct"), ("Random", "Random"), ("A", "A")] {
            assert_eq!(words(name), expected);
        }
    }
}
