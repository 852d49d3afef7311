//! The typeface of a chart.

/// The typeface of labels and titles.
#[derive(Clone, Debug, PartialEq)]
pub struct Font {
    /// A CSS family list, such as `system-ui, sans-serif`.
    pub(crate) family: String,
    /// The height in page pixels.
    pub(crate) size: f64,
}

impl Font {
    /// The size of the page's small print.
    const SIZE: f64 = 11.0;
    /// `plotters-svg` takes the height of a line for the size and divides by this factor to get the size of the letters.
    const SVG_LINE_HEIGHT: f64 = 1.24;

    /// For a canvas, which uses the size unchanged.
    pub fn canvas(family: impl Into<String>) -> Self {
        Self { family: family.into(), size: Self::SIZE }
    }

    /// For SVG, with letters as large as on the canvas.
    pub fn svg(family: impl Into<String>) -> Self {
        Self { family: family.into(), size: Self::SIZE * Self::SVG_LINE_HEIGHT }
    }
}
