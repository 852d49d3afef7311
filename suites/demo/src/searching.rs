//! Searching for keys.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::rc::Rc;

use benchbook::prelude::*;

/// Searches keys one after the other.
///
/// Up to which size is the simplest search the fastest? Compare with `binary_search`. The search ends at a hit and
/// otherwise reads all keys, so vary the share of hits, too. `O(n)`.
#[measured(generators(sorted_keys), alternatives = "is the key there")]
pub fn contains(keys: &[u64], key: u64) -> bool {
    keys.contains(&key)
}

/// Searches sorted keys by halving the range.
///
/// At which size does it beat a linear search? It takes few steps, but each one waits for the one before it: compare
/// with `contains`, which reads ahead. `O(log n)`.
#[measured(generators(sorted_keys), alternatives = "is the key there")]
pub fn binary_search(keys: &[u64], key: u64) -> bool {
    keys.binary_search(&key).is_ok()
}

/// Searches sorted keys by estimating the index from the value.
///
/// If keys are evenly distributed, is a good estimate with one division better than twenty halvings? Compare with
/// `binary_search`, then vary the gaps: if they grow, the estimates fall short again and again. `O(log log n)` on
/// average for even or random gaps, `O(n)` at worst.
///
/// Knuth, *The Art of Computer Programming* 3, section 6.2.1: interpolation search.
#[measured(generators(sorted_keys), alternatives = "is the key there")]
pub fn interpolation_search(keys: &[u64], key: u64) -> bool {
    let mut rest = keys;
    while let (Some(&first), Some(&last)) = (rest.first(), rest.last())
        && (first..=last).contains(&key)
    {
        let share = (key - first) as f64 / (last - first).max(1) as f64;
        let guess = ((rest.len() - 1) as f64 * share) as usize;
        match rest[guess].cmp(&key) {
            Ordering::Less => rest = &rest[guess + 1..],
            Ordering::Equal => return true,
            Ordering::Greater => rest = &rest[..guess],
        }
    }
    false
}

/// The distance of each key to the previous one.
#[derive(Clone, Copy, Choice)]
pub enum Gaps {
    /// Always the same.
    Even,
    /// Random, between one and a thousand times the minimum.
    Random,
    /// Growing: the keys are like squares.
    Growing,
}

impl Gaps {
    /// Odd keys in ascending order.
    fn keys(self, rng: &mut Rng, size: u64) -> Vec<u64> {
        match self {
            Self::Even => (0..size).map(|index| 2 * index + 1).collect(),
            Self::Growing => (0..size).map(|index| 2 * index * index + 1).collect(),
            Self::Random => {
                let next = |key: &mut u64, _| {
                    *key += 2 * rng.random_range(1..=1_000);
                    Some(*key)
                };
                (0..size).scan(1, next).collect()
            }
        }
    }
}

/// Lookups of different keys in one sorted vector.
#[generator(name = "Sorted keys")]
fn sorted_keys(
    service: &Service,
    /// Number of keys.
    #[parameter(min = 1, max = 1_000_000, scale = "log", default = 4..=10_000, unit = "keys")]
    size: u32,
    /// Share of lookups that find their key.
    #[parameter(min = 0.0, max = 100.0, step = 1.0, default = 50.0, unit = "%")]
    hits: f64,
    /// Distances between the keys.
    #[parameter(default = "Even")]
    gaps: Gaps,
) -> Calls<(Rc<[u64]>, u64)> {
    let keys: Rc<[u64]> = gaps.keys(&mut service.rng(), u64::from(size)).into();
    Calls::new(move |rng| {
        let look_up = |_| {
            let key = keys[rng.random_range(0..keys.len())];
            // Only odd keys are present.
            let miss = !rng.random_bool(hits / 100.0);
            (Rc::clone(&keys), key - u64::from(miss))
        };
        (0..256).map(look_up).collect()
    })
}

