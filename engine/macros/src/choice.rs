//! `#[derive(Choice)]`

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, Result};

use crate::attributes::{docs, spoken};

pub(crate) fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let Data::Enum(data) = &input.data else {
        return Err(Error::new_spanned(&input.ident, "a choice is an enum: write its options as variants"));
    };
    if !input.generics.params.is_empty() {
        return Err(Error::new_spanned(&input.generics, "a choice has no generic parameters: write an enum without"));
    }
    if let Some(variant) = data.variants.iter().find(|variant| !matches!(variant.fields, Fields::Unit)) {
        return Err(Error::new_spanned(
            variant,
            "an option has no fields: leave them out, and give the generator parameters for what they said",
        ));
    }
    if data.variants.is_empty() {
        return Err(Error::new_spanned(&input.ident, "a choice has at least one option: write some variants"));
    }
    let ident = &input.ident;
    let (variants, names): (Vec<_>, Vec<_>) =
        data.variants.iter().map(|variant| (&variant.ident, spoken(&variant.ident))).unzip();
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
