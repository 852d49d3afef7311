//! The attributes of the `benchbook` crate, which documents them.

mod choice;
mod context;
mod generator;
mod measured;
mod parameter;
mod syntax;
#[cfg(test)]
mod tests;

use proc_macro::TokenStream;

use crate::context::Context;

/// Registers a function to measure.
///
/// - `#[measured(generators(a, b))]` names the generators that prepare its workloads. The page selects the first one. A
///   function without parameters needs none: `#[measured]`.
/// - `native` keeps the body out of wasm: only a native runner can measure the function.
/// - `alternatives = "text"` marks functions that do the same work: the results of functions with the same text are
///   checked for equality.
///
/// A parameter's type states how it receives the generator's input: `&`, `&mut`, or by value, as a clone made before the
/// batch. A single parameter takes the input itself; several take the elements of a tuple.
///
/// The function must be free and documented: the page shows its doc comment.
#[proc_macro_attribute]
pub fn measured(attribute: TokenStream, item: TokenStream) -> TokenStream {
    measured::expand(attribute.into(), item.into(), &Context::of_call()).into()
}

/// Registers a function that prepares workloads.
///
/// `#[generator(name = "Keys")]` sets its name on the page. The first parameter is `service: &Service`. Each other
/// parameter is a control on the page, with a doc comment and `#[parameter(…)]`:
///
/// | type | options |
/// | --- | --- |
/// | `u32`, `u64`, `i32`, `i64`, `usize`, `f32`, `f64` | `min`, `max` and `default`; optional: `step`, `unit`, `scale`, `axis` |
/// | `bool` | `default`: `true` or `false` |
/// | an enum with `#[derive(Choice)]` | `default`: the name of a variant, in quotes |
/// | `String` | `default`: a string |
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
