//! A suite whose wasm module imports functions of browsers, as with many crates that support both targets.

use benchbook::prelude::*;

/// Returns the seconds since 1970.
#[measured]
fn seconds() -> f64 {
    #[cfg(target_family = "wasm")]
    return js_sys::Date::now() / 1000.0;
    #[cfg(not(target_family = "wasm"))]
    std::time::UNIX_EPOCH.elapsed().map_or(0.0, |time| time.as_secs_f64())
}

benchbook::suite!("browser-bound");
