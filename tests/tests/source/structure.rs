//! The structure of the source: crates depend on lower layers, neither files nor folders import each other in cycles, and no two public types of a
//! crate share a name.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemUse, UseTree, Visibility};

/// A module's path below its crate's root; the root itself is empty.
type ModulePath = Vec<String>;

/// The files that each file imports from, both as module paths.
type Imports = BTreeMap<ModulePath, BTreeSet<ModulePath>>;

#[test]
fn files_and_folders_import_each_other_without_cycles() {
    let mut report = String::new();
    for source in source_folders() {
        let imports = imports(&files(&source));
        for imports in graphs(&imports) {
            report += &describe(&source, &imports, &cycles(&imports));
        }
    }
    assert_eq!(report, "");
}

#[test]
fn public_types_of_a_crate_have_distinct_names() {
    let duplicates: String = source_folders().iter().map(|source| duplicate_types(&files(source))).collect();
    assert_eq!(duplicates, "");
}

#[test]
fn a_duplicate_public_type_is_found() {
    let two =
        |one: &str, other: &str| duplicate_types(&crate_of(&[("", "pub mod a; pub mod b;"), ("a", one), ("b", other)]));
    assert_eq!(two("pub struct A;", "pub enum A {}"), "`A` is defined in a, b\n");
    assert_eq!(two("pub struct A;", "mod private { pub mod inner { pub type A = u8; } }"), "`A` is defined in a, b\n");
    assert_eq!(two("pub struct A;", "pub(crate) struct A;"), "");
    assert_eq!(two("pub struct A;", "#[cfg(test)] mod tests { pub struct A; }"), "");
}

/// A line for each name that several public types have.
fn duplicate_types(files: &BTreeMap<ModulePath, syn::File>) -> String {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (module, file) in files {
        for name in public_types(&file.items) {
            places.entry(name).or_default().push(name_of(module));
        }
    }
    let duplicates = places.iter().filter(|(_, modules)| modules.len() > 1);
    duplicates.map(|(name, modules)| format!("`{name}` is defined in {}\n", modules.join(", "))).collect()
}

/// The crates by folder, each with ours that it may depend on.
const LAYERS: [(&str, &[&str]); 25] = [
    ("engine/contract", &[]),
    ("engine/instrument", &[]),
    ("engine/isolate", &[]),
    ("engine/macros", &[]),
    ("engine/suite", &["benchbook-contract"]),
    ("engine/host", &["benchbook-contract", "benchbook-isolate"]),
    ("engine/count", &["benchbook-contract", "benchbook-host", "benchbook-instrument"]),
    ("engine/assembly", &["benchbook-instrument"]),
    ("engine/profile", &["benchbook-contract", "benchbook-host", "benchbook-instrument"]),
    ("engine/pinpoint", &["benchbook-contract", "benchbook-host", "benchbook-instrument", "benchbook-profile"]),
    ("engine/accepted", &["benchbook-contract", "benchbook-host"]),
    ("engine/chart", &["benchbook-contract", "benchbook-host"]),
    ("engine/notebook", &["benchbook-contract", "benchbook-host"]),
    ("engine/report", &["benchbook-contract", "benchbook-host", "benchbook-notebook"]),
    ("engine/terminal", &["benchbook-contract", "benchbook-host", "benchbook-notebook", "benchbook-report"]),
    ("engine/criterion", &["benchbook", "benchbook-contract", "benchbook-suite"]),
    ("engine/divan", &["benchbook", "benchbook-contract", "benchbook-macros", "benchbook-suite"]),
    ("engine/ladder", &["benchbook"]),
    ("engine", &["benchbook-macros", "benchbook-suite", "benchbook-host", "benchbook-terminal"]),
    (
        "app",
        &[
            "benchbook-assembly",
            "benchbook-chart",
            "benchbook-contract",
            "benchbook-count",
            "benchbook-host",
            "benchbook-instrument",
            "benchbook-notebook",
            "benchbook-pinpoint",
            "benchbook-profile",
            "benchbook-report",
        ],
    ),
    ("server-remote/page", &[]),
    (
        "server-remote",
        &[
            "benchbook-accepted",
            "benchbook-assembly",
            "benchbook-contract",
            "benchbook-count",
            "benchbook-host",
            "benchbook-instrument",
            "benchbook-isolate",
            "benchbook-notebook",
            "benchbook-page",
        ],
    ),
    ("cli/build", &["benchbook-assembly", "benchbook-instrument"]),
    (
        "cli",
        &[
            "benchbook-accepted",
            "benchbook-assembly",
            "benchbook-build",
            "benchbook-chart",
            "benchbook-contract",
            "benchbook-count",
            "benchbook-host",
            "benchbook-instrument",
            "benchbook-ladder",
            "benchbook-notebook",
            "benchbook-page",
            "benchbook-pinpoint",
            "benchbook-profile",
            "benchbook-report",
            "benchbook-server",
            "benchbook-terminal",
        ],
    ),
    ("xtask", &["benchbook-build"]),
];

