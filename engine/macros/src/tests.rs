//! What the attributes and macros expand to, and the error for each mistake: its message, and the source text that it marks.
//!
//! The mistakes that only the compiler detects are in `tests/tests/author`.

mod divan;
mod errors;
mod generator_list;
mod instances;
mod measure;
mod measured;

use proc_macro2::{TokenStream, TokenTree};
use syn::LitStr;

use crate::context::Context;

/// Expands the item, which starts with the attribute.
fn expand(item: &str, context: &Context) -> TokenStream {
    let mut tokens = item.parse::<TokenStream>().expect("the item has tokens").into_iter();
    assert!(matches!(tokens.next(), Some(TokenTree::Punct(mark)) if mark.as_char() == '#'));
    let Some(TokenTree::Group(attribute)) = tokens.next() else { panic!("the item starts with an attribute") };
    let (mut name, mut options) = (String::new(), TokenStream::new());
    for token in attribute.stream() {
        match token {
            TokenTree::Group(group) => options = group.stream(),
            part => name += &part.to_string(),
        }
    }
    match name.as_str() {
        "divan::bench" => crate::divan::bench::expand(options, tokens.collect(), context),
        "divan::bench_group" => crate::divan::group::expand(options, tokens.collect()),
        "measured" => crate::measured::expand(options, tokens.collect(), context),
        "generator" => crate::generator::expand(options, tokens.collect(), context),
        _ => crate::choice::expand(tokens.collect()),
    }
}

/// The `compile_error!`s among the tokens: the source text of their spans, and their messages.
fn errors(tokens: TokenStream) -> Vec<(String, String)> {
    let mut errors = Vec::new();
    let mut start = None;
    for token in tokens {
        match token {
            TokenTree::Ident(ident) if ident == "compile_error" => start = Some(ident.span()),
            TokenTree::Group(group) => match start.take() {
                Some(start) => {
                    let message = syn::parse2::<LitStr>(group.stream()).expect("a message is a literal");
                    let marked = start.join(group.span()).and_then(|span| span.source_text());
                    errors.push((marked.unwrap_or_default(), message.value()));
                }
                None => errors.append(&mut self::errors(group.stream())),
            },
            _ => {}
        }
    }
    errors
}
