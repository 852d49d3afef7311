//! The calls from the function to the cause.

use std::rc::Rc;

use benchbook_pinpoint::words::{calls, growth_change, share, signed};
use benchbook_pinpoint::{CallDifference, Change, PinpointReport, RangeComparison};
use benchbook_profile::{Place, ProfileGrowth, brief_name};
use yew::prelude::*;

use super::model::{interval, middle, signed_time};

/// The share of the difference from which on another call of the same caller is listed.
const MIN_SHARE: f64 = 0.005;

/// How many other calls of a caller are listed.
const MAX_OTHERS: usize = 3;

#[derive(PartialEq, Properties)]
pub(super) struct ChainProps {
    pub(super) report: Rc<PinpointReport>,
}

/// A row for each call, with the other calls of its caller that add something. After a search by time, also how much longer each takes.
#[component]
pub(super) fn Chain(props: &ChainProps) -> Html {
    let report = &*props.report;
    let pinpoint = &report.instructions;
    if pinpoint.chain.is_empty() {
        return html! {};
    }
    let has_time = report.by_time.is_some();
    let all = pinpoint.added();
    let mut rows = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for (depth, step) in pinpoint.chain.iter().enumerate() {
        let is_listed = |other: &&CallDifference| (other.added[pinpoint.shown] / all).abs() >= MIN_SHARE;
        for other in step.others.iter().filter(is_listed).take(MAX_OTHERS) {
            let path = [&names[..], &[&brief_name(&other.name)]].concat().join(" > ");
            rows.push(row(
                report,
                &brief_name(&other.name),
                depth,
                other,
                None,
                has_time.then(|| timed(report, &path)),
            ));
        }
        names.push(&step.short_name);
        let time = has_time.then(|| timed(report, &names.join(" > ")));
        rows.push(row(report, &step.short_name, depth, &step.difference, Some(step.change), time));
    }
    html! {
        <>
            <h3>{ "From the function to the call" }</h3>
            <div class="scroll" tabindex="0" role="region" aria-label="From the function to the call">
                <table class="pinpoint-chain" data-test="pinpoint-chain">
                    <thead><tr>
                        <th scope="col">{ "Function" }</th>
                        <th scope="col">{ "Calls" }</th>
                        <th scope="col">{ "Instructions added" }</th>
                        if has_time {
                            <th scope="col">{ "Time added" }</th>
                        }
                        <th scope="col">{ "Growth" }</th>
                    </tr></thead>
                    <tbody>{ for rows }</tbody>
                </table>
            </div>
        </>
    }
}

/// The comparison of a call by time, if the search compared it as a whole.
fn timed<'r>(report: &'r PinpointReport, path: &str) -> Option<&'r RangeComparison> {
    let found = report.by_time.as_ref()?;
    found.comparisons.iter().find(|comparison| comparison.range.calls.is_none() && comparison.name == path)
}

/// The name of the file and the line: `buf.rs:14`.
fn short_place(place: &Place) -> String {
    let text = place.to_string();
    text.rsplit(['/', '\\']).next().unwrap_or_default().to_owned()
}

/// `change`: absent for other calls of a caller. `time`: absent without a search.
fn row(
    report: &PinpointReport,
    name: &str,
    depth: usize,
    difference: &CallDifference,
    change: Option<Option<Change>>,
    time: Option<Option<&RangeComparison>>,
) -> Html {
    let pinpoint = &report.instructions;
    let added = difference.added[pinpoint.shown];
    let change = change.flatten();
    let is_of_caller = matches!(change, Some(Change::New | Change::Calls | Change::Cost));
    let own = difference.place.as_ref();
    let place = if is_of_caller { difference.call_site.as_ref().or(own) } else { own };
    let bar = |class: &'static str, share: f64| {
        html! {
            <span class={classes!("share-bar", class)} aria-hidden="true"><i style={format!("width:{:.1}%", 100.0 * share.clamp(0.0, 1.0))} /></span>
        }
    };
    let of_time = |compared: Option<&RangeComparison>| match compared {
        Some(compared) => {
            let whole = report.by_time.as_ref().and_then(|found| found.comparisons.first()).map_or(0.0, middle);
            html! {
                <td>{ bar("time", middle(compared) / whole) }{ signed_time(middle(compared)) }<small>{ interval(compared.difference) }</small></td>
            }
        }
        None => html! { <td>{ "–" }<small>{ "not compared" }</small></td> },
    };
    html! {
        <tr class={change.is_some().then_some("cause")} data-test="pinpoint-step" data-name={name.to_owned()}>
            <th scope="row"><span class="node" style={format!("--depth:{depth}")}>
                <code>{ name }</code>
                if let Some(change) = change {
                    { " " }<em>{ change.words() }</em>
                }
                <small title={place.map(ToString::to_string)}>{ place.map(short_place) }</small>
            </span></th>
            <td>{ calls(difference.calls) }</td>
            <td>{ bar("", added / pinpoint.added()) }{ signed(added) }<small>{ share(pinpoint, added) }{ ", exact" }</small></td>
            { for time.map(of_time) }
            <td>{ growth_change(difference.growth.map(|growth| growth.map(ProfileGrowth::label))) }</td>
        </tr>
    }
}
