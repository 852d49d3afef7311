//! The first calls in fresh processes: a simulated suite whose first call of a process takes longer.

use super::fake::{self, Fake, Model};
use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::parameter::Range;
use benchbook_contract::protocol::{
    Collect, FailureStage, HostMessage, LaneTarget, Open, OpenReply, RequestFailure, Samples, SuiteMessage,
};
use benchbook_contract::rng::seeded;
use benchbook_host::metric::{COMPILATION, FIRST_CALL, MetricValue, TIME};
use benchbook_host::quality::Quality;
use benchbook_host::response::{FailureKind, FirstCalls, MeasuredPoint, Outcome};
use benchbook_host::sample::ending::Ending;
use benchbook_host::sample::first_call_series::FirstCallSeries;
use proptest::prelude::*;
use rand::RngExt;

const RANGE: Range = Range { low: 0.0, high: 4.0 };

/// A quality with this precision target and time limit.
fn quality(precision: f64, point_ms: f64) -> Quality {
    Quality { precision, point_ms, ..fake::quality(4) }
}

fn series(quality: &Quality) -> FirstCallSeries {
    let mut fake = Fake::new(vec![Model::default()]);
    let (plan, clock) = (fake.plan(RANGE), fake.clock());
    FirstCallSeries::new(plan, quality, clock, "f0", &AxisValue::Number(3.0))
}

fn samples(order: &Collect, elapsed: f64) -> SuiteMessage {
    SuiteMessage::Samples(Samples::of(order, vec![elapsed]))
}

/// The reply of a suite whose call takes `elapsed` nanoseconds.
fn reply(message: &HostMessage, elapsed: f64) -> SuiteMessage {
    match message {
        HostMessage::Open(Open { slot, .. }) => {
            let (slot, elements, bytes) = (*slot, None, None);
            let reply = OpenReply { slot, round: 5, one_call_per_batch: false, elements, bytes, preparation: 1.0 };
            SuiteMessage::Opened(reply)
        }
        HostMessage::Collect(order) => samples(order, elapsed),
        HostMessage::Close { slot } => SuiteMessage::Closed { slot: *slot },
        other => panic!("{other:?}"),
    }
}

/// Carries out a repetition in a process. Returns its messages.
fn repeat(series: &mut FirstCallSeries, elapsed: f64, ms: f64) -> Vec<HostMessage> {
    let mut messages = vec![series.begin()];
    while let Some(next) = series.handle_reply(reply(&messages[messages.len() - 1], elapsed)) {
        messages.push(next);
    }
    assert!(series.is_between_processes());
    series.add_elapsed(ms);
    messages
}

/// Carries out all repetitions, whose calls take the times of `elapsed` by repetition, and whose processes take `ms`
/// milliseconds each. Returns the outcome and the number of processes.
fn run(quality: &Quality, ms: f64, mut elapsed: impl FnMut(usize) -> f64) -> (FirstCalls, usize) {
    let mut series = series(quality);
    let mut count = 0;
    while !series.is_done() {
        repeat(&mut series, elapsed(count), ms);
        count += 1;
        assert!(count < 1_000, "it has no end");
    }
    (series.into_first_calls(), count)
}

#[test]
fn each_process_makes_one_call_of_the_function() {
    let mut series = series(&quality(0.01, 1e3));
    for repetition in 0..3 {
        let messages = repeat(&mut series, 100.0, 5.0);
        let [
            HostMessage::Open(open),
            HostMessage::Collect(empty),
            HostMessage::Collect(call),
            HostMessage::Close { .. },
        ] = &messages[..]
        else {
            panic!("{messages:?}")
        };
        assert_eq!(open.functions, ["f0"]);
        assert_eq!((empty.target, call.target), (LaneTarget::Empty(0), LaneTarget::Function(0)));
        assert_eq!((call.calls, call.batches, call.input_set), (1, 1, repetition));
    }
}

#[test]
fn the_first_process_is_discarded() {
    let (first_calls, _) = run(&quality(0.01, 1e4), 5.0, |repetition| if repetition == 0 { 9e9 } else { 500e3 });
    let call = first_calls.call.expect("calls count");
    assert_eq!((call.samples[0].elapsed, call.samples[0].warm_up), (9e9, true));
    assert!(call.samples[1..].iter().all(|sample| !sample.warm_up));
    assert_eq!((call.summary.mean, call.summary.max, call.summary.n as usize), (500e3, 500e3, call.samples.len() - 1));
}

