//! The bits of a value, without what it owns.

use std::mem::MaybeUninit;
use std::ptr;

/// A copy of the bits: nobody can take it for the value, so what the value owns has one owner still.
#[inline(always)]
pub(crate) fn bits<T>(value: &T) -> MaybeUninit<T> {
    // SAFETY: a reference may be read from, and a `MaybeUninit` has the size and alignment of what it stands for, may
    // hold any bits, padding included, and drops nothing.
    unsafe { ptr::from_ref(value).cast::<MaybeUninit<T>>().read() }
}
