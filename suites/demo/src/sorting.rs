//! Sorting, and selecting the smallest keys.

use std::collections::BinaryHeap;
use std::mem;

use benchbook::prelude::*;

/// Sorts keys in place; equal keys may change their order.
///
/// Is it faster than the stable sort for *your* keys? Compare with `sort_stable`, and vary the spread: sorted or nearly
/// sorted keys may surprise you. The algorithm is `ipnsort`, a successor of introsort: `O(n log n)` at worst, without
/// allocation.
#[measured(generators(keys, nearly_sorted), alternatives = "sort u64 keys")]
pub fn sort_unstable(keys: &mut [u64]) {
    keys.sort_unstable();
}

/// Sorts keys in place; equal keys keep their order.
///
/// What does it cost to keep the order of equal keys, and when is it free? Compare with `sort_unstable`, and vary the
/// spread. The algorithm is `driftsort`, which detects runs and merges them: `O(n log n)` at worst, with a buffer for
/// at least half of the keys.
#[measured(generators(keys, nearly_sorted), alternatives = "sort u64 keys")]
pub fn sort_stable(keys: &mut [u64]) {
    keys.sort();
}

/// Sorts keys in place, byte by byte, from the lowest byte to the highest.
///
/// At how many keys does a sort without comparisons win? Compare with `sort_unstable`: few keys pay for 2 048 counters,
/// many keys for eight passes. A byte that is equal in all keys is skipped, so small keys take fewer passes. `O(n)`,
/// with a buffer as large as the keys.
///
/// Knuth, *The Art of Computer Programming* 3, sections 5.2 (distribution counting) and 5.2.5 (radix sorting).
#[measured(generators(keys, nearly_sorted), alternatives = "sort u64 keys")]
pub fn radix_sort(keys: &mut [u64]) {
    // The number of keys per value of each of the eight bytes.
    let mut counts = [[0_usize; 256]; 8];
    for key in keys.iter() {
        for (counts, byte) in counts.iter_mut().zip(key.to_le_bytes()) {
            counts[usize::from(byte)] += 1;
        }
    }
    let mut buffer = vec![0; keys.len()];
    let (mut from, mut into) = (keys, buffer.as_mut_slice());
    let mut in_buffer = false;
    for (byte, counts) in counts.iter_mut().enumerate() {
        if counts.contains(&from.len()) {
            continue;
        }
        // Converts counts to the start index of each value.
        let mut start = 0;
        for count in counts.iter_mut() {
            start += mem::replace(count, start);
        }
        for &key in from.iter() {
            let slot = &mut counts[usize::from(key.to_le_bytes()[byte])];
            into[*slot] = key;
            *slot += 1;
        }
        mem::swap(&mut from, &mut into);
        in_buffer = !in_buffer;
    }
    if in_buffer {
        into.copy_from_slice(from);
    }
}

/// The distribution and order of the keys.
#[derive(Clone, Copy, Choice)]
pub enum Spread {
    /// All keys are equally likely.
    Random,
    /// Already ascending.
    Sorted,
    /// Descending.
    Reversed,
    /// Sixteen distinct values in random order.
    FewDistinct,
}

impl Spread {
    fn keys(self, rng: &mut Rng, size: u32) -> Vec<u64> {
        let mut keys: Vec<u64> = match self {
            Self::FewDistinct => (0..size).map(|_| rng.random_range(0..16)).collect(),
            _ => (0..size).map(|_| rng.random()).collect(),
        };
        match self {
            Self::Sorted => keys.sort_unstable(),
            Self::Reversed => keys.sort_unstable_by(|one, other| other.cmp(one)),
            Self::Random | Self::FewDistinct => {}
        }
        keys
    }
}

/// A vector of keys.
#[generator(name = "Keys")]
fn keys(
    _service: &Service,
    /// Number of keys.
    #[parameter(min = 100, max = 1_000_000, step = 100, scale = "log", default = 1_000..=100_000, unit = "keys")]
    size: u32,
    /// Distribution and order of the keys.
    #[parameter(default = "Random")]
    spread: Spread,
) -> Fresh<Vec<u64>> {
    Fresh::new(move |rng| spread.keys(rng, size)).elements(size.into())
}

/// Sorted keys, of which some are swapped.
#[generator(name = "Nearly sorted keys")]
fn nearly_sorted(
    _service: &Service,
    /// Number of keys.
    #[parameter(min = 100, max = 1_000_000, step = 100, scale = "log", default = 1_000..=100_000, unit = "keys")]
    size: u32,
    /// Share of keys in a wrong position.
    #[parameter(min = 0.0, max = 50.0, default = 1.0, unit = "%")]
    disorder: f64,
) -> Fresh<Vec<u64>> {
    Fresh::new(move |rng| {
        let mut keys = Spread::Sorted.keys(rng, size);
        // Each swap moves two keys.
        let swaps = (f64::from(size) * disorder / 200.0).round() as u32;
        for _ in 0..swaps {
            let (one, other) = (rng.random_range(0..keys.len()), rng.random_range(0..keys.len()));
            keys.swap(one, other);
        }
        keys
    })
    .elements(size.into())
}

/// Sorts names case-insensitively, computing a key for each comparison.
///
/// What does `sort_by_key` cost if the key must be computed, here by `to_lowercase`? It computes two keys per
/// comparison: compare with `sort_by_cached_key`. `O(n log n)` keys.
#[measured(generators(names), alternatives = "sort names without regard to case")]
pub fn sort_by_key(names: &mut [String]) {
    names.sort_by_key(|name| name.to_lowercase());
}

