//! A measurement with a correct suite and with faulty ones.

use super::fake::{Fake, Fault, Model, axis_of, quality};
use benchbook_contract::parameter::Range;
use benchbook_contract::protocol::{HostMessage, LaneTarget};
use benchbook_host::compare::pairing::comparisons;
use benchbook_host::quality::{Priority, Quality};
use benchbook_host::response::{Failure, MachineKind, Outcome, Point, Warning};
use benchbook_host::sample::ending::Ending;
use benchbook_host::sample::measurement::{Measurement, MeasurementSettings};
use proptest::prelude::*;

/// Five axis values at the first priority: 0, 1, 2, 3, 4.
const RANGE: Range = Range { low: 0.0, high: 4.0 };
const XS: [f64; 5] = [0.0, 1.0, 2.0, 3.0, 4.0];

fn fake(functions: usize, faults: &[(f64, &'static str, Fault)]) -> Fake {
    let models = (1..=functions).map(|index| Model { per_call: 1e5 * index as f64, ..Model::default() });
    let mut fake = Fake::new(models.collect());
    fake.faults = faults.to_vec();
    fake
}

fn measure(fake: &mut Fake) -> Vec<Point> {
    fake.measure(1, RANGE)
}

fn failure<'p>(points: &'p [Point], function: &str, x: f64) -> Option<&'p Failure> {
    let point = points.iter().find(|point| point.function == function && point.x == x);
    match &point.expect("every point has an outcome").outcome {
        Outcome::Failed(failure) => Some(failure),
        Outcome::Measured(_) => None,
    }
}

/// The failures in the order of the points, as `f0 2 Trap`.
fn failures(points: &[Point]) -> Vec<String> {
    let describe = |point: &Point| match &point.outcome {
        Outcome::Failed(failure) => Some(format!("{} {} {:?}", point.function, point.x, failure.kind)),
        Outcome::Measured(_) => None,
    };
    points.iter().filter_map(describe).collect()
}

/// Asserts that every function has exactly one point per axis value, in ascending order.
#[track_caller]
fn assert_complete(points: &[Point], functions: usize) {
    for path in Fake::paths(functions) {
        let xs: Vec<f64> =
            points.iter().filter(|point| point.function == path).filter_map(|point| point.x.number()).collect();
        assert_eq!(xs, XS, "{path}");
    }
    assert!(points.is_sorted_by_key(|point| point.x.number()));
    assert_eq!(points.len(), functions * XS.len());
}

#[test]
fn browser_does_not_measure_native_functions() {
    for in_browser in [false, true] {
        let mut fake = fake(2, &[]);
        fake.native = vec!["f1"];
        let kind = if in_browser { MachineKind::Browser } else { MachineKind::Native };
        let settings = MeasurementSettings { kind, ..fake.settings(quality(1), RANGE) };
        let points = fake.measure_with(settings);
        assert_complete(&points, 2);
        let expected: Vec<String> = XS.iter().filter(|_| in_browser).map(|x| format!("f1 {x} NativeOnly")).collect();
        assert_eq!(failures(&points), expected);
        let opened = fake.log.iter().any(
            |(message, _)| matches!(message, HostMessage::Open(open) if open.functions.contains(&"f1".to_owned())),
        );
        assert_eq!(opened, !in_browser);
    }
}

#[test]
fn timeouts_of_the_previous_priority_are_skipped() {
    let before = measure(&mut fake(2, &[(2.0, "f1", Fault::Hang)]));
    let mut fake = fake(2, &[]);
    let settings = MeasurementSettings { earlier: before, ..fake.settings(quality(2), RANGE) };
    let points = fake.measure_with(settings);
    assert_eq!(failures(&points), ["f1 2 Skipped", "f1 3 Skipped", "f1 4 Skipped"]);
    assert_eq!(failure(&points, "f1", 1.0), None, "smaller axis values are measured");
    let opened_f1 = fake.log.iter().filter(
        |(message, _)| matches!(message, HostMessage::Open(open) if axis_of(open) >= 2.0 && open.functions.contains(&"f1".to_owned())),
    );
    assert_eq!(opened_f1.count(), 0);
}

