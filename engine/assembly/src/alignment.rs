//! Which instructions of two functions correspond.

use similar::{Algorithm, DiffTag, capture_diff_slices};

use crate::listing::Listing;

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

/// Pairs the instructions of the same shape.
pub(crate) fn steps([one, other]: [&Listing; 2]) -> Vec<Step> {
    let shapes = |listing: &Listing| -> Vec<String> {
        listing.instructions.iter().map(|instruction| instruction.shape.clone()).collect()
    };
    let mut steps = Vec::new();
    for change in capture_diff_slices(Algorithm::Myers, &shapes(one), &shapes(other)) {
        let (first, second) = (change.old_range(), change.new_range());
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
