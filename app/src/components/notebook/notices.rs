//! Notices on the notebook that is shown.

use yew::prelude::*;

use crate::state::PageAction;
use crate::state::notebook::NotebookAction;
use crate::state::notebook::notices::{Notice, Notices};

/// The notices, each with a button that dismisses it.
pub(super) fn notices_view(notices: &Notices, act: &Callback<PageAction>) -> Html {
    let view = |(index, notice): (usize, &Notice)| {
        let class = if notice.is_problem { "problem-note" } else { "notice" };
        let on_dismiss = act.reform(move |_: MouseEvent| PageAction::Notebook(NotebookAction::DismissNotice(index)));
        html! {
            <p {class} role="status" data-test="notice">
                { &notice.text }{ " " }
                <button class="small" data-test="dismiss-notice" onclick={on_dismiss}>{ "Dismiss" }</button>
            </p>
        }
    };
    html! { <>{ for notices.all().iter().enumerate().map(view) }</> }
}
