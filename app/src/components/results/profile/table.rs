//! The functions of the profile as a table.

use std::rc::Rc;

use benchbook_profile::{ProfileGrowth, ProfileMetric, ProfileRow, brief_name, in_percent, short_number};
use yew::prelude::*;

use super::model::ProfileModel;
use super::{changed, crate_class, heading};

/// How many functions are listed at first.
const MAX_ROWS: usize = 12;

#[derive(PartialEq, Properties)]
pub(super) struct ProfileTableProps {
    pub(super) model: Rc<ProfileModel>,
}

/// A row for each function, over all its callers: those that execute most themselves first, or those that changed most.
#[component]
pub(super) fn ProfileTable(props: &ProfileTableProps) -> Html {
    let model = &props.model;
    let shows_all = use_state_eq(|| false);
    let of = |amounts: &[_], point: usize| model.profile.per_call(point, model.metric, &amounts[point]);
    let change = |row: &ProfileRow| of(&row.own, 1) - of(&row.own, 0);
    let mut rows: Vec<&ProfileRow> = model.rows.iter().collect();
    let rank = |row: &&ProfileRow| if model.is_comparison { change(row).abs() } else { of(&row.own, model.point) };
    rows.sort_by(|one, other| rank(other).total_cmp(&rank(one)));
    rows.retain(|row| rank(row) != 0.0 || of(&row.total, model.point) != 0.0);
    let hidden = if *shows_all { 0 } else { rows.len().saturating_sub(MAX_ROWS) };
    rows.truncate(rows.len() - hidden);
    let largest = rows.first().map_or(0.0, rank).max(f64::MIN_POSITIVE);
    let row = |row: &ProfileRow| {
        let own = of(&row.own, model.point);
        let width = 100.0 * rank(&row) / largest;
        let place = row.place.as_ref().map(ToString::to_string);
        let index = model.crates.iter().position(|name| *name == row.package).unwrap_or(0);
        let name = html! {
            <th scope="row"><span class={classes!("swatch", crate_class(index))} aria-hidden="true" /><span class="name" title={row.name.clone()}>{ brief_name(&row.short_name) }</span>
                <small title={place.clone()}>{ place.as_deref().map(file_name) }</small></th>
        };
        if model.is_comparison {
            let before = of(&row.own, 0);
            return html! {
                <tr data-test="profile-row" data-name={row.short_name.clone()}>{ name }
                    <td>{ short_number(before) }</td><td>{ short_number(own) }</td>
                    <td class="amount"><span style={format!("width:{width:.2}%")} /></td><td>{ changed(own - before, before) }</td>
                </tr>
            };
        }
        let calls = model.profile.per_call(model.point, ProfileMetric::Calls, &row.own[model.point]);
        let calls = if calls == 0.0 && row.is_inlined { "inlined".to_owned() } else { short_number(calls) };
        html! {
            <tr data-test="profile-row" data-name={row.short_name.clone()}>{ name }
                <td>{ in_percent(model.share(own)) }</td>
                <td class="amount"><span style={format!("width:{width:.2}%")} /></td>
                <td>{ short_number(own) }</td>
                <td>{ in_percent(model.share(of(&row.total, model.point))) }</td>
                <td>{ calls }</td>
                <td class="growth">{ row.own_growth.map(ProfileGrowth::label) }</td>
                if model.xs.len() > 1 { <td class="line">{ sparkline(model, row) }</td> }
            </tr>
        }
    };
    let columns: Vec<AttrValue> = match model.is_comparison {
        true => ["Before", "After", "", "Change"].map(AttrValue::from).to_vec(),
        false => {
            let mut columns: Vec<AttrValue> = ["Itself", ""].map(AttrValue::from).to_vec();
            columns.extend([heading(model.metric), "Total", "Calls", "Growth"].map(AttrValue::from));
            columns.extend((model.xs.len() > 1).then(|| format!("Share by {}", model.profile.axis).into()));
            columns
        }
    };
    html! {
        <>
            <div class="scroll" tabindex="0" role="region" aria-label="Functions of the profile">
                <table class="profile-table" data-test="profile-table">
                    <thead><tr><th scope="col">{ "Function" }</th>{ for columns.into_iter().map(|name| match name.as_str() {
                        "" => html! { <td /> },
                        _ => html! { <th scope="col">{ name }</th> },
                    }) }</tr></thead>
                    <tbody>{ for rows.into_iter().map(row) }</tbody>
                </table>
            </div>
            if hidden > 0 {
                <button class="link" data-test="profile-all" onclick={{ let shows_all = shows_all.setter(); Callback::from(move |_: MouseEvent| shows_all.set(true)) }}>
                    { format!("Show {hidden} more functions") }
                </button>
            }
        </>
    }
}

/// A place without its folders: `sorting.rs:41`.
fn file_name(place: &str) -> &str {
    place.rsplit('/').next().unwrap_or(place)
}

/// The share of what a function executes itself at each axis value.
fn sparkline(model: &ProfileModel, row: &ProfileRow) -> Html {
    let Some(own) = (!model.is_comparison).then_some(&row.own) else { return html! {} };
    let last = (own.len() - 1).max(1) as f64;
    let share = |point: usize| {
        let all = model.metric.of(&model.profile.total(point)).max(1);
        (model.metric.of(&own[point]) as f64 / all as f64).clamp(0.0, 1.0)
    };
    let at = |point: usize| (60.0 * point as f64 / last, 16.0 - 14.0 * share(point));
    let points = (0..own.len())
        .map(|point| {
            let (x, y) = at(point);
            format!("{x:.1},{y:.1}")
        })
        .collect::<Vec<_>>()
        .join(" ");
    let (x, y) = at(model.point);
    html! {
        <svg viewBox="-2 0 64 18" width="64" height="18" aria-hidden="true"><polyline {points} /><circle cx={format!("{x:.1}")} cy={format!("{y:.1}")} r="2" /></svg>
    }
}
