//! The crossing of two curves.

/// The axis value at which one function overtakes another, with its interval.
#[derive(Clone, Debug, PartialEq)]
pub struct Crossing {
    /// The axis value at which both take the same time.
    pub x: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end of its interval.
    pub high: f64,
    /// The label above the plot; of several crossings, at most one has room for it.
    pub label: Option<CrossingLabel>,
}

/// The label of a crossing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrossingLabel {
    /// `hash_map_get overtakes sorted_vec_get at 275 (269 to 282)`
    pub text: String,
    /// The label of a chart that is too narrow for the text: `275 (269 to 282)`.
    pub short: String,
}
