//! Whether a commit has changed the source of what a function executes.
//!
//! The compiler may make other code of the same source: an added function moves others between the units that are compiled together, which changes what is inlined and which
//! registers are used. Then the function is another one in the executable, but nobody has changed it.
//!
//! The comparison is by name, and errs on the side of a change: a function depends on every function, type, constant or macro that it mentions, wherever that is
//! defined, and so on. Anything else that has changed counts for all functions: types, constants, implementations of traits, which are called without being mentioned,
//! and files that are not Rust.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use benchbook_build::suite_target::{SuiteTarget, SuiteTargetKind};
use benchbook_contract::catalog::name_of;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, File, ImplItem, Item, ItemImpl, Meta, TraitItem, UseTree};

use super::checkout::BaselineCheckout;
use super::overlay::{SuiteFiles, files};
use crate::project::Project;
use crate::project::benchbook_toml::FILE;

/// What differs between the sources of two commits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ChangedSources {
    /// Whether something has changed on which all functions may depend.
    affects_all: bool,
    /// The names of functions that were added, changed or removed, and of other items that were added.
    names: BTreeSet<String>,
    /// What the items of each name mention, in either commit.
    mentioned: BTreeMap<String, BTreeSet<String>>,
    /// What the files of the suite mention.
    in_suite: BTreeSet<String>,
}

/// The items of a file by what identifies them, with their tokens.
type Items = BTreeMap<ItemKey, Vec<String>>;

/// Identifies an item.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ItemKey {
    /// A function, in this module or implementation. `is_implicit`: it may be called without being mentioned, as one of a trait.
    Function { within: String, name: String, is_implicit: bool },
    /// Another item with a name.
    Named { within: String, name: String },
    /// A name that a module imports.
    Import { within: String, name: String },
    /// What is implemented, and for which type.
    Implementation { of_trait: String, for_type: String },
    /// Anything else.
    Other(String),
}

impl ChangedSources {
    /// Compares the files of a checkout with the current ones.
    pub(super) fn read(checkout: &BaselineCheckout, project: &Project, suite: &SuiteTarget) -> Self {
        let (worktree, repository) = (&checkout.mirror.folder, &checkout.mirror.original);
        let names: BTreeSet<String> = [worktree, repository].into_iter().flat_map(|folder| files(folder)).collect();
        let is_compiled = |name: &&String| {
            let path = Path::new(name);
            let is_example = path.components().any(|part| part.as_os_str() == "examples");
            let is_test = path.components().any(|part| part.as_os_str() == "tests")
                || path.file_stem().is_some_and(|stem| stem == "tests");
            !is_test && (!is_example || suite.kind == SuiteTargetKind::Example)
        };
        let (sources, others): (Vec<&String>, Vec<&String>) =
            names.iter().partition(|name| Path::new(name).extension().is_some_and(|extension| extension == "rs"));
        let texts: Vec<[Option<String>; 2]> = sources
            .into_iter()
            .filter(is_compiled)
            .map(|name| [worktree, repository].map(|folder| fs::read_to_string(folder.join(name)).ok()))
            .collect();
        let mut changed = Self::between(texts.iter().map(|texts| texts.each_ref().map(Option::as_deref)));
        let differs = |name: &String| {
            let [one, other] = [worktree, repository].map(|folder| fs::read(folder.join(name)).ok());
            one != other
        };
        changed.affects_all |= others.into_iter().any(|name| !is_text(Path::new(name)) && differs(name));
        let suite_files = SuiteFiles::of(project, suite).map(|files| files.texts()).unwrap_or_default();
        for tokens in suite_files.iter().filter_map(|text| text.parse().ok()) {
            add_identifiers(tokens, &mut changed.in_suite);
        }
        changed
    }

