//! The page, isolated from other origins so that its clock has full resolution, and the wasm builds of the suites.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use axum::Router;
use axum::body::Bytes;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn, map_response};
use axum::response::Response;
use serde_json::{Map, Value, json};
use tower::ServiceExt;

use crate::http::assets::{AssetTable, read_folder};
use crate::measure::runner::Runner;
use crate::suites::table::{HostedSuites, SuiteTable};

/// The headers that isolate a page. Every file of the page needs them.
const ISOLATION: [(&str, &str); 3] = [
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-embedder-policy", "require-corp"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// The page's configuration.
const SITE_CONFIG: &str = "notebook.json";

/// For files whose names contain a hash of their contents: a browser caches them for a year.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// For all others: a browser may cache them, but requests them again, with the entity tag of its copy.
const REVALIDATE: &str = "no-cache";

/// The number of hexadecimal digits in a hash of trunk.
const HASH_DIGITS: usize = 16;

/// The page, with the suites that the runner measures at the time of a request. By default, there is no page.
#[derive(Debug, Default)]
pub struct SitePage {
    /// The files of the built page.
    files: BTreeMap<PathBuf, Bytes>,
    /// All files with these suites.
    current: Mutex<Option<(Arc<HostedSuites>, AssetTable)>>,
}

impl SitePage {
    /// Reads the page from a folder, or else from this program.
    ///
    /// # Errors
    /// If the folder contains no page, or cannot be read.
    pub fn read(folder: Option<&Path>) -> Result<Self> {
        let files = match folder {
            Some(folder) => read_folder(folder)?,
            None => own_files(),
        };
        if files.is_empty() {
            tracing::warn!("{}", benchbook_page::MISSING);
        }
        Ok(Self { files, current: Mutex::default() })
    }

    /// The files of the page and the runner's own ones: the page's configuration and the wasm builds of the suites.
    pub fn assets(&self, suites: &SuiteTable) -> AssetTable {
        let list = suites.current();
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        match &*current {
            Some((of, table)) if Arc::ptr_eq(of, &list) => table.clone(),
            _ => {
                let table = AssetTable::new(with_suites(&self.files, &list));
                *current = Some((list, table.clone()));
                table
            }
        }
    }
}

fn with_suites(page: &BTreeMap<PathBuf, Bytes>, suites: &HostedSuites) -> BTreeMap<PathBuf, Bytes> {
    let mut files = page.clone();
    if !files.is_empty() {
        let shipped = files.get(Path::new(SITE_CONFIG)).cloned().unwrap_or_default();
        files.insert(SITE_CONFIG.into(), site_config(suites, &shipped).to_string().into());
    }
    files.extend(suites.module_files().map(|(path, module)| (path.into(), module)));
    files
}

/// The page inside this program; empty if it contains none.
fn own_files() -> BTreeMap<PathBuf, Bytes> {
    benchbook_page::files().into_iter().map(|(path, bytes)| (path.into(), bytes.into_owned().into())).collect()
}

pub(super) fn router(runner: Arc<Runner>, page: Arc<SitePage>) -> Router {
    let serve = move |request: Request| {
        let table = page.assets(&runner.setup.suites);
        async move { table.serve().oneshot(request).await }
    };
    Router::new().fallback(serve).layer(from_fn(control_caching)).layer(map_response(isolate))
}

async fn control_caching(request: Request, next: Next) -> Response {
    let is_hashed = is_hashed(request.uri().path());
    let mut response = next.run(request).await;
    let is_found = response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED;
    let value = if is_hashed && is_found { IMMUTABLE } else { REVALIDATE };
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static(value));
    response
}

/// Whether trunk has added a hash of the contents to the name: `app-0123456789abcdef.js`, `app-0123456789abcdef_bg.wasm`.
fn is_hashed(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default();
    let hash = stem.strip_suffix("_bg").unwrap_or(stem).rsplit_once('-').map_or("", |(_, hash)| hash);
    hash.len() == HASH_DIGITS && hash.bytes().all(|digit| digit.is_ascii_hexdigit())
}

async fn isolate(mut response: Response) -> Response {
    for (name, value) in ISOLATION {
        response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

/// The page's `notebook.json` with this runner and its suites instead of those that it names, and without examples of other
/// suites.
fn site_config(suites: &HostedSuites, shipped: &Bytes) -> Value {
    let mut config: Map<String, Value> = serde_json::from_slice(shipped).unwrap_or_default();
    let modules = suites.modules();
    if let Some(Value::Array(examples)) = config.get_mut("examples") {
        let is_example_of = |link: &str, name: &str| link.starts_with(&format!("suite={name}&"));
        examples.retain(|example| {
            let link = example["link"].as_str().unwrap_or_default();
            suites.hosted.iter().map(|suite| suite.name()).any(|name| is_example_of(link, name))
        });
    }
    config.insert("suites".to_owned(), json!(modules));
    config.insert("runner".to_owned(), json!("./"));
    if !suites.commits.is_empty() {
        config.insert("commits".to_owned(), json!(suites.commits));
    }
    Value::Object(config)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_configuration_has_the_commits_of_the_suites() {
        let commits = BTreeMap::from([("3f2a81c0".to_owned(), "77c0a41f0b12".to_owned())]);
        let config = site_config(&HostedSuites { commits, ..HostedSuites::default() }, &Bytes::new());
        assert_eq!(config["commits"], json!({ "3f2a81c0": "77c0a41f0b12" }));
    }

    #[test]
    fn recognises_names_with_a_hash() {
        for (path, expected) in [
            ("/benchbook-app-8ec750908081a23d.js", true),
            ("/benchbook-app-8ec750908081a23d_bg.wasm", true),
            ("/icons/icon-88f6cfa395ba8826.svg", true),
            ("/", false),
            ("/index.html", false),
            ("/isolation-worker.js", false),
            ("/suites/demo.wasm", false),
            ("/app-8ec750908081a23.js", false),
            ("/app-8ec750908081a23z.js", false),
            ("/8ec750908081a23d/app.js", false),
        ] {
            assert_eq!(is_hashed(path), expected, "{path}");
        }
    }
}
