//! Paths and types that do not fit.

use benchbook::prelude::*;

measure! {
    /// Another signature than declared.
    fn another_signature(keys: &[u64]) = <[u64]>::sort, generators(keys); //~ E0308

    /// No such function.
    fn unknown(keys: &[u64]) = missing, generators(keys); //~ `missing`
}

/// One of the types does not fit.
#[measured(types(u64, f64), generators(keys_of::<T>))] //~ E0277
//~^ `f64`
fn sort<T: Ord>(keys: &mut [T]) {
    keys.sort();
}

/// The generator makes another type.
#[measured(types(u32), generators(keys_of::<u64>))] //~ E0308
fn takes_another_type<T: Copy>(keys: &[T]) -> Option<T> {
    keys.first().copied()
}

/// The executor is unknown.
#[measured(executor = block_on, generators(keys))] //~ `block_on`
async fn asynchronous(keys: &[u64]) -> usize {
    keys.len()
}

/// Keys.
#[generator(name = "Keys")]
fn keys(_service: &Service) -> Fresh<Vec<u64>> {
    Fresh::new(|rng| vec![rng.random()])
}

/// Keys of a type.
#[generator(name = "Keys")]
fn keys_of<T: Default + 'static>(_service: &Service) -> Fresh<Vec<T>> {
    Fresh::new(|_| vec![T::default()])
}
