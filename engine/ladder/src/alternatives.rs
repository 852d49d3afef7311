//! Pairs of functions declared as alternatives: the outputs of one pair agree, those of the other don't.

use benchbook::prelude::*;

use crate::walks::{Walk, walks};

/// Rotates the bits to the left.
#[measured(generators(walks), alternatives = "turn")]
fn agree_a(walk: &Walk) -> u64 {
    walk.state.rotate_left(1)
}

/// Rotates the bits to the left, by reversing them twice.
#[measured(generators(walks), alternatives = "turn")]
fn agree_b(walk: &Walk) -> u64 {
    walk.state.reverse_bits().rotate_right(1).reverse_bits()
}

/// Halves a number.
#[measured(generators(walks), alternatives = "halve")]
fn differ_a(walk: &Walk) -> u64 {
    walk.state >> 1
}

/// Halves a number, but treats half of all numbers as negative.
#[measured(generators(walks), alternatives = "halve")]
fn differ_b(walk: &Walk) -> u64 {
    (walk.state.cast_signed() >> 1).cast_unsigned()
}