#[test]
fn a_function_that_hangs_does_so_in_the_first_process_only() {
    let mut fake = fake(2, &[(2.0, "f1", Fault::Hang)]);
    let points = fake.measure_in_processes(4, RANGE);
    assert_eq!(failures(&points).len(), 3, "{:?}", failures(&points));
    let opened_f1 = fake.log.iter().filter(
        |(message, _)| matches!(message, HostMessage::Open(open) if axis_of(open) >= 2.0 && open.functions.contains(&"f1".to_owned())),
    );
    // Together with the other function, and alone.
    assert!(opened_f1.count() <= 2);
}

#[test]
fn a_function_that_skips_itself_affects_no_others_and_no_larger_values() {
    let mut fake = fake(3, &[(1.0, "f1", Fault::Skip)]);
    let points = measure(&mut fake);
    assert_complete(&points, 3);
    assert_eq!(failures(&points), ["f1 1 Skipped"]);
    assert_eq!(failure(&points, "f1", 1.0).expect("it was skipped").reason, "skipped: no device");
    let again = MeasurementSettings { earlier: points, ..fake.settings(quality(2), RANGE) };
    assert_eq!(failures(&fake.measure_with(again)), ["f1 1 Skipped"]);
}

#[test]
fn every_axis_value_is_opened_according_to_the_plan_measured_and_closed() {
    let mut fake = fake(2, &[]);
    let plan = fake.plan(RANGE);
    let points = measure(&mut fake);
    assert_complete(&points, 2);
    assert!(failures(&points).is_empty());
    let slots: Vec<String> = fake
        .log
        .iter()
        .filter_map(|(message, _)| match message {
            HostMessage::Open(open) => Some(format!("open {} at {}", open.slot, axis_of(open))),
            HostMessage::Close { slot } => Some(format!("close {slot}")),
            _ => None,
        })
        .collect();
    let expected = XS.map(|x| [format!("open {} at {x}", x + 1.0), format!("close {}", x + 1.0)]).concat();
    assert_eq!(slots, expected);
    let open = fake.log.iter().find_map(|(message, _)| match message {
        HostMessage::Open(open) => Some(open),
        _ => None,
    });
    let open = open.expect("a slot was opened");
    assert_eq!((&open.functions, &open.generator), (&plan.request().functions, &plan.request().generator));
    assert_eq!((&open.arguments, open.seed, open.priority), (&plan.arguments_at(&0.0.into()), plan.seed(), 1));
}

/// The inputs of a point are generated again for each block, while the warm-up reuses one set.
#[test]
fn functions_are_interleaved_on_shared_inputs() {
    let mut fake = fake(3, &[]);
    fake.models.iter_mut().for_each(|model| model.noise = 0.3);
    fake.measure(3, RANGE);
    let preparation = fake.orders().filter(|(order, _)| order.slot == 1).filter_map(|(order, _)| match order.target {
        LaneTarget::Function(index) | LaneTarget::Empty(index) => Some(index),
        LaneTarget::Count(_) => None,
        other => panic!("{other:?}"),
    });
    let preparation: Vec<usize> = preparation.collect();
    assert!(fake.orders().all(|(order, _)| order.input_set == 0), "one set of inputs is enough to warm up");
    assert!(preparation.chunks_exact(3).take(5).all(|turn| turn == [0, 1, 2]), "{preparation:?}");
    let blocks: Vec<_> = fake.blocks().map(|(block, _)| block).filter(|block| block.slot == 1).collect();
    assert!(blocks.len() >= 10 && blocks.iter().map(|block| block.input_set).eq(0..blocks.len() as u32));
    let mut orders = Vec::new();
    for block in blocks {
        let turns: Vec<LaneTarget> = block.turns.iter().map(|&turn| block.lanes[turn].target).collect();
        for function in 0..3 {
            assert!(
                turns.contains(&LaneTarget::Function(function)),
                "every block has batches of each function: {turns:?}"
            );
        }
        orders.push(turns);
    }
    let is_sorted = |turns: &&Vec<LaneTarget>| turns.is_sorted_by_key(|target| format!("{target:?}"));
    assert!(orders.iter().filter(is_sorted).count() < orders.len() / 4, "the order must be random: {orders:?}");
}

/// If the suite crashes during interleaving, the faulty function is identified by measuring each one alone.
#[test]
fn crash_while_interleaving_fails_only_the_faulty_function() {
    let mut fake = fake(3, &[(2.0, "f1", Fault::TrapLater)]);
    let points = measure(&mut fake);
    assert_complete(&points, 3);
    assert_eq!(failures(&points), ["f1 2 Trap"]);
    for point in &points {
        let alone = point.measured().is_some_and(|measured| measured.warnings.contains(&Warning::Alone));
        assert_eq!(alone, point.x == 2.0 && point.function != "f1", "{} {}", point.function, point.x);
    }
}

