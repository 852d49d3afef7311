//! The packages that suites depend on support rustc 1.85, as far as a later toolchain can check it.
//!
//! Toolchain 1.85 itself is not part of the test environment. Instead:
//! - cargo's metadata lists the minimum version of each dependency;
//! - clippy's lint `incompatible_msrv` reports later items of the standard library (stage `lints`);
//! - the checks below find the syntax that later versions added to `if`, `while` and `match`.

use std::collections::BTreeSet;
use std::fs;

use benchbook_tests::suites::workspace;
use cargo_metadata::semver::Version;
use cargo_metadata::{DependencyKind, MetadataCommand, Package, PackageId};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use walkdir::WalkDir;

const MINIMUM: Version = Version::new(1, 85, 0);

#[test]
fn dependencies_of_suites_support_the_minimum_version() {
    for target in [None, Some("wasm32-unknown-unknown")] {
        let packages = packages(target);
        for package in &packages {
            let version = package.rust_version.as_ref();
            match package.source {
                // Our own packages state it.
                None => assert_eq!(version, Some(&MINIMUM), "{}", package.name),
                Some(_) => assert!(
                    version <= Some(&MINIMUM),
                    "{} requires {version:?}: require an older version of the package, or replace it",
                    package.name
                ),
            }
        }
        assert!(packages.len() > 20, "{target:?}: only {}", packages.len());
    }
}

/// The packages that suites depend on, with all features, and all packages that they are compiled with for a target: for any target
/// without one.
fn packages(target: Option<&str>) -> Vec<Package> {
    let mut options = vec!["--locked".to_owned()];
    options.extend(target.map(|target| format!("--filter-platform={target}")));
    let root = workspace().unwrap().root();
    let metadata = MetadataCommand::new().manifest_path(root.join("Cargo.toml")).other_options(options).exec().unwrap();
    let nodes = &metadata.resolve.as_ref().unwrap().nodes;
    let mut reached: BTreeSet<&PackageId> = BTreeSet::new();
    let is_root =
        |package: &&Package| ["benchbook", "benchbook-criterion", "benchbook-divan"].contains(&package.name.as_str());
    let mut pending: Vec<&PackageId> = metadata.packages.iter().filter(is_root).map(|package| &package.id).collect();
    assert_eq!(pending.len(), 3);
    while let Some(id) = pending.pop() {
        if reached.insert(id) {
            let node = nodes.iter().find(|node| node.id == *id).unwrap();
            let is_compiled = |kind| kind != DependencyKind::Development;
            let compiled =
                node.deps.iter().filter(|dependency| dependency.dep_kinds.iter().any(|of| is_compiled(of.kind)));
            pending.extend(compiled.map(|dependency| &dependency.pkg));
        }
    }
    metadata.packages.iter().filter(|package| reached.contains(&package.id)).cloned().collect()
}

#[test]
fn sources_have_no_let_chains_and_no_let_guards() {
    let mut files = 0;
    for package in packages(None).iter().filter(|package| package.source.is_none()) {
        let folder = package.manifest_path.parent().unwrap();
        for entry in WalkDir::new(folder.join("src")) {
            let path = entry.unwrap().into_path();
            // Our own tests use the toolchain of the workspace.
            let is_test = path.strip_prefix(folder).unwrap().components().any(|part| part.as_os_str() == "tests")
                || path.ends_with("tests.rs");
            if path.extension().is_some_and(|extension| extension == "rs") && !is_test {
                assert_eq!(later_syntax(&fs::read_to_string(&path).unwrap()), None, "{}", path.display());
                files += 1;
            }
        }
    }
    assert!(files > 100, "only {files} files");
}

#[test]
fn later_syntax_is_found() {
    for text in [
        "fn f() { if let Some(x) = y && x { } }",
        "fn f() { if x && let Some(z) = y { } }",
        "fn f() { while let Some(Key { x }) = y() && x { } }",
        "fn f() { match x { Some(y) if let Some(z) = y => z, _ => 0 } }",
        "macro_rules! m { () => { if a && let b = c { } } }",
    ] {
        assert!(later_syntax(text).is_some(), "{text}");
    }
    for text in [
        "fn f() { if let Some(x) = &&y { } let z = a && b; }",
        "fn f() { while let Some(Key { x, .. }) | Some(1..=2) = y(|a| a && b) { } let a = &mut b; }",
        "fn f() { let Some(x) = y else { return }; match x { Some(y) if y && z => 1, _ => 2 } }",
    ] {
        assert_eq!(later_syntax(text), None, "{text}");
    }
}

/// Returns the first `let` that rustc 1.85 rejects: in a chain with `&&` (since 1.88), or in a guard of `match` (since 1.95). Tokens
/// show both inside of macros too.
fn later_syntax(text: &str) -> Option<String> {
    in_tokens(text.parse().unwrap())
}

fn in_tokens(tokens: TokenStream) -> Option<String> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        if let TokenTree::Group(group) = token
            && let Some(found) = in_tokens(group.stream())
        {
            return Some(found);
        }
        let before = index.checked_sub(1).map(|before| &tokens[before]);
        let is_chained = is_word(token, "let") && before.is_some_and(|before| is_mark(before, '&'));
        let is_condition =
            is_word(token, "let") && before.is_some_and(|before| is_word(before, "if") || is_word(before, "while"));
        if is_chained || (is_condition && continues(&tokens[index..])) {
            return Some(tokens[index..].iter().take(12).cloned().collect::<TokenStream>().to_string());
        }
    }
    None
}

/// Whether the tokens from `let` on continue after the matched expression with `&&`, or are a guard.
fn continues(tokens: &[TokenTree]) -> bool {
    let is_assignment = |index: &usize| {
        let near = |offset: isize, mark| {
            index.checked_add_signed(offset).and_then(|near| tokens.get(near)).is_some_and(|token| is_mark(token, mark))
        };
        is_mark(&tokens[*index], '=') && !near(-1, '.')
    };
    let Some(assignment) = (0..tokens.len()).find(is_assignment) else { return false };
    let expression = &tokens[assignment + 1..];
    let end = expression
        .iter()
        .position(|token| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace));
    let expression = &expression[..end.unwrap_or(expression.len())];
    let pairs = || expression.windows(2).enumerate();
    // `&&` at the start is a reference to a reference.
    pairs().any(|(index, pair)| index > 0 && is_mark(&pair[0], '&') && is_mark(&pair[1], '&'))
        || pairs().any(|(_, pair)| is_mark(&pair[0], '=') && is_mark(&pair[1], '>'))
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}

fn is_mark(token: &TokenTree, mark: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == mark)
}
