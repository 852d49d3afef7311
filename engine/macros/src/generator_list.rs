//! `generators!`: names a list of generators.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Error, Ident, Path, PathArguments, Result, Token, Visibility, bracketed};

/// A list of generators.
struct GeneratorList {
    attributes: Vec<Attribute>,
    visibility: Visibility,
    name: Ident,
    generators: Vec<Path>,
}

pub(crate) fn expand(tokens: TokenStream) -> TokenStream {
    let list = syn::parse2::<GeneratorList>(tokens).and_then(GeneratorList::expand);
    list.unwrap_or_else(Error::into_compile_error)
}

const FORM: &str = "expected a name and generators, such as generators!(sorts = [keys, nearly_sorted])";

impl Parse for GeneratorList {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        let form = |error: Error| Error::new(error.span(), FORM);
        let name = input.parse().map_err(form)?;
        input.parse::<Token![=]>().map_err(form)?;
        let entries;
        bracketed!(entries in input);
        let generators = Punctuated::<Path, Token![,]>::parse_terminated(&entries).map_err(form)?;
        input.parse::<Option<Token![;]>>()?;
        Ok(Self { attributes, visibility, name, generators: generators.into_iter().collect() })
    }
}

impl GeneratorList {
    /// A module with the name of the list: it imports the generators, so that other modules need not, and contains a macro that
    /// writes the attribute of a function with them.
    fn expand(self) -> Result<TokenStream> {
        let Self { attributes, visibility, name, generators } = self;
        if generators.is_empty() {
            return Err(Error::new(name.span(), "the list is empty: name at least one generator"));
        }
        let inner = inner_visibility(&visibility)?;
        let imports = generators.iter().map(|path| import(path, &inner)).collect::<Result<TokenStream>>()?;
        let checks = generators.iter().map(check);
        let entries = generators.iter().map(|path| {
            let last = path.segments.last();
            quote! { $($list)*::#last }
        });
        Ok(quote! {
            #(#attributes)*
            #[doc(hidden)]
            #visibility mod #name {
                #imports
                macro_rules! __list {
                    (($($list:tt)*) ($($before:tt)*) ($($after:tt)*) ($($others:tt)*) $($item:tt)*) => {
                        #[::benchbook::measured(generators($($before)* #(#entries,)* $($after)*), $($others)*)]
                        $($item)*
                    };
                }
                #[allow(unused_imports)]
                #inner use __list;
            }
            #(#checks)*
        })
    }
}

/// The visibility of the list's parts, as seen from its module.
fn inner_visibility(visibility: &Visibility) -> Result<TokenStream> {
    match visibility {
        Visibility::Inherited => Ok(quote!(pub(super))),
        Visibility::Restricted(restricted) if restricted.path.is_ident("super") => Ok(quote!(pub(in super::super))),
        Visibility::Restricted(restricted) if !restricted.path.is_ident("self") => Ok(visibility.to_token_stream()),
        _ => Err(Error::new_spanned(
            visibility,
            "a list of generators belongs to its crate: write pub(crate), pub(super) or nothing",
        )),
    }
}

/// Imports a generator into the module of the list.
fn import(path: &Path, visibility: &TokenStream) -> Result<TokenStream> {
    let mut path = path.clone();
    if let Some(last) = path.segments.last_mut() {
        last.arguments = PathArguments::None;
    }
    if let Some(other) = path.segments.iter().find(|segment| !segment.arguments.is_none()) {
        return Err(Error::new_spanned(other, FORM));
    }
    let first = path.segments.first().map(|segment| segment.ident.to_string()).unwrap_or_default();
    let is_absolute = path.leading_colon.is_some() || first == "crate";
    let from = if is_absolute { TokenStream::new() } else { quote_spanned!(path.span()=> super::) };
    let segments: TokenStream = match first.as_str() {
        // `self::keys` in the module around the list is `super::keys` inside.
        "self" => {
            let rest = path.segments.iter().skip(1);
            quote!(#(#rest)::*)
        }
        _ => path.to_token_stream(),
    };
    Ok(quote! {
        #[allow(unused_imports)]
        #visibility use #from #segments;
    })
}

/// Fails to compile if the path is not a generator. The arguments of a generic one are known only where the list is used.
fn check(path: &Path) -> TokenStream {
    if path.segments.last().is_some_and(|last| !last.arguments.is_none()) {
        return TokenStream::new();
    }
    let span = Span::mixed_site().located_at(path.span());
    let alias = format_ident!("this_function_needs_the_generator_attribute", span = span);
    let checked = format_ident!("Checked", span = span);
    quote_spanned! {span=>
        const _: () = {
            #[allow(unused_imports)]
            use #path as #alias;
            type #checked = #alias;
            ::benchbook::__private::check_generator::<#checked>();
        };
    }
}
