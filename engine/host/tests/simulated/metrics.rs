//! Metrics of measured points: counted memory use, and throughput.

use super::fake::{Fake, Model, quality};
use benchbook_contract::parameter::Range;
use benchbook_contract::protocol::{Counts, LaneTarget};
use benchbook_host::analyze::interval::Interval;
use benchbook_host::api::{MetricCurve, MetricPoint};
use benchbook_host::metric::{
    ALLOCATED_BYTES, ALLOCATIONS, BYTES_PER_SECOND, BetterValue, ELEMENTS_PER_SECOND, INSTRUCTIONS, METRICS,
    MetricCollection, MetricValue, NoisyValue, PEAK_BYTES, TIME, metric,
};
use benchbook_host::response::{
    CounterAbsence, DeclaredWork, EventCounts, EventEstimate, EventsPerCall, MeasuredPoint, MemoryUse, Outcome, Point,
    Warning,
};
use proptest::prelude::*;
use serde::Deserialize;

const RANGE: Range = Range { low: 0.0, high: 4.0 };

/// A function of 10 µs per call that makes two allocations per call.
fn allocating() -> Fake {
    let mut fake = Fake::new(vec![Model { per_call: 10e3, noise: 0.02, ..Model::default() }]);
    fake.counts = Some(Counts { allocations: 2, bytes: 100, peak: 64 });
    fake
}

fn measured(points: &[Point]) -> Vec<&MeasuredPoint> {
    points.iter().filter_map(Point::measured).collect()
}

fn exact(value: Option<MetricValue>) -> Option<f64> {
    match value {
        Some(MetricValue::Exact(value)) => Some(value),
        Some(MetricValue::Noisy(_) | MetricValue::UpperBound { .. }) | None => None,
    }
}

fn noisy(value: Option<MetricValue>) -> NoisyValue {
    match value {
        Some(MetricValue::Noisy(value)) => value,
        other => panic!("{other:?}"),
    }
}

/// The numbers of calls that were counted.
fn counted_calls(fake: &Fake) -> Vec<u64> {
    let counted = fake.orders().filter(|(order, _)| matches!(order.target, LaneTarget::Count(_)));
    counted.map(|(order, _)| order.calls * u64::from(order.batches)).collect()
}

#[test]
fn counts_are_per_call_and_exact() {
    for priority in 1..=4 {
        let mut fake = allocating();
        let points = fake.measure(priority, RANGE);
        assert!(!points.is_empty());
        for point in measured(&points) {
            assert_eq!(exact((ALLOCATIONS.value)(point)), Some(2.0));
            assert_eq!(exact((ALLOCATED_BYTES.value)(point)), Some(100.0));
            assert_eq!(exact((PEAK_BYTES.value)(point)), Some(64.0));
        }
        assert!(counted_calls(&fake).iter().all(|calls| *calls == 16), "{:?}", counted_calls(&fake));
    }
}

/// A call that takes most of the time of a point is not repeated to count.
#[test]
fn slow_calls_are_not_counted() {
    let point = 1e6 * quality(1).point_ms;
    for (share, expected) in [(0.005, 16), (0.2, 1), (2.0, 0)] {
        let mut fake = Fake::new(vec![Model { per_call: share * point, ..Model::default() }]);
        fake.counts = Some(Counts { allocations: 1, bytes: 8, peak: 8 });
        fake.measure(1, RANGE);
        let calls = counted_calls(&fake);
        assert!(calls.iter().all(|calls| *calls == expected), "{share}: {calls:?}");
        assert_eq!(calls.is_empty(), expected == 0, "{share}");
    }
}

#[test]
fn a_suite_that_does_not_count_has_no_counts() {
    let mut fake = allocating();
    fake.counts = None;
    let points = fake.measure(1, RANGE);
    assert!(measured(&points).iter().all(|point| point.memory.is_none()), "{points:?}");
}

fn point_with(work: DeclaredWork) -> MeasuredPoint {
    let points = allocating().measure(3, RANGE);
    MeasuredPoint { work, ..measured(&points)[0].clone() }
}

#[test]
fn throughput_is_the_declared_work_divided_by_the_time() {
    let point = point_with(DeclaredWork { elements: Some(500), bytes: Some(4_096) });
    let time = noisy((TIME.value)(&point));
    for (metric, amount) in [(&ELEMENTS_PER_SECOND, 500.0), (&BYTES_PER_SECOND, 4_096.0)] {
        let rate = noisy((metric.value)(&point));
        let is_near = |one: f64, other: f64| (one / other - 1.0).abs() < 1e-12;
        assert!(is_near(rate.mean, amount / (time.mean * 1e-9)));
        let (of_rate, of_time) = (rate.interval.expect("known"), time.interval.expect("known"));
        assert!(
            is_near(of_rate.low, amount / (of_time.high * 1e-9))
                && is_near(of_rate.high, amount / (of_time.low * 1e-9))
        );
        let (of_rate, of_time) = (rate.quartiles.expect("known"), time.quartiles.expect("known"));
        assert!(is_near(of_rate[1], amount / (of_time[1] * 1e-9)) && of_rate.is_sorted());
        assert!(is_near(rate.sd / rate.mean, time.sd / time.mean));
    }
}

