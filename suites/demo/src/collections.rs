//! Collections of the standard library: which one to put things into.

use std::collections::{BTreeMap, HashMap, LinkedList, VecDeque};
use std::rc::Rc;

use benchbook::prelude::*;
use rustc_hash::FxHashMap;

/// The value of a key, from a `HashMap` as it comes.
///
/// What does each look-up pay for the standard hasher, SipHash 1-3, with which an attacker cannot choose keys that
/// collide? Compare with `fx_hash_map_get`, which trusts its keys. Vary the size, too: from where on is it memory that
/// a look-up waits for? `O(1)`.
#[measured(generators(maps), alternatives = "value of a key")]
pub fn hash_map_get(maps: &Maps, key: u64) -> Option<&u64> {
    maps.hash.get(&key)
}

/// The value of a key, from a `HashMap` with the compiler's own hasher.
///
/// Where no attacker chooses the keys, how much faster is a `HashMap` with `FxHasher`? Compare with `hash_map_get`, at
/// random keys and at consecutive ones. `O(1)`, but keys can be found that make it `O(n)`.
///
/// `FxHashMap` of the crate [rustc-hash](https://docs.rs/rustc-hash).
#[measured(generators(maps), alternatives = "value of a key")]
pub fn fx_hash_map_get(maps: &Maps, key: u64) -> Option<&u64> {
    maps.fx.get(&key)
}

/// The value of a key, from a `BTreeMap`.
///
/// What do look-ups pay for a map that keeps its keys in order? Compare with `hash_map_get` at few entries and at many.
/// `O(log n)`: up to eleven keys a node, looked at one after the other, then on to the node below.
#[measured(generators(maps), alternatives = "value of a key")]
pub fn btree_map_get(maps: &Maps, key: u64) -> Option<&u64> {
    maps.tree.get(&key)
}

/// The value of a key, from a sorted vector, by binary search.
///
/// Is a sorted `Vec` faster than a `BTreeMap` for look-ups, and up to what size? Compare with `btree_map_get`, and with
/// `hash_map_get` for what order costs at all. Putting something in later is `O(n)` here; the look-up is `O(log n)`.
#[measured(generators(maps), alternatives = "value of a key")]
pub fn sorted_vec_get(maps: &Maps, key: u64) -> Option<&u64> {
    let found = maps.sorted.binary_search_by_key(&key, |(key, _)| *key);
    found.ok().map(|place| &maps.sorted[place].1)
}

/// The same entries, in each kind of map.
pub struct Maps {
    hash: HashMap<u64, u64>,
    fx: FxHashMap<u64, u64>,
    tree: BTreeMap<u64, u64>,
    sorted: Vec<(u64, u64)>,
}

/// What the keys are.
#[derive(Clone, Copy, Choice)]
pub enum Keys {
    /// Each even number is as likely as any other.
    Random,
    /// 0, 2, 4, and so on, as of things that were numbered.
    Consecutive,
}

/// Look-ups of different keys in one map.
#[generator(name = "Maps")]
fn maps(
    service: &Service,
    /// Number of entries.
    #[parameter(min = 1, max = 1_000_000, scale = "log", default = 10..=100_000, unit = "entries")]
    size: u32,
    /// Share of look-ups that find their key.
    #[parameter(min = 0.0, max = 100.0, step = 1.0, default = 100.0, unit = "%")]
    hits: f64,
    /// What the keys are.
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
            // Even keys are there, odd ones are not.
            let miss = !rng.random_bool(hits / 100.0);
            (Rc::clone(&maps), key + u64::from(miss))
        };
        (0..256).map(look_up).collect()
    })
}

/// Puts each value before all others, with `Vec::insert`.
///
/// From what size on does it hurt that all others move by one place? Compare with `vec_deque_push_front`, which was
/// made for it, and with `linked_list_push_front`, which moves nothing and allocates for each. `O(n²)` for all values.
#[measured(generators(values), alternatives = "values, the last one first")]
pub fn vec_insert_front(values: &[u64]) -> Vec<u64> {
    let mut list = Vec::new();
    for &value in values {
        list.insert(0, value);
    }
    list
}

/// Puts each value before all others, with `VecDeque::push_front`.
///
/// Is a ring buffer as good at its front as a vector is at its end? Compare with `vec_push_then_reverse`. `O(n)` for
/// all values.
#[measured(generators(values), alternatives = "values, the last one first")]
pub fn vec_deque_push_front(values: &[u64]) -> VecDeque<u64> {
    let mut list = VecDeque::new();
    for &value in values {
        list.push_front(value);
    }
    list
}

/// Puts each value before all others, with `LinkedList::push_front`.
///
/// Is there a size at which a linked list is the best at what it is known for? Compare with `vec_insert_front` for few
/// values and with `vec_deque_push_front` for any. `O(n)` for all values, and an allocation for each.
#[measured(generators(values), alternatives = "values, the last one first")]
pub fn linked_list_push_front(values: &[u64]) -> LinkedList<u64> {
    let mut list = LinkedList::new();
    for &value in values {
        list.push_front(value);
    }
    list
}

/// Pushes each value to the end of a vector, which is reversed when all are there.
///
/// Where nobody looks before all are there, is it cheaper to push to the end and reverse? Compare with
/// `vec_deque_push_front`. `O(n)` for all values.
#[measured(generators(values), alternatives = "values, the last one first")]
pub fn vec_push_then_reverse(values: &[u64]) -> Vec<u64> {
    let mut list = Vec::new();
    for &value in values {
        list.push(value);
    }
    list.reverse();
    list
}

/// Values to put into a list, one after the other.
#[generator(name = "Values")]
fn values(
    _service: &Service,
    /// Number of values.
    #[parameter(min = 1, max = 20_000, scale = "log", default = 2..=2_000, unit = "values")]
    count: u32,
) -> Shared<Vec<u64>> {
    Shared::new(move |rng| (0..count).map(|_| rng.random()).collect())
}
