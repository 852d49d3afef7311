//! The random numbers of generators.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The random number generator for inputs: xoshiro256++, which yields the same numbers from the same seed on every
/// machine.
pub type Rng = Xoshiro256PlusPlus;

/// Creates a random number generator from all of `seeds`.
pub fn seeded(seeds: [u64; 3]) -> Rng {
    let seed = seeds.into_iter().fold(0, |mixed, seed| mix(mixed ^ seed));
    Rng::seed_from_u64(seed)
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014), which maps
/// similar seeds to unrelated numbers.
fn mix(seed: u64) -> u64 {
    let mut mixed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
