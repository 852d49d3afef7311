//! The transitions between the stages of a point.

use std::collections::VecDeque;

use super::{Measurement, contract};
use crate::response::{EventCounts, Outcome, Outputs, Warning};
use crate::sample::MAX_WORK;
use crate::sample::collection::{Collected, Collection};
use crate::sample::current_point::{CurrentPoint, FunctionState, PointStage};
use crate::sample::event_sampler::EventSampler;
use crate::sample::figures::{Circumstances, figures};
use crate::sample::preparation::{Preparation, PreparedFunction};
use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::rng::seeded;

/// The maximum share of a point's time for checking a function's outputs at every axis value. Outputs of slower functions
/// are checked only at the first.
const MAX_CHECK_SHARE: f64 = 0.1;

/// The maximum number of rounds whose outputs are checked: functions may differ on only a few inputs.
const MAX_CHECKED_ROUNDS: u64 = 16;

/// The number of rounds in which memory use is counted. One is not enough, since memory use may depend on the input.
const COUNTED_ROUNDS: u32 = 16;

/// The maximum share of a point's time for counting that many rounds; if it takes longer, one round is counted.
const MAX_COUNT_SHARE: f64 = 0.1;

/// The maximum share of a point's time for counting one round; if it takes longer, none is.
const MAX_SINGLE_COUNT_SHARE: f64 = 0.5;

impl Measurement {
    /// Starts the next stage of the current point if the previous one is done.
    pub(super) fn advance(&mut self) {
        let Some(mut current) = self.current.take() else { return };
        current.stage = match current.stage {
            PointStage::Preparing { preparations, pending, turn } => {
                match preparations.iter().map(Preparation::ready).collect::<Option<Vec<PreparedFunction>>>() {
                    Some(ready) => {
                        let calls = calls_to_check(&ready, current.round);
                        let waiting = self.to_check(&current.functions, &current.x, &ready, calls);
                        PointStage::Checking { ready, calls, waiting, pending: None }
                    }
                    None => PointStage::Preparing { preparations, pending, turn },
                }
            }
            stage => stage,
        };
        current.stage = match current.stage {
            PointStage::Checking { ready, waiting, pending: None, .. } if waiting.is_empty() => {
                for (state, ready) in current.functions.iter_mut().zip(&ready) {
                    state.rounds_to_count = self.rounds_to_count(ready, current.round);
                    self.plan_events(state, ready, if current.one_call_per_batch { 1 } else { current.round });
                }
                // Another order in each process: an effect of the order then averages out.
                let random = seeded([self.order_seed, hash_of(&current.x), u64::from(self.first_input_set)]);
                let (quality, sentinel) = (self.quality.clone(), self.sentinel.clone());
                let later = if self.agenda.is_last() { 1e6 * self.later_ms * ready.len() as f64 } else { 0.0 };
                let collection = Collection::new(current.slot, quality, self.clock, ready, sentinel, random)
                    .with_first_input_set(self.first_input_set)
                    .with_later_blocks(later);
                PointStage::Collecting(Box::new(collection))
            }
            stage => stage,
        };
        current.stage = match current.stage {
            PointStage::Collecting(collection) if collection.is_done() => {
                let functions = current.functions.iter().enumerate();
                let waiting = functions.filter(|(_, state)| state.event_sampler.is_some() && state.events.is_none());
                let waiting = waiting.map(|(index, _)| index).collect();
                PointStage::CountingEvents { collection, waiting, pending: None, reading: None }
            }
            stage => stage,
        };
        current.stage = match current.stage {
            PointStage::CountingEvents { collection, waiting, pending: None, .. } if waiting.is_empty() => {
                let functions = current.functions.iter().enumerate();
                let waiting =
                    functions.filter(|(_, state)| state.rounds_to_count > 0).map(|(index, _)| index).collect();
                PointStage::Counting { collection, waiting, pending: None }
            }
            stage => stage,
        };
        match current.stage {
            PointStage::Counting { collection, waiting, pending: None } if waiting.is_empty() => {
                self.finish(*collection, CurrentPoint { stage: PointStage::Opening, ..current });
            }
            stage => self.current = Some(CurrentPoint { stage, ..current }),
        }
    }

