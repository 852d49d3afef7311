//! Sorting, and what people sort for.

use std::collections::BinaryHeap;
use std::mem;

use benchbook::prelude::*;

/// Sorts the keys in place; equal keys may change places.
///
/// Is it faster than the stable sort on *your* keys? Compare with `sort_stable`, and vary the spread: sorted or nearly
/// sorted keys may surprise. Introsort's successor `ipnsort`, `O(n log n)` at worst, without allocation.
#[measured(generators(keys, nearly_sorted), alternatives = "sort u64 keys")]
pub fn sort_unstable(keys: &mut [u64]) {
    keys.sort_unstable();
}

/// Sorts the keys in place; equal keys keep their order.
///
/// What does it cost to keep the order of equals, and where does it cost nothing? Compare with `sort_unstable`, and
/// vary the spread. `driftsort`, which finds runs and merges them, `O(n log n)` at worst, with a buffer of at least
/// half as many keys.
#[measured(generators(keys, nearly_sorted), alternatives = "sort u64 keys")]
pub fn sort_stable(keys: &mut [u64]) {
    keys.sort();
}

/// Sorts the keys in place, byte by byte, the lowest first.
///
/// From how many keys on does a sort that compares nothing beat those that do? Compare with `sort_unstable`: a few keys
/// pay for 2 048 counts, many for eight walks over all of them. A byte in which all agree is skipped, so a few distinct
/// small keys are done soon. `O(n)`, with a buffer as large as the keys.
///
/// Knuth, *The Art of Computer Programming* 3, sections 5.2 (distribution counting) and 5.2.5 (radix sorting).
#[measured(generators(keys, nearly_sorted), alternatives = "sort u64 keys")]
pub fn radix_sort(keys: &mut [u64]) {
    // How many keys have each value, for each of the eight bytes.
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
        // From how many to where the next one goes.
        let mut start = 0;
        for count in counts.iter_mut() {
            start += mem::replace(count, start);
        }
        for &key in from.iter() {
            let place = &mut counts[usize::from(key.to_le_bytes()[byte])];
            into[*place] = key;
            *place += 1;
        }
        mem::swap(&mut from, &mut into);
        in_buffer = !in_buffer;
    }
    if in_buffer {
        into.copy_from_slice(from);
    }
}

/// How the keys are spread.
#[derive(Clone, Copy, Choice)]
pub enum Spread {
    /// Each key is as likely as any other.
    Random,
    /// Ascending already.
    Sorted,
    /// Descending.
    Reversed,
    /// Sixteen values, in random order.
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
    /// How they are spread.
    #[parameter(default = "Random")]
    spread: Spread,
) -> Fresh<Vec<u64>> {
    Fresh::new(move |rng| spread.keys(rng, size))
}

/// Sorted keys, some of which were swapped with others.
#[generator(name = "Nearly sorted keys")]
fn nearly_sorted(
    _service: &Service,
    /// Number of keys.
    #[parameter(min = 100, max = 1_000_000, step = 100, scale = "log", default = 1_000..=100_000, unit = "keys")]
    size: u32,
    /// Share of keys that are out of place.
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
}

/// Sorts names without regard to case, by a key made for each comparison.
///
/// What does `sort_by_key` cost where a key must be made first, by `to_lowercase`? It makes two for each comparison:
/// compare with `sort_by_cached_key`. `O(n log n)` keys.
#[measured(generators(names), alternatives = "sort names without regard to case")]
pub fn sort_by_key(names: &mut [String]) {
    names.sort_by_key(|name| name.to_lowercase());
}

/// Sorts names without regard to case, by a key made once for each name.
///
/// From how many names on is it worth keeping the keys, in a buffer that costs an allocation too? Compare with
/// `sort_by_key`. `O(n)` keys, `O(n log n)` comparisons.
#[measured(generators(names), alternatives = "sort names without regard to case")]
pub fn sort_by_cached_key(names: &mut [String]) {
    names.sort_by_cached_key(|name| name.to_lowercase());
}

