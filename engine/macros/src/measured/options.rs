//! The options of `#[measured(…)]`.

use std::collections::HashSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::meta::ParseNestedMeta;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Error, Expr, LitInt, LitStr, Path, PathArguments, Result, Token, Type, parenthesized, parse_quote};

const UNKNOWN_OPTION: &str = "unknown option: write generators(…), types(…), consts(…), executor = …, threads, native, documents = … or alternatives = \"…\"";
const GENERATORS_ARE_PATHS: &str =
    "expected names of generators without quotes, such as generators(keys, crate::sorting::nearly_sorted)";
const UNREAD_LIST: &str = "the list is not replaced by its generators, because `<` and `>` in the attribute do not match: correct them, \
     or name each generator";
const DOCUMENTS_IS_A_PATH: &str = "expected the path of the item on whose page the measurement appears, without quotes and type arguments, such as documents = crate::sort";
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
    /// The item in whose documentation the function appears.
    pub(super) documents: Option<Path>,
    /// The line of a function in `measure!` that uses a list. Only [`ListUse`] writes this option.
    pub(super) line: Option<LitInt>,
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
                for entry in entries {
                    match entry {
                        GeneratorEntry::Generator(name) => self.generators.push(name),
                        // Lists are replaced by their entries before the options are read.
                        GeneratorEntry::List(list) => return Err(Error::new_spanned(list, UNREAD_LIST)),
                    }
                }
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
            "documents" => {
                let path = meta.value()?.call(Path::parse_mod_style);
                self.documents = Some(path.map_err(|error| Error::new(error.span(), DOCUMENTS_IS_A_PATH))?);
            }
            "__line" => self.line = Some(meta.value()?.parse()?),
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
    let (mut depth, mut follows_minus) = (0_i32, false);
    for token in tokens {
        let mark = if let TokenTree::Punct(mark) = &token { Some(mark.as_char()) } else { None };
        match mark {
            Some('<') => depth += 1,
            // The arrow of a function type closes no bracket.
            Some('>') if !follows_minus => depth -= 1,
            _ => {}
        }
        follows_minus = mark == Some('-');
        match mark {
            Some(',') if depth == 0 => parts.push(TokenStream::new()),
            _ => parts.last_mut().expect("there is at least one part").extend([token]),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_close_no_angle_bracket() {
        let parts = split(quote!(keys::<fn(u8) -> u8, u8>, a::<{ 1 - 2 }, Box<dyn Fn() -> Vec<u8>>>, b));
        let parts: Vec<String> = parts.iter().map(|part| part.to_string().replace(' ', "")).collect();
        assert_eq!(parts, ["keys::<fn(u8)->u8,u8>", "a::<{1-2},Box<dynFn()->Vec<u8>>>", "b"]);
    }

    #[test]
    fn a_list_that_was_not_replaced_is_an_error() {
        let Err(error) = MeasuredOptions::parse(quote!(generators(keys, ..sorts))) else { panic!("it is rejected") };
        assert_eq!(error.to_string(), UNREAD_LIST);
    }
}
