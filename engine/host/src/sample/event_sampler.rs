//! Counts the events of a function from outside its process: decides which batches to request, and computes the events per
//! call.
//!
//! A reading contains everything that the process did from the request to its response. Two differences remove all but the
//! calls: requests with twice as many batches contain the same work per request, and the empty loop has the same work per
//! batch.

use crate::analyze::running::RunningStats;
use crate::response::{CountedEvent, CounterAbsence, EventCounts, EventEstimate, EventsPerCall};
use crate::sample::MAX_WORK;
use crate::sample::preparation::{BatchRequest, PreparedFunction};

/// The number of differences, if calls are quick. Each is independent of the others. With twelve, Student's quantile
/// (2.20) is only 12% above the normal one (1.96).
const DIFFERENCES: u32 = 12;

/// The number of differences of slow calls.
const MIN_DIFFERENCES: u32 = 4;

/// The maximum share of a point's time, and the maximum for slow calls.
const MAX_SHARE: f64 = 0.1;
const MAX_SHARE_OF_SLOW_CALLS: f64 = 0.5;

/// The batches of one difference in units of the smallest request: one and two of the function, and as many of the empty loop.
const UNITS_PER_DIFFERENCE: f64 = 6.0;

/// The maximum number of readings that may be discarded at a function. If other programs use the counters, further repeats
/// are unlikely to succeed.
const MAX_DISCARDED: u32 = 16;

/// The maximum number of batches per request: far below the limit of the contract.
const MAX_BATCHES: f64 = 10_000.0;

/// The counts of all events, in the order of [`CountedEvent::ALL`]; absent ones cannot be counted on this machine.
pub type GroupCounts = [Option<u64>; CountedEvent::ALL.len()];

/// What a group of counters counted from a request to its response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventReading {
    /// The counts.
    pub counts: GroupCounts,
    /// The nanoseconds for which the process ran.
    pub enabled: u64,
    /// The nanoseconds for which the group counted. Fewer than `enabled` if the kernel used the counters for others meanwhile.
    pub running: u64,
}

impl EventReading {
    /// Whether the group counted all the time.
    fn is_complete(&self) -> bool {
        self.running > 0 && self.running >= self.enabled
    }
}

/// The state of counting a function's events.
#[derive(Clone, Debug)]
pub(super) struct EventSampler {
    plan: EventPlan,
    /// The request that is next or has no reading yet.
    step: Step,
    /// The complete readings of the current difference.
    readings: Vec<EventReading>,
    /// The events per call, by event.
    differences: [RunningStats; CountedEvent::ALL.len()],
    discarded: u32,
    outcome: Option<EventCounts>,
}

/// The sizes of the requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct EventPlan {
    /// Calls per batch.
    calls: u64,
    /// Batches of the smaller requests.
    batches: u32,
    differences: u32,
}

/// A request: the empty loop or the function, with as many or twice as many batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    /// Whether the reading is discarded, because the suite creates the inputs that later requests share.
    is_first: bool,
    empty: bool,
    doubled: bool,
}

impl Step {
    const FIRST: Self = Self { is_first: true, empty: false, doubled: false };

    /// The step after this one. After each four, the next difference starts.
    fn next(self) -> Self {
        match self {
            Self { is_first: true, empty, .. } => Self { is_first: !empty, empty: !empty, doubled: false },
            Self { doubled: false, .. } => Self { doubled: true, ..self },
            Self { doubled: true, empty, .. } => Self { is_first: false, empty: !empty, doubled: false },
        }
    }
}

impl EventSampler {
    /// Plans to count a function. `unit`: the fewest calls of a batch; `point`: the time of a point in nanoseconds.
    pub(super) fn new(ready: &PreparedFunction, unit: u64, point: f64) -> Self {
        let plan = EventPlan::new(ready.calls, unit, ready.batch_cost / ready.calls as f64, point);
        Self {
            outcome: plan.is_none().then_some(EventCounts::Absent(CounterAbsence::SlowCalls)),
            plan: plan.unwrap_or(EventPlan { calls: ready.calls, batches: 1, differences: MIN_DIFFERENCES }),
            step: Step::FIRST,
            readings: Vec::new(),
            differences: Default::default(),
            discarded: 0,
        }
    }

    /// Returns the batches to request; `None` when done.
    pub(super) fn next_request(&self) -> Option<BatchRequest> {
        let batches = if self.step.doubled { 2 * self.plan.batches } else { self.plan.batches };
        let request = BatchRequest { empty: self.step.empty, calls: self.plan.calls, batches };
        self.outcome.is_none().then_some(request)
    }

    /// Handles the reading of the last request.
    pub(super) fn handle_reading(&mut self, reading: Result<EventReading, CounterAbsence>) {
        match reading {
            Err(absence) => self.outcome = Some(EventCounts::Absent(absence)),
            Ok(reading) if !reading.is_complete() => {
                self.discarded += 1;
                if self.discarded > MAX_DISCARDED {
                    self.outcome = Some(EventCounts::Absent(CounterAbsence::Busy));
                }
            }
            Ok(reading) => {
                if !self.step.is_first {
                    self.readings.push(reading);
                }
                self.step = self.step.next();
                if let [once, twice, empty_once, empty_twice] = self.readings[..] {
                    self.readings.clear();
                    self.add([once, twice, empty_once, empty_twice]);
                }
            }
        }
    }

