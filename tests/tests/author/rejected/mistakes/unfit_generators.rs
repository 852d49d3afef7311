//! Generators whose inputs do not fit the function.

use std::cell::Cell;
use std::sync::Mutex;

use benchbook::prelude::*;

struct Key(u64);

struct Keys;

/// The name is that of a type.
#[measured(generators(Keys))] //~ `unfit_generators::Keys` is not a generator
//~^ name a function that has `#[generator]` above it
fn with_a_struct(keys: &mut [u64]) {}

/// The inputs are shared.
#[measured(generators(shared))] //~ `benchbook::Shared<Vec<u64>>` does not fit the way this function takes its input
//~^ a function that takes `&mut` needs `Fresh<…>`, which makes an input for each call
fn mutates_shared_inputs(keys: &mut [u64]) {}

/// The input has no `Clone`.
#[measured(generators(one_key))] //~ `Key` cannot be passed by value: each call takes a clone of the input
//~^ derive `Clone` for `Key`, let the function take `&` or `&mut`, or let the generator return `Owned<…>`
fn takes_by_value(key: Key) -> u64 {
    key.0
}

/// The input is passed by value.
#[measured(generators(owned_key))] //~ an `Owned` workload serves only functions that take every parameter by value
//~^ take the input by value, or let this generator return `Fresh<…>`
fn borrows_owned_inputs(key: &Key) -> u64 {
    key.0
}

/// The input is passed by value.
#[measured(generators(owned_key))] //~ an `Owned` workload serves only functions that take every parameter by value
fn mutates_owned_inputs(key: &mut Key) {}

/// The number of threads is missing.
#[measured(threads, generators(shared))] //~ `benchbook::Shared<Vec<u64>>` does not fit the way this function takes its input
//~^ the option `threads` needs `Contended<…>`, and the reverse
fn has_no_threads(keys: &[u64]) -> usize {
    keys.len()
}

/// The option is missing.
#[measured(generators(contended))] //~ Mutex<u64>>` does not fit the way this function takes its input
//~^ the option `threads` needs `Contended<…>`, and the reverse
fn has_no_option(count: &Mutex<u64>) -> u64 {
    *count.lock().unwrap()
}

/// The input is no tuple.
#[measured(generators(number))] //~ the input `u64` does not fit a function with this many parameters
//~^ a function with several parameters needs a tuple with an element for each; a single parameter takes the input itself
//~^^ change the `I` of the generator's `Fresh<I>`, `Owned<I>`, `Shared<I>` or `Calls<I>`
fn takes_two(one: u64, other: u64) -> u64 {
    one ^ other
}

/// The tuple is too short.
#[measured(generators(pair))] //~ the input `(u64, u64)` does not fit a function with this many parameters
//~^ a function with several parameters needs a tuple with an element for each; a single parameter takes the input itself
//~^^ change the `I` of the generator's `Fresh<I>`, `Owned<I>`, `Shared<I>` or `Calls<I>`
fn takes_three(key: u64, low: u64, high: u64) -> u64 {
    key.clamp(low, high)
}

/// The input is a tuple.
#[measured(generators(keys_and_key))] //~ E0308
//~^ `&mut [u64]`
//~^^ `&mut (Vec<u64>, u64)`
fn takes_one(keys: &mut [u64]) {}

/// An element has another type.
#[measured(generators(keys_and_key))] //~ E0308
//~^ `u32`
//~^^ `u64`
fn takes_another_element(keys: &[u64], key: u32) -> bool {
    keys.contains(&u64::from(key))
}

/// The input has another type.
#[measured(generators(keys))] //~ E0308
//~^ `&mut String`
//~^^ `&mut Vec<u64>`
fn takes_another_input(text: &mut String) {}

/// Shared keys.
#[generator(name = "Shared keys")]
fn shared(_service: &Service) -> Shared<Vec<u64>> {
    Shared::new(|rng| vec![rng.random()])
}

/// A counter.
#[generator(name = "Counter")]
fn contended(_service: &Service) -> Contended<Mutex<u64>> {
    Contended::new(2, |_| Mutex::new(0))
}

/// A counter that only one thread can use.
#[generator(name = "Cell")] //~ E0277
fn single_threaded(_service: &Service) -> Contended<Cell<u64>> { //~ E0277
    Contended::new(2, |_| Cell::new(0)) //~ cannot be shared between threads safely
}

/// A key.
#[generator(name = "Key")]
fn one_key(_service: &Service) -> Fresh<Key> {
    Fresh::new(|rng| Key(rng.random()))
}

/// A key that is passed by value.
#[generator(name = "Owned key")]
fn owned_key(_service: &Service) -> Owned<Key> {
    Owned::new(|rng| Key(rng.random()))
}

/// A number.
#[generator(name = "Number")]
fn number(_service: &Service) -> Fresh<u64> {
    Fresh::new(|rng| rng.random())
}

/// Two numbers.
#[generator(name = "Pair")]
fn pair(_service: &Service) -> Fresh<(u64, u64)> {
    Fresh::new(|rng| (rng.random(), 1))
}

/// Keys, and one of them.
#[generator(name = "Keys and key")]
fn keys_and_key(_service: &Service) -> Fresh<(Vec<u64>, u64)> {
    Fresh::new(|rng| (vec![rng.random()], 1))
}

/// Keys.
#[generator(name = "Keys")]
fn keys(_service: &Service) -> Fresh<Vec<u64>> {
    Fresh::new(|rng| vec![rng.random()])
}
