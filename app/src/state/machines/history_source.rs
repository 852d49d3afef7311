//! The source of a history: the runner, or the files of the site.

use benchbook_host::api::HistoryFunction;

use super::function_history::{FunctionHistory, HistoryAction, HistoryContent, HistoryRequest};
use super::runner::RunnerStatus;
use crate::state::{Shown, State};

impl State {
    /// The next request for the history that is shown; `None` if it needs none, or until it is known who has the results. Those of the
    /// runner take precedence over those of the site.
    pub(crate) fn history_request(&self) -> Option<HistoryRequest> {
        let history = self.history().filter(|history| history.content == HistoryContent::Loading)?;
        match (&self.runner.endpoint, &self.runner.status) {
            (Some(_), RunnerStatus::Ready) if !history.is_missing_on_runner => Some(history.runner_request()),
            (Some(_), RunnerStatus::Connecting) => None,
            _ => self.is_history_on_site().then(|| history.site_request()),
        }
    }

    /// A sentence if a history is shown that has no results, or not yet.
    pub(crate) fn history_status(&self) -> Option<&str> {
        let history = self.history()?;
        match &history.content {
            HistoryContent::Error(reason) => return Some(reason),
            HistoryContent::Loaded(measurements, _) => return measurements.is_empty().then_some(NO_RESULTS),
            HistoryContent::Loading => {}
        }
        let is_site_pending = self.site_history.is_none() && (self.site_config.is_none() || self.has_site_history());
        let status = match (&self.runner.endpoint, &self.runner.status) {
            _ if self.history_request().is_some() || (is_site_pending && self.problems.is_empty()) => LOADING,
            (Some(_), RunnerStatus::Unreachable(reason) | RunnerStatus::Rejected(reason)) => reason,
            (Some(_), _) => LOADING,
            (None, _) if self.has_site_history() => "This page has no accepted results of this function.",
            (None, _) => "No runner. Choose one in the page's header.",
        };
        Some(status)
    }

    /// A sentence if the site has the shown results, although there is a runner.
    pub(crate) fn history_source(&self) -> Option<&'static str> {
        let is_missing = self.history().is_some_and(|history| history.is_missing_on_runner);
        is_missing.then_some("The runner has no accepted results of this function. These are the page's.")
    }

    /// Whether the site has a folder of accepted results.
    fn has_site_history(&self) -> bool {
        self.site_config.as_ref().is_some_and(|config| config.history.is_some())
    }

    /// Whether the site has results of the shown history's function.
    fn is_history_on_site(&self) -> bool {
        let function = self.history().map(FunctionHistory::function);
        let is_listed = |known: &HistoryFunction| Some((known.suite.as_str(), known.function.as_str())) == function;
        self.site_history.iter().flatten().any(is_listed)
    }

    pub(crate) fn apply_to_history(&mut self, action: HistoryAction) {
        let is_on_site = self.is_history_on_site();
        let Shown::History(history) = &mut self.shown else { return };
        // The results complete the link: that is no new entry in the history of the browser.
        self.followed += u32::from(matches!(action, HistoryAction::Loaded(..)));
        history.apply(action, is_on_site);
    }

    pub(crate) fn list_site_history(&mut self, listed: Result<Vec<HistoryFunction>, String>) {
        self.site_history = Some(listed.unwrap_or_else(|problem| {
            self.problems.push(problem);
            Vec::new()
        }));
        // The runner may have responded before.
        if self.is_history_on_site()
            && let Shown::History(history) = &mut self.shown
        {
            history.prefer_site();
        }
    }
}

const LOADING: &str = "Loading the accepted results…";

const NO_RESULTS: &str =
    "This function has no accepted results. Run `cargo benchbook check`, then `cargo benchbook accept`.";