    /// Compares files: the text of each before and now, `None` where it does not exist.
    pub(super) fn between<'t>(files: impl IntoIterator<Item = [Option<&'t str>; 2]>) -> Self {
        let mut changed = Self::default();
        let (mut before, mut now) = (Items::new(), Items::new());
        for texts in files {
            let [one, other] = texts.map(|text| text.map_or_else(|| Some(Items::new()), items));
            let (Some(one), Some(other)) = (one, other) else {
                // It is no Rust that we can read.
                changed.affects_all |= texts[0] != texts[1];
                continue;
            };
            changed.add_mentioned(&one);
            changed.add_mentioned(&other);
            for (all, items) in [(&mut before, one), (&mut now, other)] {
                items.into_iter().for_each(|(key, tokens)| all.entry(key).or_default().extend(tokens));
            }
        }
        let names = |items: &Items| items.keys().filter_map(ItemKey::name).map(str::to_owned).collect::<BTreeSet<_>>();
        let new_types = &names(&now) - &names(&before);
        for key in before.keys().chain(now.keys()) {
            if before.get(key) == now.get(key) {
                continue;
            }
            let is_new = !before.contains_key(key);
            match key {
                ItemKey::Function { within, is_implicit: true, .. } => {
                    changed.affects_all |= !new_types.contains(within.as_str());
                }
                ItemKey::Function { name, .. } => {
                    changed.names.insert(name.clone());
                }
                ItemKey::Named { name, .. } | ItemKey::Import { name, .. } if is_new => {
                    changed.names.insert(name.clone());
                }
                ItemKey::Implementation { for_type, .. } if is_new && new_types.contains(for_type.as_str()) => {}
                // Its functions are compared by themselves.
                ItemKey::Implementation { of_trait, .. } if of_trait.is_empty() => {}
                ItemKey::Named { .. } | ItemKey::Import { .. } | ItemKey::Implementation { .. } | ItemKey::Other(_) => {
                    changed.affects_all = true;
                }
            }
        }
        changed
    }

    /// Whether nothing has changed that is compiled.
    pub(super) fn is_empty(&self) -> bool {
        !self.affects_all && self.names.is_empty()
    }

    /// Whether a measured function may depend on something that has changed: itself, its generator, or, if the sources have no functions of these names,
    /// anything that the suite mentions.
    pub(super) fn may_affect(&self, function: &str, generator: &str) -> bool {
        let names = [function, generator].map(|path| name_of(path).split('<').next().unwrap_or_default());
        match names.iter().all(|name| self.mentioned.contains_key(*name)) {
            true => self.may_affect_any(names),
            false => self.in_suite.is_empty() || self.may_affect_any(self.in_suite.iter().map(String::as_str)),
        }
    }

    /// Whether what these names stand for may depend on something that has changed.
    fn may_affect_any<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> bool {
        let mut pending: Vec<&str> = names.into_iter().collect();
        let mut reached = BTreeSet::new();
        while let Some(name) = pending.pop().filter(|_| !self.affects_all) {
            if self.names.contains(name) {
                return true;
            }
            if reached.insert(name) {
                pending.extend(self.mentioned.get(name).into_iter().flatten().map(String::as_str));
            }
        }
        self.affects_all
    }

    fn add_mentioned(&mut self, items: &Items) {
        for (key, tokens) in items {
            let mut mentioned = BTreeSet::new();
            for tokens in tokens.iter().filter_map(|tokens| tokens.parse().ok()) {
                add_identifiers(tokens, &mut mentioned);
            }
            let names = match key {
                ItemKey::Function { name, .. } | ItemKey::Named { name, .. } | ItemKey::Import { name, .. } => {
                    BTreeSet::from([name.clone()])
                }
                // A macro may define anything that it mentions.
                ItemKey::Other(_) => mentioned.clone(),
                ItemKey::Implementation { .. } => BTreeSet::new(),
            };
            names
                .into_iter()
                .for_each(|name| self.mentioned.entry(name).or_default().extend(mentioned.iter().cloned()));
        }
    }
}

impl ItemKey {
    fn name(&self) -> Option<&str> {
        match self {
            Self::Named { name, .. } => Some(name),
            Self::Function { .. } | Self::Import { .. } | Self::Implementation { .. } | Self::Other(_) => None,
        }
    }
}

