//! The canvas: its size, its appearance, and drawing on it.

use benchbook_chart::{Chart, Frame, Layout, Palette, Rect};
use gloo::events::EventListener;
use plotters_canvas::CanvasBackend;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{EventTarget, HtmlCanvasElement, ResizeObserver};
use yew::prelude::*;

use crate::components::widgets::theme;

/// The page's typeface.
pub(crate) const TYPEFACE: &str = "system-ui, -apple-system, \"Segoe UI\", Roboto, sans-serif";

/// Width and height in page pixels; 0 while the canvas is hidden.
pub(crate) type CanvasSize = (u32, u32);

/// The settings of page and screen that a chart adopts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Appearance {
    /// Whether the page is dark.
    is_dark: bool,
    /// Whether the system is set to more contrast.
    more_contrast: bool,
    /// Canvas pixels per page pixel.
    pub(crate) density: f64,
}

impl Appearance {
    /// The current appearance, with at least two canvas pixels per page pixel, since `plotters` rounds to whole pixels.
    fn current() -> Self {
        let density = web_sys::window().map_or(2.0, |window| window.device_pixel_ratio()).max(2.0);
        Self { is_dark: theme::is_dark(), more_contrast: theme::wants_more_contrast(), density }
    }
}

/// The size of the canvas. It changes with the window, and when its tab is shown. Outside of the view, the browser reports no size, so nothing
/// is drawn there.
#[hook]
pub(crate) fn use_size(canvas: &NodeRef) -> CanvasSize {
    let size = use_state_eq(|| (0, 0));
    let (canvas, set) = (canvas.clone(), size.setter());
    use_effect_with((), move |()| {
        let element = canvas.cast::<HtmlCanvasElement>();
        let update = Closure::<dyn FnMut()>::new({
            let element = element.clone();
            move || {
                if let Some(canvas) = &element {
                    set.set((canvas.client_width().unsigned_abs(), canvas.client_height().unsigned_abs()));
                }
            }
        });
        let observer = ResizeObserver::new(update.as_ref().unchecked_ref()).ok();
        if let (Some(observer), Some(element)) = (&observer, &element) {
            observer.observe(element);
        }
        move || {
            if let Some(observer) = observer {
                observer.disconnect();
            }
            drop(update);
        }
    });
    *size
}

/// The appearance. It changes with the theme button, which dispatches a resize event, with the system's settings, and
/// when the page is zoomed or moved to another screen.
#[hook]
pub(crate) fn use_appearance() -> Appearance {
    let appearance = use_state_eq(Appearance::current);
    let set = appearance.setter();
    use_effect_with((), move |()| {
        let listen = |target: &EventTarget, event: &'static str| {
            let set = set.clone();
            EventListener::new(target, event, move |_| set.set(Appearance::current()))
        };
        let window = web_sys::window().map(|window| listen(&window, "resize"));
        let system = theme::system_queries().map(|query| query.map(|query| listen(&query, "change")));
        move || drop((window, system))
    });
    *appearance
}

/// Sets the canvas to the screen's resolution and draws the chart. Returns whether the canvas is visible.
pub(super) fn paint(canvas: &NodeRef, (width, height): CanvasSize, chart: &Chart) -> bool {
    let Some(canvas) = canvas.cast::<HtmlCanvasElement>().filter(|_| width > 0 && height > 0) else { return false };
    canvas.set_width(canvas_pixels(width, chart.density));
    canvas.set_height(canvas_pixels(height, chart.density));
    if let Some(backend) = CanvasBackend::with_canvas_object(canvas) {
        // Drawing fails only if the canvas lost its context. The next change draws again.
        let _ = benchbook_chart::draw(backend, chart);
    }
    true
}

/// A page length in canvas pixels.
fn canvas_pixels(length: u32, density: f64) -> u32 {
    (f64::from(length) * density).round() as u32
}

/// The geometry of a chart on a canvas of this size.
pub(crate) fn frame(chart: &Chart, size: CanvasSize) -> Frame {
    chart.frame(&layout_of(chart, size))
}

/// The names at the ends of a chart's lines on a canvas of this size, and where they are, in page pixels.
pub(crate) fn line_names(chart: &Chart, size: CanvasSize) -> Vec<(String, Rect)> {
    benchbook_chart::line_names(chart, &layout_of(chart, size))
}

fn layout_of(chart: &Chart, (width, height): CanvasSize) -> Layout {
    let density = chart.density;
    chart.layout(canvas_pixels(width, density), canvas_pixels(height, density))
}

/// The layout of a chart without labels at the ends of lines, on a canvas of this size.
pub(crate) fn layout((width, height): CanvasSize, density: f64) -> Layout {
    Layout::of(canvas_pixels(width, density), canvas_pixels(height, density), density)
}

/// The colours of a chart of this number of functions.
pub(crate) fn palette(appearance: Appearance, functions: usize) -> Palette {
    let palette = match (appearance.more_contrast, appearance.is_dark) {
        (true, is_dark) => Palette::high_contrast(is_dark),
        (false, true) => Palette::dark(),
        (false, false) => Palette::light(),
    };
    if functions > 1 { palette.comparing() } else { palette }
}
