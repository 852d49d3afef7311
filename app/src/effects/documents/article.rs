//! A notebook as an article for a file host: an archive with the page, the notebook, and the suites that it measures. Readers
//! measure with the default qualities.

use std::collections::BTreeMap;
use std::io::{Cursor, Write};

use benchbook_instrument::COUNTING_MODULE;
use benchbook_notebook::file;
use benchbook_notebook::notebook::Notebook;
use benchbook_report::static_article;
use js_sys::Uint8Array;
use serde_json::json;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::effects::suites::load::{counting_module_url, fetch_file};
use crate::state::suites::article_suites::ArticleSuites;

/// The service worker, which contains the list of the page's files.
const SERVICE_WORKER: &str = "isolation-worker.js";

/// The page.
const PAGE: &str = "index.html";

/// The notebook.
const ARTICLE: &str = "article.benchbook.json";

/// Writes the archive.
///
/// # Errors
/// A sentence that says how to fix it if the host does not deliver a file.
pub(crate) async fn archive(document: &Notebook, suites: &ArticleSuites) -> Result<Vec<u8>, String> {
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let worker = bytes(SERVICE_WORKER).await?;
    let names = page_files(&String::from_utf8_lossy(&worker)).ok_or(
        "This development build has no list of its files. Publish the notebook with `cargo benchbook publish`.",
    )?;
    let page = bytes(PAGE).await?;
    // A host may have changed its page.
    let with_article = static_article::insert(&String::from_utf8_lossy(&page), document).map(String::into_bytes);
    files.insert(PAGE.to_owned(), with_article.unwrap_or(page));
    for name in names.into_iter().filter(|name| !name.starts_with("notebooks/")) {
        let content = bytes(&name).await?;
        files.insert(name, content);
    }
    files.insert(SERVICE_WORKER.to_owned(), worker);
    let mut addresses = Vec::new();
    // The names of suites may contain any characters.
    for (index, address) in suites.addresses.iter().enumerate() {
        let path = format!("suites/{index}.wasm");
        files.insert(path.clone(), bytes(address).await?);
        // Not every host has one.
        if let Some(module) = counting_module_url(address)
            && let Ok(module) = fetch_file(&module).await
        {
            files.insert(format!("suites/{index}.{COUNTING_MODULE}"), Uint8Array::new(&module).to_vec());
        }
        addresses.push(path);
    }
    let config = json!({
        "title": document.title, "suites": addresses, "article": ARTICLE, "sources": suites.sources, "commits": suites.commits
    });
    files.insert("notebook.json".to_owned(), format!("{config:#}\n").into_bytes());
    files.insert(ARTICLE.to_owned(), file::write_for_reading(document).text.into_bytes());
    zipped(&files).map_err(|error| format!("The archive cannot be written: {error}."))
}

async fn bytes(address: &str) -> Result<Vec<u8>, String> {
    let file = fetch_file(address).await.map_err(|reason| format!("Cannot load {address}: {reason}. Try again."))?;
    Ok(Uint8Array::new(&file).to_vec())
}

/// The names of the page's files, except the page itself and its service worker, as the service worker lists them; `None` if it lists none.
fn page_files(worker: &str) -> Option<Vec<String>> {
    let (_, list) = worker.split_once("\nconst FILES = ")?;
    let files: BTreeMap<String, String> = serde_json::from_str(list.split_once(";\n")?.0).ok()?;
    (!files.is_empty()).then(|| files.into_keys().collect())
}

/// The files, uncompressed: most are compressed already, and hosts compress the others.
fn zipped(files: &BTreeMap<String, Vec<u8>>) -> zip::result::ZipResult<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        archive.start_file(name.as_str(), SimpleFileOptions::default())?;
        archive.write_all(content)?;
    }
    Ok(archive.finish()?.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_service_worker_lists_the_files() {
        let worker = "\nconst VERSION = \"1\";\nconst FILES = {\n  \"a.js\": \"sha256-1\",\n  \"icon.png\": \"\"\n};\n";
        assert_eq!(page_files(worker), Some(vec!["a.js".to_owned(), "icon.png".to_owned()]));
        assert_eq!(page_files("\nconst FILES = {};\n"), None);
        assert_eq!(page_files("another script"), None);
    }

    #[test]
    fn an_archive_contains_the_files() {
        let files =
            BTreeMap::from([("suites/demo.wasm".to_owned(), vec![0, 97]), ("index.html".to_owned(), Vec::new())]);
        let mut archive = zip::ZipArchive::new(Cursor::new(zipped(&files).unwrap())).unwrap();
        let names: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
        assert_eq!(names, ["index.html", "suites/demo.wasm"]);
        let mut content = Vec::new();
        std::io::Read::read_to_end(&mut archive.by_name("suites/demo.wasm").unwrap(), &mut content).unwrap();
        assert_eq!(content, [0, 97]);
    }
}
