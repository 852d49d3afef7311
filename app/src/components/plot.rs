//! The plot on its canvas, and the pointer over it.

use std::cell::RefCell;
use std::rc::Rc;

use benchbook::catalog::Function;
use benchbook::parameter;
use benchbook::response::Measured;
use benchbook::units::{self, TimeUnit};
use gloo::events::EventListener;
use plotters::drawing::IntoDrawingArea;
use plotters_canvas::CanvasBackend;
use web_sys::{HtmlCanvasElement, PointerEvent, WheelEvent};
use yew::prelude::*;

use super::theme;
use crate::chart::{
    AxisSpec, Chart, Figures, Font, Layout, Palette, PlotPoint, Quartiles, Scale, Series, Unit, View, Weight, Window,
};
use crate::state::cell::MeasuredCurve;

/// The page's own typeface.
const TYPEFACE: &str = "system-ui, -apple-system, \"Segoe UI\", Roboto, sans-serif";

#[derive(PartialEq, Properties)]
pub(crate) struct PlotProps {
    pub(crate) result: MeasuredCurve,
    pub(crate) function: Rc<Function>,
}

/// How much one notch of the wheel zooms.
const WHEEL_STEP: f64 = 1.25;

/// A drag in page pixels, relative to the canvas: where it began and where it is.
#[derive(Clone, Copy, PartialEq)]
struct Drag {
    from: (f64, f64),
    to: (f64, f64),
    pans: bool,
}

#[component]
pub(crate) fn Plot(props: &PlotProps) -> Html {
    let canvas = use_node_ref();
    let zoom = use_state(|| None::<View>);
    let drag = use_state(|| None::<Drag>);
    // Pointer events come faster than the page is drawn: what they agree on is here, what is shown in `drag`.
    let dragging = use_mut_ref(|| None::<Drag>);
    let hover = use_state(|| None::<f64>);
    let shown = use_state(|| (true, true));
    let resized = use_state(|| 0_u32);
    let chart = chart(props, *zoom, *shown);
    use_resize(&resized);
    {
        let (canvas, chart) = (canvas.clone(), chart.clone());
        // The width is looked at each time: a hidden tab has none, and gets one when it is shown.
        use_effect(move || {
            if let Some(canvas) = canvas.cast::<HtmlCanvasElement>() {
                paint(&canvas, &chart);
            }
        });
    }
    let pointer = Pointer {
        canvas: canvas.clone(),
        chart: chart.clone(),
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
    let reading = if drag.is_none() { hover.and_then(|x| pointer.reading(props, x)) } else { None };
    let View { x, y } = chart.view;
    html! {
        <>
            { legend(&shown) }
            <div class="plot" data-test="plot" data-zoomed={zoom.is_some().to_string()}
                data-view={format!("{} {} {} {}", x.low, x.high, y.low, y.high)} data-series={figures_of(&chart)}>
                <div><canvas ref={canvas} role="img" aria-label={described(props, &chart)}
                    onpointerdown={on(Pointer::down)} onpointermove={on(Pointer::moved)} onpointerup={on(Pointer::up)} onpointerleave={on(Pointer::left)}
                    {ondblclick} {onwheel}></canvas></div>
                // A node of its own for what comes and goes: beside it the canvas would be made anew.
                <div class="overlay">
                    { for reading }
                    if let Some(Drag { from, to, pans: false }) = *drag {
                        <span class="selection" style={rectangle(from, to)}></span>
                    }
                </div>
            </div>
        </>
    }
}

/// Counts the window's changes of size, so that the plot is drawn anew.
#[hook]
fn use_resize(resized: &UseStateHandle<u32>) {
    let resized = resized.clone();
    let count = use_mut_ref(|| 0_u32);
    use_effect_with((), move |()| {
        let listener = web_sys::window().map(|window| {
            EventListener::new(&window, "resize", move |_| {
                *count.borrow_mut() += 1;
                resized.set(*count.borrow());
            })
        });
        move || drop(listener)
    });
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
            <span>{ "drag zooms · double click resets · shift-drag pans" }</span>
        </div>
    }
}

/// What acts on the pointer.
#[derive(Clone)]
struct Pointer {
    canvas: NodeRef,
    chart: Chart,
    zoom: UseStateHandle<Option<View>>,
    dragging: Rc<RefCell<Option<Drag>>>,
    drag: UseStateHandle<Option<Drag>>,
    /// The pointer's x in page pixels.
    hover: UseStateHandle<Option<f64>>,
}

impl Pointer {
    fn down(&self, event: &PointerEvent) {
        let at = place(event);
        self.set_drag(Some(Drag { from: at, to: at, pans: event.shift_key() }));
        if let Some(canvas) = self.canvas.cast::<HtmlCanvasElement>() {
            // A drag that leaves the canvas goes on; where the browser refuses, it ends at the edge.
            let _ = canvas.set_pointer_capture(event.pointer_id());
        }
    }

