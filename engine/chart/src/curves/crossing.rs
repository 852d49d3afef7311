//! The crossing of two curves.

/// The axis value at which one function overtakes another, with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// The axis value at which both take the same time.
    pub x: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end of its interval.
    pub high: f64,
}
