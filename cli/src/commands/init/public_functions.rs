//! The public functions of a crate that a new suite can measure at once.

use std::fs;
use std::path::Path;

use quote::ToTokens;
use syn::{Attribute, Expr, ExprLit, FnArg, Item, Lit, Meta, ReturnType, Type, Visibility};

/// The types for which there are random numbers.
const NUMBERS: [&str; 10] = ["u8", "u16", "u32", "u64", "u128", "i8", "i16", "i32", "i64", "i128"];

/// Further types of outputs that need no import.
const OUTPUTS: [&str; 9] = ["usize", "isize", "f32", "f64", "bool", "char", "String", "Option", "Vec"];

/// The input of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum InputKind {
    /// `&str`.
    Text,
    /// `&[T]`, with this type of numbers.
    Numbers(String),
    /// `&mut [T]`, with this type of numbers.
    NumbersToChange(String),
}

/// A public function with one input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PublicFunction {
    /// Its name.
    pub(crate) name: String,
    /// The first paragraph of its documentation, on one line; may be empty.
    pub(crate) docs: String,
    /// Its only input.
    pub(crate) input: InputKind,
    /// The type of its output, such as `Option < u64 >`; empty without one.
    pub(crate) output: String,
}

/// The public functions in the root of a library.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PublicFunctions {
    /// Those that a new suite can measure at once.
    pub(crate) suitable: Vec<PublicFunction>,
    /// The names of the others: they need a generator, or imports, that only their author knows.
    pub(crate) others: Vec<String>,
}

/// The public functions in the root of a library; none if the file cannot be read or parsed.
pub(crate) fn in_file(library: &Path) -> PublicFunctions {
    in_source(&fs::read_to_string(library).unwrap_or_default())
}

fn in_source(source: &str) -> PublicFunctions {
    let items = syn::parse_file(source).map(|file| file.items).unwrap_or_default();
    let mut functions = PublicFunctions::default();
    for item in &items {
        match (suitable(item), item) {
            (Some(function), _) => functions.suitable.push(function),
            (None, Item::Fn(other)) if matches!(other.vis, Visibility::Public(_)) => {
                functions.others.push(other.sig.ident.to_string());
            }
            _ => {}
        }
    }
    functions
}

/// The function, if calls of it need nothing but one input of a known type.
fn suitable(item: &Item) -> Option<PublicFunction> {
    let Item::Fn(function) = item else { return None };
    let signature = &function.sig;
    let is_plain = signature.asyncness.is_none()
        && !matches!(signature.safety, syn::Safety::Unsafe(_))
        && signature.generics.params.is_empty();
    let is_conditional = function.attrs.iter().any(|attribute| attribute.path().is_ident("cfg"));
    if !is_plain || is_conditional || !matches!(function.vis, Visibility::Public(_)) || signature.inputs.len() != 1 {
        return None;
    }
    let FnArg::Typed(argument) = signature.inputs.first()? else { return None };
    Some(PublicFunction {
        name: signature.ident.to_string(),
        docs: first_paragraph(&function.attrs),
        input: input_kind(&argument.ty)?,
        output: output_type(&signature.output)?,
    })
}

fn input_kind(of: &Type) -> Option<InputKind> {
    let Type::Reference(reference) = of else { return None };
    let is_changed = reference.mutability.is_some();
    match &*reference.elem {
        Type::Path(path) if path.path.is_ident("str") && !is_changed => Some(InputKind::Text),
        Type::Slice(slice) => {
            let number = slice.elem.to_token_stream().to_string();
            let is_number = NUMBERS.contains(&number.as_str());
            let kind = if is_changed { InputKind::NumbersToChange } else { InputKind::Numbers };
            is_number.then(|| kind(number))
        }
        _ => None,
    }
}

/// The type of the output, if it needs no import.
fn output_type(output: &ReturnType) -> Option<String> {
    let ReturnType::Type(_, output) = output else { return Some(String::new()) };
    let text = output.to_token_stream().to_string();
    let mut words =
        text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|word| !word.is_empty());
    let is_known = |word: &str| word == "str" || NUMBERS.contains(&word) || OUTPUTS.contains(&word);
    words.all(is_known).then_some(text)
}

fn first_paragraph(attributes: &[Attribute]) -> String {
    let line = |attribute: &Attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value().trim().to_owned()),
            _ => None,
        },
        _ => None,
    };
    let lines = attributes.iter().filter_map(line).take_while(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_with_one_known_input_are_suitable() {
        let found = in_source(
            "/// Adds up\n/// numbers.\n///\n/// # Panics\npub fn sum(numbers: &[u64]) -> u64 { 0 }\n\
             pub fn sort(keys: &mut [i32]) {}\n\
             pub fn words(text: &str) -> Option<Vec<&str>> { None }\n\
             fn private(text: &str) {}\n\
             pub(crate) fn hidden(text: &str) {}\n\
             pub async fn later(text: &str) {}\n\
             pub unsafe fn risky(text: &str) {}\n\
             pub fn generic<T>(values: &[T]) {}\n\
             pub fn two(one: &str, other: &str) {}\n\
             pub fn own(tree: &Tree) {}\n\
             pub fn own_output(text: &str) -> Tree { Tree }\n\
             #[cfg(windows)]\npub fn conditional(text: &str) {}\n\
             pub struct Tree;",
        );
        assert_eq!(found.others, ["later", "risky", "generic", "two", "own", "own_output", "conditional"]);
        let found = found.suitable;
        let names: Vec<&str> = found.iter().map(|function| function.name.as_str()).collect();
        assert_eq!(names, ["sum", "sort", "words"]);
        assert_eq!((found[0].docs.as_str(), found[0].output.as_str()), ("Adds up numbers.", "u64"));
        let inputs: Vec<&InputKind> = found.iter().map(|function| &function.input).collect();
        let expected =
            [InputKind::Numbers("u64".to_owned()), InputKind::NumbersToChange("i32".to_owned()), InputKind::Text];
        assert_eq!(inputs, expected.iter().collect::<Vec<_>>());
    }

    #[test]
    fn a_source_that_is_not_rust_has_no_functions() {
        assert_eq!(in_source("pub fn ("), PublicFunctions::default());
        assert_eq!(in_file(Path::new("absent.rs")), PublicFunctions::default());
    }
}
