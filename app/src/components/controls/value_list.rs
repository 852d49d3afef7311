//! The fields of a list of values.

use benchbook_contract::parameter::ChoiceOption;
use web_sys::{HtmlInputElement, HtmlTextAreaElement};
use yew::prelude::*;

use crate::state::cell::controls::ControlAction;
use crate::state::cell::number_list::NumberList;

/// The field of a list of values.
pub(super) struct ListField<'a> {
    /// The name of the parameter.
    pub(super) name: &'a str,
    /// The id of the label.
    pub(super) label: &'a str,
    /// The id of the notes.
    pub(super) notes: &'a str,
    pub(super) is_invalid: bool,
    pub(super) on_control: &'a Callback<ControlAction>,
}

impl ListField<'_> {
    /// A text field for numbers.
    pub(super) fn numbers(&self, list: &NumberList) -> Html {
        let (edited, left) = (self.name.to_owned(), self.name.to_owned());
        let oninput = self.on_control.reform(move |event: InputEvent| {
            ControlAction::TypeList(edited.clone(), event.target_unchecked_into::<HtmlInputElement>().value())
        });
        let onchange = self.on_control.reform(move |_: Event| ControlAction::LeaveList(left.clone()));
        html! {
            <input class="text plain" type="text" autocomplete="off" spellcheck="false" placeholder="such as 100; 1 000"
                aria-labelledby={self.label.to_owned()} aria-describedby={self.notes.to_owned()}
                aria-invalid={self.is_invalid.to_string()} data-test="values" value={list.text.clone()} {oninput} {onchange} />
        }
    }

    /// A checkbox for each option.
    pub(super) fn options(&self, options: &[ChoiceOption], list: &[String]) -> Html {
        let all: Vec<String> = options.iter().map(|option| option.name.clone()).collect();
        html! {
            <div class="segments" role="group" aria-labelledby={self.label.to_owned()} data-test="values">
                { for options.iter().map(|option| {
                    let is_on = list.contains(&option.name);
                    let (name, option_name) = (self.name.to_owned(), option.name.clone());
                    // In the order of the options, regardless of the order of the clicks.
                    let next: Vec<String> =
                        all.iter().filter(|other| list.contains(other) != (**other == option_name)).cloned().collect();
                    let onchange = self.on_control.reform(move |_: Event| ControlAction::SetTexts(name.clone(), next.clone()));
                    html! {
                        <label class={is_on.then_some("on")} title={option.description.clone()}>
                            <input type="checkbox" value={option.name.clone()} checked={is_on} {onchange} />
                            { label_of(&option.name) }
                        </label>
                    }
                }) }
            </div>
        }
    }

    /// A text area with a value per line.
    pub(super) fn texts(&self, list: &[String]) -> Html {
        let name = self.name.to_owned();
        let oninput = self.on_control.reform(move |event: InputEvent| {
            let text = event.target_unchecked_into::<HtmlTextAreaElement>().value();
            ControlAction::SetTexts(name.clone(), text.split('\n').map(str::to_owned).collect())
        });
        html! {
            <textarea class="text plain" dir="auto" rows={list.len().clamp(3, 12).to_string()} spellcheck="false" placeholder="one value per line"
                aria-labelledby={self.label.to_owned()} aria-describedby={self.notes.to_owned()}
                aria-invalid={self.is_invalid.to_string()} data-test="values" value={list.join("\n")} {oninput} />
        }
    }
}

/// A variant's name as a label: `FewDistinct` becomes "Few distinct".
pub(super) fn label_of(name: &str) -> String {
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
    use super::label_of;

    #[test]
    fn labels_variants_in_lower_case_words() {
        for (name, expected) in [("FewDistinct", "Few distinct"), ("Random", "Random"), ("A", "A")] {
            assert_eq!(label_of(name), expected);
        }
    }
}
