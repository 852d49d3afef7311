//! What a host does with an instance to count: messages, and when the counters are read.

use benchbook_contract::protocol::{Collect, HostMessage, LaneTarget, Open, Samples, SuiteMessage};
use benchbook_host::response::{WasmCounts, WasmOperators};
use benchbook_instrument::{BulkKind, Class, CodeMap};
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
}

impl Clock {
    /// What reading number `number` of a message returns, from 0, in milliseconds.
    pub fn read(self, number: u32) -> f64 {
        match self {
            Self::Marked => marked_clock::reading(number),
            Self::Still(_) => 0.0,
        }
    }

    /// Whether the counters are read at this reading.
    pub fn reads_counters(self, number: u32) -> bool {
        matches!(self, Self::Still(readings) if readings.contains(&number))
    }
}

/// What an instance did with a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Observed {
    /// It replied. All counters at each reading of the clock at which they were to be read.
    Replied(Box<SuiteMessage>, Vec<Vec<u64>>),
    /// It ended without a reply: the reason, as a sentence.
    Ended(String),
}

/// Why the operators of a call are unknown.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CountFailure {
    /// The suite or its instance failed: the reason, as a sentence.
    #[error("{0}")]
    Failed(String),
    /// The batch is not the time between two readings of the suite's clock.
    #[error("the benchmark times itself, so it is unknown which operators belong to its calls")]
    UnknownBatch,
}

/// Counts the operators of the calls of a function at one point, in one instance.
#[derive(Debug)]
pub struct Counting {
    open: Open,
    stage: Stage,
    batches: Batches,
    /// By how much each counter increased in each batch that was counted.
    counted: Vec<Vec<u64>>,
    failure: Option<CountFailure>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Open,
    /// Times a batch of that many calls, to warm up.
    WarmUp(LaneTarget),
    /// Counts the batch with this index between these readings.
    Count(LaneTarget, usize, [u32; 2]),
    Done,
}

/// The batches that are counted, of the function and then of its empty loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Batches {
    /// A single call, since calls affect each other.
    One,
    /// A round of so many calls, and two rounds. Their difference is a round without what a batch costs, however many calls it has.
    OneAndTwoRounds(u64),
}

const FUNCTION: LaneTarget = LaneTarget::Function(0);
const EMPTY: LaneTarget = LaneTarget::Empty(0);

impl Batches {
    /// The number of rounds of each batch.
    fn rounds(self) -> &'static [u64] {
        match self {
            Self::One => &[1],
            Self::OneAndTwoRounds(_) => &[1, 2],
        }
    }

    /// The number of calls that are counted.
    fn round(self) -> u64 {
        match self {
            Self::One => 1,
            Self::OneAndTwoRounds(round) => round,
        }
    }
}

impl Counting {
    /// `open`: the workload of a single function, in a slot that the instance has not used.
    pub fn new(open: Open) -> Self {
        Self { open, stage: Stage::Open, batches: Batches::One, counted: Vec::new(), failure: None }
    }

    /// The next message; `None` when everything is counted, or a failure ended it.
    pub fn step(&self) -> Option<Step> {
        let collect = |target, rounds: Option<&u64>| {
            let calls = self.batches.round() * rounds.copied().unwrap_or(1);
            HostMessage::Collect(Collect { slot: self.open.slot, target, calls, batches: 1, input_set: 0 })
        };
        let rounds = self.batches.rounds();
        Some(match self.stage {
            Stage::Open => Step { message: HostMessage::Open(self.open.clone()), clock: Clock::Marked },
            Stage::WarmUp(target) => Step { message: collect(target, rounds.last()), clock: Clock::Marked },
            Stage::Count(target, batch, readings) => {
                Step { message: collect(target, rounds.get(batch)), clock: Clock::Still(readings) }
            }
            Stage::Done => return None,
        })
    }

    /// Continues after the step with what the instance did.
    pub fn observe(&mut self, observed: Observed) {
        self.stage = self.next(observed).unwrap_or_else(|failure| {
            self.failure = Some(failure);
            Stage::Done
        });
    }