/// What criterion printed for one benchmark.
#[derive(Deserialize)]
struct CriterionBenchmark {
    unit: String,
    amount: u64,
    /// The low end of the interval, the estimate and the high end of the time per call.
    nanoseconds: [f64; 3],
    /// The throughput, from its low end to its high end.
    printed: [String; 3],
}

#[test]
fn throughput_equals_criterions_to_the_digit_shown() {
    #[derive(Deserialize)]
    struct CriterionRun {
        benchmarks: Vec<CriterionBenchmark>,
    }
    let run: CriterionRun =
        serde_json::from_str(include_str!("../reference/criterion-throughput.json")).expect("valid");
    assert_eq!(run.benchmarks.len(), 10);
    for CriterionBenchmark { unit, amount, nanoseconds: [low, mean, high], printed } in run.benchmarks {
        let (metric, work) = match unit.as_str() {
            "elements" => (&ELEMENTS_PER_SECOND, DeclaredWork { elements: Some(amount), bytes: None }),
            _ => (&BYTES_PER_SECOND, DeclaredWork { elements: None, bytes: Some(amount) }),
        };
        let mut point = point_with(work);
        point.summary.mean = mean;
        point.summary.mean_interval = Some(Interval { low, high });
        let value = noisy((metric.value)(&point));
        let interval = value.interval.expect("known");
        for (ours, theirs) in [interval.low, value.mean, interval.high].into_iter().zip(&printed) {
            let ours = metric.unit.format(ours).replace('\u{202f}', " ");
            let (number, unit) = theirs.split_once(' ').expect("a number and a unit");
            // criterion prints five digits. Rounded to Benchbook's four, they may be off by one if the fifth is a 5.
            let rounded = |offset: f64| {
                let number: f64 = number.parse().expect("a number");
                let digits = 3 - number.log10().floor() as i32;
                format!("{:.*} {unit}", digits.max(0) as usize, number + offset * 10_f64.powi(-digits - 1))
            };
            assert!([-0.5, 0.5].map(rounded).contains(&ours), "{ours} instead of {theirs}");
        }
    }
}

#[test]
fn throughput_needs_a_declaration_and_a_time_above_zero() {
    assert_eq!((ELEMENTS_PER_SECOND.value)(&point_with(DeclaredWork::default())), None);
    let mut point = point_with(DeclaredWork { elements: Some(1), bytes: None });
    assert_eq!((BYTES_PER_SECOND.value)(&point), None);
    point.summary.mean = -0.5;
    assert_eq!((ELEMENTS_PER_SECOND.value)(&point), None);
}

#[test]
fn a_time_that_may_be_zero_has_only_an_upper_bound() {
    let mut point = point_with(DeclaredWork { elements: Some(1), bytes: None });
    point.warnings.push(Warning::BelowResolution { under: 0.5 });
    assert!(matches!((TIME.value)(&point), Some(MetricValue::UpperBound { bound: 0.5, .. })));
    assert_eq!((ELEMENTS_PER_SECOND.value)(&point), None);
}

#[test]
fn every_metric_has_a_name_of_its_own_and_a_heading() {
    for (index, one) in METRICS.into_iter().enumerate() {
        assert_eq!(metric(one.name), Some(one));
        assert!(METRICS[..index].iter().all(|other| other.name != one.name && other.title != one.title));
        assert!(one.heading().starts_with(one.title));
        let is_rate = one.title.starts_with("Throughput");
        assert_eq!(one.better == BetterValue::Higher, is_rate);
    }
    assert_eq!(metric("calm"), None);
    let collections = [TIME, PEAK_BYTES, INSTRUCTIONS].map(|metric| metric.collection);
    assert_eq!(collections, [MetricCollection::Timed, MetricCollection::Counted, MetricCollection::Estimated]);
}

