//! A user's notebook as an article, and the documentation of a user's crate with cells, in Chromium, Firefox and WebKit.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use benchbook_tests::browser::{Browser, quiet_turn};
use benchbook_tests::documentation::{ReadersBrowser, measure_cell, plain_host, readers_browsers};
use benchbook_tests::notebook::{DESKTOP, Notebook};
use benchbook_tests::own_crate::{BENCH, LIBRARY, OwnCrate, Served};
use benchbook_tests::packages::run;
use benchbook_tests::server::{ServedFile, Server, Site};
use benchbook_tests::sites::{BLOG, with_blog};
use benchbook_tests::suites::program;
use fantoccini::Locator;
use serde_json::{Value, json};
use xtask::workspace::Workspace;

/// The suite of [`OwnCrate`] with a second function that does the same work, so that an article compares both. `documents`: the option of the
/// first one that names its item.
fn bench(documents: &str) -> String {
    const MEASURED: &str = "#[measured(generators(numbers))]";
    let again = "/// Mixes the numbers again.\n#[measured(generators(numbers), alternatives = \"mix\", documents = own::Mixer::mix)]\nfn mix_again(numbers: &[u64]) -> u64 {\n    own::Mixer::mix(numbers)\n}\n\n/// Random numbers.";
    let first = format!("#[measured(generators(numbers), alternatives = \"mix\"{documents})]");
    BENCH.replacen(MEASURED, &first, 1).replacen("/// Random numbers.", again, 1)
}

/// The library of [`OwnCrate`] with a method, which the second function names.
const METHOD: &str = "
/// Mixes numbers.
pub struct Mixer;

impl Mixer {
    /// Mixes the numbers.
    pub fn mix(numbers: &[u64]) -> u64 {
        mix(numbers)
    }
}
";

fn own_crate() -> Result<OwnCrate> {
    let own = OwnCrate::new()?;
    own.write("src/lib.rs", &format!("{LIBRARY}{METHOD}"))?;
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
    symlink("/dev/zero", own.path().join("readers/endless.json"))?;
    own.write("readers/bob.json", &sent_by_bob(&fs::read_to_string(own.path().join("sums.benchbook.json"))?)?)?;
    let arguments = ["publish", "sums.benchbook.json", "--out", "article", "--results", "readers"];
    let output = own.command(&arguments)?.output()?;
    let printed = String::from_utf8(output.stderr)?;
    assert!(output.status.success(), "{printed}");
    for expected in [
        "damaged.json: The file is damaged or incomplete",
        "large.json: The file has 65 MiB",
        "endless.json is not a file",
        "Added 1 result.",
    ] {
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
    let mut count = 0;
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
        // The page may have been reloaded to isolate itself.
        notebook.intercept().await?;
        notebook.click("save-results").await?;
        count += 1;
        own.write(&format!("readers/browser-{count}.json"), &notebook.intercepted("file").await?)?;
        let Notebook { browser, .. } = notebook;
        read_in_frame(browser, &folder, &embedded).await?;
    }
    read_without_scripts(&folder, "", &["mix_again", "With scripts, this page shows the curves"]).await?;

    // The author adds what the readers sent.
    let merged = String::from_utf8(own.command(&arguments)?.output()?.stderr)?;
    assert!(merged.contains(&format!("Added {} results.", count + 1)), "{merged}");
    Ok(())
}

/// Opens a page of a folder in a frame that forbids scripts, and checks that it contains these texts.
async fn read_without_scripts(folder: &Path, page: &str, expected: &[&str]) -> Result<()> {
    let frame = format!("<iframe sandbox=\"allow-same-origin\" src=\"./{page}\"></iframe>");
    let browser = Browser::start(DESKTOP.0, DESKTOP.1).await?;
    let notebook = Notebook::load(browser, with_blog(plain_host(folder), &frame), BLOG).await?;
    let text = "document.querySelector('iframe').contentDocument.body.innerText";
    for expected in expected {
        notebook.browser.until(&format!("{text}.includes({expected:?})")).await?;
    }
    notebook.close().await
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

/// Opens a page of another host with the cell of the article in a frame, by the code that the article offers. The cell shows its results, and the
/// frame is as high as its content.
async fn read_in_frame(browser: Browser, folder: &Path, code: &str) -> Result<()> {
    let article = Server::start(plain_host(folder)).await?;
    let code = code.replace("./", article.url());
    let notebook = Notebook::load(browser, with_blog(plain_host(folder), &code), BLOG).await?;
    let browser = &notebook.browser;
    browser.client.find(Locator::Css("iframe")).await?.enter_frame().await?;
    browser.until_reloaded("document.querySelector('[data-test=table] tbody tr') !== null").await?;
    assert_eq!(notebook.texts("series").await?.len(), 4);
    let height = browser.value("document.body.getBoundingClientRect().height").await?;
    browser.client.clone().enter_parent_frame().await?;
    let is_fitted = format!("Math.abs(document.querySelector('iframe').clientHeight - {height}) < 2");
    browser.until(&is_fitted).await?;
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

    let method = page("own/struct.Mixer.html")?;
    assert!(method.contains("class=\"benchbook-cell\"") && method.contains("mix_again"), "{method}");

    for browser in readers_browsers().await? {
        measure_cell(browser, &docs, "own/fn.mix.html").await?;
    }
    let without_scripts = ["Benchmark mix: ", " per call (", "Measure it in your browser"];
    read_without_scripts(&docs, "own/fn.mix.html", &without_scripts).await?;
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
    tool.args(["--open", "--offline", "--", "--no-deps"]);
    // The tool starts the browser without an output of its own, so the script writes to that of the tool.
    let folder = tempfile::tempdir()?;
    let browser = folder.path().join("browser");
    fs::write(&browser, "#!/bin/sh\necho \"opened $1\" > /proc/$PPID/fd/1\n")?;
    fs::set_permissions(&browser, Permissions::from_mode(0o755))?;
    let mut served = Served::start(tool.env("BROWSER", &browser), "The documentation is at ")?;
    assert_eq!(served.until_printed("opened ")?, format!("opened {}", served.url));
    let page = reqwest::get(&served.url).await?.error_for_status()?.text().await?;
    assert!(page.contains("class=\"benchbook-cell\""), "{page}");
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
    let without_files = format!("{}missing/", cells.url());
    for (host, expected) in [(cells.url(), 1), ("http://127.0.0.1:9/", 0), (&without_files, 0)] {
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
            notebook.click("measure").await?;
            browser.until("document.querySelector('[data-test=table] tbody tr')").await?;
            assert!(notebook.rows().await?.iter().all(|row| row.failed.is_none()));
            let note = notebook.texts("clock-note").await?.concat();
            assert!(note.contains("coarser than"), "{note}");
            browser.client.clone().enter_parent_frame().await?;
            browser.until("document.querySelector('.benchbook-cell iframe').style.height.endsWith('px')").await?;
            let line = browser.value("document.querySelector('.benchbook-cell p').textContent").await?.to_string();
            assert!(line.contains("Benchmark mix: ") && line.contains(" per call ("), "{line}");
        }
        let count = browser.value("document.querySelectorAll('.benchbook-cell').length").await?;
        assert_eq!(count, Value::from(expected), "{host}");
        notebook.close().await?;
    }
    Ok(())
}