    /// Returns the functions whose outputs are to be checked.
    fn to_check(
        &self,
        functions: &[FunctionState],
        x: &AxisValue,
        ready: &[PreparedFunction],
        calls: u64,
    ) -> VecDeque<usize> {
        let is_first = self.agenda.is_first(x);
        let is_quick = |ready: &PreparedFunction| {
            ready.batch_cost / ready.calls as f64 * calls as f64 <= MAX_CHECK_SHARE * self.quality.point_nanos()
        };
        let needs_check =
            |(state, ready): (&FunctionState, &PreparedFunction)| state.checked && (is_first || is_quick(ready));
        (0..functions.len()).filter(|&index| needs_check((&functions[index], &ready[index]))).collect()
    }

    /// Returns the number of rounds in which a function's memory use is counted: the same number whenever calls are quick, so
    /// that the counts repeat exactly. Later processes would count the same calls again.
    fn rounds_to_count(&self, ready: &PreparedFunction, round: u64) -> u32 {
        if self.first_input_set > 0 {
            return 0;
        }
        let cost = ready.batch_cost / ready.calls as f64 * round as f64;
        let point = self.quality.point_nanos();
        if f64::from(COUNTED_ROUNDS) * cost <= (MAX_COUNT_SHARE * point).min(MAX_WORK) {
            COUNTED_ROUNDS
        } else {
            u32::from(cost <= MAX_SINGLE_COUNT_SHARE * point)
        }
    }

    /// Plans to count a function's events with the host's counters, or says why they are not counted. Later processes
    /// would count the same calls again. `unit`: the fewest calls of a batch.
    fn plan_events(&self, state: &mut FunctionState, ready: &PreparedFunction, unit: u64) {
        match &self.counters {
            Some(Ok(())) if self.first_input_set == 0 => {
                let sampler = EventSampler::new(ready, unit, self.quality.point_nanos());
                state.events = sampler.outcome().cloned();
                state.event_sampler = Some(sampler);
            }
            Some(Err(absence)) => state.events = Some(EventCounts::Absent(absence.clone())),
            _ => {}
        }
    }

    /// Adds the points of a finished collection, and closes the slot.
    fn finish(&mut self, collection: Collection, point: CurrentPoint) {
        let CurrentPoint { x, slot, functions, one_call_per_batch, work, .. } = point;
        let alone = self.agenda.is_alone(&x).then_some(Warning::Alone);
        let Collected { runs, before, spent, mut warnings, sentinel } = collection.finish();
        self.sentinel = sentinel;
        // Only browsers have baseline code.
        warnings.retain(|warning| self.in_browser || !matches!(warning, Warning::SlowCode { .. }));
        for (state, run) in functions.into_iter().zip(runs) {
            let shared = self.plan.shared_work(state.function).map(ToOwned::to_owned);
            let not_compared = (shared.is_some() && state.hash.is_none()).then_some(Warning::OutputsNotCompared);
            let circumstances = Circumstances {
                target: self.quality.precision,
                resolution: self.clock.resolution,
                one_call_per_batch,
                before,
                spent,
                outputs: shared.zip(state.hash).map(|(work, hash)| Outputs { work, hash }),
                work,
                memory: state.memory,
                events: state.events,
                remarks: alone.iter().chain(&warnings).cloned().chain(not_compared).collect(),
            };
            match figures(vec![run], circumstances) {
                Some(measured) => self.agenda.add(state.function, x.clone(), Outcome::Measured(Box::new(measured))),
                None => self.agenda.fail(state.function, x.clone(), contract("the suite returned no samples")),
            }
        }
        self.closing = Some(slot);
        self.agenda.wait_for_rest(x);
    }
}

/// Returns a number that differs between axis values, for seeds: the bits of a number, or the FNV-1a hash of a text.
pub(super) fn hash_of(x: &AxisValue) -> u64 {
    match x {
        AxisValue::Number(value) => value.to_bits(),
        AxisValue::Text(text) => {
            let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
            text.as_bytes().iter().fold(0xcbf2_9ce4_8422_2325, mix)
        }
        AxisValue::Absent => 0,
    }
}

/// Returns the number of calls whose outputs are checked, the same for every function. It is at most the smallest batch,
/// which is known to take little time and memory.
fn calls_to_check(ready: &[PreparedFunction], round: u64) -> u64 {
    let fewest = ready.iter().map(|ready| ready.calls / round).min().unwrap_or(1);
    round * fewest.clamp(1, MAX_CHECKED_ROUNDS)
}
