//! `cargo benchbook build`: the static page with the suites of a workspace, for any file host.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use benchbook_build::COUNTING_MODULE;
use benchbook_build::progress::BuildStep;
use benchbook_build::suite_build::BuiltSuite;
use serde_json::{Map, Value};

use crate::accepted::location::LocationOptions;
use crate::accepted::site_history::{FOLDER, SiteHistory};
use crate::project::Project;
use crate::project::build::ProjectBuild;
use crate::project::source_links::{commits, source_links};
use crate::project::suite_options::SuiteOptions;
use crate::project::wasm_target;

/// The configuration of the page.
const CONFIG: &str = "notebook.json";

/// The folder of the modules.
const SUITES: &str = "suites/";

/// The key of the folder of accepted results in the configuration.
const HISTORY: &str = "history";

/// The key of the notebook file that the page shows in place of the start.
const ARTICLE: &str = "article";

/// The key of the title.
const TITLE: &str = "title";

/// The key of the addresses of the sources.
const SOURCES: &str = "sources";

/// The key of the commits of the suites.
const COMMITS: &str = "commits";

/// A file that every page has. It identifies an earlier output.
const SERVICE_WORKER: &str = "isolation-worker.js";

/// Write a static page with the suites of this crate, for any file host
///
/// The page measures in the visitors' browsers and needs no server. Copy the folder to any folder of a file host, and serve it over
/// https. It also shows the accepted results of its suites.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo benchbook build --out site                    every suite of the workspace
  cargo benchbook build --out site --bench sorting    one bench target
  cargo benchbook build --out site --history results  with the accepted results of another folder")]
pub(crate) struct SiteOptions {
    /// The folder of the page: a new one, or the output of an earlier build, whose suites are replaced. Its notebook.json keeps your
    /// other settings
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    location: LocationOptions,
    #[command(flatten)]
    suites: SuiteOptions,
}

pub(crate) fn run(options: &SiteOptions) -> Result<()> {
    let page = benchbook_page::files();
    ensure!(!page.is_empty(), "{}", benchbook_page::MISSING);
    let project = options.suites.project()?;
    let mut folder = SiteFolder::open(&options.out)?;
    // Before the build: a runner may be unreachable.
    let accepted = options.location.location(&project)?.read()?;
    accepted.problems.iter().for_each(|problem| anstream::eprintln!("warning: {problem}"));
    ensure!(
        wasm_target::ensure_installed()?,
        "the page needs Rust's standard library for WebAssembly, as stated above"
    );
    let build = ProjectBuild::run(&project, true)?;
    let names = build.built.iter().filter(|suite| suite.module.is_some()).map(|suite| suite.name.as_str()).collect();
    let history = SiteHistory::new(&accepted.results().collect::<Vec<_>>(), &names);
    history.warnings().for_each(|warning| anstream::eprintln!("warning: {warning}"));
    ensure!(!names.is_empty(), "no suite can be measured in browsers, for the reasons above");
    let step = BuildStep::start(format!("Writing {}", options.out.display()));
    folder.set_sources(&project, &build.built);
    let has_history = folder.write(&page, &build.built, &history)?;
    drop(step);
    let suites: Vec<String> = modules(&build.built).into_keys().collect();
    let results = match history.count() {
        0 => String::new(),
        _ if !has_history => {
            anstream::eprintln!("warning: {CONFIG} names another folder of accepted results, so none were written");
            String::new()
        }
        1 => " and 1 accepted result".to_owned(),
        count => format!(" and {count} accepted results"),
    };
    println!("Wrote the page with {}{results} to {}.", suites.join(", "), options.out.display());
    Ok(())
}

/// The folder of a static page.
#[derive(Debug)]
pub(crate) struct SiteFolder {
    path: PathBuf,
    /// The configuration of the page: that of an earlier output, until it is written.
    config: Map<String, Value>,
}

impl SiteFolder {
    /// Opens a folder that is new, empty, or an earlier output.
    ///
    /// # Errors
    /// If it contains other files, or an invalid configuration.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        Ok(Self { path: path.to_owned(), config: check_folder(path)? })
    }

    /// The page shows this notebook file of the folder in place of the start.
    pub(crate) fn set_article(&mut self, file: &str, title: &str) {
        self.config.insert(ARTICLE.to_owned(), file.into());
        self.config.insert(TITLE.to_owned(), title.into());
    }

    /// The page links to the sources of these suites, and knows their commits.
    pub(crate) fn set_sources(&mut self, project: &Project, built: &[BuiltSuite]) {
        for (key, value) in [(SOURCES, source_links(project, built)), (COMMITS, commits(project, built))] {
            self.config.remove(key);
            if !value.is_empty() {
                self.config.insert(key.to_owned(), serde_json::json!(value));
            }
        }
    }

    /// Writes the page, the modules of the suites, their accepted results, and the configuration. Returns whether the accepted results
    /// were written: not into a folder that the user named.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub(crate) fn write(
        self,
        page: &BTreeMap<String, Cow<'static, [u8]>>,
        built: &[BuiltSuite],
        history: &SiteHistory,
    ) -> Result<bool> {
        write(&self.path, page, &modules(built), history, self.config)
    }
}

