//! The host counts events in the processes of suites: those of the kernel, which exist on every Linux, through the same code as
//! those of the processor, which most virtual machines lack.

use benchbook_contract::parameter::Range;
use benchbook_host::api::RunnerCatalog;
use benchbook_host::child::{ChildSettings, EventSource, NativeSuite};
use benchbook_host::metric::INSTRUCTIONS;
use benchbook_host::quality::Quality;
use benchbook_host::response::{
    CountedEvent, CounterAbsence, CounterCard, EventCounts, EventEstimate, MachineCard, Point,
};
use benchbook_isolate::{Isolation, UserIds};
use benchbook_tests::requests::{measure, quick, request};
use benchbook_tests::runner::RunnerProgram;
use benchbook_tests::suites::native;

use crate::isolated::launcher;

/// Opens the fixture with this isolation; without a launcher if it is absent.
fn ladder(isolation: Option<Isolation>, counted_events: EventSource) -> NativeSuite {
    let settings = ChildSettings {
        launcher: isolation.is_some().then(launcher),
        isolation: isolation.unwrap_or_default(),
        counted_events,
        ..ChildSettings::default()
    };
    NativeSuite::open_with(&native("ladder").unwrap(), settings).unwrap()
}

/// Measures two functions in this number of processes.
fn points(suite: &NativeSuite, processes: u32) -> Vec<Point> {
    let generator = suite.suite().generator("walks::walks").unwrap();
    let functions = ["rungs::one", "rungs::thousand_24"];
    let request = request(suite.suite(), &functions, generator, Range { low: 100.0, high: 200.0 });
    // Enough time that the calls are not too slow to be counted even on a busy machine.
    let quality = Quality { point_ms: 200.0, processes, ..quick(2) };
    let points = measure(suite, request, quality, |_| {}).unwrap().points;
    assert_eq!(points.len(), 4);
    points
}

/// Checks that all points were counted, or state the reason that the suite reported when it was opened.
fn assert_counted(suite: &NativeSuite, processes: u32) {
    for point in points(suite, processes) {
        let measured = point.measured().unwrap();
        match (suite.counters(), measured.events.as_ref().unwrap()) {
            (Ok(events), EventCounts::Counted(counted)) => {
                let estimates =
                    [Some(counted.instructions), counted.cycles, counted.branch_misses, counted.cache_misses];
                let present = CountedEvent::ALL.into_iter().zip(estimates).filter(|(_, estimate)| estimate.is_some());
                assert_eq!(present.map(|(event, _)| event).collect::<Vec<_>>(), events);
                for EventEstimate { mean, sd, interval } in estimates.into_iter().flatten() {
                    assert!(mean.is_finite() && sd >= 0.0 && interval.contains(mean), "{counted:?}");
                }
                assert!(counted.calls > 0 && counted.differences > 1, "{counted:?}");
                assert!((INSTRUCTIONS.value)(measured).is_some());
            }
            // Other programs may use the processor's counters at any time.
            (Ok(_), EventCounts::Absent(CounterAbsence::Busy)) => {}
            (Err(expected), EventCounts::Absent(absence)) => assert_eq!(absence, expected),
            (opened, counted) => panic!("{opened:?} when opened, but {counted:?}"),
        }
    }
}

/// Checks that the kernel's events are counted. If this system denies even those, the reason must be reported.
fn assert_kernel_events(suite: &NativeSuite) {
    match suite.counters() {
        Ok(events) => assert_eq!(events, CountedEvent::ALL),
        Err(absence) => {
            eprintln!("this system denies perf_event_open: {absence:?}");
            assert!(matches!(absence, CounterAbsence::Denied { .. } | CounterAbsence::Unobservable), "{absence:?}");
            let reason = CounterCard::new(Err(absence)).reason.unwrap();
            assert!(reason.contains("CAP_PERFMON"), "{reason}");
        }
    }
    assert_counted(suite, 1);
}

#[test]
fn events_of_the_kernel_are_counted_in_a_child() {
    assert_kernel_events(&ladder(None, EventSource::Kernel));
}

/// Isolation limits what the suite can do, but not what the host can observe.
#[test]
fn events_are_counted_in_isolated_children() {
    let all = Isolation { scratch_bytes: Some(1 << 20), ..Isolation::full() };
    let user = rustix::process::geteuid().is_root().then_some(UserIds { user: 65_534, group: 65_534 });
    let isolations = [
        Isolation::default(),
        Isolation { namespaces: true, scratch_bytes: all.scratch_bytes, ..Isolation::default() },
        Isolation { landlock: true, ..Isolation::default() },
        Isolation { seccomp: true, ..Isolation::default() },
        all.clone(),
        Isolation { user, ..Isolation::default() },
        Isolation { user, ..all },
    ];
    for isolation in isolations {
        let (supported, missing) = launcher().supported(&isolation).unwrap();
        missing.iter().for_each(|(protection, reason)| eprintln!("this system lacks {protection}: {reason}"));
        assert_kernel_events(&ladder(Some(supported), EventSource::Kernel));
    }
}

#[test]
fn the_events_of_the_processor_are_counted_or_the_reason_is_stated() {
    let suite = ladder(None, EventSource::Hardware);
    assert_counted(&suite, 1);
    assert_counted(&suite, 2);
}

#[tokio::test(flavor = "current_thread")]
async fn a_runner_reports_its_counters() {
    let program = native("ladder").unwrap();
    let runner = RunnerProgram::start(&[&program], &[]).unwrap();
    let card: MachineCard = runner.get("machine").send().await.unwrap().json().await.unwrap();
    let catalog: RunnerCatalog = runner.get("catalog").send().await.unwrap().json().await.unwrap();
    let counters = card.counters.unwrap();
    assert_eq!(Some(&counters), catalog.counters.as_ref());
    assert_eq!(counters.events.is_empty(), counters.reason.is_some(), "{counters:?}");
    let instructions = catalog.metrics.iter().find(|metric| metric.name == "instructions").unwrap();
    assert!(counters.events.is_empty() || counters.events.contains(&instructions.name));
    runner.terminate().unwrap();
}
