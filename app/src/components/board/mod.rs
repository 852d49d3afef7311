//! A board: a chart on a canvas that pointer and keys zoom, move and read.

mod keys;
mod pointer;
mod stops;
mod surface;

use std::rc::Rc;

use web_sys::{KeyboardEvent, PointerEvent, WheelEvent};
use yew::prelude::*;

use benchbook_chart::{Chart, View};
use pointer::{Drag, Pointer};
pub(super) use stops::Stops;
pub(super) use surface::{Size, layout, palette, use_looks, use_size};

#[derive(PartialEq, Properties)]
pub(super) struct BoardProps {
    /// The canvas; its size is that of [`use_size`].
    pub(super) canvas: NodeRef,
    pub(super) size: Size,
    pub(super) chart: Rc<Chart>,
    /// The chart in words.
    pub(super) label: String,
    /// All of the plane.
    pub(super) whole: View,
    /// Whether a part of the plane is cut out.
    pub(super) is_zoomed: bool,
    /// Asks for another part of the plane; absent: all of it.
    pub(super) on_zoom: Callback<Option<View>>,
    /// What can be read.
    pub(super) stops: Stops,
    /// What is told of a stop, a line each.
    pub(super) tell: Callback<f64, Vec<Html>>,
}

/// Between the line and the box with what is read, in pixels of the page.
const GAP: f64 = 8.0;

#[component]
pub(super) fn Board(props: &BoardProps) -> Html {
    let BoardProps { canvas, size, chart, .. } = props;
    let drag = use_state_eq(|| None::<Drag>);
    // Pointer events come faster than the page is drawn: what they agree on is here, what is shown in `drag`.
    let dragging = use_mut_ref(|| None::<Drag>);
    // The stop that is read.
    let reading = use_state_eq(|| None::<f64>);
    {
        let canvas = canvas.clone();
        use_effect_with((Rc::clone(chart), *size), move |(chart, size)| surface::paint(&canvas, *size, chart));
    }
    let pointer = Pointer {
        canvas: canvas.clone(),
        frame: chart.frame(&layout(*size, chart.density)),
        on_zoom: props.on_zoom.clone(),
        is_zoomed: props.is_zoomed,
        whole: props.whole,
        dragging,
        drag: drag.clone(),
        stops: props.stops.clone(),
        reading: reading.clone(),
    };
    let on = |handle: fn(&Pointer, &PointerEvent)| {
        let pointer = pointer.clone();
        Callback::from(move |event: PointerEvent| handle(&pointer, &event))
    };
    let ondblclick = props.on_zoom.reform(|_: MouseEvent| None);
    let onwheel = {
        let pointer = pointer.clone();
        Callback::from(move |event: WheelEvent| pointer.wheel(&event))
    };
    let onkeydown = {
        let pointer = pointer.clone();
        Callback::from(move |event: KeyboardEvent| keys::down(&pointer, &event))
    };
    let told = if drag.is_none() { reading.and_then(|stop| told(props, &pointer, stop)) } else { None };
    html! {
        <>
            <div><canvas ref={canvas} role="application" tabindex="0" aria-roledescription="plot" aria-label={props.label.clone()}
                onpointerdown={on(Pointer::down)} onpointermove={on(Pointer::moved)} onpointerup={on(Pointer::up)}
                onpointercancel={on(Pointer::lost)} onlostpointercapture={on(Pointer::lost)} onpointerleave={on(Pointer::left)}
                {ondblclick} {onwheel} {onkeydown}></canvas></div>
            // A node of its own for what comes and goes: beside it the canvas would be made anew.
            <div class="overlay" aria-live="polite">
                { for told }
                if let Some(Drag { from, to, pans: false }) = *drag {
                    <span class="selection" style={pointer::rectangle(from, to)}></span>
                }
            </div>
        </>
    }
}

/// What is told of a stop, and a line through it; absent where it is not in view.
fn told(props: &BoardProps, pointer: &Pointer, stop: f64) -> Option<Html> {
    let (frame, density) = (&pointer.frame, pointer.frame.density());
    let left = frame.x_to_pixel(stop).filter(|_| frame.shows_x(stop))? / density;
    let (top, height) = (frame.inner().top / density, frame.inner().height() / density);
    // The box keeps to the side with more room.
    let side = if left > f64::from(props.size.0) / 2.0 {
        format!("right:calc(100% - {}px)", left - GAP)
    } else {
        format!("left:{}px", left + GAP)
    };
    Some(html! {
        <>
            <span class="crosshair" style={format!("left:{left}px;top:{top}px;height:{height}px")}></span>
            <div class="reading" data-test="reading" style={format!("top:{top}px;{side}")}>
                { for props.tell.emit(stop).into_iter().map(|line| html! { <p>{ line }</p> }) }
            </div>
        </>
    })
}
