//! `#[derive(Choice)]`

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, Result};

use crate::syntax::{docs, plain_name};

pub(crate) fn expand(item: TokenStream) -> TokenStream {
    syn::parse2(item).and_then(|input| implementation(&input)).unwrap_or_else(Error::into_compile_error)
}

fn implementation(input: &DeriveInput) -> Result<TokenStream> {
    let Data::Enum(data) = &input.data else {
        return Err(Error::new_spanned(&input.ident, "a choice must be an enum: write its options as variants"));
    };
    if !input.generics.params.is_empty() {
        return Err(Error::new_spanned(&input.generics, "a choice cannot have generic parameters: remove them"));
    }
    if let Some(variant) = data.variants.iter().find(|variant| !matches!(variant.fields, Fields::Unit)) {
        return Err(Error::new_spanned(
            variant,
            "an option cannot have fields: remove them, and add a parameter to the generator instead",
        ));
    }
    if data.variants.is_empty() {
        return Err(Error::new_spanned(&input.ident, "a choice needs at least one option: add a variant"));
    }
    let ident = &input.ident;
    let (variants, names): (Vec<_>, Vec<_>) =
        data.variants.iter().map(|variant| (&variant.ident, plain_name(&variant.ident))).unzip();
    let descriptions = data.variants.iter().map(|variant| docs(&variant.attrs));
    Ok(quote! {
        impl ::benchbook::Choice for #ident {
            const OPTIONS: &'static [(&'static str, &'static str)] = &[#((#names, #descriptions)),*];
            fn from_name(name: &str) -> ::core::option::Option<Self> {
                match name {
                    #(#names => ::core::option::Option::Some(Self::#variants),)*
                    _ => ::core::option::Option::None,
                }
            }
        }
    })
}