    /// Returns the outcome once it is known.
    pub(super) fn outcome(&self) -> Option<&EventCounts> {
        self.outcome.as_ref()
    }

    /// Adds a difference, and computes the outcome after the last one.
    fn add(&mut self, [once, twice, empty_once, empty_twice]: [EventReading; 4]) {
        let calls = self.plan.calls as f64 * f64::from(self.plan.batches);
        for (index, differences) in self.differences.iter_mut().enumerate() {
            let difference =
                |less: EventReading, more: EventReading| Some(more.counts[index]? as f64 - less.counts[index]? as f64);
            if let (Some(all), Some(empty)) = (difference(once, twice), difference(empty_once, empty_twice)) {
                differences.push((all - empty) / calls);
            }
        }
        let [instructions, ..] = &self.differences;
        if instructions.n() >= self.plan.differences {
            self.outcome = self.estimate();
        } else if instructions.n() == 0 {
            self.outcome = Some(EventCounts::Absent(CounterAbsence::Missing));
        }
    }

    fn estimate(&self) -> Option<EventCounts> {
        let count = self.plan.differences;
        let [instructions, cycles, branch_misses, cache_misses] = self
            .differences
            .each_ref()
            .map(|differences| EventEstimate::of(differences).filter(|_| differences.n() == count));
        Some(EventCounts::Counted(EventsPerCall {
            calls: self.plan.calls * u64::from(self.plan.batches),
            differences: count,
            instructions: instructions?,
            cycles,
            branch_misses,
            cache_misses,
        }))
    }
}

