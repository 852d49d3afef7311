//! Memory layout, allocation, and files.

use std::collections::LinkedList;
use std::path::{Path, PathBuf};

use benchbook::prelude::*;
use bumpalo::Bump;

/// Adds up the values of a vector.
///
/// How fast are sequential reads? Compare with `traverse_boxes` and `traverse_linked_list`, which add the same values
/// in the same order. `O(n)`.
#[measured(generators(chains), alternatives = "sum of a chain")]
pub fn traverse_vec(chains: &Chains) -> u64 {
    chains.vec.iter().sum()
}

/// Adds up boxed values.
///
/// What does a `Box` around each value cost the reader? All addresses are known in advance, so the processor can fetch
/// many values at once: compare with `traverse_linked_list`, and vary the order. `O(n)`.
#[measured(generators(chains), alternatives = "sum of a chain")]
pub fn traverse_boxes(chains: &Chains) -> u64 {
    chains.boxes.iter().map(|value| **value).sum()
}

/// Adds up the values of a linked list.
///
/// Why is a linked list slow to read, and when is it not? The address of each node is in the node before it: compare
/// with `traverse_vec`, with ascending and with shuffled nodes, at sizes within the cache and beyond. `O(n)`.
#[measured(generators(chains), alternatives = "sum of a chain")]
pub fn traverse_linked_list(chains: &Chains) -> u64 {
    chains.list.iter().sum()
}

/// The same values in the same order, in three collections.
pub struct Chains {
    vec: Vec<u64>,
    #[expect(clippy::vec_box, reason = "the cost of boxes is the question")]
    boxes: Vec<Box<u64>>,
    list: LinkedList<u64>,
}

