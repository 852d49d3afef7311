//! The memory around the calls.

use std::rc::Rc;

use benchbook_host::units::number;
use benchbook_profile::{CallMemory, ProfileMetric};
use yew::prelude::*;

use super::model::ProfileModel;

#[derive(PartialEq, Properties)]
pub(super) struct HeldProps {
    pub(super) model: Rc<ProfileModel>,
}

/// What the suite holds before, during and after a call, as bars on one scale. Only if the profile is about memory.
#[component]
pub(super) fn Held(props: &HeldProps) -> Html {
    let model = &props.model;
    let is_about_memory =
        matches!(model.metric, ProfileMetric::Bytes | ProfileMetric::Allocations | ProfileMetric::Held);
    let memory = model.profile.points.get(model.point).and_then(|point| point.memory);
    let Some(CallMemory { initial, current, peak }) = memory.filter(|_| is_about_memory) else { return html! {} };
    let bar = |(name, bytes): (&str, i64)| {
        let share = 100.0 * bytes.max(0) as f64 / peak.max(1) as f64;
        html! {
            <tr>
                <th scope="row">{ name }</th>
                <td class="amount"><span style={format!("width:{share:.2}%")} /></td>
                <td>{ format!("{} bytes", number(bytes as f64)) }</td>
            </tr>
        }
    };
    html! {
        <table class="held" data-test="profile-held">
            <caption>{ "Memory of the suite around a call, its input included" }</caption>
            <tbody>{ for [("initial", initial), ("peak", peak), ("current", current)].into_iter().map(bar) }</tbody>
        </table>
    }
}
