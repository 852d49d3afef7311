//! `measure!`: measures functions of other crates.

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Attribute, Error, ExprPath, FnArg, Ident, Pat, Result, Signature, Token, Visibility};

use crate::context::Context;
use crate::measured;

/// A function that another path names.
struct MeasuredPath {
    attributes: Vec<Attribute>,
    visibility: Visibility,
    signature: Signature,
    path: ExprPath,
    /// The options of `#[measured]`.
    options: TokenStream,
}

pub(crate) fn expand(tokens: TokenStream, context: &Context) -> TokenStream {
    let parser = |input: ParseStream<'_>| {
        let mut entries = Vec::new();
        while !input.is_empty() {
            entries.push(input.parse::<MeasuredPath>()?);
        }
        Ok(entries)
    };
    match parser.parse2(tokens) {
        Ok(entries) => entries.into_iter().map(|entry| entry.expand(context)).collect(),
        Err(error) => error.into_compile_error(),
    }
}

impl Parse for MeasuredPath {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        let signature: Signature = input.parse()?;
        if !input.peek(Token![=]) {
            return Err(input.error("expected the path of the function to measure: write `= path::to::function`"));
        }
        input.parse::<Token![=]>()?;
        let path = input.parse().map_err(|error: Error| {
            Error::new(error.span(), "expected the path of a function, such as `= memchr::memchr` or `= <[u64]>::sort`")
        })?;
        if !input.is_empty() && !input.peek(Token![,]) && !input.peek(Token![;]) {
            return Err(input.error("expected `,` and the options of #[measured], or `;` and the next function"));
        }
        input.parse::<Option<Token![,]>>()?;
        let mut options = TokenStream::new();
        while !input.is_empty() && !input.peek(Token![;]) {
            if input.peek(Token![fn]) || input.peek(Token![#]) {
                return Err(input.error("expected `;` between two functions: add it"));
            }
            options.extend([input.parse::<TokenTree>()?]);
        }
        input.parse::<Option<Token![;]>>()?;
        Ok(Self { attributes, visibility, signature, path, options })
    }
}

impl MeasuredPath {
    /// A function that calls the path, with the attribute.
    fn expand(self, context: &Context) -> TokenStream {
        let Self { attributes, visibility, signature, path, options } = self;
        let arguments = match arguments(&signature) {
            Ok(arguments) => arguments,
            Err(error) => return error.into_compile_error(),
        };
        let call = quote! { #path(#(#arguments),*) };
        let call = if signature.asyncness.is_some() { quote!(#call.await) } else { call };
        // Inlined, the call is the one that a caller of the path makes.
        let function = quote! {
            #(#attributes)*
            #[inline(always)]
            #visibility #signature { #call }
        };
        measured::expand(options, function, &context.at(signature.ident.span()))
    }
}

/// The names of the parameters.
fn arguments(signature: &Signature) -> Result<Vec<&Ident>> {
    signature.inputs.iter().map(argument).collect()
}

fn argument(input: &FnArg) -> Result<&Ident> {
    match input {
        FnArg::Typed(typed) => match &*typed.pat {
            Pat::Ident(name) if name.mutability.is_none() && name.subpat.is_none() => Ok(&name.ident),
            pattern => Err(Error::new_spanned(pattern, "expected a plain name for the parameter: write `name: Type`")),
        },
        FnArg::Receiver(receiver) => Err(Error::new_spanned(
            receiver,
            "expected a name and a type instead of `self`: write `name: &Type`, and `= Type::method`",
        )),
    }
}
