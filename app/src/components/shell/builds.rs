//! The builds of suites that follow their sources: the problems of the last build, and what happens after the next one.

use benchbook_host::api::{BuildProblem, BuildSeverity};
use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::components::widgets::code::with_code;
use crate::state::PageAction;
use crate::state::suites::rebuilding::Rebuilding;

/// What happens after each build.
const MEASURE_AFTER_BUILDS: &str = "On the runner, it is measured together with the previous build, interleaved, so that the \
    ratio is paired. In this browser, the previous results are shown as “before”.";

/// The state of the builds, above the notebook; empty if the suites are fixed. `before`: the current cell's function in the previous build, if
/// both can be measured together.
pub(super) fn build_notes(rebuilding: &Rebuilding, before: Option<String>, on_action: &Callback<PageAction>) -> Html {
    let Some(report) = &rebuilding.report else { return html! {} };
    let on_change = on_action.reform(|event: Event| {
        let is_on = event.target_dyn_into::<HtmlInputElement>().is_some_and(|field| field.checked());
        PageAction::MeasureAfterBuilds(is_on)
    });
    html! {
        <div class="builds" data-test="builds" data-revision={report.revision.to_string()} data-building={report.building.to_string()}>
            // Screen readers announce changes of a region that is present before.
            <div role="status">
                if report.building {
                    { "Building the suites…" }
                } else if report.problems.iter().any(|problem| problem.severity == BuildSeverity::Failed) {
                    { "Build failed. The previous build still works." }
                }
            </div>
            { for report.problems.iter().map(problem) }
            <label class="soft" title={MEASURE_AFTER_BUILDS}>
                <input type="checkbox" data-test="measure-after-builds" checked={!rebuilding.is_manual} onchange={on_change} />
                { "Measure the current cell after each build" }
            </label>
            if let Some(before) = &before {
                <button data-test="compare-builds" onclick={on_action.reform(|_: MouseEvent| PageAction::CompareBuilds)}
                    title={format!("Measures it together with {before} on the runner, interleaved, so that the ratio is paired")}>
                    { "Compare with previous build" }
                </button>
            }
        </div>
    }
}

fn problem(problem: &BuildProblem) -> Html {
    let is_limit = problem.severity == BuildSeverity::Limit;
    html! {
        <details class={if is_limit { "limit" } else { "problem-note" }} data-test="build-problem" open={!is_limit}>
            <summary>{ with_code(&problem.summary) }</summary>
            if !problem.details.is_empty() {
                <pre tabindex="0">{ &problem.details }</pre>
            }
        </details>
    }
}