/// A function that is given up without a crash does not affect the others either.
#[test]
fn abandoned_function_does_not_affect_the_others() {
    let mut fake = fake(3, &[(2.0, "f1", Fault::TrapLater), (2.0, "f0", Fault::BatchMissingAlone)]);
    let points = measure(&mut fake);
    assert_complete(&points, 3);
    assert_eq!(failures(&points), ["f0 2 Contract", "f1 2 Trap"]);
}

/// A point reaches the request's own precision if its time allows.
#[test]
fn point_ends_at_the_requested_precision() {
    let mut fake = fake(1, &[]);
    fake.models[0].noise = 0.3;
    let usual = quality(1);
    let mut widths = Vec::new();
    for (precision, point_ms) in [(0.2, 40.0), (0.01, 20_000.0)] {
        let quality = Quality { precision, point_ms, ..usual.clone() };
        let settings = fake.settings(quality, RANGE);
        for point in fake.measure_with(settings) {
            let measured = point.measured().expect("it was measured");
            let width = measured.summary.relative_half_width.expect("it has an interval");
            assert!(width <= precision, "{width} of {precision}");
            assert!(!measured.warnings.iter().any(|warning| matches!(warning, Warning::Imprecise { .. })));
            widths.push(width);
        }
    }
    assert!(widths[0] > 0.01, "the first target must not suffice for the second: {widths:?}");
}

/// An unreachable precision is reported during the measurement and in its result, and so is one that no time suffices for,
/// since the overlap of calls is an uncertainty of its own.
#[test]
fn unreachable_precision_is_reported() {
    for (precision, is_reachable_in_time) in [(5e-4, true), (1e-4, false)] {
        let mut fake = fake(1, &[]);
        fake.models[0].noise = 0.5;
        fake.records_forecasts = true;
        let quality = Quality { precision, ..quality(1) };
        let settings = fake.settings(quality, RANGE);
        let points = fake.measure_with(settings);
        let forecast = fake.forecasts.last().expect("a forecast was reported");
        assert_eq!(forecast.needs_ms.is_some(), is_reachable_in_time, "{forecast:?}");
        assert!(forecast.needs_ms.is_none_or(|needs| needs > 100.0 * forecast.left_ms), "{forecast:?}");
        assert!(forecast.reached > forecast.target && forecast.target == precision, "{forecast:?}");
        assert!(forecast.left_ms < 60.0, "{forecast:?}");
        for point in &points {
            let warnings = &point.measured().expect("it was measured").warnings;
            let needs_ms = warnings.iter().find_map(|warning| match warning {
                Warning::Imprecise { needs_ms, target, .. } if *target == precision => Some(*needs_ms),
                _ => None,
            });
            let needs_ms = needs_ms.unwrap_or_else(|| panic!("no warning: {warnings:?}"));
            assert_eq!(needs_ms.is_some(), is_reachable_in_time, "{warnings:?}");
            assert!(needs_ms.is_none_or(|ms| ms > 1_000.0), "{warnings:?}");
        }
    }
}

#[test]
fn outputs_of_alternatives_are_stored() {
    for (are_alternatives, expected) in [(true, Some("0f")), (false, None)] {
        let mut fake = fake(2, &[]);
        fake.are_alternatives = are_alternatives;
        let points = measure(&mut fake);
        assert!(points.iter().all(|point| {
            point.measured().is_some_and(|one| one.outputs.as_ref().map(|outputs| outputs.hash.as_str()) == expected)
        }));
    }
}

#[test]
fn restarted_point_is_measured_once() {
    for replies in [0, 1, 2, 5, 20, 40] {
        let mut fake = fake(2, &[]);
        fake.restart_after = vec![replies, replies + 7];
        let points = measure(&mut fake);
        assert_complete(&points, 2);
        assert!(failures(&points).is_empty());
        let opened = fake.log.iter().filter(|(message, _)| matches!(message, HostMessage::Open(_))).count();
        assert!((XS.len() + 1..=XS.len() + 2).contains(&opened), "{opened} slots");
    }
}

