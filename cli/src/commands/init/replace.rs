//! `cargo benchbook init --from-criterion` and `--from-divan`: our crate replaces the harness in the manifests, for good or until `--undo`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use benchbook_build::harness::Harness;
use benchbook_build::source_folders::metadata;
use cargo_metadata::Package;
use similar::TextDiff;
use toml_edit::{Array, DocumentMut, InlineTable, Item, Key, TableLike, Value};

use crate::advised_command::AdvisedCommand;
use crate::project::library::LibraryOptions;

/// Starts the comment that contains the dependency as it was.
const BEFORE: &str = "# before: ";

/// What to do with the dependencies on a harness.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Replacement<'a> {
    /// Depend on our crate instead.
    Ours(&'a LibraryOptions),
    /// Depend on the harness again.
    Undo,
}

/// Edits the manifests of a workspace, and prints what has changed. `manifest`: that of the workspace or of one of its packages.
///
/// # Errors
/// If a manifest cannot be read or written, or if there is nothing to change.
pub(crate) fn replace(manifest: &Path, harness: &Harness, replacement: Replacement<'_>) -> Result<()> {
    let workspace = metadata(manifest)?;
    let packages = workspace.workspace_packages();
    let mut manifests: Vec<PathBuf> =
        packages.iter().map(|package| package.manifest_path.clone().into_std_path_buf()).collect();
    let root = workspace.workspace_root.join("Cargo.toml").into_std_path_buf();
    if !manifests.contains(&root) {
        manifests.insert(0, root);
    }
    let mut edits = Vec::new();
    for path in manifests {
        let reading = || format!("failed to read {}", path.display());
        let old = fs::read_to_string(&path).with_context(reading)?;
        let new = edited(&old, harness, replacement).with_context(reading)?;
        new.parse::<DocumentMut>().with_context(|| format!("failed to edit {} (this is a bug)", path.display()))?;
        if new != old {
            edits.push((path, old, new));
        }
    }
    ensure!(!edits.is_empty(), "{}", nothing_to_change(&packages, harness, replacement));
    for (path, old, new) in &edits {
        fs::write(path, new).with_context(|| format!("failed to write {}", path.display()))?;
        let name = path.strip_prefix(&workspace.workspace_root).unwrap_or(path).display().to_string();
        print!("{}", TextDiff::from_lines(old, new).unified_diff().context_radius(1).header(&name, &name));
    }
    let name = harness.name;
    println!(
        "{}",
        match replacement {
            Replacement::Ours(_) => format!(
                "\nThe benches for {name} now run with Benchbook, also under `cargo bench`. Go back with\n  {}",
                AdvisedCommand::Undo(name)
            ),
            Replacement::Undo => format!("\nThe benches run with {name} again."),
        }
    );
    Ok(())
}

fn nothing_to_change(packages: &[&Package], harness: &Harness, replacement: Replacement<'_>) -> String {
    let (name, ours) = (harness.name, harness.ours);
    let has_ours = packages.iter().flat_map(|package| &package.dependencies).any(|one| one.name == ours);
    match replacement {
        Replacement::Ours(_) if has_ours => format!("the benches for {name} already run with Benchbook"),
        Replacement::Ours(_) => format!("no package of this workspace depends on {name}"),
        Replacement::Undo => format!(
            "no Cargo.toml of this workspace contains a dependency that `cargo benchbook init --from-{name}` has replaced"
        ),
    }
}

/// A manifest with edited dependencies; everything else stays as it is.
///
/// # Errors
/// If it is not TOML.
fn edited(manifest: &str, harness: &Harness, replacement: Replacement<'_>) -> Result<String> {
    let mut document: DocumentMut = manifest.parse()?;
    for table in dependency_tables(&mut document) {
        let names: Vec<String> = table.iter().map(|(name, _)| name.to_owned()).collect();
        for name in names {
            let Some((key, item)) = table.get_key_value(&name) else { continue };
            let key: Key = key.clone();
            let new = match replacement {
                Replacement::Ours(library) => ours(&key, item, harness, library)?,
                Replacement::Undo => before(item, harness),
            };
            if let Some(new) = new {
                table.insert(&name, Item::Value(new));
            }
        }
    }
    Ok(document.to_string())
}

/// The tables of a manifest that contain dependencies, also those of targets and those for the packages of a workspace.
fn dependency_tables(document: &mut DocumentMut) -> Vec<&mut dyn TableLike> {
    fn own(table: &mut dyn TableLike) -> Vec<&mut dyn TableLike> {
        let mut found = Vec::new();
        for (key, item) in table.iter_mut() {
            match key.get() {
                "dependencies" | "dev-dependencies" | "build-dependencies" => {
                    // A comment in an inline table would hide its end.
                    found.extend(item.as_table_mut().map(|table| table as &mut dyn TableLike));
                }
                "workspace" => found.extend(item.as_table_like_mut().map(own).unwrap_or_default()),
                "target" => {
                    let targets = item.as_table_like_mut().into_iter().flat_map(|targets| targets.iter_mut());
                    found.extend(targets.filter_map(|(_, target)| target.as_table_like_mut()).flat_map(own));
                }
                _ => {}
            }
        }
        found
    }
    own(document.as_table_mut())
}

