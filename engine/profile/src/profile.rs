//! The profile of a function.

use benchbook_instrument::CodeMap;
use serde::{Deserialize, Serialize};

use crate::amounts::Amounts;
use crate::counts::{PointCounts, ProfilePoint};
use crate::frame::Frame;
use crate::function::{FunctionFilter, crate_name, root};
use crate::tree::frames;

/// What the calls of a function execute at each axis value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Profile {
    /// The function's path in its suite.
    pub function: String,
    /// The crate of the function, as in the names of its frames; empty if it is unknown.
    pub crate_name: String,
    /// The name of the varied parameter; empty without an axis.
    pub axis: String,
    /// The axis values, ascending.
    pub points: Vec<ProfilePoint>,
    /// The function itself.
    pub root: Frame,
    /// Whether functions of the standard library are part of their callers.
    pub includes_library: bool,
}

impl Profile {
    /// Makes a profile. `map`: that of the module which counted. `axis`: the name of the varied parameter; empty without one.
    pub fn new(map: &CodeMap, function: &str, axis: &str, counts: &[PointCounts<'_>]) -> Self {
        let points: Vec<ProfilePoint> = counts.iter().map(|counts| counts.point.clone()).collect();
        let calls: Vec<u64> = points.iter().map(|point| point.calls).collect();
        let frames = frames(map, counts);
        let crate_name = crate_name(function, &frames).unwrap_or_default().to_owned();
        let root = root(function, &calls, frames);
        Self { function: function.to_owned(), crate_name, axis: axis.to_owned(), points, root, includes_library: false }
    }

    /// The same profile with other frames.
    #[must_use]
    pub fn filtered(self, filter: &FunctionFilter) -> Self {
        Self { root: filter.apply(self.root), includes_library: !filter.shows_library, ..self }
    }

    /// The totals of the function at a point.
    pub fn total(&self, point: usize) -> Amounts {
        self.root.total(point)
    }

    /// An amount per call.
    pub fn per_call(&self, point: usize, amount: i64) -> f64 {
        amount as f64 / self.points[point].calls.max(1) as f64
    }
}
