//! The profile of a function.

use benchbook_contract::axis_value::AxisValue;
use benchbook_instrument::{CodeMap, ContextCounts};
use serde::{Deserialize, Serialize};

use crate::amounts::{Amounts, ProfileMetric};
use crate::counts::ProfilePoint;
use crate::frame::Frame;
use crate::function::{FunctionFilter, LibraryFrames, crate_name, root};
use crate::names::short_name;
use crate::tree::{Calls, frames};
use crate::written::{WrittenProfile, listed, tree};

/// What the calls of a function execute at each axis value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(into = "WrittenProfile", try_from = "WrittenProfile")]
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

impl From<Profile> for WrittenProfile {
    fn from(profile: Profile) -> Self {
        let Profile { function, crate_name, axis, points, root, includes_library } = profile;
        Self { function, crate_name, axis, points, frames: listed(root), includes_library }
    }
}

impl TryFrom<WrittenProfile> for Profile {
    type Error = &'static str;

    fn try_from(written: WrittenProfile) -> Result<Self, Self::Error> {
        let WrittenProfile { function, crate_name, axis, points, frames, includes_library } = written;
        let root = tree(frames, points.len())?;
        Ok(Self { function, crate_name, axis, points, root, includes_library })
    }
}

/// The share from which on a notebook stores a function.
const MIN_SHARE: f64 = 0.001;

fn common_divisor(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { common_divisor(other, one % other) }
}

impl Profile {
    /// Makes a profile of what was counted at axis values. `map`: that of the module which counted. `axis`: the name of the varied parameter; empty without one.
    pub fn new(map: &CodeMap, function: &str, axis: &str, counts: &[(AxisValue, ContextCounts)]) -> Self {
        Self::with_calls(Calls::Together, map, function, axis, counts)
    }

    /// As [`Self::new`], but calls of a function at different lines of its caller are frames of their own.
    pub fn by_call(map: &CodeMap, function: &str, axis: &str, counts: &[(AxisValue, ContextCounts)]) -> Self {
        Self::with_calls(Calls::ByLine, map, function, axis, counts)
    }

    fn with_calls(
        calls: Calls,
        map: &CodeMap,
        function: &str,
        axis: &str,
        counts: &[(AxisValue, ContextCounts)],
    ) -> Self {
        let point = |(x, counts): &(AxisValue, ContextCounts)| ProfilePoint {
            x: x.clone(),
            calls: counts.calls,
            memory: counts.call_memory,
        };
        let points: Vec<ProfilePoint> = counts.iter().map(point).collect();
        let frames = frames(map, counts.iter().map(|(_, counts)| counts), calls);
        let calls: Vec<u64> = points.iter().map(|point| point.calls).collect();
        let crate_name = crate_name(function, &frames).unwrap_or_default().to_owned();
        let root = root(function, &calls, frames);
        Self { function: function.to_owned(), crate_name, axis: axis.to_owned(), points, root, includes_library: false }
    }

    /// The same profile with other frames.
    #[must_use]
    pub fn filtered(self, filter: &FunctionFilter) -> Self {
        Self { root: filter.apply(self.root), includes_library: filter.library != LibraryFrames::All, ..self }
    }

    /// A profile that a notebook can store: functions with less than a thousandth of everything at each point are part of their callers.
    #[must_use]
    pub fn simplified(self) -> Self {
        Self { root: self.root.without_small(MIN_SHARE), ..self }
    }

    /// Two profiles as one: its first point is a point of this one, and its second point one of the other. Functions are the same if their names are, and so are those of
    /// their callers; the measured functions are the same in any case, with the name in the other one.
    #[must_use]
    pub fn compared(&self, point: usize, other: &Self, other_point: usize) -> Self {
        let (own, others) = (&self.points[point], &other.points[other_point]);
        // So that amounts are totals of equally many calls.
        let (calls, other_calls) = (own.calls.max(1), others.calls.max(1));
        let all = calls / common_divisor(calls, other_calls) * other_calls;
        let factor = |calls: u64| i64::try_from(all / calls).unwrap_or(1);
        let mut root = other.root.at_point(other_point, factor(other_calls), 1, 2);
        root.join(self.root.at_point(point, factor(calls), 0, 2));
        root.sort_all();
        Self {
            function: other.function.clone(),
            crate_name: other.crate_name.clone(),
            axis: other.axis.clone(),
            points: [own, others].map(|point| ProfilePoint { calls: all, ..point.clone() }).to_vec(),
            root,
            includes_library: self.includes_library || other.includes_library,
        }
    }

