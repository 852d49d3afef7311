//! A parameter of a generator: its attribute, checked, as tokens.

mod kind;
mod options;

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Error, Pat, PatType, Result, Type};

use crate::syntax::{description, plain_name};
use kind::ParameterKind;
use options::{DefaultValue, ParameterDefault, ParameterOptions};

/// A parameter without errors.
pub(crate) struct ValidParameter {
    /// An expression for its entry in the catalog.
    pub(crate) card: TokenStream,
    /// An expression that reads its value from the arguments.
    pub(crate) read: TokenStream,
}

impl ValidParameter {
    pub(crate) fn read(typed: &PatType) -> Result<Self> {
        let Pat::Ident(pattern) = &*typed.pat else {
            return Err(Error::new_spanned(
                &typed.pat,
                "a generator's parameter must have a plain name, which the page shows: write `name: Type`",
            ));
        };
        let ident = &pattern.ident;
        let description = description(&typed.attrs, ident, "Number of keys.")?;
        let attribute = typed.attrs.iter().find(|attribute| attribute.path().is_ident("parameter")).ok_or_else(|| {
            Error::new(
                ident.span(),
                format!(
                    "`{ident}` has no #[parameter(…)]: write it above, with min, max and default for a number, and with \
                     default for any other type"
                ),
            )
        })?;
        let options = ParameterOptions::parse(attribute)?;
        let kind = ParameterKind::of(&typed.ty)?;
        options.check(&kind, ident, &typed.ty)?;
        let default = options.default.as_ref().expect("the check requires a default");
        let name = plain_name(ident);
        let kind_tokens = match &kind {
            ParameterKind::Integer { name, .. } => {
                let numeric = numeric(name, &kind, &options, default);
                quote! { ::benchbook::__private::parameter::Kind::Integer(#numeric) }
            }
            ParameterKind::Float { name } => {
                let numeric = numeric(name, &kind, &options, default);
                quote! { ::benchbook::__private::parameter::Kind::Float(#numeric) }
            }
            ParameterKind::Text => {
                let text = default.option_name();
                quote! { ::benchbook::__private::parameter::Kind::Text { default: ::std::borrow::ToOwned::to_owned(#text) } }
            }
            ParameterKind::Bool | ParameterKind::Choice => choice(&typed.ty, default),
        };
        let card = quote! {
            ::benchbook::__private::parameter::Parameter {
                name: ::std::borrow::ToOwned::to_owned(#name),
                description: ::std::borrow::ToOwned::to_owned(#description),
                kind: #kind_tokens,
            }
        };
        Ok(Self { card, read: read(&name, &kind, &typed.ty) })
    }
}

fn choice(ty: &Type, default: &ParameterDefault) -> TokenStream {
    let name = default.option_name();
    let options = quote_spanned! {ty.span()=> <#ty as ::benchbook::Choice>::options() };
    let check = quote_spanned! {default.expression.span()=>
        ::benchbook::__private::check_choice_default::<#ty>(#name)
    };
    quote! {{
        const _: () = #check;
        ::benchbook::__private::parameter::Kind::Choice {
            options: #options,
            default: ::std::borrow::ToOwned::to_owned(#name),
            varied: false,
        }
    }}
}

fn numeric(
    type_name: &str,
    kind: &ParameterKind,
    options: &ParameterOptions,
    default: &ParameterDefault,
) -> TokenStream {
    let (min, max) = (options.min.unwrap_or_default(), options.max.unwrap_or_default());
    let step = option_tokens(options.step(kind).map(|step| quote!(#step)));
    let values = &options.values;
    let unit = option_tokens(options.unit.as_ref().map(|unit| quote!(::std::borrow::ToOwned::to_owned(#unit))));
    let scale = if options.is_log() { quote!(Log) } else { quote!(Linear) };
    let axis = options.may_be_axis();
    let default = match default.value {
        DefaultValue::Range(low, high) => {
            quote! { Range(::benchbook::__private::parameter::Range { low: #low, high: #high }) }
        }
        DefaultValue::Number(value) => quote! { Value(#value) },
        DefaultValue::Text(_) | DefaultValue::Bool(_) => unreachable!("the check requires a number or a range"),
    };
    quote! {
        ::benchbook::__private::parameter::Numeric {
            of: ::std::borrow::ToOwned::to_owned(#type_name),
            min: #min,
            max: #max,
            step: #step,
            values: ::std::vec![#(#values),*],
            default: ::benchbook::__private::parameter::NumericDefault::#default,
            unit: #unit,
            scale: ::benchbook::__private::parameter::Scale::#scale,
            axis: #axis,
        }
    }
}

fn option_tokens(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote! { ::core::option::Option::Some(#value) },
        None => quote! { ::core::option::Option::None },
    }
}

/// An expression for the value in the arguments.
fn read(name: &str, kind: &ParameterKind, ty: &Type) -> TokenStream {
    let own = Span::mixed_site();
    match kind {
        ParameterKind::Integer { .. } | ParameterKind::Float { .. } => quote_spanned! {own=>
            ::benchbook::__private::number_argument(arguments, #name)? as #ty
        },
        ParameterKind::Text => quote_spanned! {own=>
            ::std::borrow::ToOwned::to_owned(::benchbook::__private::text_argument(arguments, #name)?)
        },
        ParameterKind::Bool | ParameterKind::Choice => quote_spanned! {own.located_at(ty.span())=>
            ::benchbook::__private::choice_argument::<#ty>(arguments, #name)?
        },
    }
}