proptest! {
    /// Results with any counts and any declared work are stored and sent as JSON, in which every metric keeps its value.
    #[test]
    fn metrics_survive_json(
        allocations in 0_u64..1 << 53, bytes in 0_u64..1 << 53, peak in 0_u64..1 << 53, calls in 1_u64..1_000,
        elements in prop::option::of(1_u64..1 << 53), declared in prop::option::of(1_u64..1 << 53),
        events in prop_oneof![events(), Just(EventCounts::Absent(CounterAbsence::Failed("no memory".to_owned())))],
    ) {
        let memory = MemoryUse { calls, counts: Counts { allocations, bytes, peak } };
        let point = MeasuredPoint { memory: Some(memory), events: Some(events), ..POINT.with(Clone::clone) };
        let point = MeasuredPoint { work: DeclaredWork { elements, bytes: declared }, ..point };
        let json = serde_json::to_string(&point).expect("a point serializes to JSON");
        let read: MeasuredPoint = serde_json::from_str(&json).expect("it deserializes");
        for metric in METRICS {
            prop_assert_eq!((metric.value)(&read), (metric.value)(&point), "{}", metric.name);
        }
    }
}

proptest! {
    /// The API lists exactly the values that the metrics have at the points.
    #[test]
    fn the_api_lists_every_value(
        counts in prop::collection::vec((prop::option::of(0_u64..1 << 53), prop::option::of(events())), 1..5),
    ) {
        let points: Vec<Point> = counts.iter().enumerate().map(|(index, (count, events))| {
            let counts = count.map(|count| Counts { allocations: count, bytes: 2 * (count >> 1), peak: count });
            let point = MeasuredPoint {
                memory: counts.map(|counts| MemoryUse { calls: 1, counts }),
                events: events.clone(),
                work: DeclaredWork { elements: count.map(|count| count.max(1)), bytes: None },
                ..POINT.with(Clone::clone)
            };
            Point { function: "f".to_owned(), x: (index as f64).into(), outcome: Outcome::Measured(Box::new(point)) }
        }).collect();
        let curves = MetricCurve::all(&["f".to_owned()], &points);
        for metric in METRICS {
            let expected: Vec<MetricPoint> = points.iter().filter_map(|point| {
                let value = (metric.value)(point.measured()?)?;
                let interval = value.interval().map(|interval| [interval.low, interval.high]);
                Some(MetricPoint { x: point.x.clone(), value: value.centre(), interval })
            }).collect();
            let listed = curves.iter().find(|curve| curve.metric == metric.name);
            prop_assert_eq!(listed.map(|curve| curve.values.clone()).unwrap_or_default(), expected);
        }
        let json = serde_json::to_string(&curves).expect("curves serialize to JSON");
        prop_assert_eq!(serde_json::from_str::<Vec<MetricCurve>>(&json).expect("they deserialize"), curves);
    }
}

/// Events with any estimates, some of which are indistinguishable from zero.
fn events() -> impl Strategy<Value = EventCounts> {
    let estimate = (-10.0..1e9, 0.0..1e6).prop_map(|(mean, half): (f64, f64)| EventEstimate {
        mean,
        sd: 2.0 * half,
        interval: Interval { low: mean - half, high: mean + half },
    });
    (estimate.clone(), prop::option::of(estimate)).prop_map(|(instructions, others)| counted(instructions, others))
}

/// The counts of instructions, and of cycles and branch misses.
fn counted(instructions: EventEstimate, others: Option<EventEstimate>) -> EventCounts {
    let (cycles, branch_misses, cache_misses) = (others, others, None);
    EventCounts::Counted(EventsPerCall {
        calls: 100,
        differences: 12,
        instructions,
        cycles,
        branch_misses,
        cache_misses,
    })
}

#[test]
fn events_whose_interval_contains_zero_have_only_an_upper_bound() {
    let of = |low, high| {
        let estimate = EventEstimate { mean: (low + high) / 2.0, sd: 1.0, interval: Interval { low, high } };
        let events = Some(counted(estimate, None));
        (INSTRUCTIONS.value)(&MeasuredPoint { events, ..POINT.with(Clone::clone) }).expect("counted")
    };
    assert!(matches!(of(1.0, 3.0), MetricValue::Noisy(NoisyValue { mean: 2.0, interval: Some(_), .. })));
    assert!(matches!(of(0.0, 0.0), MetricValue::Noisy(NoisyValue { mean: 0.0, .. })), "every reading is 0");
    for (low, high, expected) in [(-1.0, 3.0, 3.0), (-5.0, 3.0, 5.0), (-4.0, -2.0, 4.0)] {
        let value = of(low, high);
        assert!(matches!(value, MetricValue::UpperBound { bound, .. } if bound == expected), "{low} to {high}");
        assert_eq!((value.centre(), value.interval()), (None, Some(Interval { low: 0.0, high: expected })));
    }
}

thread_local! {
    static POINT: MeasuredPoint = point_with(DeclaredWork::default());
}
