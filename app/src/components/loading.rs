//! Loading the notebook and its suites.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use crate::host::load;
use crate::host::local::LocalHost;
use crate::host::runner::known;
use crate::state::runner::RunnerAction;
use crate::state::{Action, SuiteId};

/// The hosts of the loaded suites.
pub(super) type Hosts = Rc<RefCell<Vec<(SuiteId, LocalHost)>>>;

/// Loads the notebook and its suites once, when the page starts. Returns the hosts of the suites loaded so far.
#[hook]
pub(super) fn use_notebook(act: &Callback<Action>) -> Hosts {
    let hosts: Hosts = use_mut_ref(Vec::new);
    {
        let (act, hosts) = (act.clone(), Rc::clone(&hosts));
        use_effect_with((), move |()| spawn_local(load_notebook(act, hosts, known::take_token())));
    }
    hosts
}

async fn load_notebook(act: Callback<Action>, hosts: Hosts, token: Option<String>) {
    let notebook = match load::notebook().await {
        Ok(notebook) => notebook,
        Err(problem) => return act.emit(Action::NotebookFailed(problem)),
    };
    let default_runner = notebook.runner.as_deref();
    // A link's token belongs to the notebook's own runner, never to one that the user chose earlier.
    if let (Some(token), Some(_)) = (token, default_runner) {
        known::remember("", &token, default_runner);
    }
    act.emit(Action::Runner(RunnerAction::Chosen(known::reach(default_runner))));
    // All at once, so that a slow suite does not delay the others.
    for (index, address) in notebook.suites.clone().into_iter().enumerate() {
        let (act, hosts) = (act.clone(), Rc::clone(&hosts));
        let on_loaded = Callback::from(move |outcome: Result<load::Loaded, String>| match outcome {
            Ok((suite, host)) => {
                hosts.borrow_mut().push((suite.id, host));
                act.emit(Action::SuiteLoaded(suite));
            }
            Err(problem) => act.emit(Action::SuiteFailed(problem)),
        });
        spawn_local(load::suite(SuiteId(index), address, on_loaded));
    }
    // Last, so that the page renders while the suites are being fetched.
    act.emit(Action::NotebookRead(notebook));
}