impl EventPlan {
    /// Batches of `calls` calls if they are affordable, and otherwise single batches of fewer calls. `unit`: the fewest calls of
    /// a batch, of which others are multiples; `cost`: the nanoseconds of a call with its preparation; `point`: those of a
    /// point. `None` if calls are too slow.
    fn new(calls: u64, unit: u64, cost: f64, point: f64) -> Option<Self> {
        // A cost of 0 is unknown.
        let cost = cost.max(f64::MIN_POSITIVE);
        let affordable =
            |share: f64, differences: u32| share * point / (UNITS_PER_DIFFERENCE * f64::from(differences) * cost);
        let fewest = unit as f64;
        let (differences, affordable) = match affordable(MAX_SHARE, DIFFERENCES).min(MAX_WORK / 2.0 / cost) {
            quick if quick >= fewest => (DIFFERENCES, quick),
            _ if affordable(MAX_SHARE_OF_SLOW_CALLS, MIN_DIFFERENCES) >= fewest => (MIN_DIFFERENCES, fewest),
            _ => return None,
        };
        let batches = (affordable / calls as f64).min(MAX_BATCHES) as u32;
        if batches > 0 {
            return Some(Self { calls, batches, differences });
        }
        Some(Self { calls: unit * (affordable / fewest) as u64, batches: 1, differences })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts of a process: per request, per batch of either loop, and per call.
    struct Model {
        request: u64,
        batch: u64,
        call: u64,
    }

    impl Model {
        fn reading(&self, request: BatchRequest) -> EventReading {
            let calls = if request.empty { 0 } else { request.calls * u64::from(request.batches) };
            let count = self.request + self.batch * u64::from(request.batches) + self.call * calls;
            EventReading { counts: [Some(count), Some(2 * count), None, Some(0)], enabled: 1_000, running: 1_000 }
        }
    }

    const MODEL: Model = Model { request: 12_345, batch: 678, call: 90 };

    fn sampler() -> EventSampler {
        let plan = EventPlan { calls: 50, batches: 3, differences: DIFFERENCES };
        let (step, readings, differences) = (Step::FIRST, vec![], Default::default());
        EventSampler { plan, step, readings, differences, discarded: 0, outcome: None }
    }

    /// Drives a sampler with readings, by the number of the request. Returns the outcome and the number of requests.
    fn drive(read: impl Fn(u32, BatchRequest) -> Result<EventReading, CounterAbsence>) -> (EventCounts, u32) {
        let (mut sampler, mut requests) = (sampler(), 0);
        while let Some(request) = sampler.next_request() {
            sampler.handle_reading(read(requests, request));
            requests += 1;
            assert!(requests < 1_000, "the sampler does not end");
        }
        (sampler.outcome().expect("it is done").clone(), requests)
    }

    fn counted(counts: EventCounts) -> EventsPerCall {
        match counts {
            EventCounts::Counted(counts) => counts,
            EventCounts::Absent(absence) => panic!("{absence:?}"),
        }
    }

    #[test]
    fn work_per_request_and_per_batch_cancels_exactly() {
        let (counts, requests) = drive(|_, request| Ok(MODEL.reading(request)));
        let counts = counted(counts);
        assert_eq!((counts.calls, counts.differences, requests), (150, 12, 2 + 4 * 12));
        let EventEstimate { mean, sd, interval } = counts.instructions;
        assert_eq!((mean, sd, interval.low, interval.high), (90.0, 0.0, 90.0, 90.0));
        assert_eq!(counts.cycles.map(|cycles| cycles.mean), Some(180.0));
        assert_eq!(counts.branch_misses, None, "this event cannot be counted");
        assert_eq!(counts.cache_misses.map(|misses| misses.mean), Some(0.0));
    }

    #[test]
    fn the_first_requests_do_not_count() {
        let (counts, _) = drive(|number, request| {
            let more = if number < 2 { 1_000_000 } else { 0 };
            Ok(Model { request: MODEL.request + more, ..MODEL }.reading(request))
        });
        assert_eq!(counted(counts).instructions.mean, 90.0);
    }

    #[test]
    fn noise_widens_the_interval() {
        // A fixed sequence of deviations, up to 500 events per request.
        let noise = |number: u32| u64::from(number.wrapping_mul(2_654_435_761) >> 23);
        let (counts, _) =
            drive(|number, request| Ok(Model { request: MODEL.request + noise(number), ..MODEL }.reading(request)));
        let EventEstimate { mean, sd, interval } = counted(counts).instructions;
        assert!(interval.contains(90.0) && interval.low < mean && mean < interval.high && sd > 0.1, "{interval:?}");
    }

    #[test]
    fn multiplexed_readings_are_repeated() {
        let (counts, requests) = drive(|number, request| {
            let reading = MODEL.reading(request);
            // Scaling such a count up would give a figure, but not of this request.
            let is_multiplexed = number % 6 == 1;
            let counts = if is_multiplexed { [Some(7); 4] } else { reading.counts };
            Ok(EventReading { counts, running: if is_multiplexed { 999 } else { 1_000 }, ..reading })
        });
        let counts = counted(counts);
        assert_eq!((counts.instructions.mean, counts.instructions.sd), (90.0, 0.0));
        assert_eq!(requests, 50 + 10);
    }

    #[test]
    fn counters_that_others_use_give_a_reason_instead_of_a_figure() {
        for running in [0, 999] {
            let (counts, requests) = drive(|_, request| Ok(EventReading { running, ..MODEL.reading(request) }));
            assert_eq!(counts, EventCounts::Absent(CounterAbsence::Busy));
            assert_eq!(requests, MAX_DISCARDED + 1);
        }
        // A process that did not run counted nothing.
        let (counts, _) = drive(|_, request| Ok(EventReading { enabled: 0, running: 0, ..MODEL.reading(request) }));
        assert_eq!(counts, EventCounts::Absent(CounterAbsence::Busy));
    }

    #[test]
    fn a_denial_in_the_middle_ends_the_counting() {
        let denied = CounterAbsence::Denied { paranoid: Some(4) };
        let (counts, requests) =
            drive(|number, request| if number < 20 { Ok(MODEL.reading(request)) } else { Err(denied.clone()) });
        assert_eq!((counts, requests), (EventCounts::Absent(denied), 21));
    }

    #[test]
    fn a_group_without_instructions_has_no_figures() {
        let (counts, _) =
            drive(|_, request| Ok(EventReading { counts: [None, Some(1), None, None], ..MODEL.reading(request) }));
        assert_eq!(counts, EventCounts::Absent(CounterAbsence::Missing));
    }

    #[test]
    fn the_plan_stays_within_its_share_of_the_time() {
        let plan = |cost: f64, point| {
            let plan = EventPlan::new(8, 2, cost / 8.0, point)?;
            Some((plan.calls, plan.batches, plan.differences))
        };
        assert_eq!(plan(25e3, 60e6), Some((8, 3, 12)));
        assert_eq!(plan(25e3, 500e6), Some((8, 27, 12)));
        assert_eq!(plan(1e6, 60e6), Some((2, 1, 4)));
        assert_eq!(plan(150e3, 60e6), Some((4, 1, 12)), "a whole number of rounds");
        assert_eq!(plan(8e6, 60e6), None);
        assert_eq!(plan(0.0, 3.6e12), Some((8, 10_000, 12)), "the time of a batch is unknown");
        let slow = PreparedFunction { calls: 1, most_calls: 1, batch: 0.0, batch_cost: 1e9, ..ready() };
        let sampler = EventSampler::new(&slow, 1, 60e6);
        assert_eq!(sampler.outcome(), Some(&EventCounts::Absent(CounterAbsence::SlowCalls)));
        assert!(sampler.next_request().is_none());
    }

    fn ready() -> PreparedFunction {
        PreparedFunction {
            calls: 1,
            most_calls: 1,
            batch: 0.0,
            batch_cost: 0.0,
            setup: 0.0,
            overhead: Default::default(),
            overhead_matters: false,
            negligible_overhead: f64::INFINITY,
            warm_up: Vec::new(),
            stability: crate::analyze::stability::Stability::Unknown,
            spent: 0.0,
        }
    }
}