/// The memory layout of individually allocated values.
#[derive(Clone, Copy, Choice)]
pub enum Order {
    /// The next value is anywhere, as in a program that has run for a while.
    Shuffled,
    /// The next value is often adjacent, as if all were allocated at once.
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

/// The same values in a vector, in boxes, and in a linked list.
#[generator(name = "Chains")]
fn chains(
    _service: &Service,
    /// Number of values.
    #[parameter(min = 10, max = 1_000_000, scale = "log", default = 100..=100_000, unit = "values")]
    size: u32,
    /// Memory layout of boxes and nodes.
    #[parameter(default = "Shuffled")]
    order: Order,
) -> Shared<Chains> {
    Shared::new(move |rng| {
        // Allocates first, then shuffles, then assigns the values.
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
    .elements(size.into())
}

/// Fills a vector by `push`, without reserving capacity.
///
/// What does it cost that the vector grows step by step and is copied each time its capacity doubles? Compare with
/// `fill_with_capacity`. Includes a read of the last value and the deallocation. `O(n)`.
#[measured(generators(values), alternatives = "last value of a vector")]
pub fn fill_by_pushing(values: &[u64]) -> Option<u64> {
    let mut filled = Vec::new();
    for value in values {
        filled.push(value.wrapping_add(1));
    }
    filled.last().copied()
}

/// Fills a vector by `push`, with capacity reserved for all values.
///
/// Is `with_capacity` worth writing if the length is known? Compare with `fill_by_pushing` for few and for many values.
/// Includes a read of the last value and the deallocation. `O(n)`.
#[measured(generators(values), alternatives = "last value of a vector")]
pub fn fill_with_capacity(values: &[u64]) -> Option<u64> {
    let mut filled = Vec::with_capacity(values.len());
    for value in values {
        filled.push(value.wrapping_add(1));
    }
    filled.last().copied()
}

/// Fills a vector by collecting an iterator.
///
/// Does `collect` know the length in advance, and what else does it save? Compare with `fill_with_capacity`, which
/// checks the capacity before each value. Includes a read of the last value and the deallocation. `O(n)`.
#[measured(generators(values), alternatives = "last value of a vector")]
pub fn fill_by_collecting(values: &[u64]) -> Option<u64> {
    let filled: Vec<u64> = values.iter().map(|value| value.wrapping_add(1)).collect();
    filled.last().copied()
}

/// A value of 32 bytes to allocate.
type Item = [u64; 4];

fn item(value: &u64) -> Item {
    [*value; 4]
}

/// Allocates an item per value, each in its own box.
///
/// What do many small allocations cost? Compare with `allocate_in_arena`, which frees all items at once, and with
/// `allocate_in_vec`. Includes a read of each item and the deallocation. `O(n)`.
#[measured(generators(values), alternatives = "sum of items")]
pub fn allocate_boxes(values: &[u64]) -> u64 {
    let items: Vec<Box<Item>> = values.iter().map(|value| Box::new(item(value))).collect();
    items.iter().fold(0, |sum, item| sum.wrapping_add(item[0]))
}

/// Allocates an item per value in an arena.
///
/// If many items are freed together, is an arena worth a dependency? Compare with `allocate_boxes`: references instead
/// of boxes, and no deallocation per item. Includes a read of each item and the deallocation. `O(n)`.
///
/// `Bump` of the crate [bumpalo](https://docs.rs/bumpalo).
#[measured(generators(values), alternatives = "sum of items")]
pub fn allocate_in_arena(values: &[u64]) -> u64 {
    let arena = Bump::new();
    let items: Vec<&mut Item> = values.iter().map(|value| arena.alloc(item(value))).collect();
    items.iter().fold(0, |sum, item| sum.wrapping_add(item[0]))
}

/// Stores an item per value in one vector.
///
/// Could the items live in a vector and be referenced by their index? Compare with `allocate_in_arena` to see the
/// remaining cost of an arena over a single allocation. Includes a read of each item and the deallocation. `O(n)`.
#[measured(generators(values), alternatives = "sum of items")]
pub fn allocate_in_vec(values: &[u64]) -> u64 {
    let items: Vec<Item> = values.iter().map(item).collect();
    items.iter().fold(0, |sum, item| sum.wrapping_add(item[0]))
}

/// Random values. If a native curve jumps, the allocator has returned memory to the system and had to request it again.
#[generator(name = "Values")]
fn values(
    _service: &Service,
    /// Number of values.
    #[parameter(min = 1, max = 1_000_000, scale = "log", default = 10..=50_000, unit = "values")]
    count: u32,
) -> Shared<Vec<u64>> {
    Shared::new(move |rng| (0..count).map(|_| rng.random()).collect()).elements(count.into())
}

/// Concatenates words with `push_str`.
///
/// How fast does a `String` grow if its final length is unknown? Compare with `concat_at_once`. `O(n)`.
#[measured(generators(words), alternatives = "words in one text")]
pub fn concat_push_str(words: &[String]) -> String {
    let mut text = String::new();
    for word in words {
        text.push_str(word);
    }
    text
}

/// Concatenates words with one `format!` per word.
///
/// At how many words is `text = format!("{text}{word}")` a mistake? Each step copies the entire text: compare with
/// `concat_push_str`. `O(n²)`.
#[measured(generators(words), alternatives = "words in one text")]
pub fn concat_format(words: &[String]) -> String {
    let mut text = String::new();
    for word in words {
        text = format!("{text}{word}");
    }
    text
}

/// Concatenates words with `concat`.
///
/// Does it pay to add up the lengths first and allocate once? Compare with `concat_push_str`. `O(n)`.
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
        .elements(count.into())
}

/// Writes bytes to a new file.
///
/// What does a file cost in addition to its bytes? The bytes go to the page cache, not to the disk. `O(n)`.
#[measured(native, generators(file))]
pub fn write_file(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    std::fs::write(path, bytes)
}

/// The path of a file in a new folder, and the bytes to write.
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
            panic!("cannot create the folder: {error}");
        }
        (path.clone(), (0..size).map(|_| rng.random()).collect())
    })
    .after_call(|(path, _)| {
        // Each call creates the file; it exists unless the call failed.
        let _ = std::fs::remove_file(path);
    })
    .after_all(move || {
        let _ = std::fs::remove_dir(folder);
    })
    .one_call_per_batch()
    .bytes(size as u64)
}
