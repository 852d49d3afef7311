//! The plot on its canvas, and what the pointer does to it.

mod model;
mod pointer;
mod reading;
mod surface;

use std::rc::Rc;

use benchbook::catalog::Function;
use web_sys::{PointerEvent, WheelEvent};
use yew::prelude::*;

use crate::chart::View;
use crate::state::cell::MeasuredCurve;
use pointer::{Drag, Pointer};
use surface::{use_looks, use_size};

#[derive(PartialEq, Properties)]
pub(crate) struct PlotProps {
    pub(crate) result: MeasuredCurve,
    pub(crate) function: Rc<Function>,
}

#[component]
pub(crate) fn Plot(props: &PlotProps) -> Html {
    let canvas = use_node_ref();
    let zoom = use_state_eq(|| None::<View>);
    let drag = use_state_eq(|| None::<Drag>);
    // Pointer events come faster than the page is drawn: what they agree on is here, what is shown in `drag`.
    let dragging = use_mut_ref(|| None::<Drag>);
    let hover = use_state_eq(|| None::<f64>);
    let shown = use_state_eq(|| (true, true));
    let size = use_size(&canvas);
    let looks = use_looks();
    {
        // A part of one plane is no part of another: the zoom ends where something else is measured.
        let zoom = zoom.clone();
        use_effect_with(model::plane(&props.result), move |_| zoom.set(None));
    }
    let known = (props.result.clone(), props.function.path.clone(), *zoom, *shown, looks);
    let chart = use_memo(known, |(result, path, zoom, shown, looks)| model::chart(result, path, *zoom, *shown, *looks));
    {
        let canvas = canvas.clone();
        use_effect_with((Rc::clone(&chart), size), move |(chart, size)| surface::paint(&canvas, *size, chart));
    }
    let pointer = Pointer {
        canvas: canvas.clone(),
        size,
        chart: Rc::clone(&chart),
        zoom: zoom.clone(),
        dragging,
        drag: drag.clone(),
        hover: hover.clone(),
    };
    let on = |handle: fn(&Pointer, &PointerEvent)| {
        let pointer = pointer.clone();
        Callback::from(move |event: PointerEvent| handle(&pointer, &event))
    };
    let ondblclick = {
        let zoom = zoom.clone();
        Callback::from(move |_: MouseEvent| zoom.set(None))
    };
    let onwheel = {
        let pointer = pointer.clone();
        Callback::from(move |event: WheelEvent| pointer.wheel(&event))
    };
    let reading = if drag.is_none() { hover.and_then(|x| reading::of(&props.result, &pointer, x)) } else { None };
    let View { x, y } = chart.view;
    html! {
        <>
            { legend(&shown) }
            <div class="plot" data-test="plot" data-zoomed={zoom.is_some().to_string()}
                data-view={format!("{} {} {} {}", x.low, x.high, y.low, y.high)} data-series={model::figures_of(&chart)}>
                <div><canvas ref={canvas} role="img" aria-label={model::described(&props.function.path, &chart)}
                    onpointerdown={on(Pointer::down)} onpointermove={on(Pointer::moved)} onpointerup={on(Pointer::up)}
                    onpointercancel={on(Pointer::lost)} onlostpointercapture={on(Pointer::lost)} onpointerleave={on(Pointer::left)}
                    {ondblclick} {onwheel}></canvas></div>
                // A node of its own for what comes and goes: beside it the canvas would be made anew.
                <div class="overlay">
                    { for reading }
                    if let Some(Drag { from, to, pans: false }) = *drag {
                        <span class="selection" style={pointer::rectangle(from, to)}></span>
                    }
                </div>
            </div>
        </>
    }
}

fn legend(shown: &UseStateHandle<(bool, bool)>) -> Html {
    let (mean, median) = **shown;
    let toggle = |next: (bool, bool)| {
        let shown = shown.clone();
        Callback::from(move |_: Event| shown.set(next))
    };
    html! {
        <div class="legend">
            <label><input type="checkbox" checked={mean} onchange={toggle((!mean, median))} data-test="show-mean" /><i class="mean"></i>{ "mean ± sd" }</label>
            <label><input type="checkbox" checked={median} onchange={toggle((mean, !median))} data-test="show-median" /><i class="median"></i>{ "median, quartiles" }</label>
            <span>{ "dashed: not final · drag zooms · double click resets · shift-drag pans" }</span>
        </div>
    }
}
