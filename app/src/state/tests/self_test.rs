//! The self-test: its progress, and what ends it.

use benchbook_host::self_test::steps::{SelfTestPart, SelfTestStep, steps};

use super::*;
use crate::state::page_address::PageAddress;
use crate::state::self_test::{SelfTestAction, SelfTestState, SelfTestStatus};

fn step() -> SelfTestStep {
    steps(2, 30.0).remove(0)
}

fn running() -> SelfTestState {
    let mut test = SelfTestState::default();
    for action in [SelfTestAction::Started, SelfTestAction::Ready(4.0 * step().ms()), SelfTestAction::StepStarted("a")]
    {
        test.apply(action);
    }
    test
}

#[test]
fn completed_measurements_are_progress() {
    let mut test = running();
    assert_eq!((test.status.clone(), test.share()), (SelfTestStatus::Measuring("a"), 0.0));
    test.apply(SelfTestAction::Measured(step(), Vec::new()));
    assert_eq!((test.share(), test.left_ms(), test.checks()), (0.25, 3.0 * step().ms(), None));
    test.apply(SelfTestAction::Done);
    assert_eq!(test.checks().map(|checks| checks.len()), Some(5));
    assert_eq!(step().part, SelfTestPart::Equal);
}

#[test]
fn late_events_change_nothing() {
    let mut test = running();
    test.apply(SelfTestAction::Stopped);
    let stopped = test.clone();
    for action in [SelfTestAction::StepStarted("b"), SelfTestAction::Measured(step(), Vec::new()), SelfTestAction::Done]
    {
        test.apply(action);
    }
    assert_eq!(test, stopped);
    test.apply(SelfTestAction::Started);
    assert_eq!((&test.status, test.left_ms()), (&SelfTestStatus::Loading, 0.0));
}

#[test]
fn the_link_shows_the_self_test_until_something_else_is_chosen() {
    let state = page([PageAction::Follow(Some(Address::SelfTest.into()))]);
    assert!(state.shown == Shown::SelfTest && state.cell().is_none());
    assert_eq!(state.address(), PageAddress::At(Box::new(Address::SelfTest)));
    let home = state.reduce(PageAction::Home);
    assert_eq!((&home.shown, home.address()), (&Shown::Start, PageAddress::Start));
}

#[test]
fn a_measurement_stops_the_self_test_and_is_stopped_by_it() {
    let step_begun = PageAction::SelfTest(SelfTestAction::StepStarted("a"));
    let start_test = || PageAction::SelfTest(SelfTestAction::Started);
    let state = begun().then([start_test(), step_begun, on_first(started())]);
    assert_eq!(state.self_test.status, SelfTestStatus::Stopped);
    assert!(state.measuring().is_some());
    let state = state.reduce(start_test());
    assert_eq!((&state.self_test.status, state.measuring().is_some()), (&SelfTestStatus::Loading, false));
}
