//! The canvas as a PNG image, and images on the clipboard.

use js_sys::{Array, Function, Object, Promise, Reflect};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, HtmlCanvasElement};

const PNG: &str = "image/png";

/// The canvas as a PNG image; `None` if it has no size.
pub(super) async fn png(canvas: &HtmlCanvasElement) -> Option<Blob> {
    JsFuture::from(png_promise(canvas)).await.ok()?.dyn_into().ok()
}

fn png_promise(canvas: &HtmlCanvasElement) -> Promise {
    Promise::new(&mut |resolve, reject| {
        let on_image = Closure::once_into_js(move |image: JsValue| {
            // The promise does not throw.
            let _ = resolve.call1(&JsValue::NULL, &image);
        });
        if let Err(error) = canvas.to_blob(on_image.unchecked_ref()) {
            let _ = reject.call1(&JsValue::NULL, &error);
        }
    })
}

/// Copies the canvas to the clipboard. Returns whether it succeeded.
pub(super) async fn copy_image(canvas: &HtmlCanvasElement) -> bool {
    write_image(canvas).await.is_ok()
}

/// `ClipboardItem` is missing in web-sys without its unstable interfaces. It takes a promise of the image: Safari only allows to write
/// immediately after a click.
async fn write_image(canvas: &HtmlCanvasElement) -> Result<(), JsValue> {
    let items = Object::new();
    Reflect::set(&items, &PNG.into(), &png_promise(canvas))?;
    let constructor: Function = Reflect::get(&js_sys::global(), &"ClipboardItem".into())?.dyn_into()?;
    let item = Reflect::construct(&constructor, &Array::of1(&items))?;
    let clipboard: JsValue = web_sys::window().ok_or(JsValue::NULL)?.navigator().clipboard().into();
    let write: Function = Reflect::get(&clipboard, &"write".into())?.dyn_into()?;
    let written: Promise = write.call1(&clipboard, &Array::of1(&item))?.dyn_into()?;
    JsFuture::from(written).await.map(|_| ())
}
