//! The footer of a cell: the last figure of each function, and the machine and the build behind each result.

use benchbook_host::units::{Nanos, axis_value};
use yew::prelude::*;

use benchbook_notebook::trace::Trace;
use benchbook_report::origins::origin_lines;
use benchbook_report::results::Results;
use benchbook_report::shown_trace::ShownTrace;

/// The figures of each function at the last point on the last machine, then the origin of each result; empty before the first
/// measurement.
pub(super) fn cell_footer(results: &Results) -> Html {
    let Some(last) = results.latest.last() else { return html! {} };
    let traces: Vec<Trace> = last.traces().collect();
    let shown = ShownTrace::all(&traces, &[]);
    let name = |one: &ShownTrace| if shown.len() > 1 { format!(" {}", one.name) } else { String::new() };
    html! {
        <div class="foot">
            { for shown.iter().filter_map(|one| headline(&one.trace, &name(one))) }
            <ul>{ for origin_lines(results).into_iter().map(|line| html! { <li data-test="result-origin">{ line }</li> }) }</ul>
        </div>
    }
}

/// The figure at the last measured value of the axis. `name`: what follows it.
fn headline(trace: &Trace, name: &str) -> Option<Html> {
    let (x, measured) =
        trace.curve.readings().iter().rev().find_map(|reading| Some((&reading.x, reading.measured()?)))?;
    let summary = &measured.summary;
    let (time, statistic) = match (measured.upper_bound(), summary.median) {
        (Some(bound), _) => (format!("< {}", Nanos(bound)), "per call"),
        (None, Some(median)) => (Nanos(median).to_string(), "median"),
        (None, None) => (Nanos(summary.mean).to_string(), "mean"),
    };
    let at = if x.is_absent() { String::new() } else { format!(" at {}", axis_value(x)) };
    Some(html! { <span><b>{ time }</b>{ format!(" {statistic}{at}{name}") }</span> })
}