#[test]
fn crates_depend_on_lower_layers_only() {
    for (folder, expected) in LAYERS {
        let manifest = fs::read_to_string(root().join(folder).join("Cargo.toml")).expect("the manifest is readable");
        let manifest: toml::Table = manifest.parse().expect("the manifest is TOML");
        // Those of a platform follow those of all.
        let of_platforms =
            manifest.get("target").and_then(toml::Value::as_table).into_iter().flat_map(toml::Table::values);
        let tables =
            [&manifest["dependencies"]].into_iter().chain(of_platforms.filter_map(|of| of.get("dependencies")));
        let names = tables.flat_map(|table| table.as_table().expect("dependencies are a table").keys());
        let own: Vec<&str> = names.map(String::as_str).filter(|name| name.starts_with("benchbook")).collect();
        assert_eq!(own, expected, "{folder}");
    }
}

/// The top-level modules of our largest crates, highest first: a module may import only those below it.
const ORDERS: [(&str, &str); 6] = [
    (
        "engine/suite",
        "entry declare benchmarks collect no_input generator service workload stage wasm_imports memory identity arguments choice bits",
    ),
    (
        "engine/host",
        "self_test child messages api history refinement compare metric sample repeatability fingerprint response request alternative quality axis points \
         native_reason rounded analyze time_text units schema",
    ),
    (
        "engine/notebook",
        "link record history merge reader_results edit file notebook cell setup measuring_options view ranking result trace result_setup \
         curve id",
    ),
    ("app", "components effects state address"),
    (
        "server-remote",
        "service maintenance profile logging http measure setup error suites hub queue history notebooks config store metrics secrets",
    ),
    ("cli", "advice_tests commands check self_test accepted runner project question arguments advised_command output"),
];

#[test]
fn modules_import_lower_ones_only() {
    let problems: String = ORDERS
        .iter()
        .map(|(folder, order)| {
            let order: Vec<&str> = order.split_whitespace().collect();
            let wrong = upward_imports(&imports(&files(&root().join(folder).join("src"))), &order);
            wrong.iter().map(|wrong| format!("{folder}: {wrong}\n")).collect::<String>()
        })
        .collect();
    assert_eq!(problems, "");
}

#[test]
fn an_upward_import_is_found() {
    let of = |order: &[&str]| {
        let files = crate_of(&[
            ("", "mod a; mod b;"),
            ("a", "mod one;"),
            ("a::one", "use crate::b::B; use crate::Root; use super::A;"),
            ("b", ""),
        ]);
        upward_imports(&imports(&files), order)
    };
    assert_eq!(of(&["a", "b"]), [""; 0]);
    assert_eq!(of(&["b", "a"]), ["a::one imports b"]);
    assert_eq!(of(&["a"]), ["b has no place"]);
    assert_eq!(of(&["a", "b", "c"]), ["c does not exist"]);
}

