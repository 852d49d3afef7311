//! Functions whose memory use Benchbook and divan count, and their inputs.
//!
//! No call allocates 10 000 bytes or more: divan prints four digits, which are then exact.

use std::collections::BTreeMap;
use std::fmt::Write;

/// Calls a macro with each function: its name, its input type, its output type, and a sentence about it.
#[macro_export]
macro_rules! each_allocating_function {
    ($callback:ident) => {
        $callback! {
            push: Vec<u64> => Vec<u64>, "Pushes 100 numbers onto a vector that grows.";
            reserve: Vec<u64> => Vec<u64>, "Pushes 100 numbers onto a vector with capacity for them.";
            collect: Vec<u64> => Vec<u64>, "Collects the odd ones of 100 numbers, whose count is unknown.";
            shrink: Vec<u64> => Vec<u64>, "Copies 100 numbers to a vector with ten times the capacity, then shrinks it.";
            format: Vec<u64> => String, "Formats 100 numbers into a string that grows.";
            put_in_box: Vec<u64> => Box<u64>, "Allocates a box.";
            box_each: Vec<u64> => u64, "Puts 100 numbers into boxes and drops them.";
            insert: Vec<u64> => usize, "Inserts 100 numbers into a tree, removes half of them, and drops it.";
            sort_stable: Vec<u64> => Vec<u64>, "Sorts a copy of 600 numbers with a buffer.";
            zeros: Vec<u64> => Vec<u64>, "Allocates 100 zeros.";
            no_memory: Vec<u64> => u64, "Adds up 100 numbers.";
        }
    };
}

/// Pushes the numbers onto a vector that grows.
#[inline(never)]
pub fn push(values: &Vec<u64>) -> Vec<u64> {
    let mut pushed = Vec::new();
    for value in values {
        pushed.push(*value);
    }
    pushed
}

/// Pushes the numbers onto a vector with capacity for them.
#[inline(never)]
pub fn reserve(values: &Vec<u64>) -> Vec<u64> {
    let mut pushed = Vec::with_capacity(values.len());
    for value in values {
        pushed.push(*value);
    }
    pushed
}

/// Collects the odd numbers.
#[inline(never)]
pub fn collect(values: &Vec<u64>) -> Vec<u64> {
    values.iter().copied().filter(|value| value % 2 == 1).collect()
}

/// Copies the numbers to a vector with ten times the capacity, then shrinks it.
#[inline(never)]
pub fn shrink(values: &Vec<u64>) -> Vec<u64> {
    let mut shrunk = Vec::with_capacity(10 * values.len());
    shrunk.extend_from_slice(values);
    shrunk.shrink_to_fit();
    shrunk
}

/// Formats the numbers into one string.
#[inline(never)]
pub fn format(values: &Vec<u64>) -> String {
    let mut text = String::new();
    for value in values {
        // Writing to a string cannot fail.
        let _ = write!(text, "{value}, ");
    }
    text
}

/// Puts the first number into a box.
#[inline(never)]
pub fn put_in_box(values: &Vec<u64>) -> Box<u64> {
    Box::new(values[0])
}

/// Puts each number into a box, and adds them up.
#[inline(never)]
pub fn box_each(values: &Vec<u64>) -> u64 {
    let boxes: Vec<Box<u64>> = values.iter().map(|value| Box::new(*value)).collect();
    boxes.iter().fold(0, |sum, value| sum.wrapping_add(**value))
}

/// Inserts the numbers into a tree and removes the first half of it.
#[inline(never)]
pub fn insert(values: &Vec<u64>) -> usize {
    let mut tree = BTreeMap::new();
    for value in values {
        tree.insert(*value, *value);
    }
    for _ in 0..values.len() / 2 {
        tree.pop_first();
    }
    tree.len()
}

/// Sorts a copy of the numbers; equal numbers keep their order.
#[inline(never)]
pub fn sort_stable(values: &Vec<u64>) -> Vec<u64> {
    let mut sorted = values.clone();
    sorted.sort();
    sorted
}

/// Returns as many zeros as there are numbers.
#[inline(never)]
pub fn zeros(values: &Vec<u64>) -> Vec<u64> {
    vec![0; values.len()]
}

/// Adds up the numbers.
#[inline(never)]
pub fn no_memory(values: &Vec<u64>) -> u64 {
    values.iter().fold(0, |sum, value| sum.wrapping_add(*value))
}

/// The input of each function, by the function's name.
pub mod inputs {
    /// Declares the inputs: 100 numbers, except for `sort_stable`, which sorts fewer than 512 numbers in a buffer on the stack.
    macro_rules! declare {
        ($($name:ident: $input:ty => $output:ty, $summary:literal;)*) => {$(
            #[doc = $summary]
            pub fn $name() -> $input {
                crate::inputs::numbers(if stringify!($name) == "sort_stable" { 600 } else { 100 })
            }
        )*};
    }

    each_allocating_function!(declare);
}
