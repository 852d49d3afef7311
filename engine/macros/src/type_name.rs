//! Names of types in the paths of functions.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Error, Result, Type};

/// The name of a type without the modules: `Vec<String>` for `Vec<std::string::String>`. Paths of functions use `::` only between
/// modules.
pub(crate) fn type_name(of: &Type) -> Result<String> {
    let short = without_modules(of.to_token_stream());
    match syn::parse2(short).map(|short| type_text(&short)) {
        Ok(name) if !name.contains("::") => Ok(name),
        _ => Err(Error::new_spanned(of, "this type has no short name: write `type Name = …;`, and list that name")),
    }
}

/// The text of a type on one line.
pub(crate) fn type_text(of: &Type) -> String {
    let file: syn::File = syn::parse_quote! { type Name = #of; };
    let text = prettyplease::unparse(&file);
    let text = text.trim().trim_start_matches("type Name = ").trim_end_matches(';');
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The tokens without the segments of paths before the last one.
fn without_modules(tokens: TokenStream) -> TokenStream {
    let is_mark =
        |token: Option<&TokenTree>, mark| matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == mark);
    let mut short: Vec<TokenTree> = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_separator = is_mark(Some(&token), ':') && is_mark(tokens.peek(), ':');
        // After `<T as Trait>`, there is no shorter name.
        if is_separator && !is_mark(short.last(), '>') {
            tokens.next();
            // In `Vec::<u8>`, the name is before the colons.
            if matches!(short.last(), Some(TokenTree::Ident(_))) && !is_mark(tokens.peek(), '<') {
                short.pop();
            }
            continue;
        }
        short.push(match token {
            TokenTree::Group(group) => Group::new(group.delimiter(), without_modules(group.stream())).into(),
            other => other,
        });
    }
    short.into_iter().collect()
}
