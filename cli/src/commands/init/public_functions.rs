//! The public functions of a crate that a new suite can measure at once.

use std::fs;
use std::path::{Path, PathBuf};

use benchbook_contract::catalog::name_of;
use quote::ToTokens;
use syn::{
    Attribute, Expr, ExprLit, FnArg, ImplItem, Item, ItemImpl, ItemMod, Lit, Meta, ReturnType, Signature, Type,
    UseTree, Visibility,
};

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
    /// Its path in the library, such as `words::count` or `Table::parse`.
    pub(crate) path: String,
    /// The first paragraph of its documentation, on one line; may be empty.
    pub(crate) docs: String,
    /// Its only input.
    pub(crate) input: InputKind,
    /// The type of its output, such as `Option < u64 >`; empty without one.
    pub(crate) output: String,
}

/// A public function that a new suite cannot measure at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OtherFunction {
    /// Its path in the library.
    pub(crate) path: String,
    /// What only its author can write.
    pub(crate) reason: &'static str,
}

/// The public functions of a library.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PublicFunctions {
    /// Those that a new suite can measure at once.
    pub(crate) suitable: Vec<PublicFunction>,
    /// The others.
    pub(crate) others: Vec<OtherFunction>,
}

/// The public functions of a library: in its root and in public modules, re-exported by these, and those of types. None if the file cannot be read or parsed.
pub(crate) fn in_file(library: &Path) -> PublicFunctions {
    let folder = library.parent().unwrap_or(Path::new(""));
    let mut functions = PublicFunctions::default();
    let root = Module::read(library, folder.to_owned());
    functions.add_module(&root, "");
    functions
}

/// A module of the library.
struct Module {
    items: Vec<Item>,
    /// The folder with the files of its modules.
    folder: PathBuf,
}

impl Module {
    fn read(file: &Path, folder: PathBuf) -> Self {
        let source = fs::read_to_string(file).unwrap_or_default();
        Self { items: syn::parse_file(&source).map(|file| file.items).unwrap_or_default(), folder }
    }

    /// A module in it; `None` if it has none of this name.
    fn module(&self, name: &str) -> Option<Self> {
        let of_name = |item: &&ItemMod| item.ident == name;
        let module =
            self.items.iter().filter_map(|item| if let Item::Mod(module) = item { Some(module) } else { None });
        let module = module.clone().find(of_name)?;
        let folder = self.folder.join(name);
        match &module.content {
            Some((_, items)) => Some(Self { items: items.clone(), folder }),
            None => {
                let files = [self.folder.join(format!("{name}.rs")), folder.join("mod.rs")];
                files.iter().find(|file| file.exists()).map(|file| Self::read(file, folder))
            }
        }
    }
}

impl PublicFunctions {
    /// Adds those of a module. `path`: that of the module, with `::` at its end.
    fn add_module(&mut self, module: &Module, path: &str) {
        for item in &module.items {
            match item {
                Item::Fn(function) if is_public(&function.vis) => {
                    self.add(format!("{path}{}", function.sig.ident), &function.sig, &function.attrs);
                }
                Item::Impl(of_type) if of_type.trait_.is_none() => self.add_methods(module, of_type, path),
                Item::Mod(inner) if is_public(&inner.vis) && !is_conditional(&inner.attrs) => {
                    let name = inner.ident.to_string();
                    if let Some(inner) = module.module(&name) {
                        self.add_module(&inner, &format!("{path}{name}::"));
                    }
                }
                Item::Use(exported) if is_public(&exported.vis) => self.add_exports(module, &exported.tree, path),
                _ => {}
            }
        }
    }

    /// Adds the public functions of a public type without parameters.
    fn add_methods(&mut self, module: &Module, of_type: &ItemImpl, path: &str) {
        let name = of_type.self_ty.to_token_stream().to_string();
        let is_public_type = module.items.iter().any(|item| match item {
            Item::Struct(one) => one.ident == name && is_public(&one.vis),
            Item::Enum(one) => one.ident == name && is_public(&one.vis),
            _ => false,
        });
        if !is_public_type {
            return;
        }
        for item in &of_type.items {
            if let ImplItem::Fn(method) = item
                && is_public(&method.vis)
            {
                self.add(format!("{path}{name}::{}", method.sig.ident), &method.sig, &method.attrs);
            }
        }
    }

    /// Adds the functions of inner modules that a module exports by name.
    fn add_exports(&mut self, module: &Module, tree: &UseTree, path: &str) {
        match tree {
            UseTree::Path(step) if step.ident == "self" || step.ident == "crate" && path.is_empty() => {
                self.add_exports(module, &step.tree, path);
            }
            UseTree::Path(step) => {
                if let Some(inner) = module.module(&step.ident.to_string()) {
                    self.add_exports(&inner, &step.tree, path);
                }
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.add_exports(module, tree, path)),
            UseTree::Name(name) => {
                for item in &module.items {
                    match item {
                        Item::Fn(function) if function.sig.ident == name.ident => {
                            self.add(format!("{path}{}", name.ident), &function.sig, &function.attrs);
                        }
                        Item::Impl(of_type)
                            if of_type.trait_.is_none()
                                && name.ident == of_type.self_ty.to_token_stream().to_string() =>
                        {
                            self.add_methods(module, of_type, path);
                        }
                        _ => {}
                    }
                }
            }
            UseTree::Glob(_) => self.add_module(module, path),
            UseTree::Rename(_) => {}
        }
    }