    /// The name of a frame without the arguments of generics and without the crate of the measured function.
    pub fn short_name(&self, frame: &Frame) -> String {
        short_name(&frame.name, &self.crate_name)
    }

    /// The totals of the function at a point.
    pub fn total(&self, point: usize) -> Amounts {
        self.root.total(point)
    }

    /// An amount per call at a point.
    pub fn per_call(&self, point: usize, metric: ProfileMetric, amounts: &Amounts) -> f64 {
        let calls = match metric {
            // It is that of a single call.
            ProfileMetric::Held => 1,
            _ => self.points[point].calls.max(1),
        };
        metric.of(amounts) as f64 / calls as f64
    }
}

#[cfg(test)]
mod tests {
    use benchbook_contract::axis_value::AxisValue;

    use super::*;
    use crate::answer::difference;
    use crate::rows::rows;

    fn profile(function: &str, calls: u64, parts: &[(&str, i64)]) -> Profile {
        let own = |instructions| vec![Amounts { instructions, ..Amounts::default() }];
        let child = |(name, instructions): &(&str, i64)| Frame {
            name: format!("demo::{name}"),
            own: own(*instructions),
            ..Frame::default()
        };
        let children = parts.iter().map(child).collect();
        Profile {
            function: function.to_owned(),
            crate_name: "demo".to_owned(),
            axis: String::new(),
            points: vec![ProfilePoint { x: AxisValue::Absent, calls, memory: None }],
            root: Frame { name: function.to_owned(), own: own(0), children, ..Frame::default() },
            includes_library: false,
        }
    }

    #[test]
    fn a_comparison_has_both_profiles_per_call() {
        let before = profile("sort", 4, &[("merge", 400), ("copy", 40), ("alloc", 80)]);
        let after = profile("sort_2", 6, &[("merge", 600), ("copy", 660)]);
        let both = before.compared(0, &after, 0);
        assert_eq!(both.points.iter().map(|point| point.calls).collect::<Vec<_>>(), [12, 12]);
        let child = |name: &str| both.root.children.iter().find(|child| child.name.ends_with(name)).unwrap();
        let per_call = |name| [0, 1].map(|at| both.per_call(at, ProfileMetric::Instructions, &child(name).own[at]));
        assert_eq!([per_call("merge"), per_call("copy"), per_call("alloc")], [[100.0; 2], [10.0, 110.0], [20.0, 0.0]]);
        assert_eq!(both.root.name, "sort_2");
        let answer = |both: &Profile, names| {
            let metric = ProfileMetric::Instructions;
            difference(both, &rows(both, metric, 1), metric, names).replace('\u{202f}', " ")
        };
        assert_eq!(
            answer(&both, ["sort", "sort_2"]),
            "sort_2 takes 80 more wasm instructions than sort (+62%): 100 more in copy, and less the other way elsewhere"
        );
        let back = after.compared(0, &profile("sort", 4, &[("merge", 400)]), 0);
        assert_eq!(answer(&back, ["a", "b"]), "b takes 110 fewer wasm instructions than a (−52%), 110 of them in copy");
        assert_eq!(
            answer(&after.compared(0, &after, 0), ["a", "b"]),
            "a and b: the same 210 wasm instructions, function by function"
        );
        let moved = profile("sort", 4, &[("move", 400)]).compared(0, &profile("sort", 4, &[("merge", 400)]), 0);
        assert_eq!(answer(&moved, ["a", "b"]), "a and b: as many wasm instructions, in other functions");
    }
}
