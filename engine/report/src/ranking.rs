//! The rankings of the shown functions, one for each machine.

use std::rc::Rc;

use benchbook_host::alternative::Alternative;
use benchbook_host::messages::answer::{AnswerContext, answer, answer_for_other_machine, claims, ratio_and_interval};
use benchbook_host::messages::at::at_value;
use benchbook_host::ranking::Ranking;
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
        let latest = measurements(shown).into_iter().filter(|ordinals| !shown[ordinals[0]].unpaired);
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
            first.unpaired
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

/// The answers of the rankings, with function names between backticks: the first machine's, then those of the others in
/// relation to it. `margin`: the relative difference up to which times count as the same.
pub fn answers(rankings: &[MachineRanking], margin: f64) -> Vec<String> {
    let own = rankings.first().and_then(|first| answer(&first.ranking, first.context(margin)));
    own.into_iter().chain(answers_elsewhere(rankings, margin)).collect()
}

/// The answers of all machines but the first, in relation to it.
fn answers_elsewhere(rankings: &[MachineRanking], margin: f64) -> Vec<String> {
    let Some((first, others)) = rankings.split_first() else { return Vec::new() };
    let answer = |other: &MachineRanking| {
        answer_for_other_machine(&first.ranking, &other.ranking, &other.setup.machine.name, other.context(margin))
    };
    others.iter().filter_map(answer).collect()
}

/// What the rankings show, one claim after another, with function names between backticks: those of the first machine, without full stops, then the
/// answers of the others in relation to it. The first claim is the headline.
pub fn all_claims(rankings: &[MachineRanking], margin: f64) -> Vec<String> {
    let own = rankings.first().map(|first| claims(&first.ranking, first.context(margin)));
    own.into_iter().flatten().chain(answers_elsewhere(rankings, margin)).collect()
}

/// The changes since the earlier build that each function was measured with, with function names between backticks: "`sort` takes 1.99 (1.84 to 2.16)
/// times as long as before at 1 000 keys." `ranked_at`: the axis value, as for [`MachineRanking::value_at`]. Without a ratio there, a function
/// has no sentence.
pub fn changes(shown: &[ShownTrace], ranking: &MachineRanking, ranked_at: Option<&str>) -> Vec<String> {
    let value = ranking.value_at(ranked_at);
    let at = at_value(&ranking.ranking.values()[value], ranking.setup.axis_unit());
    let of = |function: usize| &shown[ranking.ordinals[function]];
    let change = |before: usize| {
        let path = Alternative::parse(&of(before).trace.path).path;
        let current = (0..ranking.ordinals.len()).find(|&function| of(function).trace.path == path)?;
        let (name, known) = (&ranking.names[current], ranking.ranking.ratio(current, before, value)?);
        let (ratio, interval) = ratio_and_interval(known.ratio, known.interval);
        let is_undecided = known.interval.low <= 1.0 && 1.0 <= known.interval.high;
        Some(match is_undecided {
            true => format!("`{name}` shows no certain change from before{at}: {ratio} ({interval}) times as long."),
            false => format!("`{name}` takes {ratio} ({interval}) times as long as before{at}."),
        })
    };
    (0..ranking.ordinals.len()).filter(|&function| of(function).is_before).filter_map(change).collect()
}