fn add_identifiers(tokens: TokenStream, identifiers: &mut BTreeSet<String>) {
    for tree in tokens {
        match tree {
            TokenTree::Ident(identifier) => {
                identifiers.insert(identifier.to_string());
            }
            TokenTree::Group(group) => add_identifiers(group.stream(), identifiers),
            // Attributes name functions in texts, too.
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                let words = text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
                identifiers.extend(words.filter(|word| !word.is_empty()).map(str::to_owned));
            }
            TokenTree::Punct(_) => {}
        }
    }
}

/// Whether a file is only read by people, or by the services that host a repository.
fn is_text(path: &Path) -> bool {
    const EXTENSIONS: [&str; 5] = ["md", "rst", "adoc", "yml", "yaml"];
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let has_extension =
        path.extension().and_then(OsStr::to_str).is_some_and(|extension| EXTENSIONS.contains(&extension));
    has_extension || name.starts_with("LICENSE") || name.starts_with(".git") || name == FILE
}

/// The items of a file; `None` if it is not Rust.
fn items(text: &str) -> Option<Items> {
    let File { attrs, items, .. } = syn::parse_file(text).ok()?;
    let mut found = Items::new();
    for attribute in attrs.iter().filter(|attribute| is_code(attribute)) {
        add(&mut found, ItemKey::Other(text_of(attribute)), attribute);
    }
    items.into_iter().for_each(|item| add_item(&mut found, "", item));
    Some(found)
}

fn add(items: &mut Items, key: ItemKey, tokens: &impl ToTokens) {
    items.entry(key).or_default().push(text_of(tokens));
}

fn text_of(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string()
}

/// Whether an attribute has an effect on code: documentation and lints have none.
fn is_code(attribute: &Attribute) -> bool {
    const WITHOUT: [&str; 8] = ["doc", "allow", "warn", "deny", "forbid", "expect", "must_use", "deprecated"];
    !WITHOUT.iter().any(|name| attribute.path().is_ident(name))
}

/// Whether an item is compiled for tests only.
fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident("cfg") => list.tokens.to_string() == "test",
        meta => meta.path().is_ident("test"),
    })
}

/// Adds an item of a module or another item.
fn add_item(found: &mut Items, within: &str, mut item: Item) {
    let Some(attributes) = attributes_of(&mut item) else { return add(found, ItemKey::Other(text_of(&item)), &item) };
    if is_test(attributes) {
        return;
    }
    attributes.retain(is_code);
    let named = |name: &dyn ToString| ItemKey::Named { within: within.to_owned(), name: name.to_string() };
    let key = match &mut item {
        Item::Fn(function) => {
            let name = function.sig.ident.to_string();
            ItemKey::Function { within: within.to_owned(), name, is_implicit: false }
        }
        Item::Mod(module) => {
            let inner = format!("{within}::{}", module.ident);
            let content = module.content.as_mut().map(|(_, items)| std::mem::take(items));
            content.into_iter().flatten().for_each(|item| add_item(found, &inner, item));
            named(&module.ident)
        }
        Item::Impl(implementation) => {
            add_functions_of(found, implementation);
            let ItemImpl { trait_, self_ty, .. } = &*implementation;
            let of_trait = trait_.as_ref().map(|(path, _)| text_of(path)).unwrap_or_default();
            ItemKey::Implementation { of_trait, for_type: type_name(&text_of(self_ty)) }
        }
        Item::Trait(one) => {
            let name = one.ident.to_string();
            for item in &mut one.items {
                if let TraitItem::Fn(function) = item {
                    function.attrs.retain(is_code);
                    if let Some(body) = function.default.take() {
                        let key = ItemKey::Function {
                            within: name.clone(),
                            name: function.sig.ident.to_string(),
                            is_implicit: false,
                        };
                        add(found, key, &body);
                    }
                }
            }
            named(&one.ident)
        }
        Item::Macro(one) => match &one.ident {
            Some(name) => named(name),
            None => ItemKey::Other(text_of(one)),
        },
        Item::Use(one) => {
            add_uses(found, within, &one.tree, "");
            return;
        }
        Item::Const(one) => named(&one.ident),
        Item::Static(one) => named(&one.ident),
        Item::Struct(one) => named(&one.ident),
        Item::Enum(one) => named(&one.ident),
        Item::Union(one) => named(&one.ident),
        Item::Type(one) => named(&one.ident),
        Item::TraitAlias(one) => named(&one.ident),
        other => ItemKey::Other(text_of(other)),
    };
    add(found, key, &item);
}

