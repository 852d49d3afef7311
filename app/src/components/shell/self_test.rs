//! The self-test: whether this browser, at this moment, yields reliable figures.

use std::cell::RefCell;
use std::rc::Rc;

use benchbook_host::self_test::checks::{SelfTestCheck, verdict};
use benchbook_host::self_test::steps::{RUNG_MS, SelfTestStep, TRIES, steps};
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use crate::components::cell::progress::about;
use crate::effects::browser;
use crate::effects::measure::self_test_run::{SUITE, SelfTestRun};
use crate::effects::runner::run_control::{RunControl, RunTicket};
use crate::effects::suites::Hosts;
use crate::effects::suites::load;
use crate::effects::suites::load::SuiteAndHost;
use crate::state::PageAction;
use crate::state::self_test::{SelfTestAction, SelfTestState, SelfTestStatus};
use crate::state::suites::loaded_suite::SuiteId;

/// Returns a callback that starts the self-test and stops any measurement. The suite is loaded at the first start.
#[hook]
pub(super) fn use_self_test(hosts: &Hosts, runs: &Rc<RunControl>, act: &Callback<PageAction>) -> Callback<()> {
    let loaded = use_mut_ref(|| None::<SuiteAndHost>);
    let (hosts, runs, act) = (Rc::clone(hosts), Rc::clone(runs), act.clone());
    Callback::from(move |()| {
        hosts.borrow().iter().for_each(|(_, host)| host.stop());
        let (ticket, on_action) = (runs.next(), act.reform(PageAction::SelfTest));
        on_action.emit(SelfTestAction::Started);
        match &*loaded.borrow() {
            Some(suite) => begin(suite.clone(), ticket, on_action),
            None => spawn_local(load_and_begin(Rc::clone(&loaded), Rc::clone(&hosts), ticket, on_action)),
        }
    })
}

async fn load_and_begin(
    loaded: Rc<RefCell<Option<SuiteAndHost>>>,
    hosts: Hosts,
    ticket: RunTicket,
    on_action: Callback<SelfTestAction>,
) {
    let on_loaded = Callback::from(move |outcome: Result<SuiteAndHost, String>| match outcome {
        // It was stopped, and perhaps started again, while it was loading.
        _ if ticket.is_over() => {}
        Ok(suite) => {
            loaded.replace(Some(suite.clone()));
            // Among the others, so that Stop and the next measurement stop it.
            hosts.borrow_mut().push((suite.0.id, suite.1.clone()));
            begin(suite, ticket.clone(), on_action.clone());
        }
        Err(problem) => on_action.emit(SelfTestAction::Failed(problem)),
    });
    load::suite(SuiteId::SelfTest, SUITE.to_owned(), on_loaded).await;
}

fn begin(suite: SuiteAndHost, ticket: RunTicket, on_action: Callback<SelfTestAction>) {
    SelfTestRun::start(suite, browser::client_id(), ticket, on_action);
}

#[derive(PartialEq, Properties)]
pub(super) struct SelfTestProps {
    pub(super) test: SelfTestState,
    pub(super) on_start: Callback<()>,
    pub(super) on_stop: Callback<()>,
}

/// The introduction, the buttons, and the progress or the checks.
#[component]
pub(super) fn SelfTestView(props: &SelfTestProps) -> Html {
    let SelfTestProps { test, on_start, on_stop } = props;
    let checks = test.checks();
    let usual_ms: f64 = steps(TRIES, RUNG_MS).iter().map(SelfTestStep::ms).sum();
    html! {
        <section class="cell note self-test" data-test="self-test" data-state={name(&test.status)}>
            <h1>{ "Does this browser measure reliably right now?" }</h1>
            <p>{ introduction(usual_ms) }</p>
            <div class="go">
                if test.is_running() {
                    <button data-test="stop" onclick={on_stop.reform(|_: MouseEvent| ())}>{ "Stop" }</button>
                } else {
                    <button class="primary" data-test="start-self-test" onclick={on_start.reform(|_: MouseEvent| ())}>
                        { if test.status == SelfTestStatus::Idle { "Start" } else { "Repeat" } }
                    </button>
                }
            </div>
            <div class="progress">
                // Read out by screen readers, so it changes with the part only.
                <p role="status" class={classes!(checks.is_some().then_some("verdict"))} data-test="verdict">
                    { checks.as_ref().map_or_else(|| status(&test.status), |checks| verdict(checks)) }
                </p>
                if test.is_running() {
                    <div class="bar single" aria-hidden="true"><i style={format!("--done:{}%", test.share() * 100.0)}></i></div>
                    <p class="counts">{ left(test) }</p>
                }
            </div>
            if let Some(checks) = &checks {
                <ul class="checks">{ for checks.iter().map(check) }</ul>
            }
            if let SelfTestStatus::Failed(reason) = &test.status {
                <p class="problem-note" role="alert" data-test="problem">{ reason }</p>
            }
        </section>
    }
}

/// What the test does and what it covers. It names only what every user has.
fn introduction(usual_ms: f64) -> String {
    format!(
        "The self-test measures functions whose results are known: equal functions, functions that do nothing, and functions with known \
         ratios. It takes {}. It covers this browser only: the quality of a runner's results is next to them.",
        about(usual_ms)
    )
}

fn check(check: &SelfTestCheck) -> Html {
    let is_passed = check.advice.is_none();
    html! {
        <li data-test="check" data-state={if is_passed { "passed" } else { "failed" }}>
            <span class="mark" aria-hidden="true">{ if is_passed { "✓" } else { "✗" } }</span>
            <span>
                { if is_passed { "" } else { "Failed: " } }{ &check.result }
                if let Some(advice) = check.advice {
                    <span class="advice">{ advice }</span>
                }
            </span>
        </li>
    }
}

fn name(status: &SelfTestStatus) -> &'static str {
    match status {
        SelfTestStatus::Idle => "idle",
        SelfTestStatus::Loading | SelfTestStatus::Queued | SelfTestStatus::Paused => "waiting",
        SelfTestStatus::Measuring(_) => "measuring",
        SelfTestStatus::Done => "done",
        SelfTestStatus::Stopped => "stopped",
        SelfTestStatus::Failed(_) => "failed",
    }
}

fn status(status: &SelfTestStatus) -> String {
    let text = match status {
        SelfTestStatus::Idle => "Close other programs and tabs first.",
        SelfTestStatus::Loading => "Loading…",
        SelfTestStatus::Queued => "Waiting: another tab is measuring.",
        SelfTestStatus::Measuring(what) => return format!("Measuring {what}…"),
        SelfTestStatus::Paused => "Paused: browsers slow down hidden tabs. Show this tab to continue.",
        SelfTestStatus::Done => "",
        SelfTestStatus::Stopped => "Stopped.",
        SelfTestStatus::Failed(_) => "The self-test failed.",
    };
    text.to_owned()
}

/// The remaining time, once it is known.
fn left(test: &SelfTestState) -> String {
    if test.left_ms() > 0.0 { format!("{} left", about(test.left_ms())) } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::introduction;

    #[test]
    fn the_introduction_names_no_command_of_a_checkout() {
        let text = introduction(40_000.0);
        assert!(text.contains("this browser only") && !text.contains("cargo"), "{text}");
    }
}
