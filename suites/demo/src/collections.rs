//! Collections of the standard library.

use std::collections::HashMap;
use std::rc::Rc;

use benchbook::prelude::*;

/// The value of a key that is in the map.
///
/// With the standard hasher, SipHash 1-3. How much do larger maps cost, as they leave one cache after the other?
#[measured(generators(map))]
pub fn hash_map_get(map: &HashMap<u64, u64>, key: u64) -> Option<&u64> {
    map.get(&key)
}

/// Puts a value before all others, which move by one place.
///
/// `O(n)`: from what size on does it hurt?
#[measured(generators(list))]
pub fn vec_insert_front(list: &mut Vec<u64>, value: u64) {
    list.insert(0, value);
}

/// Look-ups of different keys in one map.
#[generator(name = "Map")]
fn map(
    service: &Service,
    /// Number of entries.
    #[parameter(min = 1, max = 1_000_000, scale = "log", default = 100..=100_000, unit = "entries")]
    size: u32,
) -> Calls<(Rc<HashMap<u64, u64>>, u64)> {
    let mut rng = service.rng();
    // Not the order of the map, which differs from process to process.
    let keys: Vec<u64> = (0..size).map(|_| rng.random()).collect();
    let map: Rc<HashMap<u64, u64>> = Rc::new(keys.iter().copied().zip(0..).collect());
    Calls::new(move |rng| (0..256).map(|_| (Rc::clone(&map), keys[rng.random_range(0..keys.len())])).collect())
}

/// A vector of numbers with room for more, and one number.
#[generator(name = "List")]
fn list(
    _service: &Service,
    /// Number of elements.
    #[parameter(min = 0, max = 100_000, step = 10, default = 0..=10_000, unit = "elements")]
    size: u32,
) -> Fresh<(Vec<u64>, u64)> {
    Fresh::new(move |rng| {
        let mut list = Vec::with_capacity(size as usize + 1);
        list.extend(0..u64::from(size));
        (list, rng.random())
    })
}