/// A browser may compile the code around the call when the suite enters it.
#[test]
fn the_time_includes_entering_the_code() {
    let mut series = series(&quality(0.01, 1e6));
    for _ in 0..2 {
        let open = series.begin();
        let empty = series.handle_reply(reply(&open, 1.0)).expect("an empty loop");
        let Some(HostMessage::Collect(call)) = series.handle_reply(reply(&empty, 1.0)) else { panic!("no call") };
        let samples = Samples { entry: 70.0, ..Samples::of(&call, vec![500.0]) };
        series.handle_reply(SuiteMessage::Samples(samples));
        series.handle_reply(SuiteMessage::Closed { slot: 1 });
    }
    assert_eq!(series.into_first_calls().call.map(|call| call.summary.mean), Some(570.0));
}

#[test]
fn repeats_until_the_target_precision_or_a_limit() {
    let mut random = seeded([1, 0, 0]);
    let mut noisy = move |_: usize| 1e6 * (1.0 + 0.2 * (random.random::<f64>() - 0.5));
    // Equal times, or a wide target: the minimum number of a trustworthy interval.
    assert_eq!(run(&quality(0.01, 1e6), 5.0, |_| 1e6).1, 17);
    assert_eq!(run(&quality(0.5, 1e6), 5.0, &mut noisy).1, 17);
    // A narrow target needs more, up to the maximum.
    let (_, count) = run(&quality(0.02, 1e6), 5.0, &mut noisy);
    assert!((17..101).contains(&count), "{count}");
    assert_eq!(run(&quality(1e-6, 1e6), 5.0, &mut noisy).1, 101);
    // The time is over after 8 processes of 5 ms.
    assert_eq!(run(&quality(1e-6, 40.0), 5.0, &mut noisy).1, 8);
    // It is over before five of them count, so they may take twice the time.
    assert_eq!(run(&quality(1e-6, 40.0), 12.0, &mut noisy).1, 6);
    assert_eq!(run(&quality(1e-6, 40.0), 25.0, &mut noisy).1, 4);
    // Even the slowest processes have one that counts.
    assert_eq!(run(&quality(1e-6, 40.0), 9e3, &mut noisy).1, 2);
}

#[test]
fn a_precise_interval_contains_the_mean() {
    let mut held = 0;
    for seed in 0..200 {
        let mut random = seeded([seed, 0, 0]);
        let (first_calls, _) = run(&quality(0.02, 1e6), 5.0, |_| 1e6 * (0.9 + 0.2 * random.random::<f64>()));
        let interval = first_calls.call.and_then(|call| call.summary.mean_interval).expect("an interval");
        held += u32::from(interval.contains(1e6));
    }
    assert!(held >= 184, "{held} of 200");
}

#[test]
fn a_failure_ends_the_repetitions_with_the_calls_so_far() {
    let panic = || {
        let location = Some("lib.rs:1:2".to_owned());
        let reason = "too much".to_owned();
        SuiteMessage::Failed(RequestFailure {
            slot: Some(1),
            stage: FailureStage::Function,
            reason,
            location,
            ..RequestFailure::default()
        })
    };
    for (before, expected) in [(0, None), (1, None), (4, Some(3))] {
        let mut series = series(&quality(0.01, 1e6));
        for _ in 0..before {
            series.add_compilation(7e6);
            repeat(&mut series, 100e3, 5.0);
        }
        series.add_compilation(8e6);
        let open = series.begin();
        series.handle_reply(reply(&open, 1.0));
        assert_eq!(series.handle_reply(panic()), None);
        assert!(!series.is_between_processes(), "the suite is about to end");
        series.handle_exit(&Ending::Died("it ended".to_owned()), "");
        assert!(series.is_done() && series.is_failed());
        let first_calls = series.into_first_calls();
        let failure = first_calls.failure.expect("it failed");
        assert_eq!((failure.kind, failure.reason.as_str()), (FailureKind::Panic, "panicked at lib.rs:1:2: too much"));
        assert_eq!(first_calls.call.map(|call| call.summary.n), expected);
        assert_eq!(first_calls.compilation.map(|compilation| compilation.summary.mean), expected.map(|_| 7e6));
    }
}

