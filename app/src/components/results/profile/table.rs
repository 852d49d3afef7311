//! The functions of the profile as a table.

use std::rc::Rc;

use benchbook_profile::{Amounts, ProfileGrowth, ProfileMetric, ProfileRow, brief_name, in_percent, short_number};
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
    let model = &*props.model;
    let shows_all = use_state_eq(|| false);
    let mut rows: Vec<&ProfileRow> = model.rows.iter().collect();
    rows.sort_by(|one, other| rank(model, other).total_cmp(&rank(model, one)));
    rows.retain(|row| rank(model, row) != 0.0 || of(model, &row.total, model.point) != 0.0);
    let hidden = if *shows_all { 0 } else { rows.len().saturating_sub(MAX_ROWS) };
    rows.truncate(rows.len() - hidden);
    let largest = rows.first().map_or(0.0, |row| rank(model, row)).max(f64::MIN_POSITIVE);
    let row = |row: &ProfileRow| {
        let cells =
            if model.is_comparison { compared_cells(model, row, largest) } else { amount_cells(model, row, largest) };
        html! { <tr data-test="profile-row" data-name={row.short_name.clone()}>{ name(model, row) }{ cells }</tr> }
    };
    let show_all = {
        let shows_all = shows_all.setter();
        Callback::from(move |_: MouseEvent| shows_all.set(true))
    };
    html! {
        <>
            <div class="scroll" tabindex="0" role="region" aria-label="Functions of the profile">
                <table class="profile-table" data-test="profile-table">
                    <thead><tr><th scope="col">{ "Function" }</th>{ for columns(model).into_iter().map(|name| match name.as_str() {
                        "" => html! { <td /> },
                        _ => html! { <th scope="col">{ name }</th> },
                    }) }</tr></thead>
                    <tbody>{ for rows.into_iter().map(row) }</tbody>
                </table>
            </div>
            if hidden > 0 {
                <button class="link" data-test="profile-all" onclick={show_all}>{ format!("Show {hidden} more functions") }</button>
            }
        </>
    }
}

/// An amount of a row per call.
fn of(model: &ProfileModel, amounts: &[Amounts], point: usize) -> f64 {
    model.profile.per_call(point, model.metric, &amounts[point])
}

/// What the order of the rows, and the length of their bars, is about.
fn rank(model: &ProfileModel, row: &ProfileRow) -> f64 {
    match model.is_comparison {
        true => (of(model, &row.own, 1) - of(model, &row.own, 0)).abs(),
        false => of(model, &row.own, model.point),
    }
}

/// The headings after that of the functions.
fn columns(model: &ProfileModel) -> Vec<AttrValue> {
    if model.is_comparison {
        return ["Before", "After", "", "Change"].map(AttrValue::from).to_vec();
    }
    let names = ["Itself", "", heading(model.metric), "Total", "Calls", "Growth"].map(AttrValue::from);
    let of_axis = (model.xs.len() > 1).then(|| format!("Share by {}", model.profile.axis).into());
    names.into_iter().chain(of_axis).collect()
}

fn name(model: &ProfileModel, row: &ProfileRow) -> Html {
    let place = row.place.as_ref().map(ToString::to_string);
    let index = model.crates.iter().position(|name| *name == row.package).unwrap_or(0);
    html! {
        <th scope="row"><span class={classes!("swatch", crate_class(index))} aria-hidden="true" /><span class="name" title={row.name.clone()}>{ brief_name(&row.short_name) }</span>
            <small title={place.clone()}>{ place.as_deref().map(file_name) }</small></th>
    }
}

/// `largest`: the rank whose bar is as wide as the column.
fn bar(model: &ProfileModel, row: &ProfileRow, largest: f64) -> Html {
    let width = 100.0 * rank(model, row) / largest;
    html! { <td class="amount"><span style={format!("width:{width:.2}%")} /></td> }
}

fn compared_cells(model: &ProfileModel, row: &ProfileRow, largest: f64) -> Html {
    let [before, after] = [0, 1].map(|point| of(model, &row.own, point));
    html! {
        <>
            <td>{ short_number(before) }</td><td>{ short_number(after) }</td>
            { bar(model, row, largest) }<td>{ changed(after - before, before) }</td>
        </>
    }
}

fn amount_cells(model: &ProfileModel, row: &ProfileRow, largest: f64) -> Html {
    let own = of(model, &row.own, model.point);
    let calls = model.profile.per_call(model.point, ProfileMetric::Calls, &row.own[model.point]);
    html! {
        <>
            <td>{ in_percent(model.share(own)) }</td>
            { bar(model, row, largest) }
            <td>{ short_number(own) }</td>
            <td>{ in_percent(model.share(of(model, &row.total, model.point))) }</td>
            <td>{ if calls == 0.0 && row.is_inlined { "inlined".to_owned() } else { short_number(calls) } }</td>
            <td class="growth">{ row.own_growth.map(ProfileGrowth::label) }</td>
            if model.xs.len() > 1 { <td class="line">{ sparkline(model, row) }</td> }
        </>
    }
}

/// A place without its folders: `sorting.rs:41`.
fn file_name(place: &str) -> &str {
    place.rsplit('/').next().unwrap_or(place)
}

/// The share of what a function executes itself at each axis value.
fn sparkline(model: &ProfileModel, row: &ProfileRow) -> Html {
    let own = &row.own;
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
