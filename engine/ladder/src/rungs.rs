//! Functions whose numbers of steps have known ratios.

use benchbook::prelude::*;

use crate::walks::{Walk, uneven_walks, walks};

/// Takes the steps of its walk.
#[measured(generators(walks))]
fn one(walk: &Walk) -> u64 {
    walk.take(walk.steps)
}

/// Takes 2 times the steps of `one`.
#[measured(generators(walks))]
fn two(walk: &Walk) -> u64 {
    walk.take(2 * walk.steps)
}

/// Takes 4 times the steps of `one`.
#[measured(generators(walks))]
fn four(walk: &Walk) -> u64 {
    walk.take(4 * walk.steps)
}

/// Takes 8 times the steps of `one`.
#[measured(generators(walks))]
fn eight(walk: &Walk) -> u64 {
    walk.take(8 * walk.steps)
}

/// Takes 16 times the steps of `one`.
#[measured(generators(walks))]
fn sixteen(walk: &Walk) -> u64 {
    walk.take(16 * walk.steps)
}

/// Takes 32 times the steps of `one`.
#[measured(generators(walks))]
fn thirty_2(walk: &Walk) -> u64 {
    walk.take(32 * walk.steps)
}

/// Takes 64 times the steps of `one`.
#[measured(generators(walks))]
fn sixty_4(walk: &Walk) -> u64 {
    walk.take(64 * walk.steps)
}

/// Takes 128 times the steps of `one`.
#[measured(generators(walks))]
fn hundred_28(walk: &Walk) -> u64 {
    walk.take(128 * walk.steps)
}

/// Takes 256 times the steps of `one`.
#[measured(generators(walks))]
fn two_hundred_56(walk: &Walk) -> u64 {
    walk.take(256 * walk.steps)
}

/// Takes 512 times the steps of `one`.
#[measured(generators(walks))]
fn five_hundred_12(walk: &Walk) -> u64 {
    walk.take(512 * walk.steps)
}

/// Takes 1024 times the steps of `one`.
#[measured(generators(walks))]
fn thousand_24(walk: &Walk) -> u64 {
    walk.take(1_024 * walk.steps)
}

/// Takes 100 hundredths of the steps of `one`.
#[measured(generators(walks))]
fn percent_100(walk: &Walk) -> u64 {
    walk.take(walk.steps / 100 * 100)
}

/// Takes as many steps as `percent_100`.
#[measured(generators(walks))]
fn percent_100_again(walk: &Walk) -> u64 {
    walk.take(walk.steps / 100 * 100)
}

/// Takes 101 hundredths of the steps of `one`.
#[measured(generators(walks))]
fn percent_101(walk: &Walk) -> u64 {
    walk.take(walk.steps / 100 * 101)
}

/// Takes the steps of its walk; the walks have different lengths.
#[measured(generators(uneven_walks))]
fn varies(walk: &Walk) -> u64 {
    walk.take(walk.steps)
}