/// Sorts names case-insensitively, computing each key once.
///
/// At how many names does it pay to cache the keys, in a buffer that must be allocated? Compare with `sort_by_key`.
/// `O(n)` keys, `O(n log n)` comparisons.
#[measured(generators(names), alternatives = "sort names without regard to case")]
pub fn sort_by_cached_key(names: &mut [String]) {
    names.sort_by_cached_key(|name| name.to_lowercase());
}

/// Sorts names case-insensitively, comparing letter by letter.
///
/// Is a comparison best that computes no key and usually ends at the first letter? Compare with `sort_by_cached_key`,
/// and give all names a common prefix. `O(n log n)` comparisons.
#[measured(generators(names), alternatives = "sort names without regard to case")]
pub fn sort_by_letters(names: &mut [String]) {
    fn letters(name: &str) -> impl Iterator<Item = char> {
        name.chars().flat_map(char::to_lowercase)
    }
    names.sort_by(|one, other| letters(one).cmp(letters(other)));
}

/// Names in upper and lower case, in random order.
#[generator(name = "Names")]
fn names(
    _service: &Service,
    /// Number of names.
    #[parameter(min = 2, max = 100_000, scale = "log", default = 10..=2_000, unit = "names")]
    size: u32,
    /// Length of the prefix that all names share.
    #[parameter(min = 0, max = 100, default = 0, unit = "letters")]
    alike: usize,
) -> Fresh<Vec<String>> {
    const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let start = "m".repeat(alike);
    Fresh::new(move |rng| {
        let mut name = |_| {
            let length = rng.random_range(3..=12);
            let letters = (0..length).map(|_| char::from(LETTERS[rng.random_range(0..LETTERS.len())]));
            start.chars().chain(letters).collect()
        };
        (0..size).map(&mut name).collect()
    })
    .elements(size.into())
}

/// Returns the smallest keys in order, by sorting all keys.
///
/// If only a few keys are needed, how much time does sorting the others waste? Compare with `smallest_by_selecting`,
/// and vary the share of wanted keys. `O(n log n)`.
#[measured(generators(unsorted), alternatives = "smallest keys in order")]
pub fn smallest_by_sorting(mut keys: Vec<u64>, count: usize) -> Vec<u64> {
    keys.sort_unstable();
    keys.truncate(count);
    keys
}

/// Returns the smallest keys in order, by selecting and then sorting them.
///
/// Up to which share does `select_nth_unstable` save time, and can it cost time? Compare with `smallest_by_sorting`.
/// `O(n + k log k)` for `k` of `n` keys.
#[measured(generators(unsorted), alternatives = "smallest keys in order")]
pub fn smallest_by_selecting(mut keys: Vec<u64>, count: usize) -> Vec<u64> {
    if count < keys.len() {
        keys.select_nth_unstable(count);
        keys.truncate(count);
    }
    keys.sort_unstable();
    keys
}

/// Returns the smallest keys in order, with a heap of the smallest keys so far.
///
/// Up to which share is it enough to read each key once, without copying all of them? Compare with
/// `smallest_by_selecting`: if few of many keys are wanted, a single comparison rejects most of them. `O(n log k)` for
/// `k` of `n` keys.
#[measured(generators(unsorted), alternatives = "smallest keys in order")]
pub fn smallest_by_heap(keys: &[u64], count: usize) -> Vec<u64> {
    let (first, rest) = keys.split_at(count.min(keys.len()));
    let mut heap: BinaryHeap<u64> = first.iter().copied().collect();
    for &key in rest {
        if let Some(mut greatest) = heap.peek_mut()
            && key < *greatest
        {
            *greatest = key;
        }
    }
    heap.into_sorted_vec()
}

/// Keys in random order, and the number of wanted keys.
#[generator(name = "Unsorted keys")]
fn unsorted(
    _service: &Service,
    /// Number of keys.
    #[parameter(min = 100, max = 1_000_000, step = 100, scale = "log", default = 1_000..=100_000, unit = "keys")]
    size: usize,
    /// Share of wanted keys.
    #[parameter(min = 0.1, max = 100.0, default = 1.0, scale = "log", unit = "%")]
    share: f64,
) -> Shared<(Vec<u64>, usize)> {
    let count = (size as f64 * share / 100.0).round() as usize;
    Shared::new(move |rng| ((0..size).map(|_| rng.random()).collect(), count)).elements(size as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An end-to-end test checks that all algorithms agree; this one checks their result.
    #[test]
    fn radix_sort_orders_all_bytes() {
        let mut keys = [0x0201, 3, u64::MAX, 0x0102, 1 << 63, 0, 3];
        radix_sort(&mut keys);
        assert_eq!(keys, [0, 3, 3, 0x0102, 0x0201, 1 << 63, u64::MAX]);
        let mut none: [u64; 0] = [];
        radix_sort(&mut none);
    }

    #[test]
    fn selections_agree_for_any_count() {
        for count in [0, 1, 3, 7] {
            let smallest = [1, 2, 5][..count.min(3)].to_vec();
            assert_eq!(smallest_by_sorting(vec![5, 1, 2], count), smallest);
            assert_eq!(smallest_by_selecting(vec![5, 1, 2], count), smallest);
            assert_eq!(smallest_by_heap(&[5, 1, 2], count), smallest);
        }
    }
}