/// Adds the functions of an implementation, and removes them from it.
fn add_functions_of(found: &mut Items, implementation: &mut ItemImpl) {
    let for_type = type_name(&text_of(&implementation.self_ty));
    let is_implicit = implementation.trait_.is_some();
    let header =
        format!("{} {}", implementation.trait_.as_ref().map(|(path, _)| text_of(path)).unwrap_or_default(), for_type);
    let items = std::mem::take(&mut implementation.items);
    for item in items {
        match item {
            ImplItem::Fn(mut function) => {
                function.attrs.retain(is_code);
                let within = if is_implicit { for_type.clone() } else { header.clone() };
                add(found, ItemKey::Function { within, name: function.sig.ident.to_string(), is_implicit }, &function);
            }
            ImplItem::Const(constant) if !is_implicit => {
                add(found, ItemKey::Named { within: header.clone(), name: constant.ident.to_string() }, &constant);
            }
            other => implementation.items.push(other),
        }
    }
}

/// The name of a type without its arguments and references.
fn type_name(text: &str) -> String {
    let path = text.trim_start_matches(['&', ' ']).split('<').next().unwrap_or_default();
    path.rsplit("::").next().unwrap_or_default().trim().to_owned()
}

/// Adds the names that a `use` imports. `path`: what leads to the tree.
fn add_uses(found: &mut Items, within: &str, tree: &UseTree, path: &str) {
    let mut import = |name: String, path: String| {
        found.entry(ItemKey::Import { within: within.to_owned(), name }).or_default().push(path);
    };
    match tree {
        UseTree::Name(name) => import(name.ident.to_string(), format!("{path} {}", name.ident)),
        UseTree::Rename(rename) => import(rename.rename.to_string(), format!("{path} {}", rename.ident)),
        UseTree::Path(step) => add_uses(found, within, &step.tree, &format!("{path} {}", step.ident)),
        UseTree::Group(group) => group.items.iter().for_each(|tree| add_uses(found, within, tree, path)),
        UseTree::Glob(_) => {
            found.entry(ItemKey::Other(format!("use in {within}: {path}"))).or_default().push(String::new());
        }
    }
}