/// `reason`: that of the failure of `f0` at 2; empty if it has none, or if another fault has the same.
#[test]
fn fault_fails_only_its_own_point() {
    let invalid_time = "the suite reported an invalid time";
    let other_reply = "the suite sent a reply that does not match the request";
    for (fault, expected, reason) in [
        (Fault::Panic, &["f0 2 Panic"][..], "panicked at suite.rs:1:1: injected fault"),
        (Fault::PanicElsewhere, &["f0 2 Panic"], ""),
        (Fault::Trap, &["f0 2 Trap"], "unreachable executed"),
        (
            Fault::OutOfMemory,
            &["f0 2 Memory"],
            "out of memory: 1099511627776 bytes more would pass the suite's bound of 1073741824 bytes",
        ),
        (Fault::Refused, &[], ""),
        (
            Fault::Hang,
            &["f0 2 TimedOut", "f0 3 Skipped", "f0 4 Skipped"],
            "timed out: nothing finished within 10 s; larger values are skipped",
        ),
        (
            Fault::GeneratorPanic,
            &["f0 2 Generator", "f1 2 Generator"],
            "the generator panicked at suite.rs:1:1: injected fault",
        ),
        (
            Fault::GeneratorRefuses,
            &["f0 2 Contract", "f1 2 Contract"],
            "the suite rejected the request: injected fault",
        ),
        (Fault::HookPanic, &[], ""),
        (Fault::HookTrap, &[], ""),
        (Fault::HookHang, &[], ""),
        (Fault::LateReply, &[], ""),
        (Fault::BatchMissing, &["f0 2 Contract", "f1 2 Contract"], other_reply),
        (Fault::NegativeTime, &["f0 2 Contract", "f1 2 Contract"], invalid_time),
        (Fault::NoTime, &["f0 2 Contract", "f1 2 Contract"], invalid_time),
        (Fault::OtherCalls, &["f0 2 Contract", "f1 2 Contract"], other_reply),
        (Fault::OtherTarget, &["f0 2 Contract", "f1 2 Contract"], other_reply),
    ] {
        let points = measure(&mut fake(2, &[(2.0, "f0", fault)]));
        assert_complete(&points, 2);
        assert_eq!(failures(&points), expected, "{fault:?}");
        if !reason.is_empty() {
            assert_eq!(failure(&points, "f0", 2.0).expect("it failed").reason, reason, "{fault:?}");
        }
        if fault == Fault::Hang {
            assert_eq!(failure(&points, "f0", 4.0).expect("it was skipped").reason, "skipped: it timed out at 2");
        }
    }
}

/// Only the batch is lost, wherever it happens: in the preparation, in a sample, or in the empty loop.
#[test]
fn a_clock_that_is_set_back_once_costs_a_batch() {
    for batch in [1, 5, 30, 60, 200] {
        for per_call in [10.0, 50e6] {
            let mut fake = Fake::new(vec![Model { per_call, ..Model::default() }; 2]);
            fake.set_back = Some(batch);
            let points = fake.measure(2, Range { low: 1.0, high: 1.0 });
            assert!(points.iter().all(|point| point.measured().is_some()), "{batch}: {points:?}");
            assert!(points.iter().filter_map(Point::measured).all(|one| one.summary.min > 0.0), "{batch}");
            let ratio = comparisons(&Fake::paths(2), None, &points)[0].ratios[0].withheld;
            assert!(per_call > 1e6 || ratio.is_none(), "{batch}: {ratio:?}");
        }
    }
}

/// Every axis value fails, including adjacent ones and both ends.
#[test]
fn measurement_of_a_suite_that_always_fails_ends() {
    for fault in [Fault::Panic, Fault::PanicElsewhere, Fault::Trap, Fault::GeneratorPanic, Fault::GeneratorRefuses] {
        let faults: Vec<_> = XS.into_iter().map(|x| (x, "f0", fault)).collect();
        let points = measure(&mut fake(1, &faults));
        assert_complete(&points, 1);
        assert_eq!(failures(&points).len(), XS.len(), "{fault:?}");
    }
}