    /// Adds a function, unless it is there already: an exported one of a public module has two paths.
    fn add(&mut self, path: String, signature: &Signature, attributes: &[Attribute]) {
        let name = signature.ident.to_string();
        match suitable(signature, attributes) {
            Ok((input, output)) => {
                let docs = first_paragraph(attributes);
                let is_known =
                    |one: &PublicFunction| (name_of(&one.path), &one.docs, &one.input) == (&*name, &docs, &input);
                if !self.suitable.iter().any(is_known) {
                    self.suitable.push(PublicFunction { path, docs, input, output });
                }
            }
            Err(reason) => self.others.push(OtherFunction { path, reason }),
        }
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn is_conditional(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| attribute.path().is_ident("cfg"))
}

/// The input and the output of a function, if calls of it need nothing but one input of a known type.
///
/// # Errors
/// Why they need more.
fn suitable(signature: &Signature, attributes: &[Attribute]) -> Result<(InputKind, String), &'static str> {
    let inputs: Vec<&FnArg> = signature.inputs.iter().collect();
    match inputs[..] {
        _ if signature.asyncness.is_some() => Err("async"),
        _ if matches!(signature.safety, syn::Safety::Unsafe(_)) => Err("unsafe"),
        _ if !signature.generics.params.is_empty() => Err("generic"),
        _ if is_conditional(attributes) => Err("compiled only for some targets or features"),
        [] => Err("without an input"),
        [FnArg::Receiver(_), ..] => Err("a method"),
        [FnArg::Typed(argument)] => {
            let input = input_kind(&argument.ty).ok_or("an input of another type than text or a slice of integers")?;
            Ok((input, output_type(&signature.output).ok_or("an output of a type of its own")?))
        }
        _ => Err("several inputs"),
    }
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

    /// The functions of a library with these files.
    fn found(files: &[(&str, &str)]) -> PublicFunctions {
        let folder = tempfile::tempdir().unwrap();
        for (file, text) in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        in_file(&folder.path().join("lib.rs"))
    }

    fn paths(functions: &PublicFunctions) -> Vec<&str> {
        functions.suitable.iter().map(|function| function.path.as_str()).collect()
    }

    #[test]
    fn functions_with_one_known_input_are_suitable() {
        let found = found(&[(
            "lib.rs",
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
        )]);
        let others: Vec<&str> = found.others.iter().map(|other| other.path.as_str()).collect();
        assert_eq!(others, ["later", "risky", "generic", "two", "own", "own_output", "conditional"]);
        assert_eq!(found.others[3].reason, "several inputs");
        assert_eq!(paths(&found), ["sum", "sort", "words"]);
        let found = found.suitable;
        assert_eq!((found[0].docs.as_str(), found[0].output.as_str()), ("Adds up numbers.", "u64"));
        let inputs: Vec<&InputKind> = found.iter().map(|function| &function.input).collect();
        let expected =
            [InputKind::Numbers("u64".to_owned()), InputKind::NumbersToChange("i32".to_owned()), InputKind::Text];
        assert_eq!(inputs, expected.iter().collect::<Vec<_>>());
    }

    #[test]
    fn functions_are_found_in_modules_exports_and_types() {
        let found = found(&[
            (
                "lib.rs",
                "pub mod words; mod inner; mod private;\npub use inner::deep::{count, Table};\npub use self::words::split;\n\
                 pub mod inline { pub fn trim(text: &str) {} }",
            ),
            ("words.rs", "/// Splits.\npub fn split(text: &str) {}\npub mod more;"),
            ("words/more.rs", "pub fn lower(text: &str) -> String { String::new() }"),
            ("inner/mod.rs", "pub mod deep;"),
            (
                "inner/deep.rs",
                "pub fn count(text: &str) -> usize { 0 }\npub fn not_exported(text: &str) {}\npub struct Table;\n\
                 impl Table { pub fn len_of(text: &str) -> usize { 0 } pub fn get(&self, text: &str) {} fn own(text: &str) {} }",
            ),
            ("private.rs", "pub fn unreachable(text: &str) {}"),
        ]);
        assert_eq!(paths(&found), ["words::split", "words::more::lower", "count", "Table::len_of", "inline::trim"]);
        assert_eq!(found.others, [OtherFunction { path: "Table::get".to_owned(), reason: "a method" }]);
    }

    #[test]
    fn a_source_that_is_not_rust_has_no_functions() {
        assert_eq!(found(&[("lib.rs", "pub fn (")]), PublicFunctions::default());
        assert_eq!(in_file(Path::new("absent.rs")), PublicFunctions::default());
    }
}
