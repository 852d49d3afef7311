use benchbook_contract::parameter::Arguments;

use super::*;

/// A router of the current build and of the build `b`, with an open slot: functions of the current build, of `b`, and of the current
/// build again.
fn opened() -> BuildRouter {
    let mut router = BuildRouter::new(vec![None, Some("b".to_owned())]);
    router.add(open(1, &["f", "f@b", "g"]));
    assert_eq!(router.next_part(), Some((0, open(1, &["f", "g"]))));
    assert_eq!(router.next_part(), None, "one process works at a time");
    assert_eq!(router.handle_reply(opened_reply(1, 4)), None);
    assert_eq!((router.next_part(), router.working()), (Some((1, open(1, &["f"]))), Some(1)));
    let Some(SuiteMessage::Opened(reply)) = router.handle_reply(opened_reply(1, 4)) else { panic!() };
    assert_eq!((reply.round, reply.preparation), (4, 10.0));
    router
}

/// A router of the current build, whose slot is open, and of the build `b`, which has yet to reply.
fn half_opened() -> BuildRouter {
    let mut router = BuildRouter::new(vec![None, Some("b".to_owned())]);
    router.add(open(1, &["f", "f@b"]));
    router.next_part();
    router.handle_reply(opened_reply(1, 4));
    router.next_part();
    router
}

fn open(slot: u32, functions: &[&str]) -> HostMessage {
    let functions = functions.iter().map(ToString::to_string).collect();
    let (generator, arguments) = ("inputs".to_owned(), Arguments::new());
    HostMessage::Open(Open { slot, functions, generator, arguments, seed: 1, priority: 1 })
}

fn opened_reply(slot: u32, round: u64) -> SuiteMessage {
    let (elements, bytes) = (None, None);
    SuiteMessage::Opened(OpenReply { slot, round, one_call_per_batch: false, elements, bytes, preparation: 5.0 })
}

fn interleave(targets: &[LaneTarget], turns: &[usize]) -> Interleave {
    let lanes = (1..).zip(targets).map(|(calls, &target)| Lane { target, calls }).collect();
    Interleave { slot: 1, lanes, turns: turns.to_vec(), input_set: 7 }
}

fn interleaved(elapsed: &[f64], interrupted: &[u32], held: &[f64], inputs: &[u64]) -> SuiteMessage {
    let (elapsed, interrupted) = (elapsed.to_vec(), interrupted.to_vec());
    let (held, inputs) = (held.to_vec(), inputs.to_vec());
    SuiteMessage::Interleaved(InterleaveReply { slot: 1, elapsed, interrupted, preparation: 1.0, held, inputs })
}

const TARGETS: [LaneTarget; 4] =
    [LaneTarget::Function(1), LaneTarget::Function(0), LaneTarget::Reference, LaneTarget::Empty(2)];

#[test]
fn a_block_is_split_by_build_and_joined_in_its_order() {
    let mut router = opened();
    router.add(HostMessage::Interleave(interleave(&TARGETS, &[1, 0, 3, 0, 2])));
    let Some((0, HostMessage::Interleave(part))) = router.next_part() else { panic!() };
    let lane = |target, calls| Lane { target, calls };
    let expected = [lane(LaneTarget::Function(0), 2), lane(LaneTarget::Reference, 3), lane(LaneTarget::Empty(1), 4)];
    assert_eq!((part.lanes.as_slice(), part.turns.as_slice(), part.input_set), (&expected[..], &[0, 2, 1][..], 7));
    assert_eq!(router.handle_reply(interleaved(&[10.0, 30.0, 20.0], &[1], &[1.0, 2.0, 3.0], &[4, 0, 5])), None);

    let Some((1, HostMessage::Interleave(part))) = router.next_part() else { panic!() };
    assert_eq!((part.lanes.as_slice(), part.turns.as_slice()), (&[lane(LaneTarget::Function(0), 1)][..], &[0, 0][..]));
    let Some(SuiteMessage::Interleaved(joined)) = router.handle_reply(interleaved(&[100.0, 200.0], &[1], &[9.0], &[6]))
    else {
        panic!()
    };
    assert_eq!(joined.elapsed, [10.0, 100.0, 30.0, 200.0, 20.0]);
    // The second batch of the first part and the second one of the other part.
    assert_eq!(joined.interrupted, [2, 3]);
    assert_eq!((joined.held.as_slice(), joined.inputs.as_slice()), (&[9.0, 1.0, 2.0, 3.0][..], &[6, 4, 0, 5][..]));
    assert_eq!(joined.preparation, 2.0);
}

