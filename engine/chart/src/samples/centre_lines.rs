//! The mean and the median of samples.

/// The mean and median to draw through samples, in nanoseconds per call, with the loop overhead subtracted as in the
/// samples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CentreLines {
    /// The index of the function among the compared ones: selects the colours.
    pub ordinal: usize,
    /// The mean; `None` if it is not drawn.
    pub mean: Option<f64>,
    /// The median; `None` if it is not drawn or unavailable.
    pub median: Option<f64>,
}
