//! Finding a key among others.

use std::rc::Rc;

use benchbook::prelude::*;

/// Whether the key is there, by looking at one after the other.
///
/// Up to what size does it beat the [binary search](https://doc.rust-lang.org/std/primitive.slice.html#method.binary_search)?
#[measured(generators(sorted_keys), alternatives = "is the key there")]
pub fn contains(keys: &[u64], key: u64) -> bool {
    keys.contains(&key)
}

/// Whether the key is there, by halving what is left.
///
/// `O(log n)`, but each step waits for the one before it.
#[measured(generators(sorted_keys), alternatives = "is the key there")]
pub fn binary_search(keys: &[u64], key: u64) -> bool {
    keys.binary_search(&key).is_ok()
}

/// Look-ups of different keys in one sorted vector.
#[generator(name = "Sorted keys")]
fn sorted_keys(
    service: &Service,
    /// Number of keys.
    #[parameter(min = 1, max = 1_000_000, scale = "log", default = 10..=10_000, unit = "keys")]
    size: u32,
    /// Share of look-ups that find their key.
    #[parameter(min = 0.0, max = 100.0, step = 1.0, default = 50.0, unit = "%")]
    hits: f64,
) -> Calls<(Rc<[u64]>, u64)> {
    let mut rng = service.rng();
    // Odd keys are there, even ones are not.
    let keys: Rc<[u64]> = (0..u64::from(size)).map(|index| 2 * index + 1).collect();
    let shift = rng.random_range(0..u64::from(size));
    Calls::new(move |rng| {
        let look_up = |_| {
            let index = (rng.random_range(0..u64::from(size)) + shift) % u64::from(size);
            let hit = rng.random_bool(hits / 100.0);
            (Rc::clone(&keys), 2 * index + u64::from(hit))
        };
        (0..256).map(look_up).collect()
    })
}
