//! How a line looks.

use plotters::style::RGBColor;

/// A line's looks; lengths are pixels of the page.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) colour: RGBColor,
    pub(super) width: f64,
    /// The length of a dash and of the gap after it; solid without.
    pub(super) dash: Option<(f64, f64)>,
    /// Whether it is two thin lines beside each other.
    pub(super) is_double: bool,
}

/// How wide each line of a double one, and the room between them, is in parts of a single line.
pub(super) const DOUBLE: f64 = 0.45;
