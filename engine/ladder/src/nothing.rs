//! Functions that do nothing, with each kind of parameter: as fast as the empty loop.

use benchbook::prelude::*;

use crate::walks::{Walk, lists, own_walks, pieces, walks};

/// Borrows a shared walk.
#[measured(generators(walks))]
fn empty_shared(_walk: &Walk) {}

/// Borrows a fresh walk.
#[measured(generators(own_walks))]
fn empty_own(_walk: &Walk) {}

/// Consumes a clone.
#[measured(generators(walks))]
fn empty_value(_walk: Walk) {}

/// Borrows a walk mutably.
#[measured(generators(own_walks))]
fn empty_mut(_walk: &mut Walk) {}

/// Takes several arguments in several ways.
#[measured(generators(pieces))]
fn empty_several(_state: &u64, _steps: u32, _numbers: &[u64]) {}

/// Forgets an empty list; nothing leaks.
#[measured(generators(lists))]
fn empty_owned(list: Vec<u64>) {
    std::mem::forget(list);
}
