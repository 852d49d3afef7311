//! Pairs that say of themselves that they do the same work: one does, the other doesn't.

use benchbook::prelude::*;

use crate::walks::{Walk, walks};

/// Turns the bits.
#[measured(generators(walks), alternatives = "turn")]
fn agree_a(walk: &Walk) -> u64 {
    walk.state.rotate_left(1)
}

/// Turns the bits back, seen from the other end.
#[measured(generators(walks), alternatives = "turn")]
fn agree_b(walk: &Walk) -> u64 {
    walk.state.reverse_bits().rotate_right(1).reverse_bits()
}

/// Halves a number.
#[measured(generators(walks), alternatives = "halve")]
fn differ_a(walk: &Walk) -> u64 {
    walk.state >> 1
}

/// Takes every other number for a negative one.
#[measured(generators(walks), alternatives = "halve")]
fn differ_b(walk: &Walk) -> u64 {
    (walk.state.cast_signed() >> 1).cast_unsigned()
}
