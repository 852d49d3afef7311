//! `cargo benchbook init` and `cargo benchbook new`: suites to begin with.

mod public_functions;
mod replace;
mod template;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use benchbook_build::files::write;
use benchbook_build::harness::Harness;
use benchbook_build::source_folders::metadata;
use cargo_metadata::{Package, TargetKind};
use toml_edit::{ArrayOfTables, DocumentMut, InlineTable, Item, Table, value};

use self::public_functions::{OtherFunction, PublicFunctions};
use self::replace::{Replacement, replace};
use self::template::{MAX_FUNCTIONS, Measured};
use crate::advised_command::AdvisedCommand;
use crate::project::library::LibraryOptions;
use crate::project::suite_options::{FOLDER, SuiteOptions, nearest_manifest};

/// Add a suite to this crate
///
/// The suite is a package of its own in the folder `benchbook/`, which is neither published nor part of the crate's workspace: the
/// crate's Cargo.toml, lock file and minimum Rust version stay as they are. With `--bench`, it is a bench target of the crate, which `cargo bench`
/// runs too.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo benchbook init                            a suite in benchbook/
  cargo benchbook init --bench                    a bench target in benches/benchbook.rs
  cargo benchbook init --from-criterion           run the benches for criterion with Benchbook, also under `cargo bench`
  cargo benchbook init --from-criterion --undo    run them with criterion again")]
pub(crate) struct InitOptions {
    /// Add a bench target to Cargo.toml instead of a package of its own
    #[arg(long)]
    bench: bool,
    /// Replace criterion in the workspace's manifests, instead of adding a suite
    #[arg(long, group = "replaced", conflicts_with = "bench")]
    from_criterion: bool,
    /// Replace divan in the workspace's manifests, instead of adding a suite
    #[arg(long, group = "replaced", conflicts_with = "bench")]
    from_divan: bool,
    /// Revert what `--from-criterion` or `--from-divan` has changed
    #[arg(long, requires = "replaced")]
    undo: bool,
    /// The Cargo.toml of the crate [default: of the current folder]
    #[arg(long, value_name = "PATH")]
    manifest_path: Option<PathBuf>,
    #[command(flatten)]
    library: LibraryOptions,
}

/// Create a package with a suite, anywhere
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo benchbook new sorting && cd sorting && cargo benchbook
  cargo add itertools                    in the new folder: measure functions of another crate")]
pub(crate) struct NewOptions {
    /// The folder to create; its name becomes that of the package
    #[arg(value_name = "NAME")]
    folder: PathBuf,
    #[command(flatten)]
    library: LibraryOptions,
}

/// The dependency on the library. `measures_itself`: whether `cargo bench` is to measure the suite without the tool, which needs more of the
/// library.
fn dependency(library: &LibraryOptions, measures_itself: bool) -> Result<InlineTable> {
    let mut table = library.dependency("")?;
    if !measures_itself {
        table.insert("default-features", false.into());
    }
    Ok(table)
}

pub(crate) fn init(options: &InitOptions) -> Result<()> {
    let [criterion, divan] = &Harness::ALL;
    let harness = options.from_criterion.then_some(criterion).or(options.from_divan.then_some(divan));
    if let Some(harness) = harness {
        let manifest = options.manifest_path.clone().map_or_else(nearest_manifest, Ok)?;
        let replacement = if options.undo { Replacement::Undo } else { Replacement::Ours(&options.library) };
        return replace(&manifest, harness, replacement);
    }
    let package = package(options.manifest_path.as_deref())?;
    let root = package.manifest_path.parent().context("the manifest has no folder (this is a bug)")?.as_std_path();
    if options.bench { add_bench(&package, root, options) } else { add_package(&package, root, options) }
}

pub(crate) fn new(options: &NewOptions) -> Result<()> {
    let folder = &options.folder;
    ensure!(!folder.exists(), "{} exists. Choose another name", folder.display());
    let name = folder.file_name().and_then(|name| name.to_str()).context("the name is not Unicode")?;
    ensure!(
        name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_')
            && name.starts_with(|first: char| first.is_ascii_alphabetic()),
        "`{name}` is not a valid package name: use letters, digits, `-` and `_`, and begin with a letter"
    );
    write_package(folder, name, None, &options.library)?;
    println!("Created a suite in {}. Next:\n  cd {0} && cargo benchbook", folder.display());
    Ok(())
}

/// Whether [`add_suite`] can help: the crate at hand has a library, and the user has named nothing else.
pub(crate) fn can_add_suite(suites: &SuiteOptions) -> bool {
    let package = || package(Some(&suites.manifest()?));
    suites.selects_all() && package().is_ok_and(|package| library(&package).is_some())
}

/// Adds a suite to the crate that these options select, as `init` does without options.
///
/// # Errors
/// As for `init`.
pub(crate) fn add_suite(suites: &SuiteOptions) -> Result<()> {
    let (manifest_path, library) = (Some(suites.manifest()?), suites.library.clone());
    init(&InitOptions { bench: false, from_criterion: false, from_divan: false, undo: false, manifest_path, library })
}

