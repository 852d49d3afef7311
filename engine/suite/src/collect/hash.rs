//! Hashes of what a function leaves, so that alternatives can be checked for equal results.
//!
//! Types that implement `Hash` are hashed, others are not, without a bound on the author's types: the method call
//! `(&outcome::<T>()).hasher()` finds [`ViaHash`] before it looks at [`NoHash`], which needs one more reference.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::marker::PhantomData;

/// Stands for a type while its hash is looked for.
pub struct Outcome<T: ?Sized>(PhantomData<fn(&T)>);

/// Stands for `T`.
pub fn outcome<T: ?Sized>() -> Outcome<T> {
    Outcome(PhantomData)
}

impl<T: ?Sized> Outcome<T> {
    /// The same for the type of a value, which need not be spelled.
    pub fn of(_value: &T) -> Self {
        outcome()
    }
}

/// Gathers the hashes of several values of one type.
#[derive(Default)]
pub struct Hashes {
    hash: u64,
    withheld: bool,
}

impl Hashes {
    /// Adds the hash of `value`.
    pub fn add<T>(&mut self, value: &T, hasher: HashOf<T>) {
        match hasher {
            Some(hasher) => self.hash = combine(self.hash, hasher(value)),
            None => self.withheld = true,
        }
    }

    /// The hash of all; absent where a value had none.
    pub fn finish(self) -> Option<u64> {
        (!self.withheld).then_some(self.hash)
    }
}

/// A hash function for a `T`, where there is one.
pub type HashOf<T> = Option<fn(&T) -> u64>;

/// Types with a hash.
pub trait ViaHash<T: ?Sized> {
    /// The hash function.
    fn hasher(&self) -> HashOf<T>;
}

impl<T: Hash + ?Sized> ViaHash<T> for Outcome<T> {
    fn hasher(&self) -> HashOf<T> {
        Some(|value| {
            let mut hasher = DefaultHasher::new();
            value.hash(&mut hasher);
            hasher.finish()
        })
    }
}

/// Types without.
pub trait NoHash<T: ?Sized> {
    /// None.
    fn hasher(&self) -> HashOf<T>;
}

impl<T: ?Sized> NoHash<T> for &Outcome<T> {
    fn hasher(&self) -> HashOf<T> {
        None
    }
}

/// The hash of a sequence of hashes.
pub(crate) fn combine(hashes: u64, next: u64) -> u64 {
    // An odd factor keeps the order: combine(a, b) is not combine(b, a). It is that of FNV-1a.
    (hashes ^ next).wrapping_mul(0x0000_0100_0000_01b3)
}