#[test]
fn progress_counts_points_and_forecasts_precision() {
    let mut fake = fake(2, &[]);
    let mut measurement = Measurement::new(fake.settings(quality(1), RANGE));
    let progress = measurement.progress();
    assert_eq!((progress.done, progress.total, &progress.x, progress.forecast), (0, 10, &0.0.into(), None));
    assert_eq!(serde_json::to_string(&progress).expect("it serializes"), r#"{"done":0,"of":10,"x":0,"outlook":null}"#);
    assert!(!measurement.is_done() && measurement.points().is_empty());
    measurement.messages();
    measurement.handle_exit(&Ending::Died("early".to_owned()));
    assert_eq!(
        (measurement.progress().done, measurement.points().len()),
        (2, 2),
        "all functions of the open slot fail"
    );
}

#[test]
fn slot_numbers_continue_from_the_first_slot() {
    let mut fake = fake(1, &[]);
    let settings = MeasurementSettings { first_slot: 8, ..fake.settings(quality(1), RANGE) };
    let mut measurement = Measurement::new(settings);
    let messages = measurement.messages();
    let [HostMessage::Collect(reference), HostMessage::Collect(tier), HostMessage::Open(open)] = &messages[..] else {
        panic!("{messages:?}")
    };
    let targets = (reference.target, tier.target);
    assert_eq!(targets, (LaneTarget::Reference, LaneTarget::Tier), "the fixed kernels warm up first");
    assert_eq!(open.slot, 8);
    assert_eq!(measurement.next_slot(), 9);
    assert!(measurement.messages().is_empty(), "messages are sent once");
}

fn faults() -> impl Strategy<Value = Vec<(f64, &'static str, Fault)>> {
    let fault = prop::sample::select(vec![
        Fault::Panic,
        Fault::PanicElsewhere,
        Fault::Trap,
        Fault::OutOfMemory,
        Fault::Refused,
        Fault::Hang,
        Fault::GeneratorPanic,
        Fault::GeneratorRefuses,
        Fault::HookPanic,
        Fault::HookTrap,
        Fault::HookHang,
        Fault::LateReply,
        Fault::BatchMissing,
        Fault::NegativeTime,
        Fault::NoTime,
        Fault::OtherCalls,
        Fault::OtherTarget,
        Fault::TrapLater,
        Fault::BatchMissingAlone,
    ]);
    let place = (prop::sample::select(XS.to_vec()), prop::sample::select(vec!["f0", "f1", "f2"]));
    prop::collection::vec((place, fault).prop_map(|((x, function), fault)| (x, function, fault)), 0..8)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn every_point_has_exactly_one_outcome_under_random_faults(faults in faults()) {
        let points = measure(&mut fake(3, &faults));
        assert_complete(&points, 3);
        for point in &points {
            let is_excused = faults.iter().any(|(x, function, fault)| {
                point.x == *x || (*fault == Fault::Hang && Some(*x) < point.x.number() && *function == point.function)
            });
            prop_assert!(point.measured().is_some() || is_excused, "{point:?}");
        }
    }
}

/// Measures at a priority, in the order of a seed.
fn measure_in_order(fake: &mut Fake, priority: u8, seed: u64) -> Vec<Point> {
    let plan = fake.plan_at(Priority::try_from(priority).expect("1 to 4"), RANGE);
    let seed = Some(seed);
    let settings = MeasurementSettings { seed, ..MeasurementSettings::new(plan, quality(1), fake.clock()) };
    fake.measure_with(settings)
}

/// The axis values in the order of measurement.
fn order(priority: u8, seed: u64) -> Vec<f64> {
    measure_in_order(&mut fake(1, &[]), priority, seed).iter().filter_map(|point| point.x.number()).collect()
}

#[test]
fn axis_values_are_in_random_order_after_the_first_priority() {
    assert_eq!(order(1, 7), XS);
    let orders: Vec<Vec<f64>> = (0..8).map(|seed| order(2, seed)).collect();
    for order in &orders {
        // The outputs of slow functions are checked at the smallest value.
        assert_eq!(order[0], XS[0]);
        let mut sorted = order.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        assert_eq!(sorted, XS);
    }
    assert!(orders.iter().any(|order| *order != orders[0]), "{orders:?}");
    assert!(orders.iter().any(|order| *order != XS), "{orders:?}");
}

/// In a random order, a function that hangs from 2 on could time out at 4, at 3 and at 2.
#[test]
fn after_a_time_out_axis_values_are_in_ascending_order() {
    for seed in 0..8 {
        let faults = [2.0, 3.0, 4.0].map(|x| (x, "f0", Fault::Hang));
        let failures = failures(&measure_in_order(&mut fake(1, &faults), 2, seed));
        let time_outs = failures.iter().filter(|failure| failure.ends_with("TimedOut")).count();
        assert!((1..=2).contains(&time_outs) && failures.len() == 3, "{seed}: {failures:?}");
    }
}