/// The package to which the suite is added.
fn package(manifest: Option<&Path>) -> Result<Package> {
    let manifest = match manifest {
        Some(manifest) => manifest.to_owned(),
        None => nearest_manifest()?,
    };
    let manifest = fs::canonicalize(&manifest).with_context(|| format!("failed to read {}", manifest.display()))?;
    let package = metadata(&manifest)?.packages.into_iter().find(|package| package.manifest_path == manifest);
    package.with_context(|| {
        format!("{} is a workspace without a package of its own. Change to the folder of a crate", manifest.display())
    })
}

/// The name of a package's library in source code, and its public functions; `None` without a library.
fn library(package: &Package) -> Option<(String, PublicFunctions)> {
    let is_library = |kind: &TargetKind| matches!(kind, TargetKind::Lib | TargetKind::RLib);
    let target = package.targets.iter().find(|target| target.kind.iter().any(is_library))?;
    Some((target.name.replace('-', "_"), public_functions::in_file(target.src_path.as_std_path())))
}

fn add_package(package: &Package, root: &Path, options: &InitOptions) -> Result<()> {
    let library = library(package).with_context(|| {
        format!(
            "`{}` has no library, so a suite cannot call its functions. Move them to src/lib.rs, or use --bench and copy them",
            package.name
        )
    })?;
    let folder = root.join(FOLDER);
    ensure!(!folder.exists(), "{} exists already. Add functions in {FOLDER}/src/main.rs", folder.display());
    let name = format!("{}-benchbook", package.name);
    write_package(&folder, &name, Some((package, &library)), &options.library)?;
    print!("{}", omitted(&library.1));
    let measures = !library.1.suitable.is_empty();
    println!("Created a suite in {FOLDER}/. {}", next(&format!("{FOLDER}/src/main.rs"), measures));
    Ok(())
}

/// What to do with a new suite. `source`: its source file; `measures`: whether it measures a function.
fn next(source: &str, measures: bool) -> String {
    let (first, last) = match measures {
        true => (
            "Measure it in the terminal, or open the notebook:".to_owned(),
            format!(
                "\nThe inputs are random. Before you rely on a ratio, edit {source} so that they resemble real ones. There you can also add functions."
            ),
        ),
        false => (
            format!(
                "It measures nothing yet: no public function takes only a text or a slice of numbers. Write a function and its inputs in {source}, which has an outline, then measure it in the terminal, or open the notebook:"
            ),
            String::new(),
        ),
    };
    format!("{first}\n  {}\n  {}{last}", AdvisedCommand::Measure, AdvisedCommand::Notebook)
}

/// Says which public functions of the library a new suite measures, and why it does not measure the others; empty without any.
fn omitted(functions: &PublicFunctions) -> String {
    let measured: Vec<&str> = functions.suitable.iter().take(MAX_FUNCTIONS).map(|function| &*function.path).collect();
    let further: Vec<&str> = functions.suitable.iter().skip(MAX_FUNCTIONS).map(|function| &*function.path).collect();
    let mut text = String::new();
    if !measured.is_empty() {
        text += &format!("The suite measures {}.\n", measured.join(", "));
    }
    if !further.is_empty() {
        text += &format!("It could measure these in the same way: {}.\n", further.join(", "));
    }
    let mut by_reason: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for OtherFunction { path, reason } in &functions.others {
        by_reason.entry(reason).or_default().push(path);
    }
    if !by_reason.is_empty() {
        text += "These need inputs that only you know:\n";
        text.extend(by_reason.iter().map(|(reason, paths)| format!("  {} ({reason})\n", paths.join(", "))));
    }
    text
}

/// Writes a package with a suite. `measured`: the package that it measures, in the folder above it.
fn write_package(
    folder: &Path,
    name: &str,
    measured: Option<(&Package, &(String, PublicFunctions))>,
    options: &LibraryOptions,
) -> Result<()> {
    let mut manifest = DocumentMut::new();
    let mut package = Table::new();
    package["name"] = value(name);
    package["version"] = value("0.1.0");
    package["edition"] = value("2024");
    package["publish"] = value(false);
    manifest["package"] = Item::Table(package);
    let mut dependencies = Table::new();
    dependencies["benchbook"] = value(dependency(options, false)?);
    if let Some((package, _)) = measured {
        let mut table = InlineTable::new();
        table.insert("path", "..".into());
        dependencies[package.name.as_str()] = value(table);
    }
    manifest["dependencies"] = Item::Table(dependencies);
    let standalone =
        format!("{manifest}\n# A workspace of its own, so that the one around it stays as it is.\n[workspace]\n");
    let suite = measured.map_or(name, |(package, _)| package.name.as_str());
    let measured_functions = measured.map_or(Measured::Example, |(_, (library, functions))| {
        Measured::Library(library, functions.suitable.as_slice())
    });
    let source = template::source(suite, measured_functions);
    write(&folder.join("Cargo.toml"), &standalone)?;
    write(&folder.join("src/main.rs"), &source)?;
    write(&folder.join(".gitignore"), "/target\n")?;
    // A workspace whose members include the folder does not allow another workspace there: the suite becomes a member.
    let is_member = measured.is_some_and(|(package, _)| metadata(package.manifest_path.as_std_path()).is_err());
    if is_member {
        write(&folder.join("Cargo.toml"), manifest.to_string())?;
    }
    Ok(())
}