/// Sorts names without regard to case, letter by letter as far as two names are alike.
///
/// Is a comparison that makes no key, and mostly ends at the first letter, the best of all? Compare with
/// `sort_by_cached_key`, and let names begin alike. `O(n log n)` comparisons.
#[measured(generators(names), alternatives = "sort names without regard to case")]
pub fn sort_by_letters(names: &mut [String]) {
    fn letters(name: &str) -> impl Iterator<Item = char> {
        name.chars().flat_map(char::to_lowercase)
    }
    names.sort_by(|one, other| letters(one).cmp(letters(other)));
}

/// Names in letters of both cases, in random order.
#[generator(name = "Names")]
fn names(
    _service: &Service,
    /// Number of names.
    #[parameter(min = 2, max = 100_000, scale = "log", default = 10..=2_000, unit = "names")]
    size: u32,
    /// With how many letters all of them begin.
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
}

/// The smallest keys in order, by sorting all of them.
///
/// Where only a few are wanted, how much is wasted on the order of the others? Compare with `smallest_by_selecting`,
/// and vary the share that is wanted. `O(n log n)`.
#[measured(generators(unsorted), alternatives = "smallest keys in order")]
pub fn smallest_by_sorting(mut keys: Vec<u64>, count: usize) -> Vec<u64> {
    keys.sort_unstable();
    keys.truncate(count);
    keys
}

/// The smallest keys in order, by moving them to the front and sorting those.
///
/// Up to what share does `select_nth_unstable` save time, and does it ever cost some? Compare with
/// `smallest_by_sorting`. `O(n + k log k)` for `k` of `n` keys.
#[measured(generators(unsorted), alternatives = "smallest keys in order")]
pub fn smallest_by_selecting(mut keys: Vec<u64>, count: usize) -> Vec<u64> {
    if count < keys.len() {
        keys.select_nth_unstable(count);
        keys.truncate(count);
    }
    keys.sort_unstable();
    keys
}

/// The smallest keys in order, by a heap that holds the best so far.
///
/// Up to what share is it enough to read each key once and keep the best so far, without a copy of all? Compare with
/// `smallest_by_selecting`: where few are wanted of many, most keys are turned away at a glance. `O(n log k)` for `k`
/// of `n` keys.
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

/// Keys in random order, and how many of them are wanted.
#[generator(name = "Unsorted keys")]
fn unsorted(
    _service: &Service,
    /// Number of keys.
    #[parameter(min = 100, max = 1_000_000, step = 100, scale = "log", default = 1_000..=100_000, unit = "keys")]
    size: usize,
    /// Share of the keys that are wanted.
    #[parameter(min = 0.1, max = 100.0, default = 1.0, scale = "log", unit = "%")]
    share: f64,
) -> Shared<(Vec<u64>, usize)> {
    let count = (size as f64 * share / 100.0).round() as usize;
    Shared::new(move |rng| ((0..size).map(|_| rng.random()).collect(), count))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All ways sort alike, which the suite's test of alternatives shows; this is what they are to agree on.
    #[test]
    fn bytes_are_sorted_from_the_lowest_to_the_highest() {
        let mut keys = [0x0201, 3, u64::MAX, 0x0102, 1 << 63, 0, 3];
        radix_sort(&mut keys);
        assert_eq!(keys, [0, 3, 3, 0x0102, 0x0201, 1 << 63, u64::MAX]);
        let mut none: [u64; 0] = [];
        radix_sort(&mut none);
    }

    #[test]
    fn as_many_are_smallest_as_there_are() {
        for count in [0, 1, 3, 7] {
            let smallest = [1, 2, 5][..count.min(3)].to_vec();
            assert_eq!(smallest_by_sorting(vec![5, 1, 2], count), smallest);
            assert_eq!(smallest_by_selecting(vec![5, 1, 2], count), smallest);
            assert_eq!(smallest_by_heap(&[5, 1, 2], count), smallest);
        }
    }
}
