//! Copies of a value's bits, without ownership.

#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::ptr;

/// Copies the bits of a value. The type of the copy prevents its use as the value, so the value remains the only owner.
#[inline(always)]
pub(crate) fn bits<T>(value: &T) -> MaybeUninit<T> {
    // SAFETY: a reference is valid for reads. A `MaybeUninit<T>` has the size and alignment of `T`, may contain any bits
    // including padding, and drops nothing.
    unsafe { ptr::from_ref(value).cast::<MaybeUninit<T>>().read() }
}