/// A sentence for each import of a module above, and for each module that is missing from the order.
fn upward_imports(imports: &Imports, order: &[&str]) -> Vec<String> {
    let place = |module: &ModulePath| order.iter().position(|name| Some(*name) == module.first().map(String::as_str));
    let top: BTreeSet<&String> = imports.keys().filter_map(|module| module.first()).collect();
    let missing = top.iter().filter(|name| !order.contains(&name.as_str())).map(|name| format!("{name} has no place"));
    let unknown = order.iter().filter(|name| !top.iter().any(|top| top == *name));
    let upward = imports.iter().flat_map(|(module, imported)| {
        let is_upward = move |other: &&ModulePath| {
            let of_other = place(other);
            module.first() != other.first() && of_other.is_some() && place(module) > of_other
        };
        let wrong = imported.iter().filter(is_upward);
        wrong.map(move |other| format!("{} imports {}", name_of(module), name_of(other)))
    });
    missing.chain(unknown.map(|name| format!("{name} does not exist"))).chain(upward).collect()
}

#[test]
fn a_cycle_is_found() {
    let cycles_of =
        |files: &[(&str, &str)]| graphs(&imports(&crate_of(files))).iter().flat_map(cycles).collect::<BTreeSet<_>>();
    let tree = cycles_of(&[
        ("", "mod a; mod b;"),
        ("a", "use crate::b::{B, c::{self, C}};"),
        ("b", "pub mod c; pub use c::C;"),
        ("b::c", "use std::fmt; pub(super) struct C; #[cfg(test)] mod tests { use crate::a; }"),
    ]);
    assert_eq!(tree, BTreeSet::new());
    for (one, other) in [
        ("use crate::b::B;", "fn f() -> crate::a::A { todo!() }"),
        ("use super::b::B;", "use crate::{a as other};"),
        ("use crate::b::*;", "mod inner { use super::super::a::A; }"),
    ] {
        assert_eq!(cycles_of(&[("", "mod a; mod b;"), ("a", one), ("b", other)]).len(), 1, "{one} {other}");
    }
    let child = ("a::b::child", "use super::super::A; use crate::Root;");
    let parent =
        [("", "mod a; pub struct Root;"), ("a", "mod b; use b::B; pub struct A;"), ("a::b", "mod child;"), child];
    assert_eq!(cycles_of(&parent), BTreeSet::new(), "a child may import its ancestors");
    let folders = cycles_of(&[
        ("", "mod a; mod b;"),
        ("a", "mod one; mod two;"),
        ("a::one", "use crate::b::one::One;"),
        ("a::two", ""),
        ("b", "mod one; mod two;"),
        ("b::one", ""),
        ("b::two", "use crate::a::two::Two;"),
    ]);
    let expected = BTreeSet::from([vec!["a".to_owned()], vec!["b".to_owned()]]);
    assert_eq!(folders, BTreeSet::from([expected]), "folders whose files have no cycle");
}

/// The files of a crate, from their module paths and texts.
fn crate_of(files: &[(&str, &str)]) -> BTreeMap<ModulePath, syn::File> {
    let file = |&(module, text): &(&str, &str)| {
        let path = module.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect();
        (path, syn::parse_file(text).expect("the test's text is Rust"))
    };
    files.iter().map(file).collect()
}

/// The folder of the workspace.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this crate is a folder of the workspace")
}

/// The `src` folder of every crate of the workspace.
fn source_folders() -> Vec<PathBuf> {
    let mut folders = Vec::new();
    add_source_folders(root(), &mut folders);
    assert!(folders.len() > 10, "found only {folders:?}");
    folders
}

fn add_source_folders(folder: &Path, found: &mut Vec<PathBuf>) {
    if folder.join("Cargo.toml").exists() && folder.join("src").is_dir() {
        found.push(folder.join("src"));
    }
    for child in fs::read_dir(folder).expect("the folder is readable") {
        let path = child.expect("the folder is readable").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_source = !name.starts_with('.') && !["target", "dist", "src", "node_modules"].contains(&name.as_str());
        if is_source && path.is_dir() {
            add_source_folders(&path, found);
        }
    }
}

