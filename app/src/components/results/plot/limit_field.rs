//! The field for the time limit.

use benchbook_host::time_text::parse_time;
use benchbook_host::units::{Nanos, exact_time};
use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::components::widgets::unique_id::use_unique_id;
use benchbook_notebook::view::ViewAction;

#[derive(PartialEq, Properties)]
pub(super) struct LimitFieldProps {
    pub(super) limit: Option<Nanos>,
    pub(super) on_present: Callback<ViewAction>,
}

/// A text field; without a text there is no limit.
#[component]
pub(super) fn LimitField(props: &LimitFieldProps) -> Html {
    let note = use_unique_id("limit-note");
    // The text if it is not a time.
    let invalid = use_state_eq(|| None::<String>);
    {
        let invalid = invalid.clone();
        use_effect_with(props.limit, move |_| invalid.set(None));
    }
    let onchange = {
        let (invalid, on_present) = (invalid.clone(), props.on_present.clone());
        Callback::from(move |event: Event| {
            let text = event.target_unchecked_into::<HtmlInputElement>().value();
            match limit(&text) {
                Ok(limit) => {
                    invalid.set(None);
                    on_present.emit(ViewAction::Limit(limit));
                }
                Err(_) => invalid.set(Some(text)),
            }
        })
    };
    let problem = invalid.as_deref().and_then(|text| limit(text).err());
    let value = invalid.as_deref().map_or_else(|| text_of(props.limit), str::to_owned);
    html! {
        <>
            <label>{ "Time limit" }
                <input type="text" autocomplete="off" spellcheck="false" placeholder="none" data-test="time-limit"
                    aria-invalid={problem.is_some().to_string()} aria-describedby={note.to_string()} {value} {onchange} />
            </label>
            <span id={note.to_string()} role="status">
                { for problem.map(|problem| html! { <span class="wrong" data-test="problem">{ problem }</span> }) }
            </span>
        </>
    }
}

/// The limit that a text states; `None` if it is blank.
fn limit(text: &str) -> Result<Option<Nanos>, String> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    parse_time(text).map(Some).map_err(|error| error.to_string())
}

fn text_of(limit: Option<Nanos>) -> String {
    limit.map(exact_time).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_text_is_no_limit() {
        for (text, expected) in [("", Ok(None)), (" ", Ok(None)), ("5 ms", Ok(Some(Nanos(5e6))))] {
            assert_eq!(limit(text), expected, "{text}");
        }
        assert!(limit("5").is_err_and(|problem| problem.contains("200 ns")));
    }

    #[test]
    fn the_text_of_a_limit_is_valid() {
        for expected in [None, Some(Nanos(1.5e6)), Some(Nanos(7.2e12))] {
            assert_eq!(limit(&text_of(expected)), Ok(expected));
        }
    }
}
