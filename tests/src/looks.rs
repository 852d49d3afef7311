//! How a person's system wants pages to look, and the sizes of screens.

use anyhow::Result;
use serde_json::json;

use crate::browser::Browser;

/// What the system asks of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looks {
    /// Dark ink on a light ground.
    Light,
    /// Light ink on a dark ground.
    Dark,
    /// More contrast than usual, in light.
    Contrast,
    /// More contrast than usual, in dark.
    DarkContrast,
    /// The system's own few colours, whatever the page says.
    Forced,
}

impl Looks {
    /// Each of them.
    pub const ALL: [Self; 5] = [Self::Light, Self::Dark, Self::Contrast, Self::DarkContrast, Self::Forced];

    /// The media features that pages see: `prefers-color-scheme`, `prefers-contrast`, `forced-colors`.
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
    /// Lets pages look so, from now on.
    ///
    /// # Errors
    /// Where the browser does not know how.
    pub async fn look(&self, looks: Looks) -> Result<()> {
        let [scheme, contrast, forced] = looks.features();
        let features = json!({ "features": [
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-contrast", "value": contrast },
            { "name": "forced-colors", "value": forced },
        ] });
        self.ask("Emulation.setEmulatedMedia", features).await.map(drop)
    }

    /// Gives pages a screen of this size in their pixels, which may be smaller than any window.
    ///
    /// # Errors
    /// Where the browser does not know how.
    pub async fn resize(&self, width: u32, height: u32) -> Result<()> {
        let screen = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.ask("Emulation.setDeviceMetricsOverride", screen).await.map(drop)
    }

    /// Gives pages a screen with so many of its pixels to one of theirs.
    ///
    /// # Errors
    /// Where the browser does not know how.
    pub async fn sharpen(&self, density: f64) -> Result<()> {
        // A size of 0 is the window's own.
        let screen = json!({ "width": 0, "height": 0, "deviceScaleFactor": density, "mobile": false });
        self.ask("Emulation.setDeviceMetricsOverride", screen).await.map(drop)
    }
}
