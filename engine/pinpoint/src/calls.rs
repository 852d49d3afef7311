//! The calls of two builds, matched.

use std::collections::{BTreeMap, BTreeSet};

use benchbook_profile::{Frame, Profile};
use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::code::{BuildCode, Edit};

/// A call of a function by the same caller, in one build or in both.
#[derive(Clone, Debug)]
pub struct Call<'p> {
    /// Its frame in the earlier build, and in the later one: at least one of them.
    pub frames: [Option<&'p Frame>; 2],
    /// The calls that the function makes.
    pub calls: Vec<Call<'p>>,
    /// What differs in the function; [`Edit::None`] if only one build makes the call.
    pub(crate) edit: Edit,
}

impl<'p> Call<'p> {
    /// Matches the calls of two profiles of the same function.
    pub(crate) fn of_both(profiles: [&'p Profile; 2], code: [&BuildCode; 2]) -> Self {
        Matching { code }.pair(profiles.map(|profile| &profile.root))
    }

    /// The frame in the later build or, if it no longer makes the call, in the earlier one.
    pub fn frame(&self) -> &'p Frame {
        let [before, after] = self.frames;
        // Each call has a frame.
        after.or(before).expect("a call has a frame")
    }

    /// Whether the function has changed by at least this, or any that it calls. One that makes another call has not, if its code is the same.
    pub(crate) fn is_edited(&self, least: Edit) -> bool {
        self.edit >= least || self.calls.iter().any(|below| below.is_edited(least))
    }

    /// The functions that have changed by at least this: it, and those that it calls.
    pub(crate) fn edited(&self, least: Edit) -> BTreeSet<String> {
        let own = (self.edit >= least).then(|| self.frame().name.clone());
        self.calls.iter().flat_map(|below| below.edited(least)).chain(own).collect()
    }

    /// Whether both builds make it, or call something below it.
    pub(crate) fn is_shared(&self) -> bool {
        !self.frames.contains(&None) || self.calls.iter().any(Self::is_shared)
    }
}

struct Matching<'c> {
    code: [&'c BuildCode; 2],
}

