//! `cargo benchbook doc`: the documentation of a crate, with a measurement on the page of each measured item.

mod cell;
mod pages;
mod rustdoc;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use benchbook_build::progress::BuildStep;
use benchbook_build::source_folders::metadata;
use benchbook_build::suite_build::BuiltSuite;
use benchbook_contract::catalog::Suite;
use benchbook_host::history::AcceptedResult;

use crate::accepted::location::LocationOptions;
use crate::accepted::site_history::SiteHistory;
use crate::advised_command::AdvisedCommand;
use crate::commands::served::{ServingOptions, serve};
use crate::commands::site::{SiteFolder, write_file};
use crate::project::build::ProjectBuild;
use crate::project::suite_options::{NoSuite, SuiteOptions};
use crate::project::wasm_target;
use crate::project::{Project, start_suite};
use cell::DocCell;
use rustdoc::SuiteDocs;
pub(crate) use rustdoc::run_as_compiler_if_requested;

/// The folder of the page in the folder of the documentation. No crate can have this name.
const FOLDER: &str = "benchbook-cells";

/// Build the documentation, with a measurement on the page of each measured function
///
/// Runs `cargo doc`, and documents the suites. Adds the last accepted result of each measured function, and a cell in which
/// readers measure it, to the function's own page, and to the page of the item that it names with `#[measured(documents =
/// path::to::item)]`. Documentation that is opened from the disk, or with JavaScript disabled, shows only the result and a link.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo benchbook doc --open                        build the documentation, serve it on this machine, and open it
  cargo benchbook doc -- --no-deps                  with options of cargo doc
  cargo benchbook doc --host https://bench.example  write benchbook-docs.html for documentation on docs.rs

Cells need a host: copy the folder `doc` of cargo's output folder to any static file host, or use --open.")]
pub(crate) struct DocOptions {
    #[command(flatten)]
    serving: ServingOptions,
    /// Also write benchbook-docs.html, which shows the cells in documentation on other hosts such as docs.rs. URL is the address of the
    /// folder `benchbook-cells`, which you upload to a host of your own
    #[arg(long, value_name = "URL")]
    host: Option<String>,
    #[command(flatten)]
    location: LocationOptions,
    #[command(flatten)]
    suites: SuiteOptions,
    /// Further options of cargo doc. Features, --locked and --offline precede `--`
    #[arg(last = true, value_name = "OPTIONS")]
    cargo: Vec<String>,
}

/// A suite with its catalog.
struct DocumentedSuite {
    built: BuiltSuite,
    suite: Suite,
    /// The Cargo.toml of its workspace.
    manifest: PathBuf,
    /// The specification of its package for cargo.
    package: String,
    /// The source file of its target.
    source: PathBuf,
}

pub(crate) fn run(options: &DocOptions) -> Result<()> {
    let page = benchbook_page::files();
    ensure!(!page.is_empty(), "{}", benchbook_page::MISSING);
    let host = options.host.as_deref().map(checked_host).transpose()?;
    let project = options.suites.project().or_else(|error| without_suites(options, error))?;
    let accepted = options.location.location(&project)?.read()?;
    accepted.problems.iter().for_each(|problem| anstream::eprintln!("warning: {problem}"));
    ensure!(
        wasm_target::ensure_installed()?,
        "readers measure in WebAssembly, which needs Rust's standard library for wasm: see the warning above"
    );
    let suites = built_suites(&project)?;
    let target = project.output.parent().context("cargo's output folder has no parent (this is a bug)")?.to_owned();
    let docs = target.join("doc");
    let folder = docs.join(FOLDER);
    document(options, &suites, &target, &project.output.join("documentation"))?;
    let results: Vec<&AcceptedResult> = accepted.results().collect();
    let cells = cells(&docs, &suites, &results)?;
    ensure!(
        !cells.is_empty(),
        "{} has no page of a measured function. Benches written for criterion or divan have none: to add measurements to the page of an item, \
         write a suite with a function that names it, `#[measured(documents = path::to::item)]`",
        docs.display()
    );
    let step = BuildStep::start("Adding measurements to the documentation");
    pages::remove_cells(&docs, &folder)?;
    let built: Vec<BuiltSuite> = suites.into_iter().map(|suite| suite.built).collect();
    let first = first_page(&cells, &built).to_owned();
    let mut site = SiteFolder::open(&folder)?;
    site.set_sources(&project, &built);
    site.write(&page, &built, &SiteHistory::default())?;
    write_file(&folder.join(pages::LIST), pages::list(&cells).as_bytes())?;
    let count = pages::insert(&docs, &cells)?;
    drop(step);
    println!("Added measurements to {count} pages of {}.", docs.display());
    if let Some(host) = host {
        write_header(&project.root, &host)?;
    }
    if options.serving.is_wanted() {
        return serve("The documentation", &docs, &pages::address(&first), &options.serving);
    }
    println!("Serve and open them: {}", AdvisedCommand::OpenDocumentation);
    Ok(())
}

/// If no suite remains, removes the cells of earlier runs. Returns the error.
fn without_suites(options: &DocOptions, error: anyhow::Error) -> Result<Project> {
    if error.is::<NoSuite>() {
        let docs = metadata(&options.suites.manifest()?)?.target_directory.join("doc").into_std_path_buf();
        pages::remove_cells(&docs, &docs.join(FOLDER))?;
    }
    Err(error)
}

