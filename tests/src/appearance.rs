//! System appearances and screen sizes, emulated by the browser.

use anyhow::Result;
use serde_json::json;

use crate::browser::Browser;

/// A system appearance, which pages read through media queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Appearance {
    /// Light colour scheme.
    Light,
    /// Dark colour scheme.
    Dark,
    /// Light colour scheme, increased contrast.
    Contrast,
    /// Dark colour scheme, increased contrast.
    DarkContrast,
    /// Forced colours: the system's palette replaces the page's.
    Forced,
}

impl Appearance {
    /// All appearances.
    pub const ALL: [Self; 5] = [Self::Light, Self::Dark, Self::Contrast, Self::DarkContrast, Self::Forced];

    /// The values of `prefers-color-scheme`, `prefers-contrast` and `forced-colors`.
    fn features(self) -> [&'static str; 3] {
        match self {
            Self::Light => ["light", "no-preference", "none"],
            Self::Dark => ["dark", "no-preference", "none"],
            Self::Contrast => ["light", "more", "none"],
            Self::DarkContrast => ["dark", "more", "none"],
            Self::Forced => ["dark", "custom", "active"],
        }
    }
}

impl Browser {
    /// Emulates this appearance from now on.
    pub async fn emulate(&self, appearance: Appearance) -> Result<()> {
        let [scheme, contrast, forced] = appearance.features();
        let features = json!({ "features": [
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-contrast", "value": contrast },
            { "name": "forced-colors", "value": forced },
        ] });
        self.devtools("Emulation.setEmulatedMedia", features).await.map(drop)
    }

    /// Emulates paper from now on.
    pub async fn emulate_print(&self) -> Result<()> {
        self.devtools("Emulation.setEmulatedMedia", json!({ "media": "print" })).await.map(drop)
    }

    /// Emulates a screen of this size in CSS pixels, which may be smaller than any window.
    pub async fn resize(&self, width: u32, height: u32) -> Result<()> {
        let screen = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", screen).await.map(drop)
    }

    /// Emulates a touch screen without a mouse from now on.
    pub async fn emulate_touch(&self) -> Result<()> {
        self.devtools("Emulation.setTouchEmulationEnabled", json!({ "enabled": true })).await.map(drop)
    }

    /// Taps with a finger at a place in CSS pixels.
    pub async fn tap(&self, (x, y): (f64, f64)) -> Result<()> {
        let touch = |kind: &str, points: serde_json::Value| json!({ "type": kind, "touchPoints": points });
        self.devtools("Input.dispatchTouchEvent", touch("touchStart", json!([{ "x": x, "y": y }]))).await?;
        self.devtools("Input.dispatchTouchEvent", touch("touchEnd", json!([]))).await.map(drop)
    }

    /// Emulates a screen with `density` device pixels per CSS pixel.
    pub async fn set_pixel_density(&self, density: f64) -> Result<()> {
        // A size of 0 means the window's size.
        let screen = json!({ "width": 0, "height": 0, "deviceScaleFactor": density, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", screen).await.map(drop)
    }
}
