//! The documentation of a user's crate with cells.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use benchbook_tests::browser::{Browser, quiet_turn, turn};
use benchbook_tests::documentation::{ReadersBrowser, measure_cell};
use benchbook_tests::notebook::{DESKTOP, Notebook};
use benchbook_tests::own_crate::OwnCrate;
use benchbook_tests::packages::run;
use benchbook_tests::served::Served;
use benchbook_tests::server::{ServedFile, Server, Site};
use benchbook_tests::suites::{program, workspace};
use fantoccini::Locator;
use serde_json::Value;

use crate::articles::{bench, library, read_without_scripts};

/// The item on whose page the tests measure.
const ITEM: &str = "own/fn.mix.html";

/// The tool's arguments that write the documentation.
const DOC: [&str; 8] =
    ["doc", "--history", "history", "--host", "https://example.org/cells", "--offline", "--", "--no-deps"];

/// Writes documentation with an accepted result. Returns its folder.
fn document(own: &OwnCrate) -> Result<PathBuf> {
    let check = ["check", "mix", "--set", "size=1k", "--samples", "8", "--time-out", "200ms", "--history", "history"];
    run(&mut own.command(&check)?)?;
    run(&mut own.command(&["accept", "--noisy", "--by", "Ada", "--history", "history"])?)?;
    run(&mut own.command(&DOC)?)?;
    Ok(own.output().with_file_name("doc"))
}

fn read(docs: &Path, page: &str) -> Result<String> {
    fs::read_to_string(docs.join(page)).with_context(|| page.to_owned())
}

#[tokio::test]
async fn documentation_has_cells_that_readers_measure() -> Result<()> {
    let _turn = turn().await;
    let own = OwnCrate::unchanged(&library(), &bench(", documents = own::mix"))?;
    let docs = document(&own)?;
    let item = read(&docs, ITEM)?;
    assert_eq!(item.matches("class=\"benchbook-cell\"").count(), 1, "{item}");
    assert!(item.contains(" per call ("), "the accepted result");
    assert!(read(&docs, "mixing/fn.mix_again.html")?.contains("class=\"benchbook-cell\""));
    let method = read(&docs, "own/struct.Mixer.html")?;
    assert!(method.contains("class=\"benchbook-cell\"") && method.contains("mix_again"), "{method}");
    let all = read(&docs, "mixing/all.html")?;
    assert!(
        all.contains("mix_again") && !all.to_uppercase().contains("BENCHBOOK_"),
        "items that the macros define: {all}"
    );
    let header = fs::read_to_string(own.path().join("benchbook-docs.html"))?;
    assert_eq!(header, "<script src=\"https://example.org/cells/docs.js\" defer crossorigin></script>\n");
    measure_cell(ReadersBrowser::chromium().await?, &docs, ITEM).await?;
    let without_scripts = ["Benchmark mix: ", " per call (", "Measure it in your browser"];
    read_without_scripts(&docs, ITEM, &without_scripts).await
}

#[tokio::test]
#[ignore = "nightly: Firefox and WebKit, and several builds of the documentation"]
async fn documentation_is_measured_in_other_browsers_and_on_other_hosts_and_follows_the_suite() -> Result<()> {
    let _turn = quiet_turn().await;
    let own = OwnCrate::new("documented")?;
    own.write("src/lib.rs", &library())?;
    own.write("benches/mixing.rs", &bench(", documents = own::mix"))?;
    let docs = document(&own)?;
    let item = read(&docs, ITEM)?;
    for browser in ReadersBrowser::others().await? {
        measure_cell(browser, &docs, ITEM).await?;
    }
    // Again: the pages are not written by cargo, and have one cell as before.
    run(&mut own.command(&DOC)?)?;
    assert_eq!(read(&docs, ITEM)?, item);
    hosted_elsewhere(&own, &docs).await?;

    own.write("benches/mixing.rs", &bench(", documents = own::missing"))?;
    let without_item = own.command(&DOC)?.output()?;
    let warning = "this documentation has no page of the item that `documents` names";
    assert!(String::from_utf8_lossy(&without_item.stderr).contains(warning), "{without_item:?}");
    assert!(!read(&docs, ITEM)?.contains("benchbook-cell"), "the item is no longer named");
    assert!(read(&docs, "mixing/fn.mix_again.html")?.contains("benchbook-cell"));
    // The suite is gone: so are its cells.
    own.write("benches/mixing.rs", "fn main() {}\n")?;
    let without_suite = own.command(&DOC)?.output()?;
    assert!(String::from_utf8_lossy(&without_suite.stderr).contains("no suites found"), "{without_suite:?}");
    assert!(!read(&docs, "mixing/fn.mix_again.html")?.contains("benchbook-cell"));
    assert!(!docs.join("benchbook-cells/docs.json").exists(), "nor does another host show them");
    Ok(())
}

#[tokio::test]
#[ignore = "nightly: documents a second crate"]
async fn the_documentation_of_the_demo_suite_has_cells() -> Result<()> {
    let _turn = quiet_turn().await;
    let workspace = workspace()?;
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
    let docs = workspace.target().join("doc");
    measure_cell(ReadersBrowser::chromium().await?, &docs, "demo/sorting/fn.sort_stable.html").await
}

/// As on docs.rs: rustdoc inserts the package's header file into each page. Its script comes from another host, which may be unreachable.
async fn hosted_elsewhere(own: &OwnCrate, docs: &Path) -> Result<()> {
    let header = fs::read_to_string(own.path().join("benchbook-docs.html"))?;
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