/// Counts the common keys of two sorted lists by merging.
///
/// Does intersecting two sorted lists require a hash set? Compare with `intersect_by_hash_set`: merging reads every key
/// of both lists, but sequentially and without preparation. `O(n + m)`.
#[measured(generators(two_lists), alternatives = "keys in common")]
pub fn intersect_by_merging(keys: &[u64], others: &Others) -> usize {
    let others = &others.sorted;
    let (mut one, mut other, mut common) = (0, 0, 0);
    while let (Some(a), Some(b)) = (keys.get(one), others.get(other)) {
        common += usize::from(a == b);
        one += usize::from(a <= b);
        other += usize::from(b <= a);
    }
    common
}

/// Counts the common keys of two lists by looking up the shorter one's keys in a hash set of the longer one.
///
/// How many times longer must the other list be for a hash set to beat `intersect_by_merging`, even if the set already
/// exists and costs nothing to build? `O(n)` for the `n` keys of the shorter list.
#[measured(generators(two_lists), alternatives = "keys in common")]
pub fn intersect_by_hash_set(keys: &[u64], others: &Others) -> usize {
    keys.iter().filter(|key| others.hashed.contains(key)).count()
}

/// Counts the common keys of two sorted lists by binary search in the longer one.
///
/// If one list is much longer, does skipping most of it beat reading it? Compare with `intersect_by_merging`, and vary
/// how many times longer it is. `O(n log m)`.
#[measured(generators(two_lists), alternatives = "keys in common")]
pub fn intersect_by_searching(keys: &[u64], others: &Others) -> usize {
    let mut rest = others.sorted.as_slice();
    let mut common = 0;
    for key in keys {
        let position = rest.partition_point(|other| other < key);
        rest = &rest[position..];
        common += usize::from(rest.first() == Some(key));
    }
    common
}

/// The longer list, as a sorted vector and as a hash set.
pub struct Others {
    sorted: Vec<u64>,
    hashed: HashSet<u64>,
}

/// Two sorted lists of distinct keys, one longer than the other.
#[generator(name = "Two lists")]
fn two_lists(
    _service: &Service,
    /// Number of keys in the shorter list.
    #[parameter(min = 10, max = 10_000, scale = "log", default = 100..=10_000, unit = "keys")]
    size: u64,
    /// Length of the longer list, as a multiple of the shorter one.
    #[parameter(min = 1, max = 1_000, scale = "log", default = 4, unit = "times")]
    times: u64,
    /// Share of the shorter list's keys that are in both lists.
    #[parameter(min = 0.0, max = 100.0, step = 1.0, default = 50.0, unit = "%")]
    common: f64,
) -> Shared<(Vec<u64>, Others)> {
    Shared::new(move |rng| {
        let sorted = Gaps::Random.keys(rng, size * times);
        // Picks keys evenly from the longer list, whose keys are odd.
        let picked = sorted.iter().skip(times as usize / 2).step_by(times as usize);
        let keys = picked.map(|key| key - u64::from(!rng.random_bool(common / 100.0))).collect();
        let hashed = sorted.iter().copied().collect();
        (keys, Others { sorted, hashed })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interpolation_search_agrees_with_contains() {
        for keys in [&[][..], &[7], &[0, 1, 4, 9, 16, 25], &[0, u64::MAX], &[3, 3, 3]] {
            for key in [0, 1, 2, 3, 7, 8, 25, 26, u64::MAX] {
                assert_eq!(interpolation_search(keys, key), keys.contains(&key), "{key} in {keys:?}");
            }
        }
    }

    #[test]
    fn intersections_count_common_keys() {
        let sorted = vec![1, 3, 5, 9, 11];
        let others = Others { hashed: sorted.iter().copied().collect(), sorted };
        for (keys, common) in [(&[][..], 0), (&[0, 12], 0), (&[1, 2, 3, 11], 3), (&[4, 6, 9], 1)] {
            assert_eq!(intersect_by_merging(keys, &others), common);
            assert_eq!(intersect_by_hash_set(keys, &others), common);
            assert_eq!(intersect_by_searching(keys, &others), common);
        }
    }
}
