//! The functions that every harness measures, and their inputs.
//!
//! Each function borrows its input and is never inlined, so that each harness runs the same machine code on the same data.
//! The inputs are seeded: they are equal in every process. Some functions return memory that they own, and their harness
//! decides whether dropping it counts; others drop their memory themselves.

pub mod allocations;
pub mod inputs;

use std::collections::HashSet;
use std::hash::BuildHasherDefault;
use std::hash::DefaultHasher;
use std::hint::black_box;

pub use inputs::{Lookup, Walk};

/// Calls a macro with each function: its name, its input type, its output type, and a sentence about it.
#[macro_export]
macro_rules! each_function {
    ($callback:ident) => {
        $callback! {
            identity: u64 => u64, "Returns a number: what each harness includes in the time of a call.";
            mix: u64 => u64, "Mixes the bits of a number three times: a few nanoseconds with the call.";
            format_length: u64 => usize, "Formats a number, drops the text and returns its length.";
            find: $crate::Lookup => usize, "Finds a key among 10 000 sorted keys: tens of nanoseconds.";
            format_number: u64 => String, "Formats a number and returns the text: tens of nanoseconds, one allocation.";
            sum: Vec<u64> => u64, "Sums 1 000 numbers: about 100 ns.";
            double_all: Vec<u64> => Vec<u64>, "Returns a vector of 1 000 doubled numbers: hundreds of nanoseconds, one allocation.";
            walk_100: $crate::Walk => u64, "Takes 4 000 dependent steps: about 10 µs.";
            walk_101: $crate::Walk => u64, "Takes 4 040 dependent steps, 1% more than `walk_100`.";
            hash_text: Vec<u8> => u64, "Hashes 20 000 bytes, one by one: about 20 µs.";
            sort_copy: Vec<u64> => u64, "Sorts a copy of 10 000 keys and drops it: about 100 µs, one allocation.";
            count_distinct: Vec<u64> => usize, "Counts the distinct keys among 30 000 in a set that grows: about 1 ms, many allocations.";
            sieve: u32 => usize, "Counts the primes below 8 000 000: about 20 ms, one allocation of 8 MB.";
        }
    };
}

/// The same number.
#[inline(never)]
pub fn identity(value: &u64) -> u64 {
    *value
}

/// Mixes the bits of a number three times, by the finalizer of `SplitMix64`. Once would take less than 2 ns.
#[inline(never)]
pub fn mix(value: &u64) -> u64 {
    (0..3).fold(*value, |value, _| inputs::mix_once(value))
}

/// The index of the key, or where it would be.
#[inline(never)]
pub fn find(lookup: &Lookup) -> usize {
    lookup.keys.binary_search(&lookup.key).unwrap_or_else(|index| index)
}

/// The decimal digits of a number.
#[inline(never)]
pub fn format_number(value: &u64) -> String {
    value.to_string()
}

/// The number of decimal digits of a number. Unlike in `format_number`, dropping the text is part of the function.
#[inline(never)]
pub fn format_length(value: &u64) -> usize {
    black_box(value.to_string()).len()
}

/// The sum, modulo 2⁶⁴.
#[inline(never)]
pub fn sum(values: &Vec<u64>) -> u64 {
    values.iter().fold(0, |sum, value| sum.wrapping_add(*value))
}

/// Each number doubled, modulo 2⁶⁴.
#[inline(never)]
pub fn double_all(values: &Vec<u64>) -> Vec<u64> {
    values.iter().map(|value| value.wrapping_mul(2)).collect()
}

/// Takes 100 hundredths of the steps of its walk.
#[inline(never)]
pub fn walk_100(walk: &Walk) -> u64 {
    walk.take(100 * walk.hundredth)
}

/// Takes 101 hundredths of the steps of its walk.
#[inline(never)]
pub fn walk_101(walk: &Walk) -> u64 {
    walk.take(101 * walk.hundredth)
}

/// The FNV-1a hash of a text. Each byte waits for the one before it.
#[inline(never)]
pub fn hash_text(text: &Vec<u8>) -> u64 {
    text.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The median of the keys, from a sorted copy.
#[inline(never)]
pub fn sort_copy(keys: &Vec<u64>) -> u64 {
    let mut keys = keys.clone();
    keys.sort_unstable();
    keys[keys.len() / 2]
}

/// The number of distinct keys. The hasher has no random seed, so that every call does the same work.
#[inline(never)]
pub fn count_distinct(keys: &Vec<u64>) -> usize {
    let mut distinct: HashSet<u64, BuildHasherDefault<DefaultHasher>> = HashSet::default();
    distinct.extend(keys.iter().copied().map(|key| key % 20_000));
    distinct.len()
}

/// The number of primes below the limit, by the sieve of Eratosthenes.
#[inline(never)]
pub fn sieve(limit: &u32) -> usize {
    let limit = *limit as usize;
    let mut is_composite = vec![false; limit];
    let mut count = 0;
    for candidate in 2..limit {
        if !is_composite[candidate] {
            count += 1;
            (candidate * candidate..limit).step_by(candidate).for_each(|multiple| is_composite[multiple] = true);
        }
    }
    count
}
