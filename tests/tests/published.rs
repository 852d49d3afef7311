//! A user's notebook as an article, and the documentation of a user's crate with cells, in Chromium, Firefox and WebKit.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use benchbook_tests::browser::{Browser, quiet_turn};
use benchbook_tests::documentation::{ReadersBrowser, leave_fitted_frame, measure_cell, plain_host, readers_browsers};
use benchbook_tests::notebook::{DESKTOP, Notebook};
use benchbook_tests::own_crate::{BENCH, OwnCrate};
use benchbook_tests::packages::run;
use benchbook_tests::server::{ServedFile, Server, Site};
use benchbook_tests::suites::program;
use fantoccini::Locator;
use serde_json::{Value, json};
use xtask::workspace::Workspace;

/// The suite of [`OwnCrate`] with a second function that does the same work, so that an article compares both. `documents`: the option of the
/// first one that names its item.
fn bench(documents: &str) -> String {
    const MEASURED: &str = "#[measured(generators(numbers))]";
    let again = "/// Mixes the numbers again.\n#[measured(generators(numbers), alternatives = \"mix\")]\nfn mix_again(numbers: &[u64]) -> u64 {\n    own::mix(numbers)\n}\n\n/// Random numbers.";
    let first = format!("#[measured(generators(numbers), alternatives = \"mix\"{documents})]");
    BENCH.replacen(MEASURED, &first, 1).replacen("/// Random numbers.", again, 1)
}

fn own_crate() -> Result<OwnCrate> {
    let own = OwnCrate::new()?;
    own.write("benches/mixing.rs", &bench(", documents = own::mix"))?;
    Ok(own)
}

#[tokio::test]
async fn a_notebook_is_published_and_measured_by_readers_in_three_browsers() -> Result<()> {
    let _turn = quiet_turn().await;
    let own = own_crate()?;
    run(&mut own.command(&[
        "measure",
        "--compare",
        "mix,mix_again",
        "--range",
        "size=1k..3k",
        "--priority",
        "1",
        "--save",
        "sums.benchbook.json",
    ])?)?;
    let manifest = fs::read_to_string(own.path().join("Cargo.toml"))?;
    let manifest = manifest.replace("[dev-", "repository = \"https://github.com/ada/own\"\n\n[dev-");
    own.write("Cargo.toml", &manifest)?;
    own.commit("The crate")?;
    fs::create_dir(own.path().join("readers"))?;
    own.write("readers/damaged.json", "{")?;
    // A sparse file.
    File::create(own.path().join("readers/large.json"))?.set_len(65 << 20)?;
    own.write("readers/bob.json", &sent_by_bob(&fs::read_to_string(own.path().join("sums.benchbook.json"))?)?)?;
    let arguments = ["publish", "sums.benchbook.json", "--out", "article", "--results", "readers"];
    let output = own.command(&arguments)?.output()?;
    let printed = String::from_utf8(output.stderr)?;
    assert!(output.status.success(), "{printed}");
    for expected in
        ["damaged.json: The file is damaged or incomplete", "large.json: The file has 65 MiB", "Added 1 result."]
    {
        assert!(printed.contains(expected), "{expected} is missing in {printed}");
    }
    let folder = own.path().join("article");
    let config: Value = serde_json::from_str(&fs::read_to_string(folder.join("notebook.json"))?)?;
    let sources = format!("https://github.com/ada/own/blob/{}/", own.head()?);
    assert_eq!(config["sources"], json!({ "mixing": sources }));
    let still = fs::read_to_string(folder.join("index.html"))?;
    assert!(
        still.contains("</style><article>") && still.contains("<code>mix_again</code>"),
        "it can be read without scripts"
    );
    // Again, into the same folder.
    run(&mut own.command(&arguments)?)?;

    let mut embedded = String::new();
    for ReadersBrowser { browser, .. } in readers_browsers().await? {
        let notebook = Notebook::load(browser, plain_host(&folder), "").await?;
        notebook.browser.until_reloaded("document.querySelector('[data-test=table]') !== null").await?;
        // Two functions on the machines of the author and of Bob.
        assert_eq!(notebook.texts("series").await?.len(), 4);
        if embedded.is_empty() {
            notebook.intercept().await?;
            notebook.click("embed").await?;
            embedded = notebook.intercepted("copied").await?.replace(notebook.server.url(), "./");
        }
        notebook.browser.until_reloaded("document.querySelector('[data-test=measure]:enabled') !== null").await?;
        notebook.click("measure").await?;
        notebook.browser.until("document.querySelector('[data-test=save-results]')").await?;
        notebook.browser.until("document.querySelectorAll('[data-test=series]').length === 6").await?;
        notebook.browser.until_reloaded("document.querySelector('[data-test=measure]:enabled') !== null").await?;
        notebook.browser.assert_part_accessible("html", "the article with a reader's results").await?;
        let Notebook { browser, .. } = notebook;
        read_in_frame(browser, &folder, &embedded).await?;
    }
    Ok(())
}

