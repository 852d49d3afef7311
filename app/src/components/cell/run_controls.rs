//! The progress of a cell's measurement with the button that stops it, at the head of the cell: visible even if the cell is
//! collapsed.

use std::rc::Rc;

use yew::prelude::*;

use super::progress::ProgressView;
use crate::state::cell::LiveCell;

#[derive(PartialEq, Properties)]
pub(crate) struct RunHeadProps {
    pub(crate) cell: Rc<LiveCell>,
    /// Whether it is measured after the current measurement.
    pub(crate) is_queued: bool,
    pub(crate) on_stop: Callback<()>,
}

#[component]
pub(crate) fn RunHead(props: &RunHeadProps) -> Html {
    let cell = &props.cell;
    let earlier = cell.results.latest.first().map(|result| result.started);
    html! {
        <div class="run-head">
            <ProgressView run={cell.status.clone()} step={cell.step.clone()} {earlier} />
            if props.is_queued {
                <span class="soft" data-test="queued">{ "Measured after the current measurement." }</span>
            }
            // Hidden while disabled, but still laid out, so that nothing moves when a measurement starts.
            <button class="small" data-test="stop" disabled={!cell.is_measuring()} onclick={props.on_stop.reform(|_: MouseEvent| ())}>{ "Stop" }</button>
        </div>
    }
}