fn attributes_of(item: &mut Item) -> Option<&mut Vec<Attribute>> {
    Some(match item {
        Item::Const(item) => &mut item.attrs,
        Item::Enum(item) => &mut item.attrs,
        Item::ExternCrate(item) => &mut item.attrs,
        Item::Fn(item) => &mut item.attrs,
        Item::ForeignMod(item) => &mut item.attrs,
        Item::Impl(item) => &mut item.attrs,
        Item::Macro(item) => &mut item.attrs,
        Item::Mod(item) => &mut item.attrs,
        Item::Static(item) => &mut item.attrs,
        Item::Struct(item) => &mut item.attrs,
        Item::Trait(item) => &mut item.attrs,
        Item::TraitAlias(item) => &mut item.attrs,
        Item::Type(item) => &mut item.attrs,
        Item::Union(item) => &mut item.attrs,
        Item::Use(item) => &mut item.attrs,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIBRARY: &str = "
use std::collections::HashMap;
pub struct Table { rows: Vec<u64> }
const STEP: u64 = 3;
impl Table {
    pub fn total(&self) -> u64 { self.rows.iter().map(|row| scaled(*row)).sum() }
    pub fn first(&self) -> Option<&u64> { self.rows.first() }
}
impl Default for Table { fn default() -> Self { Table { rows: vec![1] } } }
fn scaled(row: u64) -> u64 { row * STEP }
fn unrelated(row: u64) -> u64 { row }
pub fn run(table: &Table) -> u64 { table.total() }
#[cfg(test)]
mod tests { #[test] fn it_works() { assert!(true) } }
";

    fn affects(edits: &[(&str, &str)]) -> bool {
        let edited = edits.iter().fold(LIBRARY.to_owned(), |text, (old, new)| {
            assert!(text.contains(old), "{old}");
            text.replacen(old, new, 1)
        });
        ChangedSources::between([[Some(LIBRARY), Some(&edited)]]).may_affect("run", "run")
    }

    #[test]
    fn unrelated_additions_and_layout_affect_nothing() {
        let unaffected: [&[(&str, &str)]; 12] = [
            &[],
            &[("fn unrelated", "pub fn other(row: u64) -> u64 { unrelated(row) + 1 }\n/// Text.\nfn unrelated")],
            &[("fn unrelated(row: u64) -> u64 { row }", "")],
            &[("{ row }", "{ row + 1 }")],
            &[("use std", "use std::fmt;\nuse std")],
            &[("pub struct", "/// Rows.\n#[derive()]\n// A comment.\npub struct"), ("#[derive()]\n", "")],
            &[("assert!(true)", "assert!(false)")],
            &[(
                "const STEP",
                "pub struct New(u64);\nimpl Default for New { fn default() -> Self { New(1) } }\nconst STEP",
            )],
            &[("self.rows.first()", "self.rows.iter().next()")],
            &[("pub fn first", "pub fn second(&self) -> Option<&u64> { self.rows.get(1) }\n    pub fn first")],
            &[("const STEP", "mod inner { pub fn deep() {} }\nconst STEP")],
            &[(
                "pub fn run",
                "mod added { pub struct Row; impl Clone for Row { fn clone(&self) -> Row { Row } } }\npub fn run",
            )],
        ];
        for edits in unaffected {
            assert!(!affects(edits), "{edits:?}");
        }
    }

    #[test]
    fn what_a_function_mentions_affects_it() {
        let affected: [&[(&str, &str)]; 11] = [
            &[("table.total()", "table.total() + 1")],
            &[("row * STEP", "row + STEP")],
            &[("= 3", "= 4")],
            &[("rows: Vec<u64> }", "rows: Vec<u64>, id: u64 }")],
            &[("vec![1]", "vec![2]")],
            &[
                ("    pub fn first", "    const N: usize = 4;\n    pub fn first"),
                ("&self) -> u64 { self", "&self) -> u64 { Self::N; self"),
            ],
            &[("use std::collections::HashMap", "use fast::HashMap")],
            &[("const STEP", "impl Drop for Table { fn drop(&mut self) {} }\nconst STEP")],
            &[("const STEP", "use other::*;\nconst STEP")],
            &[("fn scaled", "#[inline(never)]\nfn scaled")],
            &[("const STEP", "fn sum() {}\nconst STEP")],
        ];
        for edits in affected {
            assert!(affects(edits), "{edits:?}");
        }
        let same = ChangedSources::between([[Some(LIBRARY), Some(LIBRARY)]]);
        assert!(same.may_affect("unknown", "run") && !same.may_affect("sums::run", "first"));
        let in_suite = |name: &str| ChangedSources { in_suite: BTreeSet::from([name.to_owned()]), ..same.clone() };
        assert!(!in_suite("run").may_affect("group/run", ""));
        assert!(ChangedSources::between([[Some("fn run() {}"), Some("fn run( {}")]]).may_affect("run", "run"));
        // By a macro, and by an attribute.
        let defined =
            |helper: &str| format!("fn run() {{ made() }}\nmake! {{ made helper }}\nfn helper() {{ {helper} }}");
        let written = |helper: &str| {
            format!("fn run(one: One) {{}}\n#[with = \"helper\"]\nstruct One;\nfn helper() {{ {helper} }}")
        };
        for text in [&defined as &dyn Fn(&str) -> String, &written] {
            let [one, other] = ["1", "2"].map(text);
            assert!(ChangedSources::between([[Some(&*one), Some(&*other)]]).may_affect("run", "run"), "{one}");
        }
    }

    /// A function that was moved to another file is the same.
    #[test]
    fn files_are_compared_together() {
        let files = [
            [Some("fn run() { helper() }\nfn helper() {}"), Some("fn run() { helper() }")],
            [None, Some("fn helper() {}")],
        ];
        assert!(!ChangedSources::between(files).may_affect("run", "run"));
    }
}
