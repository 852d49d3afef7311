//! What a host does with an instance to count: messages, and when the counters are read.

use benchbook_contract::protocol::{Collect, HostMessage, LaneTarget, Open, Samples, SuiteMessage};
use benchbook_host::response::{WasmCounts, WasmInstructions};
use benchbook_instrument::{Block, BulkKind, Class, CodeMap, Frame, Run};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::marked_clock;

/// A message for the instance, and how the clock behaves while the instance handles it.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The message.
    pub message: HostMessage,
    /// The clock.
    pub clock: Clock,
}

/// How the clock behaves while an instance handles a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clock {
    /// Each reading returns another value, so that any two can be told apart by their difference.
    #[default]
    Marked,
    /// It always returns 0. The counters are read at the readings with these numbers.
    Still([u32; 2]),
    /// It always returns 0. The counters are read once the message is handled.
    ReadAtEnd,
}

impl Clock {
    /// What reading number `number` of a message returns, from 0, in milliseconds.
    pub fn read(self, number: u32) -> f64 {
        match self {
            Self::Marked => marked_clock::reading(number),
            Self::Still(_) | Self::ReadAtEnd => 0.0,
        }
    }

    /// Whether the counters are read at this reading.
    pub fn reads_counters(self, number: u32) -> bool {
        matches!(self, Self::Still(readings) if readings.contains(&number))
    }
}

/// What an instance did with a message. `R`: what is read of its counters at once.
#[derive(Clone, Debug, PartialEq)]
pub enum StepOutcome<R = Vec<u64>> {
    /// It replied. All counters, each time that they were to be read.
    Replied(Box<SuiteMessage>, Vec<R>),
    /// It ended without a reply: the reason, as a sentence.
    Ended(String),
}

/// Why the instructions of a call are unknown.
#[derive(Clone, Debug, PartialEq, Eq, Error, serde::Serialize, serde::Deserialize)]
pub enum CountFailure {
    /// The suite or its instance failed: the reason, as a sentence.
    #[error("{0}")]
    Failed(String),
    /// The batch is not the time between two readings of the suite's clock.
    #[error(
        "the benchmark times itself, so its calls can't be told apart. Use a method such as `iter` instead of `iter_custom` to count them"
    )]
    UnknownBatch,
}

/// Counts the calls of a function at one point, in one instance.
#[derive(Debug)]
pub struct CountSession<'m> {
    map: &'m CodeMap,
    open: Open,
    stage: Stage,
    /// The calls that the generator prepares together.
    round: u64,
    /// Whether each batch must be a single call, since calls affect each other.
    one_call_per_batch: bool,
    /// How many rounds the longer batch has more than one.
    rounds: u64,
    /// By how much each counter increased in each batch that was counted: of the function, then of its empty loop.
    counted: Vec<Vec<u64>>,
    failure: Option<CountFailure>,
    /// Whether the counters of contexts follow those of the map.
    is_by_context: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Open,
    /// Times two rounds, to warm up.
    WarmUp(LaneTarget),
    /// Counts a batch between these readings: one round, or the longer batch.
    Count(LaneTarget, BatchLength, [u32; 2]),
    Done,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BatchLength {
    OneRound,
    MoreRounds,
}

const FUNCTION: LaneTarget = LaneTarget::Function(0);
const EMPTY: LaneTarget = LaneTarget::Empty(0);

/// How many rounds of calls are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rounds {
    /// 16, or one if it executes over a million instructions.
    #[default]
    Usual,
    /// One: the first of those that are counted otherwise. Two builds then make the same calls, also if one of them executes much more.
    One,
}

/// The rounds that are counted: as many as for memory use, since each has another input.
const ROUNDS: u64 = 16;

/// The instructions of a round from which only one more is counted, so that the number of calls doesn't depend on the machine.
const LONG_ROUND: u64 = 1_000_000;

impl<'m> CountSession<'m> {
    /// `map`: that of the instance's module. `open`: the workload of a single function, in a slot that the instance has not used.
    pub fn new(map: &'m CodeMap, open: Open) -> Self {
        let (counted, failure) = (Vec::new(), None);
        let (stage, round, one_call_per_batch, rounds) = (Stage::Open, 1, false, ROUNDS);
        Self { map, open, stage, round, one_call_per_batch, rounds, counted, failure, is_by_context: false }
    }

