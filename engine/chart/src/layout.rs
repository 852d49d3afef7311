//! Where the plot lies on its canvas.

/// Left of the plot, in pixels of the page: the widest label of a time, "1.0002 µs" when zoomed in as far as it goes,
/// and [`LABEL_GAP`].
const LEFT: f64 = 62.0;
/// Right of the plot: half of the last label, which is centred under its line.
const RIGHT: f64 = 20.0;
/// Above the plot: the title of the y axis, which stands upright there so that nobody tilts the head.
const TOP: f64 = 26.0;
/// Below the plot: labels and the title of the x axis.
const BOTTOM: f64 = 42.0;
/// Between the plot and its labels.
pub(super) const LABEL_GAP: f64 = 8.0;
/// Between the canvas's upper edge and the title of the y axis.
pub(super) const TITLE_GAP: f64 = 2.0;

/// A rectangle in pixels of the canvas. The edges are inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    /// The first column.
    pub left: f64,
    /// The first row.
    pub top: f64,
    /// The last column.
    pub right: f64,
    /// The last row.
    pub bottom: f64,
}

impl Rect {
    /// From the first column to the last.
    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    /// From the first row to the last.
    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }
}

/// How a canvas is divided. It depends on nothing that is drawn, so it holds before the first drawing too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layout {
    /// The rectangle between the axes, where curves are.
    pub inner: Rect,
    /// Canvas pixels to a pixel of the page.
    pub density: f64,
    pub(super) margins: Margins,
}

/// What surrounds the plot, in whole pixels of the canvas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Margins {
    pub(super) left: u32,
    pub(super) right: u32,
    pub(super) top: u32,
    pub(super) bottom: u32,
}

impl Layout {
    /// Divides a canvas of this size in its own pixels, `density` of them to a pixel of the page.
    pub fn of(width: u32, height: u32, density: f64) -> Self {
        let pixels = |length: f64| (length * density).round() as u32;
        let margins = Margins { left: pixels(LEFT), right: pixels(RIGHT), top: pixels(TOP), bottom: pixels(BOTTOM) };
        let (left, top) = (f64::from(margins.left), f64::from(margins.top));
        let inner = Rect {
            left,
            top,
            right: (f64::from(width) - f64::from(margins.right) - 1.0).max(left),
            bottom: (f64::from(height) - f64::from(margins.bottom) - 1.0).max(top),
        };
        Self { inner, density, margins }
    }

    /// Whether there is a plot at all; a canvas smaller than its margins has none.
    pub fn has_room(&self) -> bool {
        self.inner.width() > 0.0 && self.inner.height() > 0.0
    }
}