#[test]
fn an_invalid_reply_is_a_failure() {
    let order = |target, calls| Collect { slot: 1, target, calls, batches: 1, input_set: 0 };
    let rejected = RequestFailure { slot: Some(1), reason: "no".to_owned(), ..RequestFailure::default() };
    let table = [
        samples(&order(LaneTarget::Function(0), 2), 1.0),
        samples(&order(LaneTarget::Empty(0), 1), 1.0),
        samples(&order(LaneTarget::Function(0), 1), -1.0),
        samples(&order(LaneTarget::Function(0), 1), f64::NAN),
        SuiteMessage::Closed { slot: 1 },
        SuiteMessage::Failed(rejected),
    ];
    for invalid in table {
        let mut series = series(&quality(0.01, 1e6));
        let open = series.begin();
        let empty = series.handle_reply(reply(&open, 1.0)).expect("an empty loop");
        series.handle_reply(reply(&empty, 1.0)).expect("a call");
        assert_eq!(series.handle_reply(invalid.clone()), None, "{invalid:?}");
        assert!(series.is_done());
        let first_calls = series.into_first_calls();
        assert_eq!(first_calls.call, None);
        assert_eq!(first_calls.failure.map(|failure| failure.kind), Some(FailureKind::Contract), "{invalid:?}");
    }
}

#[test]
fn an_abandoned_process_leaves_no_trace() {
    let mut series = series(&quality(0.01, 1e6));
    for _ in 0..2 {
        series.add_compilation(9e6);
        series.begin();
        series.abandon_process();
        assert!(series.is_between_processes() && !series.is_done());
        series.add_compilation(7e6);
        repeat(&mut series, 100.0, 5.0);
    }
    let first_calls = series.into_first_calls();
    assert_eq!(first_calls.call.map(|call| call.samples.len()), Some(2));
    let compilations = first_calls.compilation.map(|compilation| compilation.samples);
    assert_eq!(compilations.map(|samples| samples.iter().map(|one| one.elapsed).collect()), Some(vec![7e6, 7e6]));
}

#[test]
fn the_metrics_have_the_counted_samples() {
    let mut fake = Fake::new(vec![Model::default()]);
    let mut point = fake.measure(1, RANGE).swap_remove(0);
    let Outcome::Measured(measured) = &mut point.outcome else { panic!("{point:?}") };
    for metric in [&FIRST_CALL, &COMPILATION] {
        assert_eq!(((metric.value)(measured), metric.samples(measured)), (None, Vec::new()));
    }
    let (first_calls, count) = run(&quality(1e-6, 40.0), 5.0, |repetition| 1e6 + 1e4 * repetition as f64);
    measured.first_calls = Some(first_calls);
    let Some(MetricValue::Noisy(value)) = (FIRST_CALL.value)(measured) else { panic!("{measured:?}") };
    assert_eq!((value.mean, value.quartiles.map(|quartiles| quartiles[1])), (1.04e6, Some(1.04e6)));
    assert_eq!(FIRST_CALL.samples(measured), (1..count).map(|at| 1e6 + 1e4 * at as f64).collect::<Vec<_>>());
    assert_eq!(TIME.samples(measured), measured.counted().collect::<Vec<_>>());
    // As a point of its own, it has the same samples.
    let own = FIRST_CALL.own_samples.and_then(|samples| samples(measured)).expect("own samples");
    let shown = MeasuredPoint::of_start_up(own);
    assert_eq!(shown.counted().collect::<Vec<_>>(), FIRST_CALL.samples(measured));
    assert_eq!((TIME.value)(&shown), (FIRST_CALL.value)(measured));
}

/// A clock that is coarser than the call.
#[test]
fn times_below_the_resolution_are_upper_bounds() {
    let mut fake = Fake::new(vec![Model::default()]);
    let mut point = fake.measure(1, RANGE).swap_remove(0);
    let Outcome::Measured(measured) = &mut point.outcome else { panic!("{point:?}") };
    measured.first_calls = Some(run(&quality(0.01, 40.0), 5.0, |_| 0.0).0);
    assert!(matches!((FIRST_CALL.value)(measured), Some(MetricValue::UpperBound { bound, .. }) if bound > 0.0));
    // A wide interval of times that the clock resolves.
    let noisy = run(&quality(1e-6, 30.0), 10.0, |repetition| if repetition == 1 { 1e6 } else { 1e3 }).0;
    measured.first_calls = Some(noisy);
    assert!(matches!((FIRST_CALL.value)(measured), Some(MetricValue::Noisy(value)) if value.mean > 0.0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// However long calls and processes take, the number and the time of the repetitions are bounded.
    #[test]
    fn repetitions_are_bounded(times in prop::collection::vec(0.0..1e12_f64, 1..120), ms in 0.0..5_000.0_f64) {
        let limit = 100.0;
        let (first_calls, count) = run(&quality(0.01, limit), ms, |repetition| times[repetition % times.len()]);
        prop_assert!((2..=101).contains(&count));
        // Without the last process, the time was not over.
        prop_assert!(count == 2 || (count - 1) as f64 * ms < 2.0 * limit);
        prop_assert_eq!(first_calls.call.expect("calls count").samples.len(), count);
        prop_assert_eq!(first_calls.failure, None);
    }
}
