//! The frames of a profile.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::amounts::{Amounts, ProfileMetric};

/// A function in a chain of calls, with what it executed there at each axis value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// Its name: demangled, without its hash.
    pub name: String,
    /// Its first line that was compiled; absent without debug information.
    pub place: Option<Place>,
    /// The line of its caller that calls it; absent without debug information, and where the calls of all lines are together.
    pub call_site: Option<Place>,
    /// Whether the compiler has inlined it here, at least once.
    pub is_inlined: bool,
    /// What it executed itself, by the points of the profile.
    pub own: Vec<Amounts>,
    /// The functions that it called or that were inlined into it, those with the most instructions first.
    pub children: Vec<Frame>,
}

/// A line of a source file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Place {
    /// The path, without the folders of the machine that compiled it: `src/sorting.rs`, `memchr-2.7.4/src/lib.rs`, `core/src/slice/mod.rs`.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

impl fmt::Display for Place {
    /// `src/sorting.rs:41`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

impl Frame {
    /// What it executed at a point, with all functions below it.
    pub fn total(&self, point: usize) -> Amounts {
        let own = self.own.get(point).copied().unwrap_or_default();
        std::iter::once(own).chain(self.children.iter().map(|child| child.total(point))).sum()
    }

    /// Adds functions such as those of the standard library to their callers. Functions that they called remain, as callees of the same callers.
    ///
    /// `is_folded`: whether a function is added to its caller; it gets the caller first.
    #[must_use]
    pub fn folded(self, is_folded: &impl Fn(&Self, &Self) -> bool) -> Self {
        let mut folded = Self { children: Vec::new(), ..self };
        for child in self.children {
            let child = child.folded(is_folded);
            if is_folded(&folded, &child) {
                // Its calls are none of the caller.
                let own = child.own.iter().map(|own| Amounts { calls: 0, ..*own });
                add(&mut folded.own, own);
                // The line that calls them is one of the folded function.
                let call_site = child.call_site;
                let below = child.children.into_iter();
                below.for_each(|below| folded.add(Self { call_site: call_site.clone(), ..below }));
            } else {
                folded.add(child);
            }
        }
        folded.sort();
        folded
    }

    /// Adds frames to their callers that have less than this share of everything at each point.
    #[must_use]
    pub(crate) fn without_small(self, min_share: f64) -> Self {
        let points = 0..self.own.len();
        let all: Vec<Amounts> = points.map(|point| self.total(point)).collect();
        let is_small = |_: &Self, frame: &Self| {
            let metrics = ProfileMetric::ALL.into_iter().filter(|metric| *metric != ProfileMetric::Calls);
            all.iter().enumerate().all(|(point, all)| {
                let own = frame.total(point);
                metrics.clone().all(|metric| metric.of(&own) as f64 <= min_share * metric.of(all) as f64)
            })
        };
        self.folded(&is_small)
    }

    /// What it and those below it executed at one point, as the point with an index of `points`. Amounts are multiplied by `factor`.
    #[must_use]
    pub(crate) fn at_point(&self, point: usize, factor: i64, index: usize, points: usize) -> Self {
        let mut own = vec![Amounts::default(); points];
        own[index] = self.own[point].times(factor);
        let children = self.children.iter().map(|child| child.at_point(point, factor, index, points)).collect();
        Self { own, children, ..self.clone() }
    }

    /// Adds a callee. Two frames of the same call become one.
    pub(crate) fn add(&mut self, callee: Self) {
        let is_same = |child: &&mut Self| child.name == callee.name && child.call_site == callee.call_site;
        match self.children.iter_mut().find(is_same) {
            Some(same) => same.join(callee),
            None => self.children.push(callee),
        }
    }

    /// Adds another frame of the same function.
    pub(crate) fn join(&mut self, same: Self) {
        add(&mut self.own, same.own);
        self.is_inlined |= same.is_inlined;
        self.place = self.place.take().into_iter().chain(same.place).min();
        same.children.into_iter().for_each(|below| self.add(below));
    }

    /// As [`Self::sort`], of it and all below it.
    pub(crate) fn sort_all(&mut self) {
        self.children.iter_mut().for_each(Self::sort_all);
        self.sort();
    }

    /// Those with the most instructions first, by the sum of all points.
    pub(crate) fn sort(&mut self) {
        let instructions =
            |frame: &Self| (0..frame.own.len()).map(|point| frame.total(point).instructions).sum::<i64>();
        self.children.sort_by_cached_key(|child| (-instructions(child), child.name.clone(), child.call_site.clone()));
    }
}

fn add(amounts: &mut Vec<Amounts>, others: impl IntoIterator<Item = Amounts>) {
    for (index, other) in others.into_iter().enumerate() {
        if amounts.len() == index {
            amounts.push(Amounts::default());
        }
        amounts[index] += other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(name: &str, instructions: i64, children: Vec<Frame>) -> Frame {
        let own = vec![Amounts { instructions, calls: 1, ..Amounts::default() }];
        Frame { name: name.to_owned(), own, children, ..Frame::default() }
    }

    #[test]
    fn small_frames_are_part_of_their_callers() {
        let sort = frame(
            "sort",
            1,
            vec![frame("merge", 980, vec![frame("lt", 9, Vec::new())]), frame("drop", 10, Vec::new())],
        );
        let simple = sort.clone().without_small(0.009);
        assert_eq!((simple.total(0).instructions, simple.children.len()), (1_000, 2));
        assert_eq!((simple.children[0].own[0].instructions, simple.children[0].children.len()), (989, 0));
        assert_eq!(sort.clone().without_small(0.001), sort);
    }

    #[test]
    fn a_folded_function_belongs_to_its_callers() {
        let of_library = || frame("core::sort", 5, vec![frame("demo::less", 7, Vec::new())]);
        let sort = frame("demo::sort", 1, vec![frame("demo::less", 10, Vec::new()), of_library(), of_library()]);
        assert_eq!(sort.total(0).instructions, 35);
        let folded = sort.folded(&|_, frame| frame.name.starts_with("core::"));
        let own = vec![Amounts { instructions: 24, calls: 3, ..Amounts::default() }];
        let less = Frame { own, ..frame("demo::less", 0, Vec::new()) };
        assert_eq!(folded, frame("demo::sort", 11, vec![less]));
    }
}
