//! The progress of a cell's measurement, and the button that measures or stops.

use std::rc::Rc;

use yew::prelude::*;

use super::progress::ProgressView;
use crate::effects::browser::now;
use crate::state::cell::LiveCell;
use crate::state::notebook::cell_context::CellContext;

#[derive(PartialEq, Properties)]
pub(crate) struct RunControlsProps {
    pub(crate) cell: Rc<LiveCell>,
    pub(crate) context: Rc<CellContext>,
    pub(crate) on_measure: Callback<()>,
    pub(crate) on_stop: Callback<()>,
}

/// One button: it keeps its place and the focus when a measurement starts or ends.
#[component]
pub(crate) fn RunControls(props: &RunControlsProps) -> Html {
    let RunControlsProps { cell, context, .. } = props;
    let is_measuring = cell.is_measuring();
    let earlier = cell.results.latest.first().map(|result| result.started);
    let onclick = {
        let (on_measure, on_stop) = (props.on_measure.clone(), props.on_stop.clone());
        Callback::from(move |_: MouseEvent| if is_measuring { &on_stop } else { &on_measure }.emit(()))
    };
    html! {
        <div class="run">
            <ProgressView run={cell.status.clone()} step={cell.step.clone()} {earlier} stored={cell.stored_note(now())} />
            if context.is_queued {
                <span class="soft" data-test="queued">{ "Queued: runs next." }</span>
            }
            <button class={if is_measuring { "stop" } else { "primary" }} data-test={if is_measuring { "stop" } else { "measure" }}
                disabled={!is_measuring && !context.can_measure} {onclick}>{ if is_measuring { "Stop" } else { context.measure_label } }</button>
        </div>
    }
}
