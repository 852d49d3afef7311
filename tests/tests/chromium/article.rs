//! Articles: readers measure in them and send their results, which the author adds.

use std::fs;
use std::io::Cursor;

use anyhow::{Context, Result};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use benchbook_tests::browser::{Browser, turn};
use benchbook_tests::notebook::{DESKTOP, Notebook};
use benchbook_tests::server::{ServedFile, Site};
use benchbook_tests::sites::{qualities, with_notebook};
use benchbook_tests::slowed_curve::slow_down;
use benchbook_tests::stored_sorts::{SORTS, file_of_own_build};
use serde_json::{Value, json};
use tempfile::TempDir;
use zip::ZipArchive;

/// The number of other readers who send their results.
const READERS: usize = 39;

/// The file of a notebook with two functions and a text, as another author's with the same build.
fn written() -> Result<Value> {
    let mut file: Value = serde_json::from_str(&file_of_own_build(&SORTS)?)?;
    let machine = &mut file["cells"][0]["measurement"]["results"][0]["setup"]["machine"];
    machine["id"] = json!("author");
    machine["name"] = json!("Browser of the author");
    file["title"] = json!("Which sort?");
    Ok(file)
}

/// A site whose start is an article.
fn site(article: &Value) -> Site {
    let config = json!({
        "suites": ["suites/demo.wasm"],
        "qualities": qualities(5_000.0),
        "article": "article.benchbook.json",
        "sources": { "demo": "https://example.org/blob/abc/" },
    });
    let file = ("article.benchbook.json".to_owned(), ServedFile::Text(article.to_string()));
    Site { files: vec![file], ..with_notebook(&config) }
}

/// What the reader with this number sends: the results with another machine. The first one has much slower times of one function.
fn sent(results: &Value, reader: usize) -> Result<Value> {
    let mut sent = results.clone();
    let result = &mut sent["cells"][0]["measurement"]["results"][0];
    result["id"] = json!(format!("{reader:016x}"));
    result["setup"]["machine"]["id"] = json!(format!("reader-{reader}"));
    result["setup"]["machine"]["processor"] = json!(format!("Processor {reader}"));
    if reader == 0 {
        slow_down(&mut result["curves"][1]["points"])?;
    }
    Ok(sent)
}

#[tokio::test]
async fn readers_measure_an_article_and_the_author_adds_their_results() -> Result<()> {
    let _turn = turn().await;
    let article = written()?;
    let notebook = Notebook::load(Browser::reuse(DESKTOP.0, DESKTOP.1).await?, site(&article), "").await?;
    notebook.until_shown("table").await?;
    assert!(notebook.fragment().await?.starts_with("site_file=article.benchbook.json"), "the article is the start");
    for control in ["insert", "cell-menu", "text-edit", "function", "toggle-controls", "add-results", "send-results"] {
        assert!(notebook.texts(control).await?.is_empty(), "{control}");
    }
    let series = notebook.texts("series").await?.len();
    notebook.browser.until("document.querySelector('[data-test=measure]:enabled')").await?;
    notebook.click("open-about").await?;
    let source = notebook.find("[data-test=source-link]").await?.attr("href").await?;
    assert!(source.is_some_and(|link| link.starts_with("https://example.org/blob/abc/suites/demo/src/sorting.rs#L")));
    notebook.measure().await?;
    let names = notebook.texts("series").await?;
    assert_eq!(names.len(), 2 * series, "{names:?}");
    assert!(names.iter().filter(|name| name.contains("Browser of the author")).count() == series, "{names:?}");
    let dashed = "[...document.querySelectorAll('[data-test=series]')].filter(one => getComputedStyle(one.querySelector('i')).borderTopStyle === 'dashed').length";
    assert_eq!(notebook.browser.value(dashed).await?, series, "the author's curves, as in the plot");
    notebook.assert_accessible("a measured article").await?;

    notebook.intercept().await?;
    let field = notebook.find("[data-test=processor]").await?;
    assert!(field.prop("value").await?.is_some_and(|known| known.contains("threads")), "what the browser states");
    field.clear().await?;
    field.send_keys("M5 <Max>").await?;
    notebook.click("save-results").await?;
    let results: Value = serde_json::from_str(&notebook.intercepted("file").await?)?;
    let cells = results["cells"].as_array().context("cells")?;
    assert_eq!((cells.len(), &cells[0]["id"]), (1, &article["cells"][0]["id"]), "texts are the author's");
    let own = cells[0]["measurement"]["results"].as_array().context("results")?;
    assert_eq!((own.len(), &own[0]["setup"]["machine"]["processor"]), (1, &json!("M5 <Max>")), "{own:?}");

    // The author opens the notebook, not the article, and adds what the other readers sent, and a damaged file.
    let folder = TempDir::new()?;
    let mut paths = Vec::new();
    for reader in 0..READERS {
        let path = folder.path().join(format!("{reader}.json"));
        fs::write(&path, sent(&results, reader)?.to_string())?;
        paths.push(path.display().to_string());
    }
    let damaged = folder.path().join("damaged.json");
    fs::write(&damaged, "{")?;
    paths.push(damaged.display().to_string());
    notebook.drop_file("own.benchbook.json", &article.to_string()).await?;
    notebook.until_shown("add-results").await?;
    notebook.find("[data-test=results-picker]").await?.send_keys(&paths.join("\n")).await?;
    notebook.until_shown("on-machines-table").await?;
    let notices = notebook.texts("notice").await?;
    assert!(notices[0].starts_with(&format!("Added {READERS} results.")), "{notices:?}");
    assert!(notices[1].starts_with("damaged.json: The file is damaged or incomplete"), "{notices:?}");
    let classes = "[...document.querySelectorAll('[data-test=notice]')].map((notice) => notice.className)";
    assert_eq!(notebook.browser.value(classes).await?, json!(["notice", "problem-note"]));
    let sentence = notebook.texts("on-machines").await?.concat();
    assert!(sentence.starts_with(&format!("On {} machines, sort_stable takes ", READERS + 1)), "{sentence}");
    assert!(sentence.contains("Outliers: ") && sentence.contains("on Processor 0 ("), "{sentence}");
    let outliers = "[...document.querySelectorAll('[data-test=on-machines-table] [data-outlier] th')].map((head) => head.textContent)";
    let outliers: Vec<String> = serde_json::from_value(notebook.browser.value(outliers).await?)?;
    // Noise may make others one, too: most results are equal here.
    assert!(outliers.iter().any(|machine| machine.ends_with("Processor 0")), "{outliers:?}");
    // Only the curves of the last ones are drawn.
    assert_eq!(notebook.texts("series").await?.len(), 5 * series);
    notebook.assert_accessible("results of readers").await?;
    // Again: nothing is added twice. Then undo removes them.
    notebook.find("[data-test=results-picker]").await?.send_keys(&paths[..READERS].join("\n")).await?;
    let again = format!(
        "[...document.querySelectorAll('[data-test=notice]')].some((notice) => notice.textContent.startsWith('Added 0 results, {READERS} already present.'))"
    );
    notebook.browser.until(&again).await?;
    notebook.click("undo").await?;
    notebook.browser.until("!document.querySelector('[data-test=on-machines-table]')").await?;
    notebook.close().await
}