/// Bob's copy of a notebook, with a result from his machine.
fn sent_by_bob(notebook: &str) -> Result<String> {
    let mut sent: Value = serde_json::from_str(notebook)?;
    let result = &mut sent["cells"][0]["measurement"]["results"][0];
    result["id"] = json!("00000000000000b0");
    result["setup"]["machine"]["id"] = json!("bob");
    result["setup"]["machine"]["name"] = json!("Bob's machine");
    Ok(sent.to_string())
}

/// Opens another page of the host with the cell of the article in a frame, by the code that the article offers. The cell shows its results, and the
/// frame is as high as its content.
async fn read_in_frame(browser: Browser, folder: &Path, code: &str) -> Result<()> {
    let html =
        format!("<!doctype html><html lang=\"en\"><title>A blog</title><main><h1>A blog</h1>{code}</main></html>");
    let site = Site { files: vec![("blog.html".to_owned(), ServedFile::Html(html))], ..plain_host(folder) };
    let notebook = Notebook::load(browser, site, "blog.html").await?;
    let browser = &notebook.browser;
    browser.client.find(Locator::Css("iframe")).await?.enter_frame().await?;
    browser.until_reloaded("document.querySelector('[data-test=table] tbody tr') !== null").await?;
    assert_eq!(notebook.texts("series").await?.len(), 4);
    leave_fitted_frame(browser, "iframe").await?;
    notebook.close().await
}

#[test]
fn unsuitable_notebooks_and_folders_are_rejected() -> Result<()> {
    let own = own_crate()?;
    let error = |arguments: &[&str]| -> Result<String> {
        let output = own.command(arguments)?.output()?;
        assert!(!output.status.success(), "{arguments:?}");
        Ok(String::from_utf8(output.stderr)?)
    };
    let publish = |out| ["publish", "notebook.json", "--out", out];
    own.write("notebook.json", "{}")?;
    assert!(error(&publish("article"))?.contains("is not a Benchbook notebook"));
    own.write("notebook.json", &json!({ "benchbook": 1, "cells": [{ "id": "a", "text": "A text" }] }).to_string())?;
    assert!(error(&publish("article"))?.contains("contains no measurement"));
    assert!(error(&publish("src"))?.contains("src contains other files. Choose a new folder"));
    let setup = json!({ "suite": "theirs", "functions": ["sort"], "generator": "keys" });
    let cell = json!({ "id": "a", "measurement": { "setup": setup } });
    own.write("notebook.json", &json!({ "benchbook": 1, "cells": [cell] }).to_string())?;
    let unknown = error(&publish("article"))?;
    assert!(unknown.contains("the suite `theirs`, which this workspace does not have"), "{unknown}");
    let http = error(&["doc", "--host", "http://example.org"])?;
    assert!(http.contains("begins with https://"), "{http}");
    Ok(())
}

