//! The outcome of an action, which is shown for a while.

use std::rc::Rc;

use gloo::timers::callback::Timeout;
use yew::prelude::*;

/// Returns the outcome of the last action, empty when it is no longer shown, and a callback that shows another one. `duration_ms`: how
/// long it is shown, in milliseconds.
#[hook]
pub(crate) fn use_outcome(duration_ms: u32) -> (String, Callback<String>) {
    let outcome = use_state_eq(String::new);
    let timer = use_mut_ref(|| None::<Timeout>);
    let report = {
        let outcome = outcome.setter();
        use_callback(duration_ms, move |text: String, &duration_ms| {
            outcome.set(text);
            let (outcome, timer) = (outcome.clone(), Rc::clone(&timer));
            // Replacing the timer cancels the previous one.
            timer.replace(Some(Timeout::new(duration_ms, move || outcome.set(String::new()))));
        })
    };
    ((*outcome).clone(), report)
}