    /// As [`Self::new`], for an instance that counts by context.
    pub(crate) fn by_context(map: &'m CodeMap, open: Open, rounds: Rounds) -> Self {
        let rounds = match rounds {
            Rounds::Usual => ROUNDS,
            Rounds::One => 1,
        };
        Self { is_by_context: true, rounds, ..Self::new(map, open) }
    }

    /// The next message; `None` when everything is counted, or a failure ended it.
    pub fn step(&self) -> Option<Step> {
        let collect = |target, rounds: u64| {
            let calls = if self.one_call_per_batch { 1 } else { self.round.saturating_mul(rounds) };
            HostMessage::Collect(Collect { slot: self.open.slot, target, calls, batches: 1, input_set: 0 })
        };
        Some(match self.stage {
            Stage::Open => Step { message: HostMessage::Open(self.open.clone()), clock: Clock::Marked },
            Stage::WarmUp(target) => Step { message: collect(target, 2), clock: Clock::Marked },
            Stage::Count(target, BatchLength::OneRound, readings) => {
                Step { message: collect(target, 1), clock: Clock::Still(readings) }
            }
            Stage::Count(target, BatchLength::MoreRounds, readings) => {
                Step { message: collect(target, 1 + self.rounds), clock: Clock::Still(readings) }
            }
            Stage::Done => return None,
        })
    }

    /// Continues after the step with what the instance did.
    pub fn observe(&mut self, outcome: StepOutcome) {
        self.stage = self.next(outcome).unwrap_or_else(|failure| {
            self.failure = Some(failure);
            Stage::Done
        });
    }

    fn next(&mut self, outcome: StepOutcome) -> Result<Stage, CountFailure> {
        let (reply, counters) = match outcome {
            StepOutcome::Replied(reply, counters) => (*reply, counters),
            StepOutcome::Ended(reason) => return Err(CountFailure::Failed(reason)),
        };
        Ok(match (self.stage, reply) {
            (Stage::Open, SuiteMessage::Opened(opened)) => {
                (self.round, self.one_call_per_batch) = (opened.round.max(1), opened.one_call_per_batch);
                Stage::WarmUp(FUNCTION)
            }
            (Stage::WarmUp(target), SuiteMessage::Samples(samples)) => {
                Stage::Count(target, BatchLength::OneRound, batch_readings(&samples)?)
            }
            (Stage::Count(target, length, readings), SuiteMessage::Samples(_)) => {
                let counters = increase(&counters, self.map.counters(), self.is_by_context)?;
                let is_first = self.counted.is_empty();
                if is_first && self.map.operators(&counters).cost() > LONG_ROUND {
                    self.rounds = 1;
                }
                self.counted.push(counters);
                match (length, target) {
                    (BatchLength::OneRound, _) if !self.one_call_per_batch => {
                        Stage::Count(target, BatchLength::MoreRounds, readings)
                    }
                    (_, FUNCTION) => Stage::WarmUp(EMPTY),
                    _ => Stage::Done,
                }
            }
            (_, SuiteMessage::Failed(failed)) => return Err(CountFailure::Failed(failed.reason)),
            _ => return Err(CountFailure::Failed("the suite sent an unexpected reply".to_owned())),
        })
    }

    /// What the calls executed, without the loop around them.
    ///
    /// # Errors
    /// If the suite failed, or the instance ended early.
    pub fn instructions(&self) -> Result<WasmInstructions, CountFailure> {
        let signed = self.signed()?;
        let none = WasmInstructions { calls: self.calls(), ..WasmInstructions::default() };
        let sum = signed.iter().fold(none, |sum, (counters, sign)| add(sum, self.map, counters, *sign));
        let executed = self.map.blocks.iter().zip(self.counters()?).filter(|(_, times)| *times != 0);
        let conditional = executed.map(|(block, times)| times * conditional_cost(self.map, block)).sum();
        Ok(WasmInstructions { conditional, ..sum })
    }

