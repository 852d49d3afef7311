//! `cargo benchbook publish`: a notebook as an article for any static file host, in which readers can measure.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use benchbook_build::progress::BuildStep;
use benchbook_build::suite_build::BuiltSuite;
use benchbook_host::fingerprint::fingerprint;
use benchbook_host::messages::quality_report::Badge;
use benchbook_host::response::SuiteCard;
use benchbook_notebook::cell::CellContent;
use benchbook_notebook::file::{self, FileError, MAX_BYTES};
use benchbook_notebook::notebook::Notebook;
use benchbook_report::quality::quality_reports;
use benchbook_report::results::Results;
use benchbook_report::static_article;

use crate::accepted::site_history::SiteHistory;
use crate::commands::site::{SiteFolder, write_file};
use crate::project::build::ProjectBuild;
use crate::project::suite_options::SuiteOptions;
use crate::project::wasm_target;

/// The name of the notebook in the folder.
const ARTICLE: &str = "article.benchbook.json";

/// Publish a notebook as an article, in which readers can measure
///
/// Writes a folder for any static file host: the notebook with its figures, the page, and the suites as WebAssembly. Readers see your results, and
/// can measure on their own machines: their curves appear next to yours. They can save their results as a file and send it to you; with
/// `--results`, the article shows how the ratios are distributed over all machines.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo benchbook publish sorts.benchbook.json --out article
  cargo benchbook publish sorts.benchbook.json --out article --results from-readers/*.json

Save the notebook on the page with Share, Download file. Serve the folder over https: on plain http, browsers have coarser clocks.")]
pub(crate) struct PublishOptions {
    /// The file of the notebook
    #[arg(value_name = "NOTEBOOK")]
    notebook: PathBuf,
    /// The folder of the article: a new one, or the output of an earlier command, whose article and suites are replaced
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Files with the results of readers, or folders of such files
    #[arg(long, value_name = "FILE", num_args = 1..)]
    results: Vec<PathBuf>,
    /// Omit raw samples: this makes the article smaller, but removes the view of the samples
    #[arg(long)]
    without_samples: bool,
    #[command(flatten)]
    suites: SuiteOptions,
}

pub(crate) fn run(options: &PublishOptions) -> Result<()> {
    let page = benchbook_page::files();
    ensure!(!page.is_empty(), "{}", benchbook_page::MISSING);
    let mut notebook = read(&options.notebook)?;
    add_results(&mut notebook, &options.results)?;
    if options.without_samples {
        notebook = notebook.without_samples();
    }
    let mut folder = SiteFolder::open(&options.out)?;
    let wanted = notebook.measured_suites();
    ensure!(!wanted.is_empty(), "{} contains no measurement", options.notebook.display());
    let project = options.suites.project()?;
    ensure!(
        wasm_target::ensure_installed()?,
        "readers measure in WebAssembly, which needs Rust's standard library for wasm: see the warning above"
    );
    let mut build = ProjectBuild::run(&project, true)?;
    build.built.retain(|suite| wanted.contains(suite.name.as_str()));
    wanted.iter().try_for_each(|name| check_suite(name, &build.built))?;
    warn_of_other_builds(&notebook, &build.built)?;
    rough_figures(&notebook).iter().for_each(|cell| anstream::eprintln!("warning: {cell}"));
    let step = BuildStep::start(format!("Writing {}", options.out.display()));
    folder.set_sources(&project, &build.built);
    folder.set_article(ARTICLE, notebook.shown_title());
    folder.write(&page, &build.built, &SiteHistory::default())?;
    let written = file::write_for_reading(&notebook);
    write_file(&options.out.join(ARTICLE), written.text.as_bytes())?;
    let index = options.out.join("index.html");
    let html = fs::read_to_string(&index).with_context(|| format!("failed to read {}", index.display()))?;
    let html = static_article::insert(&html, &notebook).context("the page has no text for browsers without scripts")?;
    write_file(&index, html.as_bytes())?;
    drop(step);
    if !written.has_samples && !options.without_samples {
        anstream::eprintln!(
            "warning: the article has no raw samples, which would exceed the maximum size of a notebook"
        );
    }
    println!(
        "Wrote the article “{}” to {}. Upload the folder to any static file host.",
        notebook.shown_title(),
        options.out.display()
    );
    Ok(())
}

fn read(path: &Path) -> Result<Notebook> {
    let reading = || format!("failed to read {}", path.display());
    let metadata = fs::metadata(path).with_context(reading)?;
    // A pipe could make the command wait, and a device could have no end.
    ensure!(metadata.is_file(), "{} is not a file", path.display());
    let bytes = metadata.len();
    if bytes > MAX_BYTES as u64 {
        return Err(FileError::TooLarge { bytes: bytes as usize }).with_context(reading);
    }
    let text = fs::read_to_string(path).with_context(reading)?;
    file::read(&text).with_context(reading)
}

/// Adds the results of readers, and prints a warning for each file and each result that is rejected.
fn add_results(notebook: &mut Notebook, paths: &[PathBuf]) -> Result<()> {
    if paths.is_empty() {
        return Ok(());
    }
    let mut copies = Vec::new();
    for path in result_files(paths)? {
        match read(&path) {
            Ok(copy) => copies.push(copy),
            Err(error) => anstream::eprintln!("warning: {error:#}"),
        }
    }
    let found = notebook.reader_results(&copies);
    found.rejected.iter().for_each(|rejected| anstream::eprintln!("warning: {rejected}"));
    anstream::eprintln!("{}", found.message());
    for edit in found.edits {
        notebook.apply(edit);
    }
    Ok(())
}

/// The files at these paths, and the notebook files in those that are folders, in the order of their names.
fn result_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let entries = fs::read_dir(path).with_context(|| format!("failed to read {}", path.display()))?;
        let mut inside: Vec<PathBuf> =
            entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
        inside.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
        inside.sort();
        files.extend(inside);
    }
    Ok(files)
}

fn check_suite(name: &str, built: &[BuiltSuite]) -> Result<()> {
    match built.iter().find(|suite| suite.name == name) {
        None => bail!(
            "the notebook measures functions of the suite `{name}`, which this workspace does not have. Run the command in its workspace"
        ),
        Some(suite) if suite.module.is_none() => {
            anstream::eprintln!("warning: readers cannot measure the functions of `{name}`, for the reason above");
            Ok(())
        }
        Some(_) => Ok(()),
    }
}

/// The cells whose figures of the author may be wrong, and why.
fn rough_figures(notebook: &Notebook) -> Vec<String> {
    let mut found = Vec::new();
    for cell in &notebook.cells {
        let CellContent::Measurement(measurement) = &cell.content else { continue };
        let mut shown = Results::of(measurement).shown();
        shown.retain(|one| !one.trace.from_reader);
        let reports = quality_reports(&shown).into_iter();
        found.extend(reports.filter(|(_, report)| report.badge == Badge::Rough).map(|(machine, report)| {
            format!(
                "the figures of “{}” on {machine} are rough: {}. Readers see this, too. Measure the cell again before you publish it",
                cell.name(),
                report.line.trim_end_matches('.')
            )
        }));
    }
    found
}

/// Warns if results in browsers are of other builds than those that readers measure.
fn warn_of_other_builds(notebook: &Notebook, built: &[BuiltSuite]) -> Result<()> {
    for suite in built {
        let Some(module) = &suite.module else { continue };
        let bytes = fs::read(module).with_context(|| format!("failed to read {}", module.display()))?;
        let fingerprint = fingerprint(&bytes);
        let is_other = |card: &&SuiteCard| {
            card.name == suite.name && card.build.target.starts_with("wasm") && card.fingerprint != fingerprint
        };
        if notebook.suites().iter().any(is_other) {
            anstream::eprintln!(
                "warning: some browser results come from a different build of `{}` than the one readers will measure. Measure the notebook again to compare like with like",
                suite.name
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use benchbook_notebook::cell::Cell;
    use benchbook_notebook::id::Id;
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_suite_of_another_workspace_is_rejected() {
        let error = check_suite("theirs", &[]).unwrap_err().to_string();
        assert!(error.contains("the suite `theirs`, which this workspace does not have"), "{error}");
    }

    /// A notebook with results, as JSON.
    fn sorts() -> Value {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/notebooks/sorts.benchbook.json");
        serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
    }

    /// Replaces the warnings of every point.
    fn set_warnings(value: &mut Value, warnings: &Value) {
        match value {
            Value::Array(values) => values.iter_mut().for_each(|value| set_warnings(value, warnings)),
            Value::Object(fields) => {
                for (name, value) in fields {
                    match name.as_str() {
                        "warnings" => *value = warnings.clone(),
                        _ => set_warnings(value, warnings),
                    }
                }
            }
            _ => {}
        }
    }

    #[test]
    fn cells_with_rough_figures_are_named() {
        let mut notebook = sorts();
        let mut found_with = |warnings| {
            set_warnings(&mut notebook, &warnings);
            rough_figures(&file::read(&notebook.to_string()).unwrap())
        };
        assert_eq!(found_with(json!([])), [] as [&str; 0]);
        let slow = found_with(json!([{ "type": "slow_code", "tier": 1.5 }]));
        let first = slow.first().expect("every point ran unoptimised code");
        assert!(first.starts_with("the figures of “Random keys, ") && first.contains("” on Chrome 156 "), "{first}");
        assert!(first.contains("points ran unoptimised code. Readers see this, too."), "{first}");
    }

    #[test]
    fn rough_figures_of_readers_are_not_reported_to_the_author() {
        let mut notebook = sorts();
        set_warnings(&mut notebook, &json!([]));
        let slow = json!([{ "type": "slow_code", "tier": 1.5 }]);
        let mut copies = 0;
        for cell in notebook["cells"].as_array_mut().unwrap() {
            let results = cell.pointer_mut("/measurement/results").and_then(Value::as_array_mut);
            let Some(results) = results else { continue };
            let mut copy = results[0].clone();
            set_warnings(&mut copy, &slow);
            (copy["id"], copy["from_reader"]) = (json!(Id::from_random(copies)), json!(true));
            copy["setup"]["machine"]["id"] = json!("reader");
            results.insert(0, copy);
            copies += 1;
        }
        let notebook = file::read(&notebook.to_string()).unwrap();
        let reports = |cell: &Cell| quality_reports(&Results::of(cell.measurement().unwrap()).shown());
        let cell = notebook.cells.iter().find(|cell| cell.measurement().is_some()).unwrap();
        assert!(reports(cell).iter().any(|(_, report)| report.badge == Badge::Rough));
        assert_eq!(rough_figures(&notebook), [] as [&str; 0]);
    }
}
