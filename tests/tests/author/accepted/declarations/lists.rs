//! Functions of other crates, and lists of generators.

use benchbook::prelude::*;

benchbook::generators!(any_order = [keys, self::inputs::reversed]);

/// Sorts the keys.
#[measured(generators(..any_order))]
fn sort(keys: &mut [u64]) {
    keys.sort();
}

/// Sorts the keys.
#[measured(alternatives = "is sorted", generators(crate::lists::keys, ..self::inputs::nested::all, ..any_order), native)]
fn is_sorted(keys: &[u64]) -> bool {
    keys.is_sorted()
}

/// Sorts keys of several types.
#[measured(types(u32, u64), generators(..generic, typed::<T>))]
fn sort_typed<T: Ord + Default + 'static>(keys: &mut Vec<T>) {
    keys.sort();
}

generators!(generic = [typed::<T>]);

measure! {
    /// Sorts keys; equal keys keep their order.
    fn stable(keys: &mut [u64]) = <[u64]>::sort, generators(..any_order);

    /// Sorts keys.
    pub(crate) fn unstable<T: Ord>(keys: &mut [T]) = <[T]>::sort_unstable, types(u32, u64), generators(typed::<T>);

    /// Swaps two values, of which the first is by value.
    fn replace(number: &mut u64, other: u64) -> u64 = std::mem::replace, generators(pair), native,
        alternatives = "replace";

    /// Removes white space.
    fn trim<'t>(text: &'t str) -> &'t str = str::trim, generators(text);

    /// Takes nothing.
    fn now() -> std::thread::ThreadId = current
}

fn current() -> std::thread::ThreadId {
    std::thread::current().id()
}

/// Keys.
#[generator(name = "Keys")]
pub(crate) fn keys(_service: &Service) -> Fresh<Vec<u64>> {
    Fresh::new(|rng| vec![rng.random()])
}

/// Keys of any type.
#[generator(name = "Typed")]
fn typed<T: Default + 'static>(_service: &Service) -> Fresh<Vec<T>> {
    Fresh::new(|_| vec![T::default()])
}

/// A number and another.
#[generator(name = "Pair")]
fn pair(_service: &Service) -> Fresh<(u64, u64)> {
    Fresh::new(|rng| (rng.random(), 1))
}

/// A text.
#[generator(name = "Text")]
fn text(_service: &Service) -> Shared<String> {
    Shared::new(|_| " text ".to_owned())
}

mod inputs {
    use super::*;

    /// Keys in descending order.
    #[generator(name = "Reversed")]
    pub(super) fn reversed(_service: &Service) -> Fresh<Vec<u64>> {
        Fresh::new(|_| vec![2, 1])
    }

    pub(super) mod nested {
        use super::*;

        generators! {
            /// All generators.
            pub(crate) all = [super::super::keys, crate::lists::inputs::nested::distinct,]
        }

        /// Distinct keys.
        #[generator(name = "Distinct")]
        pub(crate) fn distinct(_service: &Service) -> Fresh<Vec<u64>> {
            Fresh::new(|_| vec![1, 2])
        }
    }
}