#[tokio::test]
async fn documentation_has_cells_that_readers_measure_in_three_browsers() -> Result<()> {
    let _turn = quiet_turn().await;
    let own = own_crate()?;
    let check = ["check", "mix", "--set", "size=1k", "--samples", "8", "--time-out", "200ms", "--history", "history"];
    run(&mut own.command(&check)?)?;
    run(&mut own.command(&["accept", "--by", "Ada", "--history", "history"])?)?;
    let arguments =
        ["doc", "--history", "history", "--host", "https://example.org/cells", "--offline", "--", "--no-deps"];
    run(&mut own.command(&arguments)?)?;
    let docs = own.output()?.with_file_name("doc");
    let page = |path: &str| fs::read_to_string(docs.join(path)).with_context(|| path.to_owned());
    let item = page("own/fn.mix.html")?;
    assert_eq!(item.matches("class=\"benchbook-cell\"").count(), 1, "{item}");
    assert!(item.contains(" per call ("), "the accepted result");
    assert!(page("mixing/fn.mix_again.html")?.contains("class=\"benchbook-cell\""));
    // Again: the pages are not written by cargo, and have one cell as before.
    run(&mut own.command(&arguments)?)?;
    assert_eq!(page("own/fn.mix.html")?, item);

    for browser in readers_browsers().await? {
        measure_cell(browser, &docs, "own/fn.mix.html").await?;
    }
    hosted_elsewhere(&own, &docs).await?;
    own.write("benches/mixing.rs", &bench(", documents = own::missing"))?;
    let without_item = own.command(&arguments)?.output()?;
    let warning = "this documentation has no page of the item that `documents` names";
    assert!(String::from_utf8_lossy(&without_item.stderr).contains(warning), "{without_item:?}");
    assert!(!page("own/fn.mix.html")?.contains("benchbook-cell"), "the item is no longer named");
    assert!(page("mixing/fn.mix_again.html")?.contains("benchbook-cell"));
    // The suite is gone: so are its cells.
    own.write("benches/mixing.rs", "fn main() {}\n")?;
    let without_suite = own.command(&arguments)?.output()?;
    assert!(String::from_utf8_lossy(&without_suite.stderr).contains("no suites found"), "{without_suite:?}");
    assert!(!page("mixing/fn.mix_again.html")?.contains("benchbook-cell"));
    assert!(!docs.join("benchbook-cells/docs.json").exists(), "nor does another host show them");
    Ok(())
}

#[tokio::test]
async fn the_documentation_of_the_demo_suite_has_cells() -> Result<()> {
    let _turn = quiet_turn().await;
    let workspace = Workspace::find()?;
    let mut tool = Command::new(program("cargo-benchbook", "dev")?);
    tool.current_dir(workspace.root()).args(["doc", "--manifest-path", "suites/demo/Cargo.toml", "--package", "demo"]);
    run(tool.args(["--offline", "--", "--no-deps"]))?;
    for browser in readers_browsers().await? {
        measure_cell(browser, &workspace.target().join("doc"), "demo/sorting/fn.sort_stable.html").await?;
    }
    Ok(())
}

/// As on docs.rs: rustdoc inserts the package's header file into each page. Its script comes from another host, which may be unreachable.
async fn hosted_elsewhere(own: &OwnCrate, docs: &Path) -> Result<()> {
    let header = fs::read_to_string(own.path().join("benchbook-docs.html"))?;
    assert_eq!(header, "<script src=\"https://example.org/cells/docs.js\" defer crossorigin></script>\n");
    let folder = own.path().join("on-docs-rs");
    let cells =
        Server::start(Site { page: Some(docs.join("benchbook-cells")), is_shared: true, ..Site::default() }).await?;
    for (host, expected) in [(cells.url(), 1), ("http://127.0.0.1:9/", 0)] {
        own.write("benchbook-docs.html", &header.replace("https://example.org/cells/", host))?;
        let mut rustdoc = Command::new("cargo");
        rustdoc.current_dir(own.path()).args(["rustdoc", "--offline", "--lib", "--target-dir"]).arg(&folder);
        run(rustdoc.args(["--", "--html-in-header", "benchbook-docs.html"]))?;
        let html = fs::read_to_string(folder.join("doc/own/fn.mix.html"))?;
        assert!(!html.contains("benchbook-cell\""), "the package contains no cells");
        let files = vec![("own/1.0/own/fn.mix.html".to_owned(), ServedFile::Html(html))];
        let site = Site { page: Some(docs.to_owned()), files, ..Site::default() };
        let notebook =
            Notebook::load(Browser::start(DESKTOP.0, DESKTOP.1).await?, site, "own/1.0/own/fn.mix.html").await?;
        let browser = &notebook.browser;
        browser.until("document.readyState === 'complete'").await?;
        if expected > 0 {
            browser.until("document.querySelector('.benchbook-cell iframe')").await?;
            browser.value("document.querySelector('.benchbook-cell iframe').scrollIntoView()").await?;
            browser.client.find(Locator::Css(".benchbook-cell iframe")).await?.enter_frame().await?;
            browser.until("document.querySelector('[data-test=measure]:enabled')").await?;
            let note = notebook.texts("clock-note").await?.concat();
            assert!(note.contains("coarser than"), "{note}");
            browser.client.clone().enter_parent_frame().await?;
        }
        let count = browser.value("document.querySelectorAll('.benchbook-cell').length").await?;
        assert_eq!(count, Value::from(expected), "{host}");
        notebook.close().await?;
    }
    Ok(())
}
