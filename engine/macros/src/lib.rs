//! The attributes of the `benchbook` crate, which documents them.

mod allocator;
mod choice;
mod context;
mod divan;
mod generator;
mod generator_list;
mod measure;
mod measured;
mod parameter;
mod source_hash;
mod syntax;
#[cfg(test)]
mod tests;
mod type_name;

use proc_macro::TokenStream;

use crate::context::Context;

/// Registers a function to measure.
///
/// - `#[measured(generators(a, b))]` names the generators that prepare its workloads. The page selects the first one. A
///   function without parameters needs none: `#[measured]`. `..list` stands for the generators of a list, which
///   [`generators!`] names.
/// - `types(u32, u64)` measures a function with a type parameter once for each type, as `sort<u32>` and `sort<u64>`, and
///   `consts(1, 8)` one with a constant parameter, as `chunks<1>` and `chunks<8>`. A function with both is measured for each
///   combination. The parameters are available for generic generators: `generators(keys::<T>)`.
/// - `executor = path::to::block_on` names the function that runs the future of an `async fn`. Its time is part of the
///   call: measure an empty `async fn` for comparison. In a browser, such functions are not available, as with `native`, and the
///   executor need not exist.
/// - `native` keeps the body out of wasm: only a native runner can measure the function.
/// - `alternatives = "text"` marks functions that do the same work: the results of functions with the same text are
///   checked for equality if their type implements `Hash`.
/// - `documents = path::to::item` names the item that the function measures: `cargo benchbook doc` adds the measurement to the page of
///   this item. The path is resolved as a link in the documentation of the function.
///
/// A parameter's type says how it receives the generator's input: `&`, `&mut`, or by value, as a clone made before the
/// batch. (`Owned` passes the input itself.) A single parameter takes the input itself; several take the elements of a tuple.
///
/// The function must be free and documented: the page shows its doc comment. [`measure!`] measures functions of other crates.
#[proc_macro_attribute]
pub fn measured(attribute: TokenStream, item: TokenStream) -> TokenStream {
    measured::expand(attribute.into(), item.into(), &Context::of_call()).into()
}

/// Measures functions of other crates, without a wrapper function for each.
///
/// An entry consists of a doc comment, the name and the signature to show, the path of the function, and the options of
/// [`macro@measured`]. A semicolon separates two entries.
///
/// ```text
/// measure! {
///     /// Finds a byte, with SIMD.
///     fn memchr(needle: u8, haystack: &[u8]) -> Option<usize> = memchr::memchr, generators(bytes), alternatives = "find";
///     /// Sorts keys; equal keys keep their order.
///     fn sort<T: Ord>(keys: &mut [T]) = <[T]>::sort, types(u32, String), generators(keys::<T>);
/// }
/// ```
///
/// (An attribute and a macro cannot have the same name; hence not `measured!`.)
#[proc_macro]
pub fn measure(entries: TokenStream) -> TokenStream {
    measure::expand(entries.into(), &Context::of_call()).into()
}

/// Names a list of generators, for functions that share them.
///
/// ```text
/// generators!(keys_in_any_order = [random_keys, sorted_keys, crate::inputs::nearly_sorted]);
///
/// /// Sorts the keys.
/// #[measured(generators(..keys_in_any_order))]
/// fn sort(keys: &mut [u64]) { … }
/// ```
///
/// The two dots distinguish the list from a generator; others may precede or follow it. `pub(crate)` before the name makes the list
/// available in other modules, as `..crate::inputs::keys_in_any_order`. Type arguments of a generator are those of the function that
/// uses the list: `[keys::<T>]`.
#[proc_macro]
pub fn generators(list: TokenStream) -> TokenStream {
    generator_list::expand(list.into()).into()
}

/// Registers a function that prepares workloads.
///
/// `#[generator(name = "Keys")]` sets its name on the page. The first parameter is `service: &Service`. Each other
/// parameter is a control on the page, with a doc comment and `#[parameter(…)]`:
///
/// | type | options |
/// | --- | --- |
/// | `u32`, `u64`, `i32`, `i64`, `usize`, `f32`, `f64` | `min`, `max` and `default`; optional: `step`, `unit`, `scale`, `axis`. If only some values are valid, `values = [10, 100, 1_000]` lists them, instead of `min`, `max` and `step` |
/// | `bool` | `default`: `true` or `false` |
/// | an enum with `#[derive(Choice)]` | `default`: the name of a variant, in quotes |
/// | `String` | `default`: a string |
///
/// A generator may have type parameters and constants, which the functions that use it state: `generators(keys::<u64>)`.
///
/// The first number whose default is a range, such as `1_000..=100_000`, is the initial axis. Without one, each function has a
/// single point until the user varies a parameter.
///
/// The function must be free and documented: the page shows its doc comment.
#[proc_macro_attribute]
pub fn generator(attribute: TokenStream, item: TokenStream) -> TokenStream {
    generator::expand(attribute.into(), item.into(), &Context::of_call()).into()
}

/// Lets an enum of unit variants be the type of a parameter. Each variant is an option; its doc comment, if any, is the
/// option's description.
#[proc_macro_derive(Choice)]
pub fn choice(item: TokenStream) -> TokenStream {
    choice::expand(item.into()).into()
}

/// Registers a benchmark, as `#[divan::bench]` of the crate `benchbook-divan`, which documents it.
#[proc_macro_attribute]
pub fn divan_bench(attribute: TokenStream, item: TokenStream) -> TokenStream {
    divan::bench::expand(attribute.into(), item.into(), &Context::of_call()).into()
}

/// Sets options of the benchmarks in a module, as `#[divan::bench_group]` of the crate `benchbook-divan`, which documents it.
#[proc_macro_attribute]
pub fn divan_bench_group(attribute: TokenStream, item: TokenStream) -> TokenStream {
    divan::group::expand(attribute.into(), item.into()).into()
}

/// Defines the allocator that counts allocations, if `cargo benchbook` compiles a crate without an allocator of its own.
#[proc_macro]
pub fn suite_allocator(private: TokenStream) -> TokenStream {
    allocator::expand(&private.into()).into()
}
