//! What a host does with an instance to count by context: messages, and when its memory is read.

use benchbook_contract::protocol::{Collect, HostMessage, LaneTarget, Open, SuiteMessage};
use benchbook_instrument::{
    AllocationEvent, AllocationOperation, CallMemory, CodeMap, Context, ContextCounts, ContextMemory, ContextReading,
    call_memory, memory_by_context,
};

use crate::counting::{Clock, CountFailure, CountSession, Rounds, Step, StepOutcome};

/// Counts the calls of a function by context at one point, in one instance. First as [`CountSession`] does; then it makes the same calls again,
/// and reads what the allocator did.
#[derive(Debug)]
pub struct ContextSession<'m> {
    map: &'m CodeMap,
    slot: u32,
    session: CountSession<'m>,
    /// The contexts so far.
    contexts: Vec<Context>,
    stage: Stage,
    failure: Option<CountFailure>,
    /// How many events of the allocator there were at the end of the last stage.
    earlier_events: usize,
    memory: Vec<ContextMemory>,
    call_memory: Option<CallMemory>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Count,
    /// The first calls may allocate what later ones reuse.
    WarmUp,
    /// All counted calls.
    Allocations,
    /// One round: the inputs of more would be held as well.
    OneRound,
    Done,
}

impl<'m> ContextSession<'m> {
    /// `map`: that of the counting module. `open`: the workload of a single function, in a slot that the instance has not used.
    pub fn new(map: &'m CodeMap, open: Open, rounds: Rounds) -> Self {
        Self {
            map,
            slot: open.slot,
            session: CountSession::by_context(map, open, rounds),
            contexts: Vec::new(),
            stage: Stage::Count,
            failure: None,
            earlier_events: 0,
            memory: Vec::new(),
            call_memory: None,
        }
    }

    /// The next message; `None` when everything is counted, or a failure ended it.
    pub fn step(&self) -> Option<Step> {
        let calls = match self.stage {
            Stage::Count => return self.session.step(),
            Stage::WarmUp | Stage::Allocations => self.session.uncounted_calls() + self.session.calls(),
            Stage::OneRound => self.session.uncounted_calls().max(1),
            Stage::Done => return None,
        };
        let collect = Collect { slot: self.slot, target: LaneTarget::Count(0), calls, batches: 1, input_set: 0 };
        Some(Step { message: HostMessage::Collect(collect), clock: Clock::ReadAtEnd })
    }

    /// Continues after the step with what the instance did.
    pub fn observe(&mut self, outcome: StepOutcome<ContextReading>) {
        if let Err(failure) = self.next(outcome) {
            self.failure = Some(failure);
            self.stage = Stage::Done;
        }
    }

    fn next(&mut self, outcome: StepOutcome<ContextReading>) -> Result<(), CountFailure> {
        let (reply, readings) = match outcome {
            StepOutcome::Replied(reply, readings) => (reply, readings),
            StepOutcome::Ended(reason) => return Err(CountFailure::Failed(reason)),
        };
        if self.stage == Stage::Count {
            let counters = readings.iter().map(|reading| self.counters(reading)).collect::<Result<_, _>>()?;
            self.session.observe(StepOutcome::Replied(reply, counters));
            if self.session.step().is_none() {
                self.session.counters()?;
                self.stage = Stage::WarmUp;
            }
            return Ok(());
        }
        if let SuiteMessage::Failed(failed) = *reply {
            return Err(CountFailure::Failed(failed.reason));
        }
        let reading = readings.last().ok_or_else(|| failed(&"the memory was not read (this is a bug)"))?;
        let events = reading.allocations().map_err(|damaged| failed(&damaged))?;
        let own = &events[self.earlier_events.min(events.len())..];
        match self.stage {
            Stage::Allocations => {
                let calls = self.session.uncounted_calls()..self.session.uncounted_calls() + self.session.calls();
                self.memory = memory_by_context(of_calls(own, calls));
                self.contexts = reading.contexts(self.map).map_err(|damaged| failed(&damaged))?;
            }
            Stage::OneRound => self.call_memory = call_memory(of_calls(own, 0..self.session.uncounted_calls().max(1))),
            Stage::Count | Stage::WarmUp | Stage::Done => {}
        }
        self.earlier_events = events.len();
        self.stage = match self.stage {
            Stage::WarmUp => Stage::Allocations,
            Stage::Allocations => Stage::OneRound,
            Stage::Count | Stage::OneRound | Stage::Done => Stage::Done,
        };
        Ok(())
    }

    /// All counters: those of the map, and then those of each context. Contexts that are new come at the end.
    fn counters(&self, reading: &ContextReading) -> Result<Vec<u64>, CountFailure> {
        let contexts = reading.contexts(self.map).map_err(|damaged| failed(&damaged))?;
        let mut counters = vec![0; self.map.counters()];
        let first_blocks = self.map.first_blocks();
        for context in &contexts {
            let of_map = &mut counters[first_blocks[context.function as usize]..];
            of_map.iter_mut().zip(&context.blocks).for_each(|(sum, times)| *sum += times);
        }
        counters.extend(contexts.iter().flat_map(|context| context.blocks.iter().chain(&context.copied)));
        Ok(counters)
    }

    /// What the calls executed.
    ///
    /// # Errors
    /// If the suite failed, the instance ended early, or it has overwritten its counters.
    pub fn counts(self) -> Result<ContextCounts, CountFailure> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        let counters = self.session.counters()?;
        let mut rest = counters.get(self.map.counters()..).unwrap_or_default();
        // Later readings only add contexts at the end: those that the counted calls have not entered have no counters.
        let mut take = |count: usize| {
            let (own, others) = rest.split_at(count.min(rest.len()));
            rest = others;
            own.to_vec()
        };
        let counted = self.contexts.iter().map(|context| (take(context.blocks.len()), take(context.copied.len())));
        let (blocks, copied) = counted.unzip();
        Ok(ContextCounts {
            calls: self.session.calls(),
            blocks,
            copied,
            contexts: self.contexts,
            memory: self.memory,
            call_memory: self.call_memory,
        })
    }
}

fn failed(reason: &impl ToString) -> CountFailure {
    CountFailure::Failed(reason.to_string())
}

/// The events of these calls. Afterwards, the suite tests whether its allocator counts.
fn of_calls(events: &[AllocationEvent], calls: std::ops::Range<u64>) -> &[AllocationEvent] {
    let begins = |(_, event): &(usize, &AllocationEvent)| event.operation == AllocationOperation::Call;
    let starts: Vec<usize> = events.iter().enumerate().filter(begins).map(|(index, _)| index).collect();
    let start = |call: u64| starts.get(call as usize).copied().unwrap_or(events.len());
    &events[start(calls.start)..start(calls.end)]
}