/// Every file of a crate by its module path. Files of tests and the programs in `bin` are excluded.
fn files(source: &Path) -> BTreeMap<ModulePath, syn::File> {
    let mut files = BTreeMap::new();
    add_files(source, &mut Vec::new(), &mut files);
    files
}

fn add_files(folder: &Path, module: &mut ModulePath, files: &mut BTreeMap<ModulePath, syn::File>) {
    for entry in fs::read_dir(folder).expect("the folder is readable") {
        let path = entry.expect("the folder is readable").path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if stem == "tests" || stem == "bin" {
            continue;
        }
        if path.is_dir() {
            module.push(stem);
            add_files(&path, module, files);
            module.pop();
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("the file is readable");
            let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let own = (!["mod", "lib", "main"].contains(&stem.as_str())).then_some(stem);
            files.insert(module.iter().cloned().chain(own).collect(), file);
        }
    }
}

fn imports(files: &BTreeMap<ModulePath, syn::File>) -> Imports {
    let mut imports = Imports::new();
    for (module, file) in files {
        let mut paths = Paths { scope: module.clone(), found: Vec::new() };
        paths.visit_file(file);
        let imported = paths.found.iter().filter_map(|path| longest_module(path, files)).filter(|path| path != module);
        imports.insert(module.clone(), imported.collect());
    }
    imports
}

/// The file that a path leads into.
fn longest_module(path: &[String], files: &BTreeMap<ModulePath, syn::File>) -> Option<ModulePath> {
    (0..=path.len()).rev().map(|length| path[..length].to_vec()).find(|module| files.contains_key(module))
}

/// Collects the paths within the crate that a file names, from the crate's root.
struct Paths {
    /// The module around the current item, inline modules included.
    scope: ModulePath,
    found: Vec<ModulePath>,
}

impl Paths {
    /// Adds a path if it begins in this crate: with `crate`, `self`, `super`, or, in a `use`, with a child module.
    fn add(&mut self, segments: &[String], is_use: bool) {
        let mut path = match segments.first().map(String::as_str) {
            Some("crate") => Vec::new(),
            Some("self" | "super") => self.scope.clone(),
            Some(_) if is_use => return self.found.push(self.scope.iter().chain(segments).cloned().collect()),
            _ => return,
        };
        for segment in segments {
            match segment.as_str() {
                "crate" | "self" => {}
                "super" => drop(path.pop()),
                _ => path.push(segment.clone()),
            }
        }
        self.found.push(path);
    }

    fn add_tree(&mut self, tree: &UseTree, before: &mut Vec<String>) {
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.add_tree(&path.tree, before);
                before.pop();
            }
            UseTree::Group(group) => group.items.iter().for_each(|item| self.add_tree(item, before)),
            UseTree::Name(name) => self.add_leaf(before, &name.ident.to_string()),
            UseTree::Rename(rename) => self.add_leaf(before, &rename.ident.to_string()),
            _ => self.add(before, true),
        }
    }

    fn add_leaf(&mut self, before: &[String], name: &str) {
        let own = (name != "self").then(|| name.to_owned());
        let path: Vec<String> = before.iter().cloned().chain(own).collect();
        self.add(&path, true);
    }
}

impl<'ast> Visit<'ast> for Paths {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Mod(module) if is_test(&module.attrs) => {}
            Item::Mod(module) if module.content.is_some() => {
                self.scope.push(module.ident.to_string());
                visit::visit_item(self, item);
                self.scope.pop();
            }
            Item::Fn(function) if is_test(&function.attrs) => {}
            _ => visit::visit_item(self, item),
        }
    }

    /// `pub(super)` imports nothing.
    fn visit_visibility(&mut self, _visibility: &'ast Visibility) {}

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.add_tree(&item.tree, &mut Vec::new());
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if path.leading_colon.is_none() {
            self.add(&segments, false);
        }
        visit::visit_path(self, path);
    }
}

