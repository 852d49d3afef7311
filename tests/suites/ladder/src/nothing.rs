//! Functions that do nothing, however they get at their input: they take no time beside the empty loop.

use benchbook::prelude::*;

use crate::walks::{Walk, lists, own_walks, pieces, walks};

/// Borrows a walk that is kept.
#[measured(generators(walks))]
fn empty_shared(_walk: &Walk) {}

/// Borrows a walk of its own.
#[measured(generators(own_walks))]
fn empty_own(_walk: &Walk) {}

/// Gets a clone.
#[measured(generators(walks))]
fn empty_value(_walk: Walk) {}

/// May change its walk.
#[measured(generators(own_walks))]
fn empty_mut(_walk: &mut Walk) {}

/// Gets at several things in several ways.
#[measured(generators(pieces))]
fn empty_several(_state: &u64, _steps: u32, _numbers: &[u64]) {}

/// Consumes an empty list without looking at it; nothing leaks.
#[measured(generators(lists))]
fn empty_owned(list: Vec<u64>) {
    std::mem::forget(list);
}
