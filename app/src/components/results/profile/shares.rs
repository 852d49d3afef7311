//! How the shares of the largest functions change over the axis; choosing a place there chooses the size of the whole profile.

use std::rc::Rc;

use benchbook_host::units::axis_value;
use benchbook_profile::{brief_name, in_percent};
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::model::ProfileModel;

#[derive(PartialEq, Properties)]
pub(super) struct SharesProps {
    pub(super) model: Rc<ProfileModel>,
    /// Receives the index of an axis value.
    pub(super) on_at: Callback<usize>,
}

/// Areas above each other, from 0 to 100%, at evenly spaced axis values, and a slider over them.
#[component]
pub(super) fn Shares(props: &SharesProps) -> Html {
    let SharesProps { model, on_at } = props;
    let last = model.xs.len() - 1;
    let oninput = on_at.reform(move |event: InputEvent| {
        let value = event.target_unchecked_into::<HtmlInputElement>().value_as_number();
        (value as usize).min(last)
    });
    let x = |index: usize| 100.0 * index as f64 / last as f64;
    let mut below = vec![0.0; last + 1];
    let area = |(index, values): (usize, &Vec<f64>)| {
        let base: Vec<f64> = below.clone();
        below.iter_mut().zip(values).for_each(|(below, value)| *below += value);
        let point = |(at, share): (usize, &f64)| format!("{:.2},{:.2}", x(at), 100.0 - 100.0 * share.min(1.0));
        let upper = below.iter().enumerate().map(point);
        let lower = base.iter().enumerate().rev().map(point);
        let points = upper.chain(lower).collect::<Vec<_>>().join(" ");
        html! { <polygon class={format!("area-{index}")} {points} /> }
    };
    let areas: Vec<Html> = model.shares.iter().map(|share| &share.values).enumerate().map(area).collect();
    let axis = &model.profile.axis;
    let value = axis_value(&model.xs[model.at]);
    let of_chosen = |values: &[f64]| in_percent(values[model.at]);
    html! {
        <section class="shares" data-test="shares">
            <div class="profile-bar"><b>{ format!("Share by {axis}") }</b><span class="soft">{ "Drag the line" }</span></div>
            <div class="share-chart" style={format!("--at:{:.3}%", x(model.at))}>
                <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">{ for areas }</svg>
                <span class="share-line" aria-hidden="true" />
                <input type="range" min="0" max={last.to_string()} step="1" value={model.at.to_string()} data-test="profile-at"
                    aria-label={format!("{axis} of the profile")} aria-valuetext={value.clone()} {oninput} />
            </div>
            <div class="share-axis soft"><span>{ axis_value(&model.xs[0]) }</span><b data-test="profile-x">{ value }</b><span>{ axis_value(&model.xs[last]) }</span></div>
            <ul class="profile-legend">
                { for model.shares.iter().enumerate().rev().map(|(index, share)| html! {
                    <li><span class={classes!("swatch", format!("area-{index}"))} aria-hidden="true" />
                        <span class="name">{ brief_name(&share.name) }</span>{ of_chosen(&share.values) }</li>
                }) }
            </ul>
        </section>
    }
}
