//! The options of `#[divan::bench(…)]` and `#[divan::bench_group(…)]`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::meta::ParseNestedMeta;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Error, Expr, Ident, Path, Result, Token, Type, bracketed, parse_quote};

use crate::syntax::bare_expression;

const OPTIONS_OF_BENCH: &str = "unknown option: write name, args, types, consts, threads, counters, counter, bytes_count, chars_count, \
     items_count, cycles_count, ignore, sample_count, sample_size, min_time, max_time, skip_ext_time or crate";
const OPTIONS_OF_GROUP: &str = "unknown option of a group: write name, threads, counters, counter, bytes_count, chars_count, items_count, \
     cycles_count, ignore, sample_count, sample_size, min_time, max_time, skip_ext_time or crate";
const TWICE: &str = "this option is set twice: remove one";
const NO_VALUE: &str = "this option needs a value: write `option = value`";
const TYPES_ARE_LISTED: &str = "expected a list of types in brackets, such as types = [u32, String]";
const COUNTERS_ARE_LISTED: &str = "expected a list of counters in brackets, such as counters = [ItemsCount::new(8_u32)]. For a single one, write `counter`";

/// What an attribute is written above.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Above {
    Function,
    Module,
}

/// The options of an attribute.
pub(super) struct BenchAttribute {
    /// The crate with divan's names.
    pub(super) home: Path,
    pub(super) name: Option<Expr>,
    pub(super) arguments: Option<Expr>,
    pub(super) constants: Option<Expr>,
    pub(super) types: Option<Vec<Type>>,
    /// Calls of the methods of `BenchOptions`.
    calls: TokenStream,
}

impl BenchAttribute {
    pub(super) fn parse(attribute: TokenStream, above: Above) -> Result<Self> {
        let mut options = Self {
            home: parse_quote!(::divan),
            name: None,
            arguments: None,
            constants: None,
            types: None,
            calls: TokenStream::new(),
        };
        let mut seen: Vec<Ident> = Vec::new();
        let parser = syn::meta::parser(|meta| {
            let option = meta.path.get_ident().map(IdentExt::unraw);
            let option = option.ok_or_else(|| meta.error(unknown(above)))?;
            if seen.contains(&option) {
                return Err(meta.error(TWICE));
            }
            options.read(&option, &meta, above)?;
            seen.push(option);
            Ok(())
        });
        parser.parse2(attribute)?;
        Ok(options)
    }

    fn read(&mut self, option: &Ident, meta: &ParseNestedMeta<'_>, above: Above) -> Result<()> {
        let is_function = above == Above::Function;
        match option.to_string().as_str() {
            "crate" => self.home = meta.value()?.call(Path::parse_mod_style)?,
            "name" => self.name = Some(value(meta)?),
            "args" if is_function => self.arguments = Some(value(meta)?),
            "consts" if is_function => self.constants = Some(value(meta)?),
            "types" if is_function => self.types = Some(types(meta)?),
            "counters" => {
                let list = value(meta)?;
                let Expr::Array(list) = bare_expression(&list) else {
                    return Err(Error::new_spanned(&list, COUNTERS_ARE_LISTED));
                };
                let counters = list.elems.iter();
                self.calls.extend(quote!(#(.counter(#counters))*));
            }
            "threads" | "ignore" | "skip_ext_time" if !meta.input.peek(Token![=]) => {
                self.calls.extend(quote!(.#option(true)));
            }
            "threads" | "ignore" | "skip_ext_time" | "counter" | "bytes_count" | "chars_count" | "items_count"
            | "cycles_count" | "sample_count" | "sample_size" | "min_time" | "max_time" => {
                let value = value(meta)?;
                self.calls.extend(quote!(.#option(#value)));
            }
            _ => return Err(meta.error(unknown(above))),
        }
        Ok(())
    }

    /// Adds the option `ignore` if one of the attributes is `#[ignore]`, which only tests may have, and removes that one.
    pub(super) fn take_ignore(&mut self, attributes: &mut Vec<Attribute>) {
        let count = attributes.len();
        attributes.retain(|attribute| !attribute.path().is_ident("ignore"));
        if attributes.len() < count {
            self.calls.extend(quote!(.ignore(true)));
        }
    }

    /// The path of the items for generated code.
    pub(super) fn private(&self) -> TokenStream {
        let home = &self.home;
        quote!(#home::__private)
    }

    /// An expression of the type `fn() -> BenchOptions`.
    pub(super) fn options(&self) -> TokenStream {
        let (private, calls) = (self.private(), &self.calls);
        quote!(|| #private::BenchOptions::default() #calls)
    }
}

fn unknown(above: Above) -> &'static str {
    match above {
        Above::Function => OPTIONS_OF_BENCH,
        Above::Module => OPTIONS_OF_GROUP,
    }
}

fn value(meta: &ParseNestedMeta<'_>) -> Result<Expr> {
    match meta.input.peek(Token![=]) {
        true => meta.value()?.parse(),
        false => Err(Error::new(meta.path.span(), NO_VALUE)),
    }
}

fn types(meta: &ParseNestedMeta<'_>) -> Result<Vec<Type>> {
    let value = meta.value()?;
    if !value.peek(syn::token::Bracket) {
        return Err(value.error(TYPES_ARE_LISTED));
    }
    let types;
    bracketed!(types in value);
    Ok(Punctuated::<Type, Token![,]>::parse_terminated(&types)?.into_iter().collect())
}

/// A local variable of generated code, which the author's expressions cannot name.
pub(super) fn local(name: &str) -> Ident {
    format_ident!("{name}", span = proc_macro2::Span::mixed_site())
}
