//! `#[divan::bench_group]`

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Error, ItemMod};

use super::options::{Above, BenchAttribute};
use crate::syntax::error_and_item;

pub(crate) fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut module: ItemMod = match syn::parse2(item.clone()) {
        Ok(module) => module,
        Err(error) => {
            let message = format!("#[divan::bench_group] is for modules: write it above one ({error})");
            return error_and_item(Error::new(error.span(), message), item);
        }
    };
    match BenchAttribute::parse(attribute, Above::Module) {
        Ok(mut options) => {
            options.take_ignore(&mut module.attrs);
            let registration = registration(&module, &options);
            quote! { #module #registration }
        }
        Err(error) => error_and_item(error, module),
    }
}

fn registration(module: &ItemMod, attribute: &BenchAttribute) -> TokenStream {
    let (private, options) = (attribute.private(), attribute.options());
    let ident = module.ident.to_string();
    let name = match &attribute.name {
        Some(name) => quote!(::core::option::Option::Some(#name)),
        None => quote!(::core::option::Option::None),
    };
    quote! {
        const _: () = {
            #private::inventory::submit! {
                #private::GroupEntry {
                    module: ::core::concat!(::core::module_path!(), "::", #ident),
                    name: #name,
                    options: #options,
                }
            }
        };
    }
}
