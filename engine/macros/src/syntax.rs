//! What the attributes share: doc comments, signatures, literals, and checks of functions.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Attribute, Error, Expr, ExprLit, Ident, ItemFn, Lit, Meta, Result, Signature, Type};

use crate::context::Context;

/// The doc comment as Markdown: its lines without the space after `///`.
pub(crate) fn docs(attributes: &[Attribute]) -> String {
    let lines: Vec<String> = attributes.iter().filter_map(doc_line).collect();
    lines.join("\n").trim().to_owned()
}

fn doc_line(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(pair) = &attribute.meta else { return None };
    let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &pair.value else { return None };
    pair.path.is_ident("doc").then(|| {
        let text = text.value();
        text.strip_prefix(' ').unwrap_or(&text).to_owned()
    })
}

/// The doc comment above `ident`.
///
/// # Errors
/// If there is none.
pub(crate) fn description(attributes: &[Attribute], ident: &Ident, example: &str) -> Result<String> {
    let docs = docs(attributes);
    match docs.is_empty() {
        false => Ok(docs),
        true => Err(Error::new(
            ident.span(),
            format!("`{ident}` has no description: write a doc comment above it, such as `/// {example}`"),
        )),
    }
}

/// The signature as rustfmt prints it, without attributes, visibility and body.
pub(crate) fn signature(signature: &Signature) -> String {
    let mut signature = signature.clone();
    for input in &mut signature.inputs {
        if let syn::FnArg::Typed(typed) = input {
            typed.attrs.clear();
            // `mut` on an owned parameter matters only to the body.
            if let syn::Pat::Ident(name) = &mut *typed.pat {
                name.mutability = None;
            }
        }
    }
    let file: syn::File = syn::parse_quote! { #signature {} };
    let printed = prettyplease::unparse(&file);
    printed.trim_end().trim_end_matches("{}").trim_end().to_owned()
}

/// The function as its author wrote it, without attributes: the signature as rustfmt prints it, and the body with its comments.
/// Absent if the body is not in a source file, or only as a part of a macro call.
pub(crate) fn source(function: &ItemFn) -> Option<String> {
    let body = function.block.brace_token.span.join().source_text()?;
    // For code that a macro generates, the text is that of the whole macro call.
    if !body.starts_with('{') {
        return None;
    }
    Some(format!("{} {}", signature(&function.sig), unindented(&body)))
}

/// Removes the indentation of the last line from each line but the first.
fn unindented(body: &str) -> String {
    let last = body.lines().next_back().unwrap_or_default();
    let indentation = &last[..last.len() - last.trim_start().len()];
    let lines: Vec<&str> = body.lines().map(|line| line.strip_prefix(indentation).unwrap_or(line)).collect();
    lines.join("\n")
}

/// Parses the function below `#[attribute]`.
pub(crate) fn parse_function(item: TokenStream, attribute: &str) -> Result<ItemFn> {
    syn::parse2(item).map_err(|error| {
        let message = format!("#[{attribute}] is for free functions with a body: write it above one ({error})");
        Error::new(error.span(), message)
    })
}

/// Rejects functions that the harness cannot call: associated and unsafe ones, and those with an `impl Trait`.
pub(crate) fn check_callable(function: &ItemFn, what: &str, attribute: &str, context: &Context) -> Result<()> {
    let signature = &function.sig;
    let name = &signature.ident;
    if let Some(receiver) = signature.receiver() {
        return Err(Error::new_spanned(
            receiver,
            format!(
                "{what} cannot be a method: write a free function that calls it, such as \
                 `fn {name}(instance: &mut Type) {{ instance.{name}() }}`"
            ),
        ));
    }
    if context.has_associated_function(attribute, name) {
        return Err(Error::new(
            name.span(),
            format!(
                "{what} cannot be an associated function: move `{name}` out of the `impl` or `trait`, or write a free \
                 function that calls it"
            ),
        ));
    }
    for input in &signature.inputs {
        let syn::FnArg::Typed(typed) = input else { continue };
        if let Type::ImplTrait(any) = bare_type(&typed.ty) {
            return Err(Error::new_spanned(
                any,
                format!("{what} cannot take an `impl Trait`: write a wrapper that takes the type that you measure"),
            ));
        }
    }
    match &signature.safety {
        syn::Safety::Unsafe(keyword) => Err(not_async_or_unsafe(keyword.span(), what)),
        _ => Ok(()),
    }
}

/// The error for a function that must be neither.
pub(crate) fn not_async_or_unsafe(keyword: Span, what: &str) -> Error {
    Error::new(keyword, format!("{what} cannot be async or unsafe: write a wrapper that is neither"))
}

/// The function, with a body that panics if it is compiled to wasm.
pub(crate) fn without_body_in_wasm(function: &ItemFn) -> TokenStream {
    let ItemFn { attrs, vis, sig, .. } = function;
    quote! {
        #[cfg(not(target_arch = "wasm32"))]
        #function
        #[cfg(target_arch = "wasm32")]
        #(#attrs)* #[allow(unused_variables)] #vis #sig { ::benchbook::__private::native_only() }
    }
}

/// The type without the parentheses and the invisible groups that an author's macro may add.
pub(crate) fn bare_type(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => bare_type(&group.elem),
        Type::Paren(paren) => bare_type(&paren.elem),
        other => other,
    }
}

