//! Memory: how values lie in it, how it is got and given back; and files.

use std::collections::LinkedList;
use std::path::{Path, PathBuf};

use benchbook::prelude::*;
use bumpalo::Bump;

/// The sum of the values of a vector.
///
/// How fast is memory that is read from one end to the other? Compare with `traverse_boxes` and `traverse_linked_list`,
/// which add the same values in the same order. `O(n)`.
#[measured(generators(chains), alternatives = "sum of a chain")]
pub fn traverse_vec(chains: &Chains) -> u64 {
    chains.vec.iter().sum()
}

/// The sum of values that are each in a box.
///
/// What does a `Box` around each value cost a reader? The addresses are known ahead, so that the processor can fetch
/// many values at once: compare with `traverse_linked_list`, and vary the order. `O(n)`.
#[measured(generators(chains), alternatives = "sum of a chain")]
pub fn traverse_boxes(chains: &Chains) -> u64 {
    chains.boxes.iter().map(|value| **value).sum()
}

/// The sum of the values of a linked list.
///
/// Why is a linked list slow to read, and when is it not? Each address stands in the node before it: compare with
/// `traverse_vec` with nodes in the order of their memory and shuffled, at sizes within a cache and beyond. `O(n)`.
#[measured(generators(chains), alternatives = "sum of a chain")]
pub fn traverse_linked_list(chains: &Chains) -> u64 {
    chains.list.iter().sum()
}

/// The same values, in the same order, kept in three ways.
pub struct Chains {
    vec: Vec<u64>,
    #[expect(clippy::vec_box, reason = "what they cost is the question")]
    boxes: Vec<Box<u64>>,
    list: LinkedList<u64>,
}

/// How what was allocated one by one lies in memory.
#[derive(Clone, Copy, Choice)]
pub enum Order {
    /// As in a program that has run for a while: the next one is anywhere.
    Shuffled,
    /// As allocated at one go: the next one is often the neighbour.
    Ascending,
}

impl Order {
    fn arrange<T>(self, rng: &mut Rng, allocated: &mut [T]) {
        match self {
            Self::Shuffled => allocated.shuffle(rng),
            Self::Ascending => {}
        }
    }
}

/// Values one after the other, in a vector, in boxes, and in a linked list.
#[generator(name = "Chains")]
fn chains(
    _service: &Service,
    /// Number of values.
    #[parameter(min = 10, max = 1_000_000, scale = "log", default = 100..=100_000, unit = "values")]
    size: u32,
    /// How boxes and nodes lie in memory.
    #[parameter(default = "Shuffled")]
    order: Order,
) -> Shared<Chains> {
    Shared::new(move |rng| {
        // First places, one after the other, then values for them.
        let mut boxes: Vec<Box<u64>> = (0..size).map(|_| Box::new(0)).collect();
        let mut nodes: Vec<LinkedList<u64>> = (0..size).map(|_| LinkedList::from([0])).collect();
        order.arrange(rng, &mut boxes);
        order.arrange(rng, &mut nodes);
        let mut list = LinkedList::new();
        for mut node in nodes {
            list.append(&mut node);
        }
        let vec: Vec<u64> = (0..size).map(|_| rng.random::<u32>().into()).collect();
        for ((value, in_box), in_node) in vec.iter().zip(&mut boxes).zip(&mut list) {
            (**in_box, *in_node) = (*value, *value);
        }
        Chains { vec, boxes, list }
    })
}

/// Fills a vector by pushing, from nothing, reads its last value, and frees it.
///
/// What does a vector cost that grows as it goes, and moves each time that it doubles? Compare with
/// `fill_with_capacity`. `O(n)`.
#[measured(generators(values), alternatives = "last value of a vector")]
pub fn fill_by_pushing(values: &[u64]) -> Option<u64> {
    let mut filled = Vec::new();
    for value in values {
        filled.push(value.wrapping_add(1));
    }
    filled.last().copied()
}

/// Fills a vector by pushing, with room for all from the start, reads its last value, and frees it.
///
/// Is `with_capacity` worth writing, where the number is known? Compare with `fill_by_pushing` at few values and at
/// many. `O(n)`.
#[measured(generators(values), alternatives = "last value of a vector")]
pub fn fill_with_capacity(values: &[u64]) -> Option<u64> {
    let mut filled = Vec::with_capacity(values.len());
    for value in values {
        filled.push(value.wrapping_add(1));
    }
    filled.last().copied()
}

/// Fills a vector by collecting an iterator, reads its last value, and frees it.
///
/// Does `collect` know how many will come, and what else does it know? Compare with `fill_with_capacity`: it need not
/// ask before each value whether there is room. `O(n)`.
#[measured(generators(values), alternatives = "last value of a vector")]
pub fn fill_by_collecting(values: &[u64]) -> Option<u64> {
    let filled: Vec<u64> = values.iter().map(|value| value.wrapping_add(1)).collect();
    filled.last().copied()
}

/// Something of 32 bytes, to be allocated.
type Item = [u64; 4];

fn item(value: &u64) -> Item {
    [*value; 4]
}

