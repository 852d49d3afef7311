//! Events counted by the host, such as instructions, with simulated counters.

use super::fake::{Fake, FakeCounters, Model};
use benchbook_contract::parameter::Range;
use benchbook_contract::protocol::{Collect, Counts, HostMessage, LaneTarget};
use benchbook_host::metric::{BRANCH_MISSES, CACHE_MISSES, CYCLES, INSTRUCTIONS, Metric, MetricValue};
use benchbook_host::response::{CountedEvent, CounterAbsence, EventCounts, MeasuredPoint, Point};
use benchbook_host::sample::event_sampler::EventReading;

const RANGE: Range = Range { low: 0.0, high: 4.0 };

/// Instructions of a call, of a batch outside its calls, and of a request outside its batches.
const CALL: u64 = 321;
const BATCH: u64 = 5_000;
const REQUEST: u64 = 40_000;

/// Counts exactly, with no branch misses.
fn exact(order: &Collect, _: u32) -> Option<Result<EventReading, CounterAbsence>> {
    let calls = if matches!(order.target, LaneTarget::Function(_)) { order.calls } else { 0 };
    let instructions = REQUEST + u64::from(order.batches) * (BATCH + CALL * calls);
    let counts = [Some(instructions), Some(2 * instructions), Some(7), None];
    Some(Ok(EventReading { counts, enabled: 500, running: 500 }))
}

fn counters(read: fn(&Collect, u32) -> Option<Result<EventReading, CounterAbsence>>) -> FakeCounters {
    FakeCounters { available: Ok(()), read, requests: 0 }
}

/// Two functions of 10 µs on a host with these counters.
fn counting(counters: FakeCounters) -> Fake {
    let model = Model { per_call: 10e3, noise: 0.02, ..Model::default() };
    let mut fake = Fake::new(vec![model.clone(), model]);
    fake.counts = Some(Counts { allocations: 2, bytes: 100, peak: 64 });
    fake.counters = Some(counters);
    fake
}

fn measured(points: &[Point]) -> Vec<&MeasuredPoint> {
    assert!(!points.is_empty());
    points.iter().map(|point| point.measured().expect("no point failed")).collect()
}

fn absence(point: &MeasuredPoint) -> Option<&CounterAbsence> {
    match &point.events {
        Some(EventCounts::Absent(absence)) => Some(absence),
        Some(EventCounts::Counted(_)) | None => None,
    }
}

/// The mean of a metric with an interval.
fn mean(metric: &Metric, point: &MeasuredPoint) -> Option<f64> {
    match (metric.value)(point)? {
        MetricValue::Noisy(value) => Some(value.mean),
        other => panic!("{other:?}"),
    }
}

#[test]
fn events_are_per_call() {
    for priority in 1..=4 {
        let points = counting(counters(exact)).measure(priority, RANGE);
        for point in measured(&points) {
            assert_eq!(mean(&INSTRUCTIONS, point), Some(CALL as f64), "priority {priority}");
            assert_eq!(mean(&CYCLES, point), Some(2.0 * CALL as f64));
            assert_eq!(mean(&BRANCH_MISSES, point), Some(0.0), "every reading is 0");
            assert_eq!((CACHE_MISSES.value)(point), None, "the processor does not count them");
        }
    }
}

#[test]
fn the_figures_of_times_do_not_depend_on_counters() {
    let counted = counting(counters(exact)).measure(3, RANGE);
    let mut fake = counting(counters(exact));
    fake.counters = None;
    let uncounted = fake.measure(3, RANGE);
    // Only those of the first point: counting takes time, so that later points have other noise.
    for (one, other) in measured(&counted).into_iter().zip(measured(&uncounted)).take(2) {
        assert_eq!((&one.summary, &one.runs), (&other.summary, &other.runs));
    }
    assert!(measured(&uncounted).iter().all(|point| point.events.is_none()), "a browser has no counters");
}

