//! What adds to the difference, as a bar and as a table.

use std::rc::Rc;

use benchbook_pinpoint::words::{calls, growth_change, share, signed};
use benchbook_pinpoint::{Contributor, PinpointReport};
use benchbook_profile::{ProfileGrowth, brief_name};
use yew::prelude::*;

use super::model::{Part, middle, parts, signed_time, time_parts};

/// The share from which on a part has room for its name.
const MIN_NAMED: f64 = 0.1;

#[derive(PartialEq, Properties)]
pub(super) struct ContributorsProps {
    pub(super) report: Rc<PinpointReport>,
}

/// A bar for the instructions and, if it was searched, one for the time. Then all contributors, on demand.
#[component]
pub(super) fn Contributors(props: &ContributorsProps) -> Html {
    let report = &*props.report;
    let pinpoint = &report.instructions;
    let by_count = parts(report);
    let by_time = report.by_time.as_ref().map(|found| (time_parts(found), found));
    let by_time = by_time.filter(|(parts, _)| !parts.is_empty());
    if by_count.is_empty() && by_time.is_none() && pinpoint.contributors.is_empty() {
        return html! {};
    }
    let kind = if pinpoint.added() < 0.0 { "saves" } else { "adds" };
    html! {
        <section class="pinpoint-parts">
            <h3>{ format!("What {kind} the work") }</h3>
            if !by_count.is_empty() {
                { bar("Instructions", &by_count, signed(pinpoint.added()), "") }
            }
            if let Some((parts, found)) = by_time {
                { bar("Time", &parts, found.comparisons.first().map(|whole| signed_time(middle(whole))).unwrap_or_default(), "time") }
            }
            <details data-test="pinpoint-all">
                <summary>{ format!("All contributors ({})", pinpoint.contributors.len()) }</summary>
                <div class="scroll" tabindex="0" role="region" aria-label="All contributors">
                    <table class="profile-table" data-test="pinpoint-contributors">
                        <thead><tr>
                            { for ["Call", "Added", "Share", "Calls", "Growth", "Why"].map(|name| html! { <th scope="col">{ name }</th> }) }
                        </tr></thead>
                        <tbody>{ for pinpoint.contributors.iter().map(|contributor| row(report, contributor)) }</tbody>
                    </table>
                </div>
            </details>
        </section>
    }
}

fn bar(name: &str, parts: &[Part], all: String, class: &'static str) -> Html {
    let part = |(index, part): (usize, &Part)| {
        let fill =
            if part.name == "other" && index > 0 { "other".to_owned() } else { format!("crate-{}", (index + 2) % 5) };
        html! {
            <div class={classes!("part", fill)} style={format!("flex:{:.4}", part.share)} title={format!("{}: {}", part.full_name, part.label)}>
                if part.share >= MIN_NAMED {
                    <b>{ &part.name }</b><span>{ &part.label }</span>
                }
            </div>
        }
    };
    html! {
        <div class={classes!("pinpoint-bar", class)} data-test={format!("pinpoint-bar-{}", name.to_lowercase())}>
            <span class="soft">{ name }</span>
            <div class="stack">{ for parts.iter().enumerate().map(part) }</div>
            <b>{ all }</b>
        </div>
    }
}

fn row(report: &PinpointReport, contributor: &Contributor) -> Html {
    let Contributor { path, change, difference, .. } = contributor;
    let pinpoint = &report.instructions;
    let added = difference.added[pinpoint.shown];
    let name =
        path.iter().skip(path.len().saturating_sub(2)).map(|name| brief_name(name)).collect::<Vec<_>>().join(" > ");
    html! {
        <tr>
            <th scope="row" class="name" title={path.join(" > ")}>{ name }</th>
            <td>{ signed(added) }</td>
            <td>{ share(pinpoint, added) }</td>
            <td>{ calls(difference.calls) }</td>
            <td class="growth">{ growth_change(difference.growth.map(|growth| growth.map(ProfileGrowth::label))) }</td>
            <td class="growth">{ change.words() }</td>
        </tr>
    }
}
