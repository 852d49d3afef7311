//! The rankings of the shown functions, one for each machine.

use std::rc::Rc;

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::axis::Axis;
use benchbook_host::messages::answer::{AnswerContext, answer, answer_for_other_machine};
use benchbook_host::ranking::{RankedCurve, RankedPoint, Ranking};
use benchbook_notebook::result_setup::ResultSetup;

use super::shown_trace::ShownTrace;

/// The ranking of the functions that one machine measured together.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MachineRanking {
    /// The setup of the measurement.
    pub(crate) setup: Rc<ResultSetup>,
    /// For each ranked function, its index among the shown traces.
    pub(crate) ordinals: Vec<usize>,
    /// The names of the functions.
    pub(crate) names: Vec<String>,
    /// The ranking.
    pub(crate) ranking: Ranking,
}

impl MachineRanking {
    /// The rankings of the last measurement. The runner's is first, since it is the more precise one; overlays are not ranked.
    pub(crate) fn all(shown: &[ShownTrace]) -> Vec<Self> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (ordinal, one) in shown.iter().enumerate().filter(|(_, one)| !one.unpaired) {
            match groups.iter_mut().find(|group| shown[group[0]].trace.is_paired_with(&one.trace)) {
                Some(group) => group.push(ordinal),
                None => groups.push(vec![ordinal]),
            }
        }
        let mut rankings: Vec<Self> = groups.into_iter().map(|ordinals| Self::of(shown, ordinals)).collect();
        rankings.retain(|ranking| !ranking.ranking.values().is_empty());
        rankings.sort_by_key(|ranking| shown[ranking.ordinals[0]].is_sketch);
        rankings
    }

    fn of(shown: &[ShownTrace], ordinals: Vec<usize>) -> Self {
        let curves: Vec<RankedCurve<'_>> = ordinals.iter().map(|&ordinal| ranked_curve(&shown[ordinal])).collect();
        let setup = Rc::clone(&shown[ordinals[0]].trace.setup);
        let axis = setup.axis.as_ref();
        let ranking = Ranking::new(&curves, axis_values(&curves, axis), axis.and_then(Axis::scale));
        let names = ordinals.iter().map(|&ordinal| shown[ordinal].name.clone()).collect();
        Self { setup, ordinals, names, ranking }
    }

    /// The index of the axis value with this text, or else of the last value at which all functions have figures, or else of the
    /// last value.
    pub(crate) fn value_at(&self, text: Option<&str>) -> usize {
        let values = self.ranking.values();
        let chosen = text.and_then(|text| values.iter().position(|value| value.to_string() == text));
        let is_complete = |&value: &usize| self.ranking.ranked_at(value).len() == self.ranking.functions();
        let complete = || (0..values.len()).rev().find(is_complete);
        chosen.or_else(complete).unwrap_or(values.len() - 1)
    }

    fn answer(&self, margin: f64) -> Option<String> {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        answer(&self.ranking, AnswerContext { names: &names, unit: self.setup.axis_unit(), margin })
    }
}

/// The answers of the rankings, with function names between backticks: the first machine's, then those of the others in
/// relation to it. `margin`: the relative difference up to which times count as the same.
pub(crate) fn answers(rankings: &[MachineRanking], margin: f64) -> Vec<String> {
    let Some((first, others)) = rankings.split_first() else { return Vec::new() };
    let elsewhere = |other: &MachineRanking| {
        let names: Vec<&str> = other.names.iter().map(String::as_str).collect();
        let context = AnswerContext { names: &names, unit: other.setup.axis_unit(), margin };
        answer_for_other_machine(&first.ranking, &other.ranking, &other.setup.machine.name, context)
    };
    first.answer(margin).into_iter().chain(others.iter().filter_map(elsewhere)).collect()
}

fn ranked_curve(shown: &ShownTrace) -> RankedCurve<'_> {
    let points = shown.trace.curve.readings().iter().filter_map(|reading| {
        Some(RankedPoint { x: &reading.x, priority: reading.priority(), measured: reading.measured()? })
    });
    RankedCurve { points: points.collect() }
}

/// The axis values of some curves, each once, in the order of the axis.
fn axis_values(curves: &[RankedCurve<'_>], axis: Option<&Axis>) -> Vec<AxisValue> {
    let mut values: Vec<AxisValue> = Vec::new();
    for point in curves.iter().flat_map(|curve| &curve.points) {
        if !values.contains(point.x) {
            values.push(point.x.clone());
        }
    }
    if let Some(axis) = axis {
        values.sort_by(|one, other| axis.compare(one, other));
    }
    values
}
