//! What the attributes have in common: doc comments, signatures, and refusals of what cannot be measured.

use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Attribute, Error, Expr, ExprLit, Ident, ItemFn, Lit, Meta, Result, Signature, Type};

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

/// The signature as rustfmt prints it, without attributes, visibility and body.
pub(crate) fn signature(signature: &Signature) -> String {
    let mut signature = signature.clone();
    for input in &mut signature.inputs {
        if let syn::FnArg::Typed(typed) = input {
            typed.attrs.clear();
            // Whether it may change its own copy is the body's affair.
            if let syn::Pat::Ident(name) = &mut *typed.pat {
                name.mutability = None;
            }
        }
    }
    let file: syn::File = syn::parse_quote! { #signature {} };
    let printed = prettyplease::unparse(&file);
    printed.trim_end().trim_end_matches("{}").trim_end().to_owned()
}

/// Refuses what no harness can call: methods, generic and asynchronous functions, unsafe ones.
pub(crate) fn check_callable(function: &ItemFn, what: &str) -> Result<()> {
    let signature = &function.sig;
    if let Some(receiver) = signature.receiver() {
        return Err(Error::new_spanned(
            receiver,
            format!(
                "{what} is a free function, not a method: write a wrapper that takes the instance first, \
                 such as `fn {name}(instance: &mut Type) {{ instance.{name}() }}`",
                name = signature.ident
            ),
        ));
    }
    if let Some(parameter) =
        signature.generics.params.iter().find(|parameter| !matches!(parameter, syn::GenericParam::Lifetime(_)))
    {
        return Err(Error::new_spanned(
            parameter,
            format!("{what} has no type parameters: write a wrapper for the types that you measure"),
        ));
    }
    for input in &signature.inputs {
        if let syn::FnArg::Typed(typed) = input
            && let Type::ImplTrait(any) = bare_type(&typed.ty)
        {
            return Err(Error::new_spanned(
                any,
                format!("{what} names its types: write a wrapper that takes the type that you measure"),
            ));
        }
    }
    let keyword = signature.asyncness.as_ref().map(Spanned::span).or(match &signature.safety {
        syn::Safety::Unsafe(keyword) => Some(keyword.span()),
        _ => None,
    });
    match keyword {
        Some(span) => Err(Error::new(span, format!("{what} is neither async nor unsafe: write a wrapper that is not"))),
        None => Ok(()),
    }
}

/// The type without the parentheses, seen or not, that a macro of the author's may have put around it.
pub(crate) fn bare_type(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => bare_type(&group.elem),
        Type::Paren(paren) => bare_type(&paren.elem),
        other => other,
    }
}

/// The same for an expression.
pub(crate) fn bare_expression(expression: &Expr) -> &Expr {
    match expression {
        Expr::Group(group) => bare_expression(&group.expr),
        Expr::Paren(paren) => bare_expression(&paren.expr),
        other => other,
    }
}

/// The name as people say it: `type` for `r#type`.
pub(crate) fn spoken(ident: &Ident) -> String {
    ident.unraw().to_string()
}

/// All of `errors` as one, which tells each; absent where there is none.
pub(crate) fn all_errors(errors: impl IntoIterator<Item = Error>) -> Option<Error> {
    errors.into_iter().reduce(|mut all, error| {
        all.combine(error);
        all
    })
}

/// An error at the name of the function.
pub(crate) fn at_name(function: &ItemFn, message: &str) -> Error {
    Error::new(function.sig.ident.span(), message)
}

/// The text of a string literal.
pub(crate) fn text(expression: &Expr, what: &str) -> Result<String> {
    match bare_expression(expression) {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Ok(text.value()),
        other => Err(Error::new_spanned(other, format!("{what} is a text, such as \"keys\""))),
    }
}

/// The place of the attribute itself.
pub(crate) fn call_site() -> Span {
    Span::call_site()
}
