//! The control of one parameter.

use std::rc::Rc;

use benchbook_contract::parameter::{ChoiceOption, Kind, Numeric, Parameter};
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use super::value_list::{ListField, label_of};
use crate::components::widgets::select_value::use_select_value;
use crate::components::widgets::slider::{RangeSlider, Slider};
use crate::components::widgets::unique_id::use_unique_id;
use crate::state::cell::argument_check::Note;
use crate::state::cell::controls::{ControlAction, End, NumberField, Role, Setting};
use benchbook_notebook::trace::heading;

#[derive(PartialEq, Properties)]
pub(crate) struct ParameterProps {
    pub(crate) parameter: Parameter,
    /// The user's input; absent only while another generator is being chosen.
    pub(crate) setting: Option<Setting>,
    /// Its role in the measurement.
    pub(crate) role: Role,
    /// The problems of the last request with this parameter.
    pub(crate) problems: Vec<String>,
    /// The name of the cell's radio buttons for the axis: unique per cell, because buttons with the same name form one group.
    pub(crate) axis_group: Rc<str>,
    pub(crate) on_control: Callback<ControlAction>,
}

#[component]
pub(crate) fn ParameterView(props: &ParameterProps) -> Html {
    let parameter = &props.parameter;
    let id = use_unique_id("parameter").to_string();
    let control = match &props.setting {
        Some(setting) if props.role == Role::List => list(props, setting, &id),
        Some(setting) => single(props, setting, &id),
        None => html! {},
    };
    html! {
        <div class="control" role="group" aria-labelledby={id.clone()} data-test="parameter" data-name={parameter.name.clone()}>
            <div class="label">
                // The name is what the chips, links and sentences call it.
                <span><span id={id.clone()}>{ heading(parameter) }</span>{ " " }<code class="soft">{ &parameter.name }</code></span>
                { role_control(props) }
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

/// The control of a value or a range.
fn single(props: &ParameterProps, setting: &Setting, id: &str) -> Html {
    match (&props.parameter.kind, setting) {
        (Kind::Integer(numeric) | Kind::Float(numeric), Setting::Number { value, low, high, .. }) => match props.role {
            Role::Range => range(props, numeric, low, high, id),
            Role::Fixed | Role::List => value_of(props, numeric, value, id),
        },
        (Kind::Choice { options, .. }, Setting::Text { value, .. }) if is_boolean(options) => {
            switch(props, value == TRUE, id)
        }
        (Kind::Choice { options, .. }, Setting::Text { value, .. }) => choice(props, options, value, id),
        (Kind::Text { .. }, Setting::Text { value, .. }) => text_field(props, value, id),
        _ => html! {},
    }
}

/// The control of a list of values.
fn list(props: &ParameterProps, setting: &Setting, id: &str) -> Html {
    let field = ListField {
        name: &props.parameter.name,
        label: id,
        notes: &notes_id(id),
        is_invalid: !problems(props).is_empty(),
        on_control: &props.on_control,
    };
    match (&props.parameter.kind, setting) {
        (Kind::Integer(_) | Kind::Float(_), Setting::Number { list, .. }) => field.numbers(list),
        (Kind::Choice { options, .. }, Setting::Text { list, .. }) => field.options(options, list),
        (Kind::Text { .. }, Setting::Text { list, .. }) => field.texts(list),
        _ => html! {},
    }
}

/// A radio button that makes the parameter the axis, and for the axis, a list of its roles.
fn role_control(props: &ParameterProps) -> Html {
    let numeric = props.parameter.numeric();
    if numeric.is_some_and(|numeric| !numeric.axis) {
        return html! {};
    }
    let name = props.parameter.name.clone();
    let varied = if numeric.is_some() { Role::Range } else { Role::List };
    let is_axis = props.role != Role::Fixed;
    let onchange = props.on_control.reform(move |_: Event| ControlAction::SetRole(name.clone(), varied));
    html! {
        <span class="axis">
            <label>
                <input type="radio" name={props.axis_group.to_string()} data-test="axis" checked={is_axis} {onchange} />
                { if is_axis { "varied" } else { "vary" } }
            </label>
            if is_axis {
                <RoleSelect parameter={props.parameter.clone()} role={props.role} on_control={props.on_control.clone()} />
            }
        </span>
    }
}

#[derive(PartialEq, Properties)]
struct RoleSelectProps {
    parameter: Parameter,
    role: Role,
    on_control: Callback<ControlAction>,
}

/// Selects how the axis varies, over a range or a list; "one value" removes the axis.
#[component]
fn RoleSelect(props: &RoleSelectProps) -> Html {
    let RoleSelectProps { parameter, role, on_control } = props;
    let roles = [("range", Role::Range), ("list", Role::List), ("one value", Role::Fixed)];
    let allowed = roles.into_iter().filter(|(_, role)| *role != Role::Range || parameter.numeric().is_some());
    let chosen = roles.iter().find(|(_, one)| one == role).map(|(name, _)| *name);
    let select = use_select_value(chosen.unwrap_or_default().to_owned());
    let onchange = {
        let name = parameter.name.clone();
        on_control.reform(move |event: Event| {
            let chosen = event.target_unchecked_into::<HtmlSelectElement>().value();
            let role = roles.iter().find(|(name, _)| *name == chosen).map_or(Role::Fixed, |(_, role)| *role);
            ControlAction::SetRole(name.clone(), role)
        })
    };
    html! {
        <select data-test="role" ref={select} {onchange} aria-label={format!("{}: how it varies", heading(parameter))}>
            { for allowed.map(|(name, one)| html! { <option value={name} selected={one == *role}>{ name }</option> }) }
        </select>
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
        <input class="text plain" type="text" dir="auto" aria-labelledby={id.to_owned()} aria-describedby={notes_id(id)} autocomplete="off" spellcheck="false"
            placeholder="empty" aria-invalid={(!problems(props).is_empty()).to_string()}
            data-test="value" value={text.to_owned()} {oninput} />
    }
}

fn notes(props: &ParameterProps) -> Vec<String> {
    let note = |note: &Option<Note>| match note {
        Some(Note::Snapped(note)) => Some(note.clone()),
        Some(Note::Invalid(_)) | None => None,
    };
    let notes = props.setting.as_ref().map(|setting| setting.notes(props.role)).unwrap_or_default();
    notes.into_iter().filter_map(note).collect()
}

/// The problems of the user's input, or else those of the last request.
fn problems(props: &ParameterProps) -> Vec<String> {
    let argument = props.setting.as_ref().map(|setting| setting.argument(&props.parameter, props.role));
    argument.and_then(Result::err).unwrap_or_else(|| props.problems.clone())
}

fn fields(props: &ParameterProps) -> Vec<&NumberField> {
    props.setting.as_ref().map(|setting| setting.fields(props.role)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{ChoiceOption, is_boolean};

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