/// The expression without the parentheses and the invisible groups that an author's macro may add.
pub(crate) fn bare_expression(expression: &Expr) -> &Expr {
    match expression {
        Expr::Group(group) => bare_expression(&group.expr),
        Expr::Paren(paren) => bare_expression(&paren.expr),
        other => other,
    }
}

/// The name without `r#`: `type` for `r#type`.
pub(crate) fn plain_name(ident: &Ident) -> String {
    ident.unraw().to_string()
}

/// Combines the errors, so that the compiler reports each. Absent if there are none.
pub(crate) fn combine(errors: impl IntoIterator<Item = Error>) -> Option<Error> {
    errors.into_iter().reduce(|mut all, error| {
        all.combine(error);
        all
    })
}

/// An error at the name of the function.
pub(crate) fn error_at_name(function: &ItemFn, message: &str) -> Error {
    Error::new(function.sig.ident.span(), message)
}

/// The text of a string literal.
pub(crate) fn string(expression: &Expr, what: &str) -> Result<String> {
    match bare_expression(expression) {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Ok(text.value()),
        other => {
            Err(Error::new_spanned(other, format!("{what} must be a string: write it in quotes, such as \"keys\"")))
        }
    }
}

/// The error, followed by the item as it was.
pub(crate) fn error_and_item(error: Error, item: impl ToTokens) -> TokenStream {
    let mut tokens = error.into_compile_error();
    item.to_tokens(&mut tokens);
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source_of(item: &str) -> Option<String> {
        source(&syn::parse_str(item).expect("a function"))
    }

    #[test]
    fn the_source_has_the_comments_and_the_indentation_of_the_author() {
        let item = "    #[inline]\n    pub fn sum( keys:&[u64] )->u64 {\n        // In order.\n        if keys.is_empty() {\n            return 0;\n        }\n\n        keys.iter().sum()\n    }";
        let expected = "fn sum(keys: &[u64]) -> u64 {\n    // In order.\n    if keys.is_empty() {\n        return 0;\n    }\n\n    keys.iter().sum()\n}";
        assert_eq!(source_of(item).as_deref(), Some(expected));
        // A line with less indentation than the function stays as it is.
        let item = "        fn text() -> &'static str {\n            \"one\n  two\"\n        }";
        assert_eq!(source_of(item).as_deref(), Some("fn text() -> &'static str {\n    \"one\n  two\"\n}"));
        assert_eq!(source_of("fn three() -> u8 { 3 }").as_deref(), Some("fn three() -> u8 { 3 }"));
    }

    #[test]
    fn generated_code_has_no_source() {
        let function: ItemFn = syn::parse_quote! { fn three() -> u8 { 3 } };
        assert_eq!(source(&function), None);
    }
}