#[test]
fn the_order_of_the_builds_alternates() {
    let mut router = opened();
    let mut first = Vec::new();
    for _ in 0..4 {
        router.add(HostMessage::Interleave(interleave(&TARGETS[..2], &[0, 1])));
        for part in 0..2 {
            let (process, _) = router.next_part().unwrap();
            first.extend((part == 0).then_some(process));
            router.handle_reply(interleaved(&[1.0], &[], &[0.0], &[]));
        }
    }
    assert_eq!(first, [0, 1, 0, 1]);
}

#[test]
fn other_targets_go_to_the_build_of_their_function() {
    let mut router = opened();
    for (target, process, routed) in [
        (LaneTarget::Function(1), 1, LaneTarget::Function(0)),
        (LaneTarget::Check(2), 0, LaneTarget::Check(1)),
        (LaneTarget::Count(1), 1, LaneTarget::Count(0)),
        (LaneTarget::Clock, 0, LaneTarget::Clock),
    ] {
        let collect = |target| Collect { slot: 1, target, calls: 1, batches: 1, input_set: 0 };
        router.add(HostMessage::Collect(collect(target)));
        assert_eq!(router.next_part(), Some((process, HostMessage::Collect(collect(routed)))));
        let samples = |target| SuiteMessage::Samples(Samples::of(&collect(target), vec![1.0]));
        assert_eq!(router.handle_reply(samples(routed)), Some(samples(target)));
    }
    router.add(HostMessage::Close { slot: 1 });
    for process in [0, 1] {
        assert_eq!(router.next_part(), Some((process, HostMessage::Close { slot: 1 })));
        let joined = router.handle_reply(SuiteMessage::Closed { slot: 1 });
        assert_eq!(joined.is_some(), process == 1);
    }
}

#[test]
fn different_workloads_fail_and_are_closed() {
    let mut router = half_opened();
    let Some(SuiteMessage::Failed(failed)) = router.handle_reply(opened_reply(1, 8)) else { panic!() };
    assert!(failed.reason.contains("different workloads") && failed.slot == Some(1), "{failed:?}");
    // The measurement does not close a slot that was not opened.
    for process in [0, 1] {
        assert_eq!(router.next_part(), Some((process, HostMessage::Close { slot: 1 })));
        assert_eq!(router.handle_reply(SuiteMessage::Closed { slot: 1 }), None);
    }
    assert_eq!((router.next_part(), router.working()), (None, None));
}

#[test]
fn a_failure_of_one_build_fails_the_message_and_closes_the_other() {
    let mut router = half_opened();
    let failed = SuiteMessage::Failed(failure(Some(1), "no"));
    assert_eq!(router.handle_reply(failed.clone()), Some(failed));
    assert_eq!(router.next_part(), Some((0, HostMessage::Close { slot: 1 })));
}

#[test]
fn a_reply_that_does_not_match_its_part_is_passed_on() {
    let mut router = opened();
    router.add(HostMessage::Interleave(interleave(&TARGETS[..2], &[0, 1])));
    router.next_part();
    router.handle_reply(interleaved(&[1.0], &[], &[0.0], &[]));
    router.next_part();
    let wrong = interleaved(&[1.0, 2.0], &[], &[0.0], &[]);
    assert_eq!(router.handle_reply(wrong.clone()), Some(wrong));
}

#[test]
fn nothing_is_sent_after_a_panic_until_the_process_has_ended() {
    let mut router = opened();
    router.add(HostMessage::Interleave(interleave(&TARGETS[..2], &[0, 1])));
    router.add(HostMessage::Close { slot: 1 });
    let (first, _) = router.next_part().unwrap();
    let panic = RequestFailure { stage: FailureStage::Function, ..failure(Some(1), "a panic") };
    let reply = router.handle_reply(SuiteMessage::Failed(panic));
    assert!(matches!(reply, Some(SuiteMessage::Failed(_))), "{reply:?}");
    assert_eq!((router.next_part(), router.working()), (None, Some(first)));
}