    /// What each counter has counted in these calls, without the loop around them: those of the map, and then those of contexts.
    ///
    /// # Errors
    /// As for [`Self::instructions`].
    pub(crate) fn counters(&self) -> Result<Vec<i64>, CountFailure> {
        let mut sums = Vec::new();
        for (counters, sign) in self.signed()? {
            sums.resize(sums.len().max(counters.len()), 0);
            sums.iter_mut().zip(counters).for_each(|(sum, counter)| *sum += sign * *counter as i64);
        }
        Ok(sums)
    }

    /// The number of counted calls.
    pub(crate) fn calls(&self) -> u64 {
        if self.one_call_per_batch { 1 } else { self.round.saturating_mul(self.rounds) }
    }

    /// The number of calls in the same batch before those that are counted.
    pub(crate) fn uncounted_calls(&self) -> u64 {
        if self.one_call_per_batch { 0 } else { self.round }
    }

    /// The counted batches, and how often each contributes to the result.
    fn signed(&self) -> Result<Vec<(&Vec<u64>, i64)>, CountFailure> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        match &self.counted[..] {
            [function, empty] => Ok(vec![(function, 1), (empty, -1)]),
            [one, more, empty_one, empty_more] => Ok(vec![(more, 1), (one, -1), (empty_more, -1), (empty_one, 1)]),
            _ => Err(CountFailure::Failed("the count was not completed".to_owned())),
        }
    }
}

/// Adds what these counters have counted, `sign` times.
fn add(sum: WasmInstructions, map: &CodeMap, counters: &[u64], sign: i64) -> WasmInstructions {
    let operators = map.operators(counters);
    let of = |class: Class| sign * operators[class] as i64;
    let bytes = [BulkKind::MemoryCopy, BulkKind::MemoryFill, BulkKind::MemoryInit];
    let bytes: u64 = bytes.into_iter().map(|kind| map.amount(kind, counters)).sum();
    WasmInstructions {
        calls: sum.calls,
        entry: sum.entry + of(Class::Entry),
        arithmetic: sum.arithmetic + of(Class::Arithmetic),
        load: sum.load + of(Class::Load),
        store: sum.store + of(Class::Store),
        branch: sum.branch + of(Class::Branch),
        direct_call: sum.direct_call + of(Class::DirectCall),
        indirect_call: sum.indirect_call + of(Class::IndirectCall),
        bulk: sum.bulk + of(Class::Bulk),
        bulk_bytes: sum.bulk_bytes + sign * bytes as i64,
        conditional: 0,
    }
}

/// The crate that makes the calls, whose own code has parts for some targets.
const HARNESS: &str = "benchbook_suite::";

/// The cost of a block's operators that are compiled only for some targets.
fn conditional_cost(map: &CodeMap, block: &Block) -> i64 {
    let conditional = block.runs.iter().filter(|run| is_conditional(map, run));
    conditional.map(|run| i64::from(run.cost)).sum()
}

/// Whether operators are in code that is compiled only for some targets: their own line, or one that they were inlined into, up to the harness.
fn is_conditional(map: &CodeMap, run: &Run) -> bool {
    let is_of_harness = |frame: &&Frame| map.string(frame.function).trim_start_matches('<').starts_with(HARNESS);
    map.inline_stack(run.frame).take_while(|frame| !is_of_harness(frame)).any(|frame| frame.is_conditional)
}

/// What is known from both layouts of an instance.
pub fn counts(
    usual: Result<WasmInstructions, CountFailure>,
    shifted: Result<WasmInstructions, CountFailure>,
) -> WasmCounts {
    match (usual, shifted) {
        // The bytes of bulk instructions may differ: a reallocation may move its contents or not.
        (Ok(first), Ok(second)) if (first.calls, first.total()) == (second.calls, second.total()) => {
            WasmCounts::Counted(first)
        }
        (Ok(first), Ok(second)) => WasmCounts::Varying { first, second },
        (Err(failure @ CountFailure::UnknownBatch), _) => WasmCounts::Uncountable(failure.to_string()),
        (Err(failure), _) | (_, Err(failure)) => WasmCounts::Failed(failure.to_string()),
    }
}

/// The readings of the clock that the only batch lies between.
fn batch_readings(samples: &Samples) -> Result<[u32; 2], CountFailure> {
    let [elapsed] = samples.elapsed[..] else { return Err(CountFailure::UnknownBatch) };
    marked_clock::readings(elapsed).ok_or(CountFailure::UnknownBatch)
}