/// Makes an item of each value, in a box of its own, reads them all, and frees them.
///
/// What do many small allocations cost? Compare with `allocate_in_arena`, which frees all at once, and with
/// `allocate_in_vec`. `O(n)`.
#[measured(generators(values), alternatives = "sum of items")]
pub fn allocate_boxes(values: &[u64]) -> u64 {
    let items: Vec<Box<Item>> = values.iter().map(|value| Box::new(item(value))).collect();
    items.iter().fold(0, |sum, item| sum.wrapping_add(item[0]))
}

/// Makes an item of each value, in an arena, reads them all, and frees the arena.
///
/// Where many things die together, is an arena worth a dependency? Compare with `allocate_boxes`: references instead of
/// boxes, and nothing to do for each at the end. `O(n)`.
///
/// `Bump` of the crate [bumpalo](https://docs.rs/bumpalo).
#[measured(generators(values), alternatives = "sum of items")]
pub fn allocate_in_arena(values: &[u64]) -> u64 {
    let arena = Bump::new();
    let items: Vec<&mut Item> = values.iter().map(|value| arena.alloc(item(value))).collect();
    items.iter().fold(0, |sum, item| sum.wrapping_add(item[0]))
}

/// Makes an item of each value, in one vector, reads them all, and frees it.
///
/// Could the items stand in a vector, known by their index? Compare with `allocate_in_arena`: what an arena still costs
/// beside one allocation for all. `O(n)`.
#[measured(generators(values), alternatives = "sum of items")]
pub fn allocate_in_vec(values: &[u64]) -> u64 {
    let items: Vec<Item> = values.iter().map(item).collect();
    items.iter().fold(0, |sum, item| sum.wrapping_add(item[0]))
}

/// Random values. Where a native curve jumps, the allocator had handed memory back to the system, and asked for it
/// anew.
#[generator(name = "Values")]
fn values(
    _service: &Service,
    /// Number of values.
    #[parameter(min = 1, max = 1_000_000, scale = "log", default = 10..=50_000, unit = "values")]
    count: u32,
) -> Shared<Vec<u64>> {
    Shared::new(move |rng| (0..count).map(|_| rng.random()).collect())
}

/// Puts words together, with `push_str`.
///
/// How fast does a `String` grow that was not told how much will come? Compare with `concat_at_once`. `O(n)`.
#[measured(generators(words), alternatives = "words in one text")]
pub fn concat_push_str(words: &[String]) -> String {
    let mut text = String::new();
    for word in words {
        text.push_str(word);
    }
    text
}

/// Puts words together, with `format!` for each.
///
/// From how many words on is `text = format!("{text}{word}")` a mistake? Each time all that is there is copied: compare
/// with `concat_push_str`. `O(n²)`.
#[measured(generators(words), alternatives = "words in one text")]
pub fn concat_format(words: &[String]) -> String {
    let mut text = String::new();
    for word in words {
        text = format!("{text}{word}");
    }
    text
}

/// Puts words together, with `concat`.
///
/// What is it worth to read the lengths first, and allocate once? Compare with `concat_push_str`. `O(n)`.
#[measured(generators(words), alternatives = "words in one text")]
pub fn concat_at_once(words: &[String]) -> String {
    words.concat()
}

/// Words of different lengths.
#[generator(name = "Words")]
fn words(
    _service: &Service,
    /// Number of words.
    #[parameter(min = 1, max = 10_000, scale = "log", default = 10..=1_000, unit = "words")]
    count: u32,
    /// Mean length of a word.
    #[parameter(min = 1, max = 100, default = 6, unit = "bytes")]
    length: usize,
) -> Shared<Vec<String>> {
    Shared::new(move |rng| (0..count).map(|_| "o".repeat(rng.random_range(1..2 * length))).collect())
}

/// Writes the bytes to a new file.
///
/// What does a file cost beside its bytes? It goes into the page cache, not onto the disk. `O(n)`.
#[measured(native, generators(file))]
pub fn write_file(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    std::fs::write(path, bytes)
}

/// A path in a folder of its own, and bytes to write there.
#[generator(name = "File", native)]
fn file(
    service: &Service,
    /// Number of bytes.
    #[parameter(min = 1, max = 10_000_000, scale = "log", default = 1_000..=1_000_000, unit = "bytes")]
    size: usize,
) -> Fresh<(PathBuf, Vec<u8>)> {
    let folder = service.scratch().map_or_else(std::env::temp_dir, PathBuf::from).join("write_file");
    let path = folder.join("file");
    let made = std::fs::create_dir_all(&folder);
    Fresh::new(move |rng| {
        if let Err(error) = &made {
            panic!("there is no folder to write to: {error}");
        }
        (path.clone(), (0..size).map(|_| rng.random()).collect())
    })
    .after_call(|(path, _)| {
        // It is there unless the call failed, and the next call is to find none.
        let _ = std::fs::remove_file(path);
    })
    .after_all(move || {
        let _ = std::fs::remove_dir(folder);
    })
    .one_call_a_batch()
}
