//! Hashes of a function's outputs and modified inputs, so that a host can check alternatives for equal results.
//!
//! Values are hashed if their type implements `Hash`, without a bound on the author's types: method resolution of
//! `(&type_tag::<T>()).hasher()` tries [`ViaHash`] before [`NoHash`], which needs one more reference.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::marker::PhantomData;

/// Represents the type `T` in method resolution.
pub struct TypeTag<T: ?Sized>(PhantomData<fn(&T)>);

/// Represents the type `T`.
pub fn type_tag<T: ?Sized>() -> TypeTag<T> {
    TypeTag(PhantomData)
}

impl<T: ?Sized> TypeTag<T> {
    /// Represents the type of a value.
    pub fn of(_value: &T) -> Self {
        type_tag()
    }
}

/// Combines the hashes of several values of one type.
#[derive(Default)]
pub struct Hashes {
    hash: u64,
    is_incomplete: bool,
}

impl Hashes {
    /// Adds the hash of `value`.
    pub fn add<T>(&mut self, value: &T, hasher: HashOf<T>) {
        match hasher {
            Some(hasher) => self.hash = combine(self.hash, hasher(value)),
            None => self.is_incomplete = true,
        }
    }

    /// Returns the combined hash; `None` if the type has no hash function.
    pub fn finish(self) -> Option<u64> {
        (!self.is_incomplete).then_some(self.hash)
    }
}

/// The hash function for `T`; `None` if `T` does not implement `Hash`.
pub type HashOf<T> = Option<fn(&T) -> u64>;

/// Types that implement `Hash`.
pub trait ViaHash<T: ?Sized> {
    /// Returns the hash function.
    fn hasher(&self) -> HashOf<T>;
}

impl<T: Hash + ?Sized> ViaHash<T> for TypeTag<T> {
    fn hasher(&self) -> HashOf<T> {
        Some(|value| {
            let mut hasher = DefaultHasher::new();
            value.hash(&mut hasher);
            hasher.finish()
        })
    }
}

/// Types that may not implement `Hash`.
pub trait NoHash<T: ?Sized> {
    /// Returns `None`.
    fn hasher(&self) -> HashOf<T>;
}

impl<T: ?Sized> NoHash<T> for &TypeTag<T> {
    fn hasher(&self) -> HashOf<T> {
        None
    }
}

/// Combines the hash of a sequence with the next value's hash.
pub(crate) fn combine(hashes: u64, next: u64) -> u64 {
    // The 64-bit prime of FNV-1a. Multiplying makes the result depend on the order.
    (hashes ^ next).wrapping_mul(0x0000_0100_0000_01b3)
}
