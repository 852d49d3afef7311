//! A chart on a canvas with zoom, pan and a readout, by pointer and by keys.

mod canvas;
mod gestures;
mod interaction;
mod limit_line;
mod snap_points;

use std::rc::Rc;

use benchbook_chart::{Chart, Frame, View, svg};
use gloo::events::EventListener;
use web_sys::{HtmlElement, KeyboardEvent, PointerEvent, WheelEvent};
use yew::prelude::*;

use crate::effects::browser::own_frame::{in_own_frame, is_printing};
pub(crate) use canvas::{CanvasSize, TYPEFACE, frame, layout, line_names, palette, use_appearance, use_size};
use gestures::{Drag, DragKind, Gesture, SeenChart};
use interaction::Interaction;
pub(crate) use limit_line::LimitLine;
pub(crate) use snap_points::SnapPoints;

#[derive(PartialEq, Properties)]
pub(crate) struct InteractiveChartProps {
    /// The canvas.
    pub(crate) canvas: NodeRef,
    /// The size of the canvas, from [`use_size`].
    pub(crate) size: CanvasSize,
    pub(crate) chart: Rc<Chart>,
    /// The text alternative of the chart, to which the visible range is added.
    pub(crate) label: String,
    /// The view that shows everything.
    pub(crate) full_view: View,
    /// Whether the view shows only a part.
    pub(crate) is_zoomed: bool,
    /// Requests another view; `None` requests the full view.
    pub(crate) on_zoom: Callback<Option<View>>,
    /// The positions at which the readout snaps.
    pub(crate) snap_points: SnapPoints,
    /// Returns the content of the readout at a snap point, in a box next to the line; `None` draws only the line.
    #[prop_or_default]
    pub(crate) readout: Option<Callback<f64, Html>>,
    /// Receives the snap point of the line.
    #[prop_or_default]
    pub(crate) on_select: Callback<Option<f64>>,
    /// The horizontal line that the user can drag.
    #[prop_or_default]
    pub(crate) limit: Option<LimitLine>,
}

/// The gap between the crosshair and the readout, in page pixels.
const GAP: f64 = 8.0;

#[component]
pub(crate) fn InteractiveChart(props: &InteractiveChartProps) -> Html {
    let InteractiveChartProps { canvas, size, chart, .. } = props;
    let visible = use_state_eq(Gesture::default);
    let gesture = use_mut_ref(Gesture::default);
    let is_painted = use_mut_ref(|| false);
    let paper = use_node_ref();
    use_print(&paper, chart);
    {
        let (canvas, is_painted) = (canvas.clone(), Rc::clone(&is_painted));
        use_effect_with((Rc::clone(chart), *size), move |(chart, size)| {
            let paint = {
                let (canvas, is_painted) = (canvas.clone(), Rc::clone(&is_painted));
                let (chart, size) = (Rc::clone(chart), *size);
                move || {
                    is_painted.replace(canvas::paint(&canvas, size, &chart));
                }
            };
            // The first one allocates the canvas.
            let task = if *is_painted.borrow() {
                paint();
                None
            } else {
                Some(in_own_frame(paint))
            };
            move || drop(task)
        });
    }
    let interaction = Interaction {
        canvas: canvas.clone(),
        chart: SeenChart {
            frame: frame(chart, *size),
            full_view: props.full_view,
            is_zoomed: props.is_zoomed,
            snap_points: props.snap_points.clone(),
            limit: props.limit.clone(),
        },
        on_zoom: props.on_zoom.clone(),
        gesture,
        visible: visible.clone(),
    };
    let on = |handle: fn(&Interaction, &PointerEvent)| {
        let interaction = interaction.clone();
        Callback::from(move |event: PointerEvent| handle(&interaction, &event))
    };
    let ondblclick = {
        let interaction = interaction.clone();
        Callback::from(move |event: MouseEvent| interaction.double_click(&event))
    };
    let onblur = {
        let interaction = interaction.clone();
        Callback::from(move |event: FocusEvent| interaction.blur(&event))
    };
    let onwheel = {
        let interaction = interaction.clone();
        Callback::from(move |event: WheelEvent| interaction.wheel(&event))
    };
    let onkeydown = {
        let interaction = interaction.clone();
        Callback::from(move |event: KeyboardEvent| interaction.key_down(&event))
    };
    let label = format!(
        "{}. Visible range: {}; {}.",
        props.label,
        chart.x.describe(chart.view.x),
        chart.y.describe(chart.view.y)
    );
    let reset = {
        let (canvas, on_zoom) = (canvas.clone(), props.on_zoom.clone());
        Callback::from(move |_: MouseEvent| {
            on_zoom.emit(None);
            // The button disappears: its focus moves to the chart.
            if let Some(canvas) = canvas.cast::<HtmlElement>() {
                let _ = canvas.focus();
            }
        })
    };
    let selected = visible.selected.filter(|_| visible.drag.is_none());
    use_effect_with((selected, props.on_select.clone()), |(selected, on_select)| on_select.emit(*selected));
    let readout = selected.and_then(|x| readout(props, &interaction.chart.frame, x));
    html! {
        <>
            <div><canvas ref={canvas} class={(visible.is_over_limit && props.limit.is_some()).then_some("on-limit")} role="application" tabindex="0" aria-roledescription="plot" aria-label={label}
                onpointerdown={on(Interaction::pointer_down)} onpointermove={on(Interaction::pointer_move)}
                onpointerup={on(Interaction::pointer_up)} onpointercancel={on(Interaction::pointer_cancel)}
                onlostpointercapture={on(Interaction::cancel_drag)} onpointerleave={on(Interaction::pointer_leave)}
                {ondblclick} {onwheel} {onkeydown} {onblur}></canvas></div>
            <div ref={paper} class="on-paper" aria-hidden="true"></div>
            // Separate nodes for conditional elements: as siblings, they would make Yew recreate the canvas.
            <div class="zoom-reset">
                if props.is_zoomed {
                    <button class="small" data-test="reset-zoom" onclick={reset}>{ "Reset zoom" }</button>
                }
            </div>
            <div class="overlay" aria-live="polite">
                { for readout }
                if let Some(Drag { from, to, kind: DragKind::Zoom }) = visible.drag {
                    <span class="selection" style={interaction::rectangle(from, to)}></span>
                }
            </div>
            <p class="touch-hint" data-test="touch-hint">{ "Tap to read a point. Drag sideways to zoom." }</p>
        </>
    }
}

