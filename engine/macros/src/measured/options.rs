//! The options of `#[measured(…)]`.

use std::collections::HashSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::meta::ParseNestedMeta;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Error, Expr, LitStr, Path, PathArguments, Result, Token, Type, parenthesized, parse_quote};

const UNKNOWN_OPTION: &str =
    "unknown option: write generators(…), types(…), consts(…), executor = …, threads, native or alternatives = \"…\"";
const GENERATORS_ARE_PATHS: &str =
    "expected names of generators without quotes, such as generators(keys, crate::sorting::nearly_sorted)";
const EXECUTOR_IS_A_PATH: &str =
    "expected the path of a function that runs a future, without quotes, such as executor = pollster::block_on";

/// The options of the attribute.
#[derive(Default)]
pub(super) struct MeasuredOptions {
    pub(super) generators: Vec<GeneratorName>,
    pub(super) types: Vec<Type>,
    pub(super) constants: Vec<Expr>,
    pub(super) executor: Option<Path>,
    /// Whether several threads make the calls at once.
    pub(super) threads: bool,
    pub(super) native: bool,
    pub(super) alternatives: Option<String>,
}

/// A generator: the path of its function, and the arguments for its type parameters.
#[derive(Clone)]
pub(super) struct GeneratorName {
    pub(super) path: Path,
    /// With the angle brackets; empty for a generator without type parameters.
    pub(super) arguments: TokenStream,
}

/// The attribute, if it names a list of generators: what surrounds the list.
pub(super) struct ListUse {
    /// The path of the list.
    pub(super) list: Path,
    /// The generators before and after it, with commas.
    pub(super) before: TokenStream,
    pub(super) after: TokenStream,
    /// The other options, with commas.
    pub(super) others: TokenStream,
}

/// An entry of `generators(…)`.
enum GeneratorEntry {
    Generator(GeneratorName),
    /// `..list`
    List(Path),
}

impl MeasuredOptions {
    pub(super) fn parse(attribute: TokenStream) -> Result<Self> {
        let mut options = Self::default();
        syn::meta::parser(|meta| options.read(&meta)).parse2(attribute)?;
        let is_again = repeats();
        match options.generators.iter().find(|name| is_again(name.tokens())) {
            Some(again) => Err(Error::new_spanned(again.tokens(), "this generator is listed twice: remove one")),
            None => Ok(options),
        }
    }

    fn read(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
        match name.as_str() {
            "generators" => {
                let entries;
                parenthesized!(entries in meta.input);
                let entries = entries.parse_terminated(GeneratorEntry::parse, Token![,])?;
                // Lists are replaced by their entries before the options are read.
                self.generators.extend(entries.into_iter().filter_map(|entry| match entry {
                    GeneratorEntry::Generator(name) => Some(name),
                    GeneratorEntry::List(_) => None,
                }));
            }
            "types" => {
                let types;
                parenthesized!(types in meta.input);
                self.types.extend(types.parse_terminated(Type::parse, Token![,])?);
            }
            "consts" => {
                let constants;
                parenthesized!(constants in meta.input);
                self.constants.extend(constants.parse_terminated(Expr::parse, Token![,])?);
            }
            "executor" => {
                let path = meta.value()?.call(Path::parse_mod_style);
                self.executor = Some(path.map_err(|error| Error::new(error.span(), EXECUTOR_IS_A_PATH))?);
            }
            // A suite in a browser has a single thread.
            "threads" => (self.threads, self.native) = (true, true),
            "native" => self.native = true,
            "alternatives" => self.alternatives = Some(meta.value()?.parse::<LitStr>()?.value()),
            _ => return Err(meta.error(UNKNOWN_OPTION)),
        }
        Ok(())
    }
}

impl GeneratorName {
    /// The generator of functions without parameters.
    pub(super) fn no_input() -> Self {
        Self { path: parse_quote!(::benchbook::__private::NoInput), arguments: TokenStream::new() }
    }

    pub(super) fn tokens(&self) -> TokenStream {
        let Self { path, arguments } = self;
        quote!(#path #arguments)
    }
}

impl Parse for GeneratorEntry {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.peek(Token![..]) {
            input.parse::<Token![..]>()?;
            return Ok(Self::List(input.call(Path::parse_mod_style)?));
        }
        let mut path: Path = input.parse().map_err(|error: Error| Error::new(error.span(), GENERATORS_ARE_PATHS))?;
        let last = path.segments.last_mut().expect("a path has segments");
        let arguments = match std::mem::take(&mut last.arguments) {
            PathArguments::AngleBracketed(mut arguments) => {
                arguments.colon2_token = None;
                arguments.into_token_stream()
            }
            PathArguments::None => TokenStream::new(),
            PathArguments::Parenthesized(other) => return Err(Error::new_spanned(other, GENERATORS_ARE_PATHS)),
        };
        Ok(Self::Generator(GeneratorName { path, arguments }))
    }
}

impl ListUse {
    /// Finds the first list of generators in an attribute. Absent without a list, and in an invalid attribute.
    pub(super) fn find(attribute: &TokenStream) -> Option<Self> {
        let mut options: Vec<TokenStream> = split(attribute.clone());
        let mut found = None;
        for (index, option) in options.iter().enumerate() {
            let mut tokens = option.clone().into_iter();
            let is_generators = matches!(tokens.next(), Some(TokenTree::Ident(name)) if name == "generators");
            let Some(TokenTree::Group(group)) = tokens.next().filter(|_| is_generators) else { continue };
            let entries = split(group.stream());
            let list_in = |entry: &TokenStream| match syn::parse2(entry.clone()) {
                Ok(GeneratorEntry::List(list)) => Some(list),
                _ => None,
            };
            if let Some((position, list)) =
                entries.iter().enumerate().find_map(|(position, entry)| Some((position, list_in(entry)?)))
            {
                found = Some((index, list, joined(&entries[..position]), joined(&entries[position + 1..])));
                break;
            }
        }
        let (index, list, before, after) = found?;
        options.remove(index);
        Some(Self { list, before, after, others: joined(&options) })
    }
}

/// The parts of a list that is separated by commas.
fn split(tokens: TokenStream) -> Vec<TokenStream> {
    let mut parts = vec![TokenStream::new()];
    // Commas between angle brackets separate no parts.
    let mut depth = 0_i32;
    for token in tokens {
        match &token {
            TokenTree::Punct(mark) if mark.as_char() == ',' && depth == 0 => parts.push(TokenStream::new()),
            _ => {
                if let TokenTree::Punct(mark) = &token {
                    depth += i32::from(mark.as_char() == '<') - i32::from(mark.as_char() == '>');
                }
                parts.last_mut().expect("there is at least one part").extend([token]);
            }
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

fn joined(parts: &[TokenStream]) -> TokenStream {
    quote!(#(#parts,)*)
}

/// Returns a function that reports whether it has received the same tokens before.
pub(super) fn repeats() -> impl Fn(TokenStream) -> bool {
    let seen = std::cell::RefCell::new(HashSet::new());
    move |tokens| !seen.borrow_mut().insert(tokens.to_string())
}