/// Whether an item is compiled for tests only.
fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg") && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
    })
}

/// Names of the public structs, enums, unions, traits and type aliases among the items and in inline modules.
fn public_types(items: &[Item]) -> Vec<String> {
    let mut names = Vec::new();
    for item in items {
        let (visibility, name) = match item {
            Item::Struct(item) => (&item.vis, &item.ident),
            Item::Enum(item) => (&item.vis, &item.ident),
            Item::Union(item) => (&item.vis, &item.ident),
            Item::Trait(item) => (&item.vis, &item.ident),
            Item::Type(item) => (&item.vis, &item.ident),
            Item::Mod(module) if !is_test(&module.attrs) => {
                names.extend(module.content.iter().flat_map(|(_, items)| public_types(items)));
                continue;
            }
            _ => continue,
        };
        if matches!(visibility, Visibility::Public(_)) {
            names.push(name.to_string());
        }
    }
    // Variants of one type for several targets are one name in each build.
    names.sort_unstable();
    names.dedup();
    names
}

/// The graphs that have no cycles: files that import each other, and for each folder, the modules directly in it. A child may import its ancestors.
fn graphs(imports: &Imports) -> Vec<Imports> {
    let without_ancestors = |module: &ModulePath| {
        let imported = imports[module].iter().filter(|imported| !module.starts_with(imported));
        (module.clone(), imported.cloned().collect::<BTreeSet<_>>())
    };
    let files: Imports = imports.keys().map(without_ancestors).collect();
    let mut folders: BTreeMap<ModulePath, Imports> = BTreeMap::new();
    for (module, imported) in &files {
        for other in imported {
            let common = module.iter().zip(other).take_while(|(one, other)| one == other).count();
            if common < module.len() && common < other.len() {
                let siblings = folders.entry(module[..common].to_vec()).or_default();
                siblings.entry(module[..=common].to_vec()).or_default().insert(other[..=common].to_vec());
                siblings.entry(other[..=common].to_vec()).or_default();
            }
        }
    }
    [files].into_iter().chain(folders.into_values()).collect()
}

/// Groups of files of which each imports every other, directly or not.
fn cycles(imports: &Imports) -> Vec<BTreeSet<ModulePath>> {
    let reachable: BTreeMap<&ModulePath, BTreeSet<&ModulePath>> =
        imports.keys().map(|module| (module, reachable(module, imports))).collect();
    let mut cycles: Vec<BTreeSet<ModulePath>> = Vec::new();
    for (&module, reached) in &reachable {
        if reached.contains(module) && !cycles.iter().any(|cycle| cycle.contains(module)) {
            let together = reached.iter().filter(|&&other| reachable[other].contains(module));
            cycles.push(together.map(|&other| other.clone()).collect());
        }
    }
    cycles
}

/// The files that a file imports, directly or through others.
fn reachable<'i>(module: &ModulePath, imports: &'i Imports) -> BTreeSet<&'i ModulePath> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&ModulePath> = imports[module].iter().collect();
    while let Some(next) = open.pop() {
        if reached.insert(next) {
            open.extend(&imports[next]);
        }
    }
    reached
}

/// A line for each file of a cycle, with the files of the same cycle that it imports.
fn describe(source: &Path, imports: &Imports, cycles: &[BTreeSet<ModulePath>]) -> String {
    let line = |cycle: &BTreeSet<ModulePath>, module: &ModulePath| {
        let within: Vec<String> = imports[module].intersection(cycle).map(name_of).collect();
        format!("{}: {} imports {}\n", source.display(), name_of(module), within.join(", "))
    };
    cycles.iter().flat_map(|cycle| cycle.iter().map(move |module| line(cycle, module))).collect()
}

fn name_of(module: &ModulePath) -> String {
    if module.is_empty() { "crate".to_owned() } else { module.join("::") }
}
