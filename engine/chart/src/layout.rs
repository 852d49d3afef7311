//! The layout of a canvas.

/// Left of the plot, in page pixels: the widest label of a time ("1.0002 µs" at the highest zoom) and [`LABEL_GAP`].
pub(crate) const LEFT: f64 = 62.0;
/// Right of the plot: half of the last label, which is centred below its line.
pub(crate) const RIGHT: f64 = 20.0;
/// Above the plot: the title of the y axis. It is horizontal, so that it can be read without tilting the head.
const TOP: f64 = 26.0;
/// Below the plot: labels and the title of the x axis.
const BOTTOM: f64 = 42.0;
/// The width of a letter of the page's small print.
pub(crate) const CHARACTER: f64 = 6.0;
/// Between the plot and its labels.
pub(crate) const LABEL_GAP: f64 = 8.0;
/// The room of a marker before a name, in page pixels.
pub(crate) const MARKER_ROOM: f64 = 12.0;
/// Between the canvas's upper edge and the title of the y axis.
pub(crate) const TITLE_GAP: f64 = 2.0;

/// A rectangle in canvas pixels, including its edges.
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
    /// The distance between the first column and the last.
    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    /// The distance between the first row and the last.
    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }
}

/// The parts of a canvas. The content affects only the right margin, which holds the names of compared functions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layout {
    /// The rectangle between the axes.
    pub inner: Rect,
    /// Canvas pixels per page pixel.
    pub density: f64,
    pub(crate) margins: Margins,
}

/// The space around the plot, in whole canvas pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Margins {
    pub(crate) left: i32,
    pub(crate) right: i32,
    pub(crate) top: i32,
    pub(crate) bottom: i32,
}

impl Layout {
    /// The layout of a canvas of this size in canvas pixels, with `density` of them per page pixel, without names of
    /// functions.
    pub fn of(width: u32, height: u32, density: f64) -> Self {
        Self::with_right_margin(width, height, density, RIGHT)
    }

    /// The layout with this margin right of the plot, in page pixels.
    pub(crate) fn with_right_margin(width: u32, height: u32, density: f64, right: f64) -> Self {
        let pixels = |length: f64| (length * density).round() as i32;
        let margins = Margins { left: pixels(LEFT), right: pixels(right), top: pixels(TOP), bottom: pixels(BOTTOM) };
        let (left, top) = (f64::from(margins.left), f64::from(margins.top));
        let inner = Rect {
            left,
            top,
            right: (f64::from(width) - f64::from(margins.right) - 1.0).max(left),
            bottom: (f64::from(height) - f64::from(margins.bottom) - 1.0).max(top),
        };
        Self { inner, density, margins }
    }

    /// The width of the canvas in page pixels.
    pub(crate) fn page_width(&self) -> f64 {
        (f64::from(self.margins.right) + self.inner.right + 1.0) / self.density
    }

    /// Whether the canvas is larger than its margins.
    pub(crate) fn has_room(&self) -> bool {
        self.inner.width() > 0.0 && self.inner.height() > 0.0
    }
}
