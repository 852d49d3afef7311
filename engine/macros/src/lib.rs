//! The attributes of the `benchbook` crate, which documents them.

mod attributes;
mod choice;
mod generator;
mod measured;
mod parameter;

use proc_macro::TokenStream;
use syn::{DeriveInput, ItemFn, parse_macro_input};

/// Registers a function to be measured.
///
/// `#[measured(generators(a, b))]` names the generators that prepare its workloads; the first is chosen at first.
/// `native` keeps the body out of wasm: only a native runner can measure it then. `alternatives = "text"` says that
/// all functions with the same text do the same work, so that their results can be checked for equality.
///
/// The parameters get at the generator's input by their types: `&`, `&mut`, or by value, as a clone made before the
/// batch. One parameter takes the input itself, several the elements of a tuple.
#[proc_macro_attribute]
pub fn measured(attribute: TokenStream, item: TokenStream) -> TokenStream {
    with_function(item, "measured", |function| measured::expand(attribute.into(), function))
}

/// Registers a function that prepares workloads.
///
/// `#[generator(name = "Keys")]` is what the page calls it. The first parameter is `service: &Service`; each other
/// has a doc comment and `#[parameter(…)]`: `min`, `max`, `step`, `default`, `unit`, `scale` and `axis` for numbers,
/// `default` for texts and choices. One number has a range as default, such as `1_000..=100_000`.
#[proc_macro_attribute]
pub fn generator(attribute: TokenStream, item: TokenStream) -> TokenStream {
    with_function(item, "generator", |function| generator::expand(attribute.into(), function))
}

/// Makes an enum of unit variants a parameter: each variant is an option, described by its doc comment.
#[proc_macro_derive(Choice)]
pub fn choice(item: TokenStream) -> TokenStream {
    let input = parse_macro_input!(item as DeriveInput);
    choice::expand(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Expands an attribute of a function; what is none stays as it is, beside the error.
fn with_function(
    item: TokenStream,
    attribute: &str,
    expand: impl FnOnce(ItemFn) -> proc_macro2::TokenStream,
) -> TokenStream {
    match syn::parse::<ItemFn>(item.clone()) {
        Ok(function) => expand(function).into(),
        Err(error) => {
            let message = format!("write #[{attribute}] above a free function with a body: {error}");
            let mut tokens = TokenStream::from(syn::Error::new(error.span(), message).into_compile_error());
            tokens.extend(item);
            tokens
        }
    }
}
