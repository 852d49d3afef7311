//! The instructions of two functions, side by side.

use std::collections::HashMap;
use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

use crate::listing::{Instruction, Listing};
use crate::shape::shape;

/// An instruction of each function, or of one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Both([usize; 2]),
    Only(usize, usize),
}

impl Step {
    /// The indices of its instructions in both functions.
    pub fn indices(&self) -> [Option<usize>; 2] {
        match *self {
            Self::Both(pair) => pair.map(Some),
            Self::Only(side, index) => [0, 1].map(|one| (one == side).then_some(index)),
        }
    }

    /// The indices, if both functions have it.
    pub fn pair(&self) -> Option<[usize; 2]> {
        match *self {
            Self::Both(pair) => Some(pair),
            Self::Only(..) => None,
        }
    }
}

/// Ways to pair instructions of the same shape: the first one prefers none, and the second one those with the same registers. The first is right if
/// registers were renamed, and the second if a few instructions changed.
pub(crate) fn candidates(listings: [&Listing; 2]) -> [Vec<Step>; 2] {
    let all = listings.map(|listing| 0..listing.instructions.len());
    let shapes = listings
        .map(|listing| -> Vec<String> { listing.instructions.iter().map(|one| shape(listing.format, one)).collect() });
    let texts = numbered([0, 1].map(|side| texts(listings[side], &shapes[side])));
    let shapes = numbered(shapes);
    let by_shape = pairs(&shapes, all.clone());
    let mut by_text = Vec::new();
    for hunk in pairs(&texts, all).chunk_by(|one, other| one.pair().is_none() == other.pair().is_none()) {
        if hunk.first().is_some_and(|step| step.pair().is_some()) {
            by_text.extend_from_slice(hunk);
            continue;
        }
        let range = |side: usize| {
            let mut indices = hunk.iter().filter_map(|step| step.indices()[side]);
            indices.next().map_or(0..0, |first| first..indices.next_back().unwrap_or(first) + 1)
        };
        by_text.extend(pairs(&shapes, [range(0), range(1)]));
    }
    [by_shape, by_text]
}

/// The instructions without the numbers of labels.
fn texts(listing: &Listing, shapes: &[String]) -> Vec<String> {
    let jumps = listing.jumps();
    let text = |((one, shape), jump): ((&Instruction, &String), Option<usize>)| match jump {
        Some(_) => shape.clone(),
        None => format!("{} {shape}", one.text),
    };
    listing.instructions.iter().zip(shapes).zip(jumps).map(text).collect()
}

/// A number for each key, the same one for equal keys: comparing them takes less time.
fn numbered(keys: [Vec<String>; 2]) -> [Vec<usize>; 2] {
    let mut numbers = HashMap::new();
    keys.map(|keys| {
        let number = |key| {
            let next = numbers.len();
            *numbers.entry(key).or_insert(next)
        };
        keys.into_iter().map(number).collect()
    })
}

/// Pairs the instructions in these ranges for which the keys are equal.
fn pairs(keys: &[Vec<usize>; 2], ranges: [Range<usize>; 2]) -> Vec<Step> {
    let [from, from_other] = [ranges[0].start, ranges[1].start];
    let [old, new] = ranges;
    let mut steps = Vec::new();
    for change in capture_diff_slices(Algorithm::Myers, &keys[0][old], &keys[1][new]) {
        let first = change.old_range().map(|index| index + from);
        let second = change.new_range().map(|index| index + from_other);
        match change.tag() {
            DiffTag::Equal => steps.extend(first.zip(second).map(|(one, other)| Step::Both([one, other]))),
            _ => {
                steps.extend(first.map(|index| Step::Only(0, index)));
                steps.extend(second.map(|index| Step::Only(1, index)));
            }
        }
    }
    steps
}
