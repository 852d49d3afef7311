//! The outcome of sharing a notebook, in a notice above the page: the Share menu may be closed, since each action has a key.

use gloo::timers::callback::Timeout;
use yew::prelude::*;

/// The display time of an outcome without buttons, in milliseconds.
const OUTCOME_MS: u32 = 6_000;

/// The outcome of an action, as the user reads it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ShareOutcome {
    /// A sentence; empty if none is shown.
    pub(super) text: String,
    /// Whether the link is incomplete. If so, the notice offers the file and remains until the user closes it.
    pub(super) offers_file: bool,
}

impl From<String> for ShareOutcome {
    fn from(text: String) -> Self {
        Self { text, offers_file: false }
    }
}

/// Returns the outcome that is shown, and a callback that shows another one.
#[hook]
pub(super) fn use_share_outcome() -> (ShareOutcome, Callback<ShareOutcome>) {
    let outcome = use_state_eq(ShareOutcome::default);
    let timer = use_mut_ref(|| None::<Timeout>);
    let report = {
        let outcome = outcome.setter();
        use_callback((), move |next: ShareOutcome, ()| {
            let stays = next.offers_file;
            outcome.set(next);
            let outcome = outcome.clone();
            let end = (!stays).then(|| Timeout::new(OUTCOME_MS, move || outcome.set(ShareOutcome::default())));
            // Replacing the timer cancels the previous one.
            timer.replace(end);
        })
    };
    ((*outcome).clone(), report)
}

/// The outcome; with a button if the link is incomplete, which downloads the notebook as a file.
pub(super) fn share_notice(outcome: &ShareOutcome, on_file: &Callback<()>, on_close: &Callback<()>) -> Html {
    let ShareOutcome { text, offers_file } = outcome;
    html! {
        // Always rendered, so that screen readers announce its changes.
        <div class={classes!("share-notice", text.is_empty().then_some("empty"))}>
            <p role="status" data-test="share-outcome">{ text }</p>
            if *offers_file {
                <button class="small" data-test="offer-file" onclick={on_file.reform(|_: MouseEvent| ())}>{ "Download as a file" }</button>
                <button class="small" data-test="close-outcome" onclick={on_close.reform(|_: MouseEvent| ())}>{ "Close" }</button>
            }
        </div>
    }
}
