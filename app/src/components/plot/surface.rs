//! The canvas as a surface: how large it is, how it should look, and drawing on it.

use gloo::events::EventListener;
use plotters::drawing::IntoDrawingArea;
use plotters_canvas::CanvasBackend;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{HtmlCanvasElement, ResizeObserver};
use yew::prelude::*;

use super::super::theme;
use crate::chart::Chart;

/// Width and height in pixels of the page; 0 while the canvas is hidden.
pub(super) type Size = (u32, u32);

/// What a chart takes over from page and screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Looks {
    /// Whether the page is dark.
    pub(super) dark: bool,
    /// Canvas pixels to a pixel of the page.
    pub(super) density: f64,
}

impl Looks {
    /// At least two canvas pixels to a pixel of the page, since `plotters` draws at whole pixels.
    fn now() -> Self {
        let density = web_sys::window().map_or(2.0, |window| window.device_pixel_ratio()).max(2.0);
        Self { dark: theme::is_dark(), density }
    }
}

/// The size of the canvas, as it changes: with the window, and when its tab is shown.
#[hook]
pub(super) fn use_size(canvas: &NodeRef) -> Size {
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
pub(super) fn use_looks() -> Looks {
    let looks = use_state_eq(Looks::now);
    let set = looks.setter();
    use_effect_with((), move |()| {
        let again = set.clone();
        let window =
            web_sys::window().map(|window| EventListener::new(&window, "resize", move |_| set.set(Looks::now())));
        let system = theme::system_is_dark()
            .map(|system| EventListener::new(&system, "change", move |_| again.set(Looks::now())));
        move || drop((window, system))
    });
    *looks
}

/// Makes the canvas as sharp as the screen and draws.
pub(super) fn paint(canvas: &NodeRef, (width, height): Size, chart: &Chart) {
    let Some(canvas) = canvas.cast::<HtmlCanvasElement>().filter(|_| width > 0 && height > 0) else { return };
    let sharp = |length: u32| (f64::from(length) * chart.density).round() as u32;
    canvas.set_width(sharp(width));
    canvas.set_height(sharp(height));
    if let Some(backend) = CanvasBackend::with_canvas_object(canvas) {
        // A canvas that cannot be drawn on has lost its context: the next change draws again.
        let _ = crate::chart::draw(&backend.into_drawing_area(), chart);
    }
}
