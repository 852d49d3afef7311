//! The canvas as a surface: how large it is, how it should look, and drawing on it.

use gloo::events::EventListener;
use plotters::drawing::IntoDrawingArea;
use plotters_canvas::CanvasBackend;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{EventTarget, HtmlCanvasElement, ResizeObserver};
use yew::prelude::*;

use super::super::theme;
use benchbook_chart::{Chart, Layout, Palette};

/// Width and height in pixels of the page; 0 while the canvas is hidden.
pub(in crate::components) type Size = (u32, u32);

/// What a chart takes over from page and screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::components) struct Looks {
    /// Whether the page is dark.
    dark: bool,
    /// Whether the system asks for more contrast.
    more_contrast: bool,
    /// Canvas pixels to a pixel of the page.
    pub(in crate::components) density: f64,
}

impl Looks {
    /// At least two canvas pixels to a pixel of the page, since `plotters` draws at whole pixels.
    fn now() -> Self {
        let density = web_sys::window().map_or(2.0, |window| window.device_pixel_ratio()).max(2.0);
        Self { dark: theme::is_dark(), more_contrast: theme::wants_more_contrast(), density }
    }
}

/// The size of the canvas, as it changes: with the window, and when its tab is shown.
#[hook]
pub(in crate::components) fn use_size(canvas: &NodeRef) -> Size {
    let size = use_state_eq(|| (0, 0));
    let (canvas, set) = (canvas.clone(), size.setter());
    use_effect_with((), move |()| {
        let element = canvas.cast::<HtmlCanvasElement>();
        let look = Closure::<dyn FnMut()>::new({
            let element = element.clone();
            move || {
                if let Some(element) = &element {
                    set.set((element.client_width().unsigned_abs(), element.client_height().unsigned_abs()));
                }
            }
        });
        let observer = ResizeObserver::new(look.as_ref().unchecked_ref()).ok();
        if let (Some(observer), Some(element)) = (&observer, &element) {
            observer.observe(element);
        }
        move || {
            if let Some(observer) = observer {
                observer.disconnect();
            }
            drop(look);
        }
    });
    *size
}

/// The looks, as they change: by the button, which says so as a change of the window's size; by the system; and when the
/// page is enlarged or comes to another screen.
#[hook]
pub(in crate::components) fn use_looks() -> Looks {
    let looks = use_state_eq(Looks::now);
    let set = looks.setter();
    use_effect_with((), move |()| {
        let listen = |target: &EventTarget, event: &'static str| {
            let set = set.clone();
            EventListener::new(target, event, move |_| set.set(Looks::now()))
        };
        let window = web_sys::window().map(|window| listen(&window, "resize"));
        let system = theme::system_queries().map(|query| query.map(|query| listen(&query, "change")));
        move || drop((window, system))
    });
    *looks
}

/// Makes the canvas as sharp as the screen and draws.
pub(super) fn paint(canvas: &NodeRef, (width, height): Size, chart: &Chart) {
    let Some(canvas) = canvas.cast::<HtmlCanvasElement>().filter(|_| width > 0 && height > 0) else { return };
    canvas.set_width(sharp(width, chart.density));
    canvas.set_height(sharp(height, chart.density));
    if let Some(backend) = CanvasBackend::with_canvas_object(canvas) {
        // A canvas that cannot be drawn on has lost its context: the next change draws again.
        let _ = benchbook_chart::draw(&backend.into_drawing_area(), chart);
    }
}

/// A length of the page in pixels of the canvas.
fn sharp(length: u32, density: f64) -> u32 {
    (f64::from(length) * density).round() as u32
}

/// Where a chart lies on a canvas of this size.
pub(in crate::components) fn layout((width, height): Size, density: f64) -> Layout {
    Layout::of(sharp(width, density), sharp(height, density), density)
}

/// The colours for these looks, of a chart that shows so many functions.
pub(in crate::components) fn palette(looks: Looks, functions: usize) -> Palette {
    let palette = match (looks.more_contrast, looks.dark) {
        (true, dark) => Palette::high_contrast(dark),
        (false, true) => Palette::dark(),
        (false, false) => Palette::light(),
    };
    if functions > 1 { palette.comparing() } else { palette }
}