/// Checks that the folder is empty or contains an earlier output, whose configuration it returns.
fn check_folder(folder: &Path) -> Result<Map<String, Value>> {
    let is_empty = match fs::read_dir(folder) {
        Ok(mut files) => files.next().is_none(),
        Err(error) if error.kind() == ErrorKind::NotFound => true,
        Err(error) => return Err(error).with_context(|| format!("failed to read {}", folder.display())),
    };
    if is_empty {
        return Ok(Map::new());
    }
    ensure!(
        folder.join(SERVICE_WORKER).is_file(),
        "{} contains other files. Choose a new folder, or delete this one",
        folder.display()
    );
    let path = folder.join(CONFIG);
    let text = match fs::read_to_string(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Map::new()),
        text => text.with_context(|| format!("failed to read {}", path.display()))?,
    };
    match serde_json::from_str(&text) {
        Ok(Value::Object(config)) => Ok(config),
        Ok(_) => bail!("{} is not an object. Correct it, or delete it", path.display()),
        Err(error) => bail!("{} is invalid: {error}. Correct it, or delete it", path.display()),
    }
}

/// The wasm modules by file name: the stem of the target's files.
fn modules(built: &[BuiltSuite]) -> BTreeMap<String, &Path> {
    let with_module = built.iter().filter_map(|suite| Some((suite, suite.module.as_deref()?)));
    with_module.map(|(suite, module)| (format!("{}.wasm", suite.target.file_stem()), module)).collect()
}

/// Writes the page, the modules, the accepted results, and the configuration. Keeps the other keys of `config`. Returns whether the accepted
/// results were written.
fn write(
    folder: &Path,
    page: &BTreeMap<String, Cow<'static, [u8]>>,
    modules: &BTreeMap<String, &Path>,
    history: &SiteHistory,
    mut config: Map<String, Value>,
) -> Result<bool> {
    // A page from a checkout may contain the suites of the checkout.
    for (name, bytes) in page.iter().filter(|(name, _)| *name != CONFIG && !name.starts_with(SUITES)) {
        write_file(&folder.join(name), bytes)?;
    }
    for (name, module) in modules {
        let bytes = fs::read(module).with_context(|| format!("failed to read {}", module.display()))?;
        let published = folder.join(SUITES).join(name);
        write_file(&published, &bytes)?;
        let counting = module.with_extension(COUNTING_MODULE);
        match fs::read(&counting) {
            Ok(bytes) => write_file(&published.with_extension(COUNTING_MODULE), &bytes)?,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                delete_file(&published.with_extension(COUNTING_MODULE))?;
            }
            Err(error) => return Err(error).with_context(|| format!("failed to read {}", counting.display())),
        }
    }
    let own: Vec<String> = modules.keys().map(|name| format!("{SUITES}{name}")).collect();
    let listed = config.get("suites").and_then(Value::as_array).cloned().unwrap_or_default();
    listed
        .iter()
        .filter_map(Value::as_str)
        .filter(|old| !own.iter().any(|new| new == old))
        .try_for_each(|old| delete_module(folder, old))?;
    // Suites on other hosts remain.
    let others = listed.into_iter().filter(|suite| suite.as_str().is_some_and(|address| address.contains("://")));
    let suites: Vec<Value> = own.into_iter().map(Value::from).chain(others).collect();
    config.insert("suites".to_owned(), suites.into());
    // Another folder is the user's.
    let is_own = config.get(HISTORY).is_none_or(|folder| folder == FOLDER);
    if is_own {
        history.write(folder)?;
        config.remove(HISTORY);
        if !history.is_empty() {
            config.insert(HISTORY.to_owned(), FOLDER.into());
        }
    }
    write_file(&folder.join(CONFIG), format!("{:#}\n", Value::Object(config)).as_bytes())?;
    Ok(is_own)
}

