//! Generic functions and generators, measured for listed types and constants.

use benchbook::prelude::*;

/// Sorts keys of several types.
#[measured(types(u32, u64, std::string::String, Vec<std::string::String>, (u8, u16), [u8; 4]), generators(keys::<T>))]
fn sort<T: Ord + Clone + Default + 'static>(keys: &mut [T]) {
    keys.sort();
}

/// Sums in chunks of several sizes.
#[measured(consts(1, 8, LARGE), generators(numbers, more::<N>))]
fn sum_in_chunks<const N: usize>(numbers: &[u64]) -> u64 {
    numbers.chunks(N).map(|chunk| chunk.iter().sum::<u64>()).sum()
}

const LARGE: usize = 64;

/// Both, in either order.
#[measured(types(u32, u64), consts(false, true), generators(keys::<T>), alternatives = "both")]
fn type_first<'k, T: Ord, const REVERSED: bool>(keys: &'k [T]) -> Option<&'k T>
where
    T: Default + Clone + 'static,
{
    if REVERSED { keys.iter().max() } else { keys.iter().min() }
}

/// Both, in either order.
#[measured(types(u32), consts(-1, 1), generators(keys::<u32>), native)]
fn constant_first<const N: i64, T: From<u8> + PartialOrd>(keys: &[T]) -> bool {
    keys.iter().any(|key| *key > T::from(3)) && N > 0
}

/// Takes an instance of a generator.
#[measured(generators(keys::<u64>, pairs::<u32, 2>))]
fn not_generic(keys: &[u64]) -> usize {
    keys.len()
}

/// Keys of any type.
#[generator(name = "Keys")]
fn keys<T: Clone + Default + 'static>(
    _service: &Service,
    /// Number of keys.
    #[parameter(min = 1, max = 9, default = 1..=9)]
    size: usize,
) -> Fresh<Vec<T>> {
    Fresh::new(move |_| vec![T::default(); size])
}

/// Numbers.
#[generator(name = "Numbers")]
fn numbers(_service: &Service) -> Fresh<Vec<u64>> {
    Fresh::new(|rng| vec![rng.random()])
}

/// As many numbers as a chunk has.
#[generator(name = "More")]
fn more<const N: usize>(_service: &Service) -> Shared<[u64; N]> {
    Shared::new(|_| [1; N])
}

/// With both.
#[generator(name = "Pairs")]
fn pairs<T, const N: usize>(_service: &Service) -> Shared<Vec<u64>>
where
    T: Default + Into<u64>,
{
    Shared::new(|_| vec![T::default().into(); N])
}