impl Matching<'_> {
    fn pair<'p>(&self, frames: [&'p Frame; 2]) -> Call<'p> {
        let [before, after] = frames.map(|frame| frame.children.iter().collect());
        Call { frames: frames.map(Some), calls: self.calls(before, after), edit: BuildCode::edit(self.code, frames) }
    }

    /// Matches the calls that a function makes.
    fn calls<'p>(&self, before: Vec<&'p Frame>, after: Vec<&'p Frame>) -> Vec<Call<'p>> {
        let mut calls = Vec::new();
        let [mut before, mut after] = [before, after].map(by_name);
        let (mut old, mut new) = (Vec::new(), Vec::new());
        for (name, sites) in &mut before {
            let mut others = after.remove(name).unwrap_or_default();
            for pair in self.same_lines(sites, &mut others) {
                calls.push(self.pair(pair));
            }
            old.append(sites);
            new.append(&mut others);
        }
        new.extend(after.into_values().flatten());
        let is_same = |frames: [&Frame; 2]| BuildCode::have_same_body(self.code, frames);
        // The compiler merges functions with the same code, and calls all of them by the name of one.
        let is_same_line = |frames: [&Frame; 2]| {
            let line = |side: usize| self.code[side].line(frames[side].call_site.as_ref()?);
            let [one, other] = frames;
            // One may have been put between the other and its caller.
            let is_between = contains(one, &other.name) || contains(other, &one.name);
            !is_between && line(0).is_some_and(|text| line(1) == Some(text))
        };
        for is_same in [&is_same as &dyn Fn([&Frame; 2]) -> bool, &is_moved, &is_same_line] {
            let mut left = Vec::new();
            for frame in old {
                match new.iter().position(|other| is_same([frame, other])) {
                    Some(index) => calls.push(self.pair([frame, new.remove(index)])),
                    None => left.push(frame),
                }
            }
            old = left;
        }
        calls.extend(self.single(old, new));
        calls
    }

    /// Takes those calls of a function that are made in both builds.
    fn same_lines<'p>(&self, before: &mut Vec<&'p Frame>, after: &mut Vec<&'p Frame>) -> Vec<[&'p Frame; 2]> {
        if before.len() == after.len() {
            return before.drain(..).zip(after.drain(..)).map(|(one, other)| [one, other]).collect();
        }
        // The text of the line, or else nothing: then the first ones are the same.
        let texts = |frames: &[&Frame], side: usize| -> Vec<Option<String>> {
            let text = |frame: &&Frame| self.code[side].line(frame.call_site.as_ref()?).map(str::to_owned);
            frames.iter().map(text).collect()
        };
        let mut pairs = Vec::new();
        for operation in capture_diff_slices(Algorithm::Myers, &texts(before, 0), &texts(after, 1)) {
            let DiffOp::Equal { old_index, new_index, len } = operation else { continue };
            pairs.extend((0..len).map(|index| [before[old_index + index], after[new_index + index]]));
        }
        // A line that has changed, too, as far as there is one on each side.
        let is_left = |frame: &&Frame, side: usize| !pairs.iter().any(|pair| std::ptr::eq(pair[side], *frame));
        let lefts = [
            before.iter().copied().filter(|frame| is_left(frame, 0)).collect::<Vec<_>>(),
            after.iter().copied().filter(|frame| is_left(frame, 1)).collect(),
        ];
        let changed = lefts[0].len().min(lefts[1].len());
        pairs.extend((0..changed).map(|index| [lefts[0][index], lefts[1][index]]));
        *before = lefts[0][changed..].to_vec();
        *after = lefts[1][changed..].to_vec();
        pairs
    }

    /// Calls that only one build makes. If one of them makes a call that is left on the other side, a function was put between, or removed.
    fn single<'p>(&self, before: Vec<&'p Frame>, after: Vec<&'p Frame>) -> Vec<Call<'p>> {
        let mut left = [before, after];
        let mut calls = Vec::new();
        for side in [1, 0] {
            for frame in std::mem::take(&mut left[side]) {
                let is_below = |other: &&Frame| frame.children.iter().any(|child| contains(child, &other.name));
                let (inner, others) = std::mem::take(&mut left[1 - side]).into_iter().partition::<Vec<_>, _>(is_below);
                left[1 - side] = others;
                if inner.is_empty() {
                    left[side].push(frame);
                } else {
                    calls.push(self.call_of(side, frame, inner));
                }
            }
        }
        let [before, after] = left;
        calls.extend(before.into_iter().map(|frame| self.call_of(0, frame, Vec::new())));
        calls.extend(after.into_iter().map(|frame| self.call_of(1, frame, Vec::new())));
        calls
    }

    /// A call that only one build makes. `inner`: calls of the other build that are below it.
    fn call_of<'p>(&self, side: usize, frame: &'p Frame, inner: Vec<&'p Frame>) -> Call<'p> {
        let children = frame.children.iter().collect();
        let (frames, calls) = match side {
            0 => ([Some(frame), None], self.calls(children, inner)),
            _ => ([None, Some(frame)], self.calls(inner, children)),
        };
        Call { frames, calls, edit: Edit::None }
    }
}

/// The calls of each function, in the order of the lines.
fn by_name(frames: Vec<&Frame>) -> BTreeMap<&str, Vec<&Frame>> {
    let mut all: BTreeMap<&str, Vec<&Frame>> = BTreeMap::new();
    for frame in frames {
        all.entry(&frame.name).or_default().push(frame);
    }
    all.values_mut().for_each(|sites| sites.sort_by(|one, other| one.call_site.cmp(&other.call_site)));
    all
}

/// Whether a function has the same name in another module.
fn is_moved([one, other]: [&Frame; 2]) -> bool {
    let last = |frame: &Frame| benchbook_profile::brief_name(&frame.name);
    last(one) == last(other)
}

fn contains(frame: &Frame, name: &str) -> bool {
    frame.name == name || frame.children.iter().any(|child| contains(child, name))
}
