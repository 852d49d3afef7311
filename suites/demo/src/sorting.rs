//! Sorting keys in place.

use benchbook::prelude::*;

/// Sorts the keys in place; equal keys may change places.
///
/// Introsort's successor `ipnsort`, `O(n log n)` at worst, without allocation. Is it faster than the stable sort on
/// *your* keys? Sorted or nearly sorted ones may surprise.
#[measured(generators(keys, nearly_sorted), alternatives = "sort u64 keys")]
pub fn sort_unstable(keys: &mut [u64]) {
    keys.sort_unstable();
}

/// Sorts the keys in place; equal keys keep their order.
///
/// `driftsort`, which finds runs and merges them, `O(n log n)` at worst, with a buffer of up to half the keys.
#[measured(generators(keys, nearly_sorted), alternatives = "sort u64 keys")]
pub fn sort_stable(keys: &mut [u64]) {
    keys.sort();
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
