//! Exporting results: to the clipboard and to files.

use anyhow::{Context, Result};
use benchbook_tests::browser::turn;
use benchbook_tests::notebook::Notebook;
use benchbook_tests::sites::demo;
use fantoccini::Locator;
use serde::Deserialize;
use serde_json::Value;

/// Keeps what the page copies and downloads. A headless browser's clipboard cannot be read, and its downloads need a folder.
const INTERCEPT: &str = "
    navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); };
    const create = URL.createObjectURL;
    URL.createObjectURL = (blob) => {
        blob.text().then((text) => { window.file = { ...window.file, type: blob.type, text }; });
        return create(blob);
    };
    HTMLAnchorElement.prototype.click = function () { window.file = { ...window.file, name: this.download }; };";

/// A file that the page offered.
#[derive(Deserialize)]
struct OfferedFile {
    name: String,
    #[serde(rename = "type")]
    kind: String,
    text: String,
}

/// Copies and downloads a format. Returns the file, whose text is the copied one.
async fn export(notebook: &Notebook, format: &str) -> Result<OfferedFile> {
    let browser = &notebook.browser;
    browser.client.execute("delete window.copied; delete window.file;", Vec::new()).await?;
    for action in ["copy", "download"] {
        let button = format!("[data-test=export][data-format={format}] [data-test=export-{action}]");
        browser.client.find(Locator::Css(&button)).await.with_context(|| button.clone())?.click().await?;
    }
    browser.until("window.copied && window.file && window.file.text && window.file.name").await?;
    let file: OfferedFile = serde_json::from_value(browser.value("window.file").await?)?;
    let copied = browser.value("window.copied").await?;
    assert_eq!(copied.as_str(), Some(file.text.as_str()), "{format}");
    Ok(file)
}

#[tokio::test]
async fn each_format_can_be_copied_and_downloaded() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("sorting::sort_unstable").await?;
    notebook.type_into("size", "high", "3000").await?;
    notebook.compare("sorting::sort_stable").await?;
    let rows = notebook.measure().await?;
    notebook.browser.client.execute(INTERCEPT, Vec::new()).await?;
    notebook.browser.client.find(Locator::Css("[data-test=export-menu] summary")).await?.click().await?;

    let markdown = export(&notebook, "markdown").await?;
    assert_eq!(
        (markdown.name.as_str(), markdown.kind.as_str()),
        ("sorting-sort-unstable-sorting-sort-stable.md", "text/markdown")
    );
    assert!(markdown.text.contains("| Function | Median at 3\u{202f}000"), "{}", markdown.text);

    let points = export(&notebook, "points-csv").await?;
    assert!(points.name.ends_with(".csv") && points.kind == "text/csv", "{}", points.name);
    assert_eq!(points.text.lines().count(), 1 + rows.len(), "{}", points.text);

    let samples = export(&notebook, "samples-csv").await?;
    assert!(samples.name.ends_with(".samples.csv"), "{}", samples.name);
    assert!(samples.text.lines().count() > points.text.lines().count(), "{}", samples.text);

    let json = export(&notebook, "json").await?;
    assert!(json.name.ends_with(".benchbook.json"), "{}", json.name);
    let file: Value = serde_json::from_str(&json.text)?;
    let results = &file["cells"][0]["measurement"]["results"][0];
    assert_eq!((&file["benchbook"], results["curves"].as_array().map(Vec::len)), (&Value::from(1), Some(2)));

    let svg = export(&notebook, "svg").await?;
    assert!(svg.name.ends_with(".svg") && svg.kind == "image/svg+xml", "{}", svg.name);
    assert!(
        svg.text.starts_with("<svg ") && svg.text.contains("sort_stable"),
        "the names are at the ends of lines: {}",
        svg.text
    );
    notebook.close().await
}