/// The size of a printed chart in page pixels; the width is that of the text on A4 and Letter paper.
const PAPER: CanvasSize = (700, 340);

/// Before the page is printed, puts the chart into an element that only paper shows, as SVG: sharp, and dark on white. Yew would render in parts
/// of 16 ms, most of them after the print.
#[hook]
fn use_print(paper: &NodeRef, chart: &Rc<Chart>) {
    let paper = paper.clone();
    use_effect_with(Rc::clone(chart), move |chart| {
        let chart = Rc::clone(chart);
        let draw = move || {
            if let Some(paper) = paper.cast::<HtmlElement>() {
                // All texts in it are escaped.
                paper.set_inner_html(&svg(&Chart { palette: chart.palette.on_paper(), ..(*chart).clone() }, PAPER));
            }
        };
        // A chart that another listener has just rendered: new listeners do not receive the current event.
        if is_printing() {
            draw();
        }
        let before_print = web_sys::window().map(|window| EventListener::new(&window, "beforeprint", move |_| draw()));
        move || drop(before_print)
    });
}

/// A readout that consists of lines.
pub(crate) fn readout_lines(lines: impl IntoIterator<Item = Html>) -> Html {
    html! { <>{ for lines.into_iter().map(|line| html! { <p>{ line }</p> }) }</> }
}

/// The readout at a snap point, with a vertical line through it; `None` if the point is not visible.
fn readout(props: &InteractiveChartProps, frame: &Frame, x: f64) -> Option<Html> {
    let density = frame.density();
    let left = frame.x_to_pixel(x).filter(|_| frame.shows_x(x))? / density;
    let (top, height) = (frame.inner().top / density, frame.inner().height() / density);
    // The readout is on the side with more room. The space between the edge and the readout shrinks if the readout is wide.
    let width = f64::from(props.size.0);
    let (direction, space) = if left > width / 2.0 { ("row-reverse", width - left + GAP) } else { ("row", left + GAP) };
    Some(html! {
        <>
            <span class="crosshair" style={format!("left:{left}px;top:{top}px;height:{height}px")}></span>
            if let Some(readout) = &props.readout {
                <div class="reading-line" style={format!("top:{top}px;flex-direction:{direction}")}>
                    <span style={format!("flex:0 1 {space}px")}></span>
                    <div class="reading" data-test="reading">{ readout.emit(x) }</div>
                </div>
            }
        </>
    })
}