/// Deletes the modules of a suite of an earlier build. Other addresses and files stay as they are.
fn delete_module(folder: &Path, address: &str) -> Result<()> {
    let name = address.strip_prefix(SUITES).filter(|name| name.ends_with(".wasm") && !name.contains(['/', '\\']));
    let Some(name) = name else { return Ok(()) };
    let module = folder.join(SUITES).join(name);
    delete_file(&module)?;
    delete_file(&module.with_extension(COUNTING_MODULE))
}

fn delete_file(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("failed to delete {}", path.display()))
        }
        _ => Ok(()),
    }
}

/// Writes a file, and creates its folder.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    let writing = || format!("failed to write {}", path.display());
    fs::create_dir_all(path.parent().context("the file has no folder (this is a bug)")?).with_context(writing)?;
    fs::write(path, bytes).with_context(writing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accepted::fixtures::{accepted, sized_result};
    use std::collections::BTreeSet;

    #[test]
    fn a_folder_with_other_files_is_rejected() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(check_folder(&folder.path().join("new")).unwrap(), Map::new());
        assert_eq!(check_folder(folder.path()).unwrap(), Map::new());
        fs::write(folder.path().join("thesis.tex"), "").unwrap();
        let error = check_folder(folder.path()).unwrap_err().to_string();
        assert!(error.contains("contains other files. Choose a new folder"), "{error}");
    }

    #[test]
    fn a_later_build_replaces_the_suites_and_keeps_other_settings() {
        let folder = tempfile::tempdir().unwrap();
        let module = folder.path().join("built.wasm");
        fs::write(&module, "suite").unwrap();
        fs::write(folder.path().join("built.counted.wasm"), "counts").unwrap();
        let site = folder.path().join("site");
        let page = BTreeMap::from([
            (SERVICE_WORKER.to_owned(), Cow::from(&b"worker"[..])),
            (CONFIG.to_owned(), Cow::from(&b"{}"[..])),
        ]);
        let write_with = |suite: &str, old: Map<String, Value>| {
            let suites = BTreeMap::from([(suite.to_owned(), module.as_path())]);
            write(&site, &page, &suites, &SiteHistory::default(), old).unwrap();
        };
        write_with("sorts.wasm", Map::new());
        let config = check_folder(&site).unwrap();
        assert_eq!(Value::Object(config), serde_json::json!({ "suites": ["suites/sorts.wasm"] }));

        let edited = r#"{ "title": "Ours", "suites": ["suites/sorts.wasm", "suites/../suites/notes.txt", "https://example.org/theirs.wasm"] }"#;
        fs::write(site.join(CONFIG), edited).unwrap();
        fs::write(site.join("suites/notes.txt"), "").unwrap();
        write_with("maps.wasm", check_folder(&site).unwrap());
        let expected = serde_json::json!({
            "title": "Ours", "suites": ["suites/maps.wasm", "https://example.org/theirs.wasm"]
        });
        assert_eq!(Value::Object(check_folder(&site).unwrap()), expected);
        assert_eq!(fs::read(site.join("suites/maps.wasm")).unwrap(), b"suite");
        assert_eq!(fs::read(site.join("suites/maps.counted.wasm")).unwrap(), b"counts");
        for module in ["suites/sorts.wasm", "suites/sorts.counted.wasm"] {
            assert!(!site.join(module).exists(), "it belongs to the earlier build");
        }
        assert!(site.join("suites/notes.txt").exists(), "it is not ours");
    }

    #[test]
    fn the_configuration_names_the_folder_of_accepted_results() {
        let folder = tempfile::tempdir().unwrap();
        let result = accepted(sized_result("sort", 10.0, 20.0));
        let suite = result.result.benchmark.suite.as_str();
        let history = SiteHistory::new(&[&result], &BTreeSet::from([suite]));
        let config = |history: &SiteHistory, old: Map<String, Value>| {
            write(folder.path(), &BTreeMap::new(), &BTreeMap::new(), history, old).unwrap();
            let text = fs::read_to_string(folder.path().join(CONFIG)).unwrap();
            serde_json::from_str::<Map<String, Value>>(&text).unwrap()
        };
        let with_history = config(&history, Map::new());
        assert_eq!(with_history[HISTORY], FOLDER);
        assert!(folder.path().join("history/functions.json").is_file());
        assert_eq!(config(&SiteHistory::default(), with_history).get(HISTORY), None);
        assert!(!folder.path().join("history/functions.json").exists());
        let other = Map::from_iter([(HISTORY.to_owned(), "https://example.org/history/".into())]);
        assert_eq!(config(&history, other.clone())[HISTORY], other[HISTORY]);
        assert!(!folder.path().join("history/functions.json").exists(), "the page reads the user's folder");
    }
}