#[tokio::test]
async fn an_article_is_downloaded_from_the_page_and_works_on_a_plain_host() -> Result<()> {
    let _turn = turn().await;
    // The service worker lists the files of the page.
    let sources = json!({ "demo": "https://example.org/blob/abc/", "another": "https://example.org/another/" });
    let config = json!({ "suites": ["suites/demo.wasm"], "sources": sources });
    let notebook = Notebook::open(Site { service_worker: true, ..with_notebook(&config) }).await?;
    notebook.choose("numbers::sum").await?;
    notebook.intercept().await?;
    notebook.share("share-article").await?;
    let outcome = "document.querySelector('[data-test=share-outcome]').textContent";
    notebook.browser.until(&format!("{outcome}.endsWith('.zip. Extract it on any static file host.')")).await?;
    let archive = STANDARD.decode(notebook.intercepted("binary").await?)?;
    let folder = TempDir::new()?;
    ZipArchive::new(Cursor::new(archive))?.extract(folder.path())?;
    assert!(!folder.path().join("notebooks").exists(), "the notebooks of the site are not part of it");
    let page = fs::read_to_string(folder.path().join("index.html"))?;
    assert!(page.contains("</style><article>"), "it can be read without scripts");
    let config: Value = serde_json::from_str(&fs::read_to_string(folder.path().join("notebook.json"))?)?;
    assert_eq!(config["sources"], json!({ "demo": "https://example.org/blob/abc/" }));
    let Notebook { browser, .. } = notebook;
    let host = Site { page: Some(folder.path().to_owned()), folder: Some("/a/b".to_owned()), ..Site::default() };
    let article = Notebook::load(browser, host, "").await?;
    article.browser.until("document.querySelector('[data-test=measure]:enabled')").await?;
    assert_eq!(article.browser.value("document.querySelectorAll('[data-test=cell]').length").await?, 1);
    assert_eq!(article.fragment().await?.split('&').next(), Some("site_file=article.benchbook.json"));
    article.close().await
}

#[tokio::test]
async fn a_damaged_article_is_reported_and_the_page_works() -> Result<()> {
    let _turn = turn().await;
    let notebook =
        Notebook::load(Browser::reuse(DESKTOP.0, DESKTOP.1).await?, site(&json!({ "benchbook": 1 })), "").await?;
    notebook.browser.until("document.querySelector('main > [data-test=problem]')").await?;
    let problem = notebook.texts("problem").await?.concat();
    assert!(problem.contains("The notebook has an invalid value"), "{problem}");
    notebook.choose("numbers::sum").await?;
    notebook.close().await
}
