//! The crossing of two curves.

/// The axis value at which one function overtakes another, with the range around it.
#[derive(Clone, Debug, PartialEq)]
pub struct Crossing {
    /// The axis value at which the curves cross.
    pub x: f64,
    /// The lower end of the range.
    pub low: f64,
    /// The upper end of the range.
    pub high: f64,
    /// The label above the plot; of several crossings, at most one has room for it.
    pub label: Option<CrossingLabel>,
}

/// The label of a crossing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrossingLabel {
    /// `hash_map_get overtakes sorted_vec_get between 100 and 316`
    pub text: String,
    /// The label of a chart that is too narrow for the text: `between 100 and 316`.
    pub short: String,
}