/// The dependency that replaces one on the harness; `None` for other dependencies.
fn ours(key: &Key, item: &Item, harness: &Harness, library: &LibraryOptions) -> Result<Option<Value>> {
    let table = item.as_table_like();
    let package = table.and_then(|table| table.get("package")?.as_str()).unwrap_or(key.get());
    let is_inherited = table.is_some_and(|table| table.contains_key("workspace"));
    if is_inherited || !harness.originals.contains(&package) {
        return Ok(None);
    }
    let mut new: InlineTable = library.dependency(harness.name)?;
    new.insert("package", harness.ours.into());
    let features = table.and_then(|table| table.get("features")?.as_array()).into_iter().flatten();
    // The others have no effect.
    let features: Array = features.filter_map(Value::as_str).filter(|one| one.starts_with("async_")).collect();
    if !features.is_empty() {
        new.insert("features", features.into());
    }
    if let Some(optional) = table.and_then(|table| table.get("optional")?.as_value()) {
        new.insert("optional", optional.clone());
    }
    let before = match item {
        // With a comment that follows it.
        Item::Value(value) => value.to_string(),
        _ => table.map(|table| inline(table).to_string()).unwrap_or_default(),
    };
    Ok(Some(Value::InlineTable(new).decorated(" ", format!(" {BEFORE}{}", before.replace('\n', " ").trim()))))
}

/// The entries of a table in one line.
fn inline(table: &dyn TableLike) -> InlineTable {
    let mut inline: InlineTable =
        table.iter().filter_map(|(key, item)| Some((key, item.as_value()?.clone()))).collect();
    inline.fmt();
    inline
}

/// The dependency on the harness that ours has replaced; `None` for other dependencies.
fn before(item: &Item, harness: &Harness) -> Option<Value> {
    let value = item.as_value()?;
    let is_ours = value.as_inline_table()?.get("package")?.as_str() == Some(harness.ours);
    let text = value.decor().suffix()?.as_str()?.split_once(BEFORE)?.1;
    // It may end with a comment of the user's own.
    let ends = text.match_indices(" #").map(|(at, _)| at).chain([text.len()]);
    let (before, comment) = ends.filter_map(|end| Some((text[..end].parse::<Value>().ok()?, &text[end..]))).next()?;
    is_ours.then(|| before.decorated(" ", comment))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A manifest after an edit, and after it was undone.
    fn both(manifest: &str) -> (String, String) {
        let [criterion, _] = Harness::ALL;
        let new = edited(manifest, &criterion, Replacement::Ours(&LibraryOptions::default())).unwrap();
        let undone = edited(&new, &criterion, Replacement::Undo).unwrap();
        (new, undone)
    }

    #[test]
    fn only_the_dependency_changes_and_comes_back() {
        let version = env!("CARGO_PKG_VERSION");
        let manifest = |entry: &str| {
            format!(
                "# Mine.\n[features]\ntokio = [\"criterion/async_tokio\"]\n\n[dev-dependencies]\nrand = \"0.9\" # the newest\n{entry}\n\n\
                 [[bench]]\nname = \"sorting\"\nharness = false\n"
            )
        };
        let ours = format!("criterion = {{ version = \"{version}\", package = \"benchbook-criterion\"");
        for (entry, rest) in [
            ("criterion = \"0.5\"", " }"),
            ("criterion = \"0.5\" # as elsewhere", " }"),
            ("criterion = { version = \"0.5\", features = [\"html_reports\"] }", " }"),
            ("criterion = { version = \"2\", package = \"codspeed-criterion-compat\" }", " }"),
            (
                "criterion = { version = \"0.5\", features = [\"async_tokio\", \"csv_output\"], optional = true }",
                ", features = [\"async_tokio\"], optional = true }",
            ),
        ] {
            let (new, undone) = both(&manifest(entry));
            let before = entry.strip_prefix("criterion = ").unwrap();
            assert_eq!(new, manifest(&format!("{ours}{rest} # before: {before}")));
            assert_eq!(undone, manifest(entry));
        }
    }

    #[test]
    fn every_table_of_dependencies_counts() {
        for head in [
            "[dependencies]",
            "[workspace.dependencies]",
            "[target.'cfg(unix)'.dev-dependencies]",
            "[target.'cfg(not(miri))'.dependencies]",
        ] {
            let manifest = format!("{head}\ncriterion = \"0.8\"\n");
            let (new, undone) = both(&manifest);
            assert!(new.contains("benchbook-criterion"), "{new}");
            assert_eq!(undone, manifest);
        }
        let (new, undone) = both("[dev-dependencies.criterion]\nversion = \"0.3\"\ndefault-features = false\n");
        assert!(new.contains("# before: { version = \"0.3\", default-features = false }"), "{new}");
        let dependency = undone.parse::<toml::Table>().unwrap()["dev-dependencies"]["criterion"].clone();
        assert_eq!(dependency["version"].as_str(), Some("0.3"), "{undone}");
        for other in ["criterion = { workspace = true }", "criterion-plot = \"0.5\"", "divan = \"0.1\""] {
            let manifest = format!("[dev-dependencies]\n{other}\n");
            assert_eq!(both(&manifest).0, manifest);
        }
    }
}
