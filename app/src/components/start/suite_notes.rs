//! Notes on suites: above the notebook, about what the user has opened or removed; in the list, about the origin of the user's suites,
//! and about suites that cannot be loaded.

use benchbook_host::alternative::build_id;
use yew::prelude::*;

use crate::components::widgets::code::with_code;
use crate::effects::suites::own_suites::OwnSuiteCommands;
use crate::state::suites::loaded_suite::{LoadedSuite, SuiteId};
use crate::state::suites::own_suites::{OwnSuiteAction, OwnSuites, SuiteOpening};
use crate::state::{PageAction, State};

/// The suites of the site that cannot be loaded, above the notebook. Wide screens show them in the list instead, if there is one.
pub(crate) fn failed_suites(state: &State) -> Html {
    let has_list = state.notebook().is_none_or(|notebook| !notebook.is_reading);
    html! {
        <>
            { for state.failed_suites.values().map(|problem| html! {
                <p class={classes!("problem-note", has_list.then_some("in-list"))} role="alert" data-test="problem">{ with_code(problem) }</p>
            }) }
        </>
    }
}

/// What happened to the user's suites, above the notebook.
pub(crate) fn own_suite_notes(own: &OwnSuites, commands: &OwnSuiteCommands, act: &Callback<PageAction>) -> Html {
    let on_dismiss = act.reform(|_: MouseEvent| PageAction::OwnSuites(OwnSuiteAction::DismissNotice));
    let on_undo = commands.undo.reform(|_: MouseEvent| ());
    html! {
        <>
            // The dialog shows its own.
            if !own.is_dialog_open {
                if let Some(opening) = &own.opening {
                    <div class="notice">{ progress(opening, commands) }</div>
                }
                if let Some(problem) = &own.problem {
                    <p class="problem-note" role="alert" data-test="problem">{ with_code(problem) }</p>
                }
            }
            // Screen readers announce changes of a region that is present before.
            <div role="status">
                if let Some(notice) = &own.notice {
                    <p class="notice" data-test="suite-notice">
                        <span>{ &notice.text }</span>
                        if notice.can_undo {
                            <button class="small" data-test="undo-remove-suite" onclick={on_undo}>{ "Undo" }</button>
                        }
                        <button class="small" data-test="dismiss-suite-notice" onclick={on_dismiss}>{ "Dismiss" }</button>
                    </p>
                }
            </div>
        </>
    }
}

/// The progress of a file that is being opened.
pub(crate) fn progress(opening: &SuiteOpening, commands: &OwnSuiteCommands) -> Html {
    let on_cancel = commands.cancel.reform(|_: MouseEvent| ());
    let megabytes = |bytes: usize| format!("{:.1} MB", bytes as f64 / 1e6);
    let received = match (opening.received, opening.total.filter(|_| opening.percent().is_some())) {
        (Some(received), Some(total)) => format!("{} of {}", megabytes(received), megabytes(total)),
        (Some(received), None) if received > 0 => megabytes(received),
        _ => String::new(),
    };
    html! {
        <div class="suite-progress" data-test="suite-progress">
            <span>{ format!("Opening {}…", opening.source) }</span>
            <progress aria-label="Progress" max="100" value={opening.percent().map(|percent| percent.to_string())}></progress>
            <span data-test="received">{ received }</span>
            if opening.received.is_some() {
                <button class="small" data-test="cancel-suite" onclick={on_cancel}>{ "Cancel" }</button>
            }
        </div>
    }
}

/// The fingerprint and the origin of a suite that the user opened, in the list.
pub(crate) fn origin(loaded: &LoadedSuite, own: &OwnSuites, commands: &OwnSuiteCommands) -> Html {
    let name = loaded.suite.name.clone();
    let source = own.sources.get(&loaded.id).cloned().unwrap_or_default();
    html! {
        <p class="origin" data-test="own-suite" data-fingerprint={loaded.card.fingerprint.clone()}>
            <code title="The fingerprint of the file">{ build_id(&loaded.card.fingerprint) }</code>
            <span class="source" title={source.clone()}>{ source }</span>
            { remove_button(name, commands) }
        </p>
    }
}

/// A suite of the site that cannot be loaded, in the list.
pub(crate) fn failed_suite(id: SuiteId, address: &str, problem: &str) -> (SuiteId, Html) {
    let section = html! {
        <section key={format!("{id:?}")} data-test="failed-suite">
            <h2>{ file_name(address) }</h2>
            <p class="failed" title={address.to_owned()}>{ with_code(problem) }</p>
        </section>
    };
    (id, section)
}

/// The stored suites that cannot be loaded, in the list.
pub(crate) fn unusable_suites(own: &OwnSuites, commands: &OwnSuiteCommands) -> Html {
    html! {
        <>
            { for own.unusable.iter().map(|unusable| html! {
                <section key={unusable.name.clone()} data-test="unusable-suite">
                    <h2>{ &unusable.name }</h2>
                    <p class="failed" role="alert" data-test="problem">{ &unusable.reason }</p>
                    <p class="origin">{ remove_button(unusable.name.clone(), commands) }</p>
                </section>
            }) }
        </>
    }
}

fn remove_button(name: String, commands: &OwnSuiteCommands) -> Html {
    let label = format!("Remove the suite {name} from this browser");
    let onclick = commands.remove.reform(move |_: MouseEvent| name.clone());
    html! { <button class="small" data-test="remove-suite" aria-label={label.clone()} title={label} {onclick}>{ "Remove" }</button> }
}

/// The last part of an address.
fn file_name(address: &str) -> &str {
    address.rsplit('/').find(|part| !part.is_empty()).unwrap_or(address)
}
