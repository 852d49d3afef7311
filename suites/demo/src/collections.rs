//! Which collection of the standard library to choose.

use std::collections::{BTreeMap, HashMap, LinkedList, VecDeque};
use std::rc::Rc;

use benchbook::prelude::*;
use rustc_hash::FxHashMap;

/// Looks up a key in a `HashMap` with the default hasher.
///
/// What does each lookup pay for SipHash 1-3, the default hasher, which prevents attackers from choosing keys that
/// collide? Compare with `fx_hash_map_get`, which trusts its keys. Vary the size, too: at which size do lookups begin
/// to wait for memory? `O(1)`.
#[measured(generators(maps), alternatives = "value of a key")]
pub fn hash_map_get(maps: &Maps, key: u64) -> Option<&u64> {
    maps.hash.get(&key)
}

/// Looks up a key in a `HashMap` with the compiler's own hasher.
///
/// If no attacker can choose the keys, how much faster is a `HashMap` with `FxHasher`? Compare with `hash_map_get`,
/// with random keys and with consecutive ones. `O(1)`, but an attacker can choose keys that make it `O(n)`.
///
/// `FxHashMap` of the crate [rustc-hash](https://docs.rs/rustc-hash).
#[measured(generators(maps), alternatives = "value of a key")]
pub fn fx_hash_map_get(maps: &Maps, key: u64) -> Option<&u64> {
    maps.fx.get(&key)
}

/// Looks up a key in a `BTreeMap`.
///
/// What do lookups pay for sorted keys? Compare with `hash_map_get` for few and for many entries. `O(log n)`: a linear
/// search among the up to eleven keys of a node, then one level down.
#[measured(generators(maps), alternatives = "value of a key")]
pub fn btree_map_get(maps: &Maps, key: u64) -> Option<&u64> {
    maps.tree.get(&key)
}

/// Looks up a key in a sorted vector, by binary search.
///
/// Are lookups in a sorted `Vec` faster than in a `BTreeMap`, and up to which size? Compare with `btree_map_get`, and
/// with `hash_map_get` for the cost of sorted keys as such. A lookup is `O(log n)`; a later insertion is `O(n)`.
#[measured(generators(maps), alternatives = "value of a key")]
pub fn sorted_vec_get(maps: &Maps, key: u64) -> Option<&u64> {
    let found = maps.sorted.binary_search_by_key(&key, |(key, _)| *key);
    found.ok().map(|index| &maps.sorted[index].1)
}

/// The same entries in four kinds of maps.
pub struct Maps {
    hash: HashMap<u64, u64>,
    fx: FxHashMap<u64, u64>,
    tree: BTreeMap<u64, u64>,
    sorted: Vec<(u64, u64)>,
}

/// The distribution of the keys.
#[derive(Clone, Copy, Choice)]
pub enum Keys {
    /// All even numbers are equally likely.
    Random,
    /// 0, 2, 4 and so on, like consecutive IDs.
    Consecutive,
}

/// Lookups of different keys in one map.
#[generator(name = "Maps")]
fn maps(
    service: &Service,
    /// Number of entries.
    #[parameter(min = 1, max = 1_000_000, scale = "log", default = 10..=100_000, unit = "entries")]
    size: u32,
    /// Share of lookups that find their key.
    #[parameter(min = 0.0, max = 100.0, step = 1.0, default = 100.0, unit = "%")]
    hits: f64,
    /// Distribution of the keys.
    #[parameter(default = "Random")]
    keys: Keys,
) -> Calls<(Rc<Maps>, u64)> {
    let mut rng = service.rng();
    let key = |index| match keys {
        Keys::Random => rng.random::<u64>() & !1,
        Keys::Consecutive => 2 * index,
    };
    let entries: Vec<(u64, u64)> = (0..u64::from(size)).map(key).zip(0..).collect();
    let mut sorted = entries.clone();
    sorted.sort_unstable();
    let maps = Rc::new(Maps {
        hash: entries.iter().copied().collect(),
        fx: entries.iter().copied().collect(),
        tree: sorted.iter().copied().collect(),
        sorted,
    });
    Calls::new(move |rng| {
        let look_up = |_| {
            let (key, _) = entries[rng.random_range(0..entries.len())];
            // Only even keys are present.
            let miss = !rng.random_bool(hits / 100.0);
            (Rc::clone(&maps), key + u64::from(miss))
        };
        (0..256).map(look_up).collect()
    })
}

/// Inserts each value at the front of a vector, with `Vec::insert`.
///
/// At which size does it hurt to move all other values by one position? Compare with `vec_deque_push_front`, which is
/// made for this, and with `linked_list_push_front`, which moves nothing but allocates each node. `O(n²)` for all
/// values.
#[measured(generators(values), alternatives = "values, the last one first")]
pub fn vec_insert_front(values: &[u64]) -> Vec<u64> {
    let mut list = Vec::new();
    for &value in values {
        list.insert(0, value);
    }
    list
}

/// Inserts each value at the front of a ring buffer, with `VecDeque::push_front`.
///
/// Is a ring buffer as fast at its front as a vector at its end? Compare with `vec_push_then_reverse`. `O(n)` for all
/// values.
#[measured(generators(values), alternatives = "values, the last one first")]
pub fn vec_deque_push_front(values: &[u64]) -> VecDeque<u64> {
    let mut list = VecDeque::new();
    for &value in values {
        list.push_front(value);
    }
    list
}

/// Inserts each value at the front of a linked list, with `LinkedList::push_front`.
///
/// Is there any size at which a linked list wins at its own game? Compare with `vec_insert_front` for few values and
/// with `vec_deque_push_front` for any number. `O(n)` for all values, with one allocation each.
#[measured(generators(values), alternatives = "values, the last one first")]
pub fn linked_list_push_front(values: &[u64]) -> LinkedList<u64> {
    let mut list = LinkedList::new();
    for &value in values {
        list.push_front(value);
    }
    list
}

/// Appends each value to a vector, then reverses it.
///
/// If the order matters only at the end, is it cheaper to append and reverse? Compare with `vec_deque_push_front`.
/// `O(n)` for all values.
#[measured(generators(values), alternatives = "values, the last one first")]
pub fn vec_push_then_reverse(values: &[u64]) -> Vec<u64> {
    let mut list = Vec::new();
    for &value in values {
        list.push(value);
    }
    list.reverse();
    list
}

/// Values to insert into a list.
#[generator(name = "Values")]
fn values(
    _service: &Service,
    /// Number of values.
    #[parameter(min = 1, max = 20_000, scale = "log", default = 2..=2_000, unit = "values")]
    count: u32,
) -> Shared<Vec<u64>> {
    Shared::new(move |rng| (0..count).map(|_| rng.random()).collect()).elements(count.into())
}