    fn moved(&self, event: &PointerEvent) {
        let to = place(event);
        self.hover.set(Some(to.0));
        let Some(drag) = *self.dragging.borrow() else { return };
        if drag.pans {
            let (right, down) = (to.0 - drag.to.0, to.1 - drag.to.1);
            let (density, frame) = self.frame();
            self.zoom.set(Some(frame.pan(right * density, down * density)));
        }
        self.set_drag(Some(Drag { to, ..drag }));
    }

    fn up(&self, event: &PointerEvent) {
        let Some(drag) = self.dragging.take() else { return };
        self.drag.set(None);
        if drag.pans {
            return;
        }
        let (density, frame) = self.frame();
        let scaled = |(x, y): (f64, f64)| (x * density, y * density);
        if let Some(view) = frame.zoom_to(scaled(drag.from), scaled(place(event))) {
            self.zoom.set(Some(view));
        }
    }

    fn set_drag(&self, drag: Option<Drag>) {
        *self.dragging.borrow_mut() = drag;
        self.drag.set(drag);
    }

    fn left(&self, _event: &PointerEvent) {
        self.hover.set(None);
    }

    /// Zooms about the pointer; without Ctrl or a zoomed view the wheel scrolls the page, as everywhere else.
    fn wheel(&self, event: &WheelEvent) {
        if !event.ctrl_key() && self.zoom.is_none() {
            return;
        }
        event.prevent_default();
        let (density, frame) = self.frame();
        let at = (f64::from(event.offset_x()) * density, f64::from(event.offset_y()) * density);
        let factor = if event.delta_y() < 0.0 { WHEEL_STEP } else { 1.0 / WHEEL_STEP };
        self.zoom.set(Some(frame.zoom_about(at, factor)));
    }

    /// The figures of the point that is nearest to a page pixel, and a line through it.
    fn reading(&self, props: &PlotProps, pixel: f64) -> Option<Html> {
        let (density, frame) = self.frame();
        let hit = frame.nearest(&self.chart.series, pixel * density).first().copied()?;
        let x = self.chart.series.get(hit.series)?.points().get(hit.point)?.x;
        let left = frame.x_to_pixel(x)? / density;
        let canvas = self.canvas.cast::<HtmlCanvasElement>()?;
        let layout = Layout::of(canvas.width(), canvas.height(), density);
        let (top, bottom) = (layout.inner.top / density, layout.inner.bottom / density);
        // The box keeps to the side with more room.
        let side = if left > f64::from(canvas.client_width()) / 2.0 {
            format!("right:calc(100% - {}px)", left - 8.0)
        } else {
            format!("left:{}px", left + 8.0)
        };
        let lines = told_of(props, x);
        Some(html! {
            <>
                <span class="crosshair" style={format!("left:{left}px;top:{top}px;height:{}px", bottom - top)}></span>
                <div class="reading" data-test="reading" style={format!("top:{top}px;{side}")}>{ for lines.into_iter().map(|line| html! { <p>{ line }</p> }) }</div>
            </>
        })
    }

    /// Canvas pixels to a page pixel, and the geometry of what is drawn.
    fn frame(&self) -> (f64, crate::chart::Frame) {
        let canvas = self.canvas.cast::<HtmlCanvasElement>();
        let (width, height) = canvas.map_or((0, 0), |canvas| (canvas.width(), canvas.height()));
        (self.chart.density, self.chart.frame(&Layout::of(width, height, self.chart.density)))
    }
}

/// What is known of the point at `x`, a line each.
fn told_of(props: &PlotProps, x: f64) -> Vec<String> {
    let result = &props.result;
    let unit =
        result.generator.parameter(&result.axis).and_then(|axis| axis.numeric()?.unit.clone()).unwrap_or_default();
    let Some(reading) = result.curve.readings().iter().find(|reading| reading.point.x == x) else { return Vec::new() };
    let Some(measured) = reading.point.measured() else {
        return vec![format!("{} {unit} · failed", units::number(x))];
    };
    let summary = &measured.summary;
    let time = TimeUnit::for_largest(summary.mean + summary.sd);
    let mut lines = vec![
        format!(
            "{} {unit} · {} samples · priority {}",
            units::number(x),
            units::count(u64::from(summary.n)),
            reading.priority.number()
        ),
        format!("mean {} ± {}", time.digits(summary.mean), time.format(summary.sd)),
    ];
    if let (Some(q1), Some(median), Some(q3)) = (summary.q1, summary.median, summary.q3) {
        lines.push(format!("median {} ({} … {})", time.format(median), time.digits(q1), time.digits(q3)));
    }
    lines
}