    fn next(&mut self, observed: Observed) -> Result<Stage, CountFailure> {
        let (reply, counters) = match observed {
            Observed::Replied(reply, counters) => (*reply, counters),
            Observed::Ended(reason) => return Err(CountFailure::Failed(reason)),
        };
        Ok(match (self.stage, reply) {
            (Stage::Open, SuiteMessage::Opened(opened)) => {
                if !opened.one_call_per_batch {
                    self.batches = Batches::OneAndTwoRounds(opened.round.max(1));
                }
                Stage::WarmUp(FUNCTION)
            }
            (Stage::WarmUp(target), SuiteMessage::Samples(samples)) => {
                Stage::Count(target, 0, batch_readings(&samples)?)
            }
            (Stage::Count(target, batch, readings), SuiteMessage::Samples(_)) => {
                self.counted.push(increase(&counters)?);
                match target {
                    _ if batch + 1 < self.batches.rounds().len() => Stage::Count(target, batch + 1, readings),
                    FUNCTION => Stage::WarmUp(EMPTY),
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
    pub fn operators(&self, map: &CodeMap) -> Result<WasmOperators, CountFailure> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let signed = match &self.counted[..] {
            [function, empty] => [(function, 1), (empty, -1)].to_vec(),
            [one, two, empty_one, empty_two] => vec![(two, 1), (one, -1), (empty_two, -1), (empty_one, 1)],
            _ => return Err(CountFailure::Failed("the count was not completed".to_owned())),
        };
        Ok(signed.into_iter().fold(
            WasmOperators { calls: self.batches.round(), ..WasmOperators::default() },
            |sum, (counters, sign)| add(sum, map, counters, sign),
        ))
    }
}

/// Adds what these counters have counted, `sign` times.
fn add(sum: WasmOperators, map: &CodeMap, counters: &[u64], sign: i64) -> WasmOperators {
    let operators = map.operators(counters);
    let of = |class: Class| sign * operators[class] as i64;
    let bytes = [BulkKind::MemoryCopy, BulkKind::MemoryFill, BulkKind::MemoryInit];
    let bytes: u64 = bytes.into_iter().map(|kind| map.amount(kind, counters)).sum();
    WasmOperators {
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
    }
}

/// What is known from both layouts of an instance.
pub fn counts(usual: Result<WasmOperators, CountFailure>, shifted: Result<WasmOperators, CountFailure>) -> WasmCounts {
    match (usual, shifted) {
        (Ok(one), Ok(other)) if one == other => WasmCounts::Counted(one),
        (Ok(one), Ok(other)) => WasmCounts::Varying { one, other },
        (Err(failure), _) | (_, Err(failure)) => WasmCounts::Absent(failure.to_string()),
    }
}

/// The readings of the clock that the only batch lies between.
fn batch_readings(samples: &Samples) -> Result<[u32; 2], CountFailure> {
    let [elapsed] = samples.elapsed[..] else { return Err(CountFailure::UnknownBatch) };
    marked_clock::readings(elapsed).ok_or(CountFailure::UnknownBatch)
}

/// By how much each counter increased between both readings.
fn increase(counters: &[Vec<u64>]) -> Result<Vec<u64>, CountFailure> {
    let [before, after] = counters else { return Err(CountFailure::UnknownBatch) };
    Ok(after.iter().zip(before).map(|(after, before)| after.wrapping_sub(*before)).collect())
}

#[cfg(test)]
mod tests {
    use benchbook_contract::parameter::Arguments;
    use benchbook_contract::protocol::{FailureStage, OpenReply, RequestFailure};
    use benchbook_instrument::{Block, Operators};

    use super::*;

    /// A map with one counter, of a block with one branch.
    fn map() -> CodeMap {
        let mut operators = Operators::default();
        operators[Class::Branch] = 1;
        CodeMap { blocks: vec![Block { function: 0, operators, runs: Vec::new() }], ..CodeMap::default() }
    }

    fn counting() -> Counting {
        let arguments = Arguments::default();
        let (functions, generator) = (vec!["f".to_owned()], "g".to_owned());
        Counting::new(Open { slot: 1, functions, generator, arguments, seed: 1, priority: 1 })
    }

    fn opened(round: u64, one_call_per_batch: bool) -> Observed {
        let (elements, bytes, preparation) = (None, None, 0.0);
        let opened = OpenReply { slot: 1, round, one_call_per_batch, elements, bytes, preparation };
        Observed::Replied(Box::new(SuiteMessage::Opened(opened)), Vec::new())
    }

    /// A suite that reads the clock twice before the batch. A call takes 5 branches, the loop 2 for each call, and 100 for each batch.
    fn reply(step: &Step) -> Observed {
        let HostMessage::Collect(collect) = &step.message else { panic!("{step:?}") };
        let elapsed = (step.clock.read(3) - step.clock.read(2)) * 1e6;
        let of_call = if collect.target == FUNCTION { 7 } else { 2 };
        let counters = [50, 50 + 100 + of_call * collect.calls];
        let read = (0..5).filter(|&number| step.clock.reads_counters(number)).zip(counters);
        let counters = read.map(|(_, counter)| vec![counter]).collect();
        Observed::Replied(Box::new(SuiteMessage::Samples(Samples::of(collect, vec![elapsed]))), counters)
    }

    fn count(opened: Observed) -> (WasmOperators, Vec<u64>) {
        let mut counting = counting();
        counting.observe(opened);
        let mut calls = Vec::new();
        while let Some(step) = counting.step() {
            if let HostMessage::Collect(collect) = &step.message {
                calls.push(collect.calls);
            }
            counting.observe(reply(&step));
        }
        (counting.operators(&map()).unwrap(), calls)
    }

    #[test]
    fn what_a_batch_and_its_loop_cost_cancels_out() {
        let (operators, calls) = count(opened(8, false));
        assert_eq!(operators, WasmOperators { calls: 8, branch: 40, ..WasmOperators::default() });
        assert_eq!(operators.per_call(), 5.0);
        assert_eq!(calls, [16, 8, 16, 16, 8, 16]);
    }

    #[test]
    fn a_single_call_is_counted_alone() {
        let (operators, calls) = count(opened(1, true));
        assert_eq!(operators, WasmOperators { calls: 1, branch: 5, ..WasmOperators::default() });
        assert_eq!(calls, [1, 1, 1, 1]);
    }

    #[test]
    fn failures_have_their_reason() {
        let fails = |observed: &[Observed], expected: &str| {
            let mut counting = counting();
            for observed in observed {
                assert!(counting.step().is_some());
                counting.observe(observed.clone());
            }
            let failure = counting.operators(&map()).unwrap_err().to_string();
            assert!(failure.contains(expected), "{failure}");
        };
        let replied = |reply| Observed::Replied(Box::new(reply), Vec::new());
        let panicked =
            RequestFailure { stage: FailureStage::Function, reason: "no data".to_owned(), ..RequestFailure::default() };
        fails(&[opened(1, false), replied(SuiteMessage::Failed(panicked))], "no data");
        fails(&[Observed::Ended("it trapped".to_owned())], "it trapped");
        fails(&[opened(1, false), opened(1, false)], "unexpected reply");
        let collect = Collect { slot: 1, target: FUNCTION, calls: 2, batches: 1, input_set: 0 };
        for elapsed in [vec![3_000.0], Vec::new()] {
            let samples = SuiteMessage::Samples(Samples::of(&collect, elapsed));
            fails(&[opened(1, false), replied(samples)], "the benchmark times itself");
        }
        fails(&[opened(1, false)], "not completed");
    }

    #[test]
    fn two_different_counts_are_both_kept() {
        let operators = |branch| Ok(WasmOperators { calls: 1, branch, ..WasmOperators::default() });
        let failure = || Err(CountFailure::Failed("no data".to_owned()));
        assert!(matches!(counts(operators(3), operators(3)), WasmCounts::Counted(_)));
        assert!(matches!(counts(operators(3), operators(4)), WasmCounts::Varying { .. }));
        assert_eq!(counts(operators(3), failure()), WasmCounts::Absent("no data".to_owned()));
        assert_eq!(counts(failure(), operators(3)), WasmCounts::Absent("no data".to_owned()));
    }
}