fn add_bench(package: &Package, root: &Path, options: &InitOptions) -> Result<()> {
    let path = package.manifest_path.as_std_path();
    let source = root.join(format!("benches/{FOLDER}.rs"));
    ensure!(!source.exists(), "{} exists already", source.display());
    let text = fs::read_to_string(path).with_context(|| format!("failed to read {}", path.display()))?;
    let mut manifest: DocumentMut = text.parse().with_context(|| format!("failed to read {}", path.display()))?;
    let dependencies = manifest.entry("dev-dependencies").or_insert(Item::Table(Table::new()));
    let Some(dependencies) = dependencies.as_table_like_mut() else { bail!("`dev-dependencies` is not a table") };
    if !dependencies.contains_key("benchbook") {
        dependencies.insert("benchbook", value(dependency(&options.library, true)?));
    }
    let benches = manifest.entry("bench").or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
    let Some(benches) = benches.as_array_of_tables_mut() else { bail!("`bench` is not an array of tables") };
    let is_taken = benches.iter().any(|bench| bench.get("name").and_then(Item::as_str) == Some(FOLDER));
    ensure!(!is_taken, "{} has a bench target `{FOLDER}` already", path.display());
    let mut bench = Table::new();
    bench["name"] = value(FOLDER);
    bench["harness"] = value(false);
    benches.push(bench);
    let library = library(package);
    let measured = library.as_ref().map_or(Measured::OwnFunctions, |(library, functions)| {
        Measured::Library(library, functions.suitable.as_slice())
    });
    write(&source, template::source(package.name.as_str(), measured))?;
    write(path, manifest.to_string())?;
    let measures = library.as_ref().is_some_and(|(_, functions)| !functions.suitable.is_empty());
    print!("{}", library.map(|(_, functions)| omitted(&functions)).unwrap_or_default());
    println!("Added the bench target `{FOLDER}`. {}", next(&format!("benches/{FOLDER}.rs"), measures));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_the_suite_does_not_contain_are_named() {
        let source: String = (0..=MAX_FUNCTIONS).map(|index| format!("pub fn f{index}(text: &str) {{}}\n")).collect();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lib.rs");
        write(&path, format!("{source}pub fn two(one: &str, other: &str) {{}}")).unwrap();
        let functions = public_functions::in_file(&path);
        let expected = format!(
            "The suite measures f0, f1, f2.\nIt could measure these in the same way: f{MAX_FUNCTIONS}.\nThese need inputs that only you know:\n  two (several inputs)\n"
        );
        assert_eq!(omitted(&functions), expected);
        assert_eq!(omitted(&PublicFunctions::default()), "");
    }

    /// Writes a package with a library, which is the root of a workspace with these members, and another package in it.
    fn workspace(members: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let package = |name: &str| format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
        let root = format!("{}\n[workspace]\nmembers = [{members}]\nexclude = [\"src\"]\n", package("mine"));
        for (folder, manifest) in [(folder.path().to_owned(), root), (folder.path().join("other"), package("other"))] {
            write(&folder.join("Cargo.toml"), &manifest).unwrap();
            write(&folder.join("src/lib.rs"), "").unwrap();
        }
        folder
    }

    fn options(folder: &Path, bench: bool) -> InitOptions {
        let library = LibraryOptions::default();
        let manifest_path = Some(folder.join("Cargo.toml"));
        InitOptions { bench, from_criterion: false, from_divan: false, undo: false, manifest_path, library }
    }

    #[test]
    fn the_suite_is_a_workspace_of_its_own_unless_the_one_around_it_includes_it() {
        for (members, is_own) in [("\"other\"", true), ("\"*\"", false)] {
            let folder = workspace(members);
            init(&options(folder.path(), false)).unwrap();
            let suite = fs::read_to_string(folder.path().join("benchbook/Cargo.toml")).unwrap();
            assert_eq!(suite.contains("[workspace]"), is_own, "{members}: {suite}");
            assert!(suite.contains("default-features = false"), "{suite}");
            let packages = metadata(&folder.path().join("Cargo.toml")).unwrap().packages.len();
            assert_eq!(packages, if is_own { 2 } else { 3 }, "{members}");
        }
    }

    #[test]
    fn a_bench_target_with_the_same_name_is_left_alone() {
        let folder = workspace("\"other\"");
        let path = folder.path().join("Cargo.toml");
        let manifest =
            fs::read_to_string(&path).unwrap() + "\n[[bench]]\nname = \"benchbook\"\npath = \"src/lib.rs\"\n";
        write(&path, &manifest).unwrap();
        let error = init(&options(folder.path(), true)).unwrap_err().to_string();
        assert!(error.contains("has a bench target `benchbook` already"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), manifest);
    }
}
