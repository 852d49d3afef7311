//! The control of one parameter.

use benchbook_contract::parameter::{ChoiceOption, Kind, Numeric, Parameter};
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::slider::{RangeSlider, Slider};
use crate::state::controls::{ControlAction, End, Note, NumberField, Setting};
use crate::state::trace::heading;

#[derive(PartialEq, Properties)]
pub(crate) struct ParameterProps {
    pub(crate) parameter: Parameter,
    /// The user's input; absent only while another generator is being chosen.
    pub(crate) setting: Option<Setting>,
    /// Whether the measurement varies this parameter.
    pub(crate) is_axis: bool,
    /// The problems of the last request with this parameter.
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
        (Kind::Choice { options, .. }, Some(Setting::Text(chosen))) if is_boolean(options) => {
            switch(props, chosen == TRUE, &id)
        }
        (Kind::Choice { options, .. }, Some(Setting::Text(chosen))) => choice(props, options, chosen, &id),
        (Kind::Text { .. }, Some(Setting::Text(text))) => text_field(props, text, &id),
        _ => html! {},
    };
    html! {
        <div class="control" role="group" aria-labelledby={id.clone()} data-test="parameter" data-name={parameter.name.clone()}>
            <div class="label">
                <span id={id.clone()}>{ heading(parameter) }</span>
                { axis_radio(props) }
            </div>
            { control }
            <div class="notes" id={notes_id(&id)}>
                { for notes(props).into_iter().map(|note| html! { <p>{ note }</p> }) }
                { for problems(props).into_iter().map(|problem| html! { <p class="wrong" data-test="problem">{ problem }</p> }) }
            </div>
        </div>
    }
}

/// The id of the notes of the parameter whose label has this id.
fn notes_id(id: &str) -> String {
    format!("{id}-notes")
}

fn axis_radio(props: &ParameterProps) -> Html {
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

fn range(props: &ParameterProps, numeric: &Numeric, low: &NumberField, high: &NumberField, id: &str) -> Html {
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

fn value_of(props: &ParameterProps, numeric: &Numeric, value: &NumberField, id: &str) -> Html {
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
    field: &NumberField,
    end: End,
    test: &'static str,
    label: &'static str,
    id: &str,
) -> Html {
    let (edited, left) = (props.parameter.name.clone(), props.parameter.name.clone());
    let oninput = props.on_control.reform(move |event: InputEvent| {
        ControlAction::Type(edited.clone(), end, event.target_unchecked_into::<HtmlInputElement>().value())
    });
    let onchange = props.on_control.reform(move |_: Event| ControlAction::Leave(left.clone(), end));
    let is_wrong = |field: &&NumberField| matches!(field.note, Some(Note::Invalid(_)));
    // If each field is valid by itself, the problem is their combination, and both are invalid.
    let is_invalid = is_wrong(&field) || (!problems(props).is_empty() && !fields(props).iter().any(is_wrong));
    html! {
        <input class="text" type="text" inputmode="decimal" autocomplete="off" spellcheck="false"
            aria-label={format!("{}: {label}", heading(&props.parameter))} aria-describedby={notes_id(id)} aria-invalid={is_invalid.to_string()}
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
                        { label_of(&option.name) }
                    </label>
                }
            }) }
        </div>
    }
}

/// The options of a `bool` parameter.
const FALSE: &str = "false";
const TRUE: &str = "true";

fn is_boolean(options: &[ChoiceOption]) -> bool {
    options.len() == 2 && [FALSE, TRUE].iter().all(|name| options.iter().any(|option| option.name == *name))
}

fn switch(props: &ParameterProps, is_on: bool, id: &str) -> Html {
    let name = props.parameter.name.clone();
    let next = if is_on { FALSE } else { TRUE };
    let onchange = props.on_control.reform(move |_: Event| ControlAction::Text(name.clone(), next.to_owned()));
    html! {
        <input class="switch" type="checkbox" role="switch" aria-labelledby={id.to_owned()} aria-describedby={notes_id(id)}
            data-test="value" checked={is_on} {onchange} />
    }
}

fn text_field(props: &ParameterProps, text: &str, id: &str) -> Html {
    let name = props.parameter.name.clone();
    let oninput = props.on_control.reform(move |event: InputEvent| {
        ControlAction::Text(name.clone(), event.target_unchecked_into::<HtmlInputElement>().value())
    });
    html! {
        <input class="text plain" type="text" aria-labelledby={id.to_owned()} aria-describedby={notes_id(id)} autocomplete="off" spellcheck="false"
            placeholder="empty" aria-invalid={(!problems(props).is_empty()).to_string()}
            data-test="value" value={text.to_owned()} {oninput} />
    }
}

fn notes(props: &ParameterProps) -> Vec<String> {
    let note = |field: &NumberField| match &field.note {
        Some(Note::Snapped(note)) => Some(note.clone()),
        _ => None,
    };
    fields(props).into_iter().filter_map(note).collect()
}

/// The problems of the user's input, or else those of the last request.
fn problems(props: &ParameterProps) -> Vec<String> {
    let problems = props.setting.as_ref().map(|setting| setting.errors(props.is_axis)).unwrap_or_default();
    if problems.is_empty() { props.problems.clone() } else { problems }
}

fn fields(props: &ParameterProps) -> Vec<&NumberField> {
    props.setting.as_ref().map(|setting| setting.fields(props.is_axis)).unwrap_or_default()
}

/// A variant's name as a label: `FewDistinct` becomes "Few distinct".
fn label_of(name: &str) -> String {
    let mut label = String::new();
    for (index, letter) in name.chars().enumerate() {
        if index > 0 && letter.is_ascii_uppercase() {
            label.push(' ');
            label.push(letter.to_ascii_lowercase());
        } else {
            label.push(letter);
        }
    }
    label
}

#[cfg(test)]
mod tests {
    use super::{ChoiceOption, is_boolean, label_of};

    #[test]
    fn labels_variants_in_lower_case_words() {
        for (name, expected) in [("FewDistinct", "Few distinct"), ("Random", "Random"), ("A", "A")] {
            assert_eq!(label_of(name), expected);
        }
    }

    #[test]
    fn only_a_choice_of_false_and_true_is_boolean() {
        let options = |names: &[&str]| -> Vec<ChoiceOption> {
            let option = |name: &&str| ChoiceOption { name: (*name).to_owned(), description: String::new() };
            names.iter().map(option).collect()
        };
        for (names, expected) in [
            (&["false", "true"][..], true),
            (&["true", "false"], true),
            (&["true", "true"], false),
            (&["false", "true", "maybe"], false),
            (&["False", "True"], false),
            (&[], false),
        ] {
            assert_eq!(is_boolean(&options(names)), expected, "{names:?}");
        }
    }
}
