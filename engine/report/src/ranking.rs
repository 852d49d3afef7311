//! The rankings of the shown functions, one for each machine.

use std::rc::Rc;

use benchbook_host::compare::ranking::Ranking;
use benchbook_host::messages::answer::AnswerContext;
use benchbook_notebook::ranking::ranking;
use benchbook_notebook::result_setup::ResultSetup;
use benchbook_notebook::trace::Trace;

use super::shown_trace::{ShownTrace, measurements};

/// The ranking of the functions that one machine measured together.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineRanking {
    /// The setup of the measurement.
    pub setup: Rc<ResultSetup>,
    /// For each ranked function, its index among the shown traces.
    pub ordinals: Vec<usize>,
    /// The names of the functions.
    pub names: Vec<String>,
    /// The ranking.
    pub ranking: Ranking,
}

impl MachineRanking {
    /// The rankings of the last measurement. The more precise one is first, usually the runner's; overlays are not ranked.
    pub fn all(shown: &[ShownTrace]) -> Vec<Self> {
        let latest = measurements(shown).into_iter().filter(|ordinals| !shown[ordinals[0]].is_separate);
        let mut rankings: Vec<Self> = latest.map(|ordinals| Self::of(shown, ordinals)).collect();
        rankings.retain(|ranking| !ranking.ranking.values().is_empty());
        rankings.sort_by_key(|ranking| shown[ranking.ordinals[0]].is_sketch);
        rankings
    }

    /// The rankings of the same request on other machines or of other builds, oldest first.
    pub fn earlier(shown: &[ShownTrace]) -> Vec<Self> {
        let Some(request) = shown.first().map(|first| &first.trace.setup.request) else { return Vec::new() };
        let is_earlier = |ordinals: &Vec<usize>| {
            let first = &shown[ordinals[0]];
            first.is_separate
                && first.trace.setup.request.is_of_same_work(request)
                && ordinals.len() == request.functions.len()
        };
        measurements(shown).into_iter().filter(is_earlier).map(|ordinals| Self::of(shown, ordinals)).collect()
    }

    fn of(shown: &[ShownTrace], ordinals: Vec<usize>) -> Self {
        let traces: Vec<&Trace> = ordinals.iter().map(|&ordinal| &shown[ordinal].trace).collect();
        let (setup, ranking) = (Rc::clone(&traces[0].setup), ranking(&traces));
        let names = ordinals.iter().map(|&ordinal| shown[ordinal].name.clone()).collect();
        Self { setup, ordinals, names, ranking }
    }

    /// The index of a shown trace among the ranked functions.
    pub fn function(&self, ordinal: usize) -> Option<usize> {
        self.ordinals.iter().position(|one| *one == ordinal)
    }

    /// The index of the axis value with this text, or else of the last value at which all functions have figures, or else of the
    /// last value.
    pub fn value_at(&self, text: Option<&str>) -> usize {
        let values = self.ranking.values();
        let chosen = text.and_then(|text| values.iter().position(|value| value.to_string() == text));
        let is_complete = |&value: &usize| self.ranking.ranked_at(value).len() == self.ranking.functions();
        let complete = || (0..values.len()).rev().find(is_complete);
        chosen.or_else(complete).unwrap_or(values.len() - 1)
    }

    /// What its sentences refer to.
    pub fn context(&self, margin: f64) -> AnswerContext<'_> {
        AnswerContext { names: &self.names, unit: self.setup.axis_unit(), margin }
    }
}