/// Builds the suites, and reads their catalogs. Suites without a wasm module are included: their cells show the accepted result only.
fn built_suites(project: &Project) -> Result<Vec<DocumentedSuite>> {
    let build = ProjectBuild::run(project, true)?;
    let with_catalog = |built: BuiltSuite| {
        let program = built.program.clone()?;
        let part = project.parts.iter().find(|part| part.suites().any(|suite| *suite == built.target))?;
        let manifest = part.metadata.workspace_root.join("Cargo.toml").into_std_path_buf();
        let package = part.metadata.packages.iter().find(|package| *package.name == built.target.package)?;
        let source =
            package.targets.iter().find(|target| built.target.is(target))?.src_path.clone().into_std_path_buf();
        let package = package.id.repr.clone();
        let opened = start_suite(&program, project.environment_of(&built.target));
        Some(opened.map(|opened| DocumentedSuite { suite: opened.suite().clone(), manifest, package, source, built }))
    };
    let suites: Vec<DocumentedSuite> = build.built.into_iter().filter_map(with_catalog).collect::<Result<_>>()?;
    ensure!(!suites.is_empty(), "no suite could be built, for the reasons above");
    Ok(suites)
}

/// Runs cargo doc, then documents each suite: cargo doc omits bench targets, and private functions.
///
/// * `target`: cargo's output folder.
/// * `own`: the folder of intermediate files.
fn document(options: &DocOptions, suites: &[DocumentedSuite], target: &Path, own: &Path) -> Result<()> {
    let mut cargo_doc = Command::new("cargo");
    cargo_doc.arg("doc").arg("--manifest-path").arg(options.suites.manifest()?).arg("--target-dir").arg(target);
    let build = options.suites.build_options().arguments;
    if !cargo_doc.args(&build).args(&options.cargo).status().context("failed to start cargo")?.success() {
        bail!("cargo could not build the documentation, for the reasons above");
    }
    for DocumentedSuite { built, manifest, package, source, .. } in suites {
        let docs = SuiteDocs {
            manifest,
            package,
            target: [built.target.kind.option(), &built.target.name],
            source,
            target_folder: own,
            output: &target.join("doc"),
            options: build.iter().map(String::as_str).collect(),
        };
        docs.write()?;
    }
    Ok(())
}

/// The cells, by page: of each measured function on its own page, and on the page of the item that it measures. Of the instances of a generic
/// function, the first one.
fn cells(
    docs: &Path,
    suites: &[DocumentedSuite],
    results: &[&AcceptedResult],
) -> Result<BTreeMap<PathBuf, Vec<DocCell>>> {
    let mut cells: BTreeMap<PathBuf, Vec<DocCell>> = BTreeMap::new();
    for DocumentedSuite { built, suite, .. } in suites {
        for function in &suite.functions {
            let Some(own) = pages::of_function(docs, &built.target.name, &function.path) else { continue };
            let cell = DocCell::new(suite, function, built.module.is_some(), results);
            let item = pages::documented_item(docs, &own)?;
            for page in [Some(own), item].into_iter().flatten() {
                let on_page = cells.entry(page).or_default();
                if !on_page.iter().any(|other| other.is_instance_of_same(&cell)) {
                    on_page.push(cell.clone());
                }
            }
        }
    }
    Ok(cells)
}

/// The page to open: that of an item, rather than one of the suites themselves.
fn first_page<'a>(cells: &'a BTreeMap<PathBuf, Vec<DocCell>>, suites: &[BuiltSuite]) -> &'a Path {
    let is_of_suite =
        |page: &Path| suites.iter().any(|suite| page.starts_with(pages::crate_folder(&suite.target.name)));
    let mut pages = cells.keys();
    let first = pages.clone().next();
    pages.find(|page| !is_of_suite(page)).or(first).map_or(Path::new(""), PathBuf::as_path)
}

/// The address with a trailing slash.
fn checked_host(host: &str) -> Result<String> {
    ensure!(
        host.starts_with("https://") && !host.contains(['"', '<', '>', '?', '#', ' ']),
        "--host: expected the address of a folder that begins with https://, since pages of docs.rs load nothing from plain http"
    );
    Ok(format!("{}/", host.trim_end_matches('/')))
}

/// Writes the file that rustdoc inserts into each page on docs.rs, and says how to use it.
fn write_header(root: &Path, host: &str) -> Result<()> {
    const HEADER: &str = "benchbook-docs.html";
    let path = root.join(HEADER);
    let script = format!("<script src=\"{host}docs.js\" defer crossorigin></script>\n");
    if fs::read_to_string(&path).ok().as_deref() != Some(&script) {
        write_file(&path, script.as_bytes())?;
    }
    println!(
        "Wrote {}. Upload the folder `{FOLDER}` to {host}, allow other pages to request it (CORS), add the file to your package, and add these lines to Cargo.toml:\n\n\
         [package.metadata.docs.rs]\nrustdoc-args = [\"--html-in-header\", \"{HEADER}\"]",
        path.display()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_https_folders() {
        assert_eq!(checked_host("https://example.org/a").unwrap(), "https://example.org/a/");
        assert_eq!(checked_host("https://example.org/").unwrap(), "https://example.org/");
        for host in ["http://example.org", "example.org", "https://a\"><script>", "https://a/?b"] {
            assert!(checked_host(host).is_err(), "{host}");
        }
    }
}
