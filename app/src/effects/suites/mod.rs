//! Loading the site configuration and its suites.

mod fingerprint;
pub(crate) mod load;
pub(crate) mod own_suites;
pub(crate) mod site_history;
pub(crate) mod suite_file;

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use super::browser;
use crate::effects::runner::saved;
use crate::effects::worker::local::LocalHost;
use crate::state::machines::runner::RunnerAction;
use crate::state::site_config::SiteConfig;
use crate::state::suites::loaded_suite::SuiteId;
use crate::state::{PageAction, State};

/// The hosts of the loaded suites.
pub(crate) type Hosts = Rc<RefCell<Vec<(SuiteId, LocalHost)>>>;

/// Loads the site configuration and its suites once, when the page starts; a standalone page has neither. Returns the hosts of the suites loaded so far.
#[hook]
pub(crate) fn use_site(is_standalone: bool, act: &Callback<PageAction>) -> Hosts {
    let hosts: Hosts = use_mut_ref(Vec::new);
    {
        let (act, hosts) = (act.clone(), Rc::clone(&hosts));
        use_effect_with((), move |()| {
            if !is_standalone {
                // A frame is on someone else's page: it uses neither a token nor a runner.
                let runner =
                    if browser::is_embedded() { SiteRunner::None } else { SiteRunner::Saved(saved::take_token()) };
                spawn_local(load_site(act, hosts, runner));
            }
        });
    }
    hosts
}

/// The runner of the page.
enum SiteRunner {
    /// No runner.
    None,
    /// The one that is saved in this browser, or else that of the site, with the token of a link.
    Saved(Option<String>),
}

async fn load_site(act: Callback<PageAction>, hosts: Hosts, runner: SiteRunner) {
    let config = match load::site_config().await {
        Ok(config) => config,
        Err(problem) => return act.emit(PageAction::SiteConfigFailed(problem)),
    };
    if let SiteRunner::Saved(token) = runner {
        let default_runner = config.runner.as_deref();
        // A link's token belongs to the site's own runner, never to one that the user chose earlier.
        if let (Some(token), Some(_)) = (token, default_runner) {
            saved::save("", &token, default_runner);
        }
        act.emit(PageAction::Runner(RunnerAction::Chosen(saved::endpoint(default_runner))));
    }
    // All at once, so that a slow suite does not delay the others.
    for (index, address) in config.suites.clone().into_iter().enumerate() {
        let (act, hosts, id) = (act.clone(), Rc::clone(&hosts), SuiteId::Site(index));
        let on_loaded = Callback::from(move |outcome: Result<load::SuiteAndHost, String>| match outcome {
            Ok((suite, host)) => {
                hosts.borrow_mut().push((suite.id, host));
                act.emit(PageAction::SuiteLoaded(suite));
            }
            Err(problem) => act.emit(PageAction::SuiteFailed(id, problem)),
        });
        spawn_local(load::suite(id, address, on_loaded));
    }
    if let Some(folder) = config.history.clone() {
        let act = act.clone();
        spawn_local(async move { act.emit(PageAction::SiteHistory(site_history::functions(&folder).await)) });
    }
    load_digests(&config, &act);
    // Last, so that the page renders while the suites are being fetched.
    act.emit(PageAction::SiteConfigLoaded(config));
}

/// Loads the digests of the site's notebooks, if it has any, without delaying anything else: only the start shows them.
fn load_digests(config: &SiteConfig, act: &Callback<PageAction>) {
    if let Some(address) = config.digests.clone() {
        let act = act.clone();
        spawn_local(async move { act.emit(PageAction::DigestsLoaded(load::digests(&address).await)) });
    }
}

/// Loads the suites again after the runner has built them.
#[hook]
pub(crate) fn use_rebuilt_suites(state: &State, hosts: &Hosts, act: &Callback<PageAction>) {
    let known = state.site_fingerprints();
    let (act, hosts) = (act.clone(), Rc::clone(hosts));
    use_effect_with(state.rebuilding.revision(), move |revision| {
        if *revision > 0 {
            spawn_local(reload_suites(act, hosts, known));
        }
    });
}

async fn reload_suites(act: Callback<PageAction>, hosts: Hosts, known: Vec<String>) {
    let mut config = match load::site_config().await {
        Ok(config) => config,
        Err(problem) => return act.emit(PageAction::SiteConfigFailed(problem)),
    };
    // The start stays as it is meanwhile.
    if let Some(address) = config.digests.clone() {
        config.add_digests(&load::digests(&address).await);
    }
    let addresses = config.suites.clone();
    act.emit(PageAction::SiteConfigReloaded(config));
    for (index, address) in addresses.into_iter().enumerate() {
        let (act, hosts, id) = (act.clone(), Rc::clone(&hosts), SuiteId::Site(index));
        let on_loaded = Callback::from(move |outcome: Result<Option<load::SuiteAndHost>, String>| {
            act.emit(PageAction::SuiteReloaded(
                id,
                outcome.map(|loaded| {
                    let (suite, host) = loaded?;
                    let mut hosts = hosts.borrow_mut();
                    hosts.retain(|(other, _)| *other != id);
                    hosts.push((id, host));
                    Some(suite)
                }),
            ));
        });
        spawn_local(load::changed_suite(id, address, known.clone(), on_loaded));
    }
}