/// The events follow the timed batches, which counting may affect, and precede the counts of memory, which change the heap.
#[test]
fn events_are_counted_between_the_last_timed_batch_and_the_memory() {
    let mut counted = counting(counters(exact));
    counted.measure(3, RANGE);
    let mut uncounted = counting(counters(exact));
    uncounted.counters = None;
    uncounted.measure(3, RANGE);
    // Two functions, each with two requests that do not count and twelve differences.
    for (fake, expected) in [(counted, 2 * (2 + 4 * 12)), (uncounted, 0)] {
        let (mut is_timed, mut requests, mut is_memory_counted) = (false, 0, false);
        for (message, _) in &fake.log {
            match message {
                HostMessage::Open(_) => (is_timed, requests) = (false, 0),
                HostMessage::Interleave(_) => {
                    assert!(requests == 0 && !is_memory_counted, "timed after counting");
                    is_timed = true;
                }
                HostMessage::Collect(order) => match order.target {
                    LaneTarget::Function(_) | LaneTarget::Empty(_) => requests += u32::from(is_timed),
                    LaneTarget::Count(_) => {
                        assert_eq!(requests, expected);
                        is_memory_counted = true;
                    }
                    _ => {}
                },
                HostMessage::Close { .. } => assert!(std::mem::take(&mut is_memory_counted), "memory is not counted"),
                HostMessage::Describe { .. } => {}
            }
        }
    }
}

/// The orders to count the memory use of calls.
fn memory_orders(fake: &Fake) -> usize {
    fake.orders().filter(|(order, _)| matches!(order.target, LaneTarget::Count(_))).count()
}

#[test]
fn only_the_first_process_counts() {
    let mut fake = counting(counters(exact));
    let points = fake.measure_in_processes(4, RANGE);
    for point in measured(&points) {
        assert_eq!((mean(&INSTRUCTIONS, point), point.memory.is_some()), (Some(CALL as f64), true));
    }
    assert_eq!(memory_orders(&fake), points.len());
    let requests = fake.counters.expect("set above").requests;
    assert_eq!(requests as usize, points.len() * (2 + 4 * 12));
}

#[test]
fn a_host_without_counters_requests_nothing_and_states_why() {
    let denied = CounterAbsence::Denied { paranoid: Some(3) };
    for priority in [1, 4] {
        let mut fake = counting(FakeCounters { available: Err(denied.clone()), ..counters(exact) });
        let points = fake.measure_in_processes(priority, RANGE);
        for point in measured(&points) {
            assert_eq!(absence(point), Some(&denied));
            assert!([&INSTRUCTIONS, &CYCLES, &BRANCH_MISSES].iter().all(|metric| (metric.value)(point).is_none()));
        }
        assert_eq!(fake.counters.expect("set above").requests, 0);
    }
}

/// The times and the memory use of the point remain, and other functions are counted.
#[test]
fn a_denial_in_the_middle_affects_one_function() {
    let read = |order: &Collect, number| match number {
        9 => Some(Err(CounterAbsence::Unobservable)),
        _ => exact(order, number),
    };
    let points = counting(counters(read)).measure(1, RANGE);
    let points = measured(&points);
    let uncounted: Vec<_> = points.iter().filter_map(|point| absence(point)).collect();
    assert_eq!(uncounted, [&CounterAbsence::Unobservable]);
    let counted = points.iter().filter(|point| mean(&INSTRUCTIONS, point) == Some(CALL as f64)).count();
    assert_eq!(counted + 1, points.len());
    assert!(points.iter().all(|point| point.memory.is_some()));
}

#[test]
fn a_host_that_reads_nothing_is_reported() {
    let points = counting(counters(|_, _| None)).measure(1, RANGE);
    for point in measured(&points) {
        assert!(matches!(absence(point), Some(CounterAbsence::Failed(reason)) if reason.contains("did not read")));
    }
}

#[test]
fn a_point_can_be_restarted_while_it_is_counted() {
    let total = {
        let mut fake = counting(counters(exact));
        fake.measure(1, RANGE);
        fake.log.len()
    };
    for replies in (0..total).step_by(61) {
        let mut fake = counting(counters(exact));
        fake.restart_after = vec![replies];
        let points = fake.measure(1, RANGE);
        assert!(measured(&points).iter().all(|point| mean(&INSTRUCTIONS, point) == Some(CALL as f64)), "{replies}");
    }
}

#[test]
fn each_event_has_a_metric_of_its_name() {
    let metrics = [&INSTRUCTIONS, &CYCLES, &BRANCH_MISSES, &CACHE_MISSES];
    assert_eq!(metrics.map(|metric| metric.name), CountedEvent::ALL.map(CountedEvent::name));
}