/// By how much each counter increased between both readings. Contexts that were entered in between are new at the second one.
fn increase(counters: &[Vec<u64>], of_map: usize, is_by_context: bool) -> Result<Vec<u64>, CountFailure> {
    let [before, after] = counters else { return Err(CountFailure::UnknownBatch) };
    let fits = match is_by_context {
        true => of_map <= before.len() && before.len() <= after.len(),
        false => before.len() == of_map && after.len() == of_map,
    };
    if !fits {
        return Err(CountFailure::Failed("the counters of the counting module don't fit its code map".to_owned()));
    }
    let before = before.iter().copied().chain(std::iter::repeat(0));
    Ok(after.iter().zip(before).map(|(after, before)| after.wrapping_sub(before)).collect())
}

#[cfg(test)]
mod tests {
    use benchbook_contract::parameter::Arguments;
    use benchbook_contract::protocol::{FailureStage, OpenReply, RequestFailure};
    use benchbook_instrument::Operators;

    use super::*;

    /// A map with one counter, of a block with one branch.
    fn map() -> CodeMap {
        let mut operators = Operators::default();
        operators[Class::Branch] = 1;
        CodeMap { blocks: vec![Block { function: 0, operators, runs: Vec::new() }], ..CodeMap::default() }
    }

    fn session(map: &CodeMap) -> CountSession<'_> {
        let arguments = Arguments::default();
        let (functions, generator) = (vec!["f".to_owned()], "g".to_owned());
        CountSession::new(map, Open { slot: 1, functions, generator, arguments, seed: 1, priority: 1 })
    }

    fn opened(round: u64, one_call_per_batch: bool) -> StepOutcome {
        let (elements, bytes, preparation) = (None, None, 0.0);
        let opened = OpenReply { slot: 1, round, one_call_per_batch, elements, bytes, preparation };
        StepOutcome::Replied(Box::new(SuiteMessage::Opened(opened)), Vec::new())
    }

    /// A suite that reads the clock twice before the batch. A call takes `of_call` branches, the loop 2 for each call, and 100 for each batch.
    fn reply(step: &Step, of_call: u64) -> StepOutcome {
        let HostMessage::Collect(collect) = &step.message else { panic!("{step:?}") };
        let elapsed = (step.clock.read(3) - step.clock.read(2)) * 1e6;
        let of_call = if collect.target == FUNCTION { of_call + 2 } else { 2 };
        let counters = [50, 50 + 100 + of_call * collect.calls];
        let read = (0..5).filter(|&number| step.clock.reads_counters(number)).zip(counters);
        let counters = read.map(|(_, counter)| vec![counter]).collect();
        StepOutcome::Replied(Box::new(SuiteMessage::Samples(Samples::of(collect, vec![elapsed]))), counters)
    }

    fn count(opened: StepOutcome, of_call: u64) -> (WasmInstructions, Vec<u64>) {
        let map = map();
        let mut session = session(&map);
        session.observe(opened);
        let mut calls = Vec::new();
        while let Some(step) = session.step() {
            if let HostMessage::Collect(collect) = &step.message {
                calls.push(collect.calls);
            }
            session.observe(reply(&step, of_call));
        }
        (session.instructions().unwrap(), calls)
    }

    #[test]
    fn what_a_batch_and_its_loop_cost_cancels_out() {
        let (counted, calls) = count(opened(8, false), 5);
        assert_eq!(counted, WasmInstructions { calls: 128, branch: 640, ..WasmInstructions::default() });
        assert_eq!(counted.per_call(), 5.0);
        assert_eq!(calls, [16, 8, 136, 16, 8, 136]);
    }

    #[test]
    fn instructions_of_code_for_some_targets_are_told_apart() {
        // From the outside in: the harness, a function, and one inlined into it. Each branch is a run of its own.
        let strings = ["benchbook_suite::collect", "find", "fallback"].map(str::to_owned).to_vec();
        let frame =
            |function, caller, is_conditional| Frame { function, file: None, line: None, caller, is_conditional };
        let of_calls = |conditional: [bool; 3]| {
            let [of_harness, of_find, of_fallback] = conditional;
            let frames = vec![frame(0, None, of_harness), frame(1, Some(0), of_find), frame(2, Some(1), of_fallback)];
            let mut map = CodeMap { strings: strings.clone(), frames, ..map() };
            map.blocks[0].runs =
                vec![Run { frame: 1, cost: 1, ..Run::default() }, Run { frame: 2, cost: 2, ..Run::default() }];
            let mut session = session(&map);
            session.observe(opened(1, false));
            while let Some(step) = session.step() {
                session.observe(reply(&step, 5));
            }
            session.instructions().unwrap().conditional
        };
        // 16 calls execute the block 5 times each.
        for (conditional, expected) in [
            ([false, false, false], 0),
            ([true, false, false], 0),
            ([false, true, false], 16 * 5 * 3),
            ([false, false, true], 16 * 5 * 2),
        ] {
            assert_eq!(of_calls(conditional), expected, "{conditional:?}");
        }
    }

    #[test]
    fn of_long_calls_one_round_is_counted() {
        // All rounds together are long, but one is not.
        assert_eq!(count(opened(8, false), 20_000).0.calls, 128);
        let (counted, calls) = count(opened(8, false), 200_000);
        assert_eq!((counted.calls, counted.per_call()), (8, 200_000.0));
        assert_eq!(calls, [16, 8, 16, 16, 8, 16]);
    }

    #[test]
    fn a_single_call_is_counted_alone() {
        let (counted, calls) = count(opened(1, true), 5);
        assert_eq!(counted, WasmInstructions { calls: 1, branch: 5, ..WasmInstructions::default() });
        assert_eq!(calls, [1, 1, 1, 1]);
    }

    #[test]
    fn failures_have_their_reason() {
        let fails = |observed: &[StepOutcome], expected: &str| {
            let map = map();
            let mut session = session(&map);
            for observed in observed {
                assert!(session.step().is_some());
                session.observe(observed.clone());
            }
            let failure = session.instructions().unwrap_err().to_string();
            assert!(failure.contains(expected), "{failure}");
        };
        let replied = |reply| StepOutcome::Replied(Box::new(reply), Vec::new());
        let panicked =
            RequestFailure { stage: FailureStage::Function, reason: "no data".to_owned(), ..RequestFailure::default() };
        fails(&[opened(1, false), replied(SuiteMessage::Failed(panicked))], "no data");
        fails(&[StepOutcome::Ended("it trapped".to_owned())], "it trapped");
        fails(&[opened(1, false), opened(1, false)], "unexpected reply");
        let collect = Collect { slot: 1, target: FUNCTION, calls: 2, batches: 1, input_set: 0 };
        for elapsed in [vec![3_000.0], Vec::new()] {
            let samples = SuiteMessage::Samples(Samples::of(&collect, elapsed));
            fails(&[opened(1, false), replied(samples)], "the benchmark times itself");
        }
        let samples = SuiteMessage::Samples(Samples::of(&collect, vec![1e6]));
        let other = StepOutcome::Replied(Box::new(samples.clone()), vec![vec![1, 2]; 2]);
        fails(&[opened(1, false), replied(samples), other], "don't fit its code map");
        fails(&[opened(1, false)], "not completed");
    }

    #[test]
    fn two_different_counts_are_both_kept() {
        let operators = |branch| Ok(WasmInstructions { calls: 1, branch, ..WasmInstructions::default() });
        let failure = || Err(CountFailure::Failed("no data".to_owned()));
        assert!(matches!(counts(operators(3), operators(3)), WasmCounts::Counted(_)));
        assert!(matches!(counts(operators(3), operators(4)), WasmCounts::Varying { .. }));
        let moved = Ok(WasmInstructions { calls: 1, branch: 3, bulk_bytes: 8, ..WasmInstructions::default() });
        assert!(matches!(counts(operators(3), moved), WasmCounts::Counted(_)));
        assert_eq!(counts(operators(3), failure()), WasmCounts::Failed("no data".to_owned()));
        assert_eq!(counts(failure(), operators(3)), WasmCounts::Failed("no data".to_owned()));
        let unknown = || Err(CountFailure::UnknownBatch);
        assert!(matches!(counts(unknown(), unknown()), WasmCounts::Uncountable(_)));
    }
}
