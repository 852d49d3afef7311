//! The style of a line.

use plotters::style::RGBColor;

/// The style of a line. Lengths are page pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineStyle {
    pub(super) colour: RGBColor,
    pub(super) width: f64,
    /// The length of a dash and of the gap after it; `None` for a solid line.
    pub(super) dash: Option<(f64, f64)>,
}