fn place(event: &PointerEvent) -> (f64, f64) {
    (f64::from(event.offset_x()), f64::from(event.offset_y()))
}

fn rectangle(from: (f64, f64), to: (f64, f64)) -> String {
    let (left, top) = (from.0.min(to.0), from.1.min(to.1));
    format!("left:{left}px;top:{top}px;width:{}px;height:{}px", (from.0 - to.0).abs(), (from.1 - to.1).abs())
}

/// Makes the canvas as sharp as the screen and draws.
fn paint(canvas: &HtmlCanvasElement, chart: &Chart) {
    let (width, height) = (f64::from(canvas.client_width()), f64::from(canvas.client_height()));
    if width < 1.0 || height < 1.0 {
        return;
    }
    canvas.set_width((width * chart.density).round() as u32);
    canvas.set_height((height * chart.density).round() as u32);
    if let Some(backend) = CanvasBackend::with_canvas_object(canvas.clone()) {
        // A canvas that cannot be drawn on has lost its context: the next change draws again.
        let _ = crate::chart::draw(&backend.into_drawing_area(), chart);
    }
}

/// Canvas pixels to a page pixel: at least two, since `plotters` draws at whole pixels.
fn density() -> f64 {
    web_sys::window().map_or(2.0, |window| window.device_pixel_ratio()).max(2.0)
}

fn chart(props: &PlotProps, zoom: Option<View>, (show_mean, show_median): (bool, bool)) -> Chart {
    let result = &props.result;
    let points = result.curve.readings().iter().map(|reading| match reading.point.measured() {
        Some(measured) => PlotPoint::measured(reading.point.x, figures(measured)),
        None => PlotPoint::failed(reading.point.x),
    });
    let weight = match result.curve.priority() {
        Some(benchbook::quality::Priority::LAST) => Weight::Final,
        Some(priority) => Weight::Preliminary(priority.number()),
        None => Weight::Preliminary(1),
    };
    let series = vec![Series::new(props.function.path.clone(), 0, weight, points.collect())];
    let (x, y) = axes(result);
    let view = zoom.unwrap_or_else(|| View::fit(&series, &x, &y));
    let palette = if theme::is_dark() { Palette::dark() } else { Palette::light() };
    Chart { view, series, x, y, show_mean, show_median, palette, font: Font::canvas(TYPEFACE), density: density() }
}

fn figures(measured: &Measured) -> Figures {
    let summary = &measured.summary;
    let quartiles = match (summary.q1, summary.median, summary.q3) {
        (Some(q1), Some(median), Some(q3)) => Some(Quartiles { q1, median, q3 }),
        _ => None,
    };
    Figures { mean: summary.mean, sd: summary.sd, quartiles }
}

fn axes(result: &MeasuredCurve) -> (AxisSpec, AxisSpec) {
    let varied = result.generator.parameter(&result.axis);
    let numeric = varied.and_then(parameter::Parameter::numeric);
    let scale = match numeric.map(|numeric| numeric.scale) {
        Some(parameter::Scale::Log) => Scale::Log,
        _ => Scale::Linear,
    };
    let range = match result.arguments.get(&result.axis) {
        Some(parameter::Argument::Range(range)) => Some(Window { low: range.low, high: range.high }),
        _ => None,
    };
    let title =
        varied.map(|varied| varied.description.lines().next().unwrap_or_default().trim_end_matches('.').to_owned());
    let unit = numeric.and_then(|numeric| numeric.unit.clone()).unwrap_or_default();
    let x = AxisSpec { title: title.unwrap_or_default(), unit: Unit::Named(unit), scale, range };
    // Times over a log axis grow by ratios too.
    let y = AxisSpec { title: "Time a call".to_owned(), unit: Unit::Nanoseconds, scale, range: None };
    (x, y)
}

/// The figures that are drawn, so that a script can hold them against the table: `x mean median` a point.
fn figures_of(chart: &Chart) -> String {
    let figure = |point: &PlotPoint| match point.figures {
        Some(figures) => {
            let median = figures.quartiles.map_or_else(|| "-".to_owned(), |quartiles| quartiles.median.to_string());
            format!("{} {} {median}", point.x, figures.mean)
        }
        None => format!("{} - -", point.x),
    };
    chart.series.iter().flat_map(Series::points).map(figure).collect::<Vec<_>>().join(";")
}

/// The plot in words.
fn described(props: &PlotProps, chart: &Chart) -> String {
    let count = chart.series.iter().map(|series| series.points().len()).sum::<usize>();
    format!(
        "Time a call of {} against {}: {count} points; the table has the figures",
        props.function.path, chart.x.title
    )
}
