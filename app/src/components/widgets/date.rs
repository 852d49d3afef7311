//! Dates and times.

use wasm_bindgen::JsValue;

/// A time as the user's browser writes it. `ms`: milliseconds since 1970.
pub(crate) fn date(ms: f64) -> String {
    js_sys::Date::new(&JsValue::from_f64(ms)).to_locale_string("default", &JsValue::UNDEFINED).into()
}
