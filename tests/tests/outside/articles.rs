//! A user's notebook as an article.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;

use anyhow::{Context, Result};
use benchbook_host::fingerprint::fingerprint;
use benchbook_tests::browser::{Browser, quiet_turn, turn};
use benchbook_tests::documentation::{ReadersBrowser, plain_host};
use benchbook_tests::notebook::{DESKTOP, Notebook};
use benchbook_tests::own_crate::{BENCH, LIBRARY, OwnCrate};
use benchbook_tests::packages::run;
use benchbook_tests::server::Server;
use benchbook_tests::sites::{BLOG, with_blog};
use fantoccini::Locator;
use fantoccini::key::Key;
use serde_json::{Value, json};

/// The suite of [`OwnCrate`] with a second function that does the same work, so that an article compares both. `documents`: the option of the
/// first one that names its item.
pub(crate) fn bench(documents: &str) -> String {
    const MEASURED: &str = "#[measured(generators(numbers))]";
    let again = "/// Mixes the numbers again.\n#[measured(generators(numbers), alternatives = \"mix\", documents = own::Mixer::mix)]\nfn mix_again(numbers: &[u64]) -> u64 {\n    own::Mixer::mix(numbers)\n}\n\n/// Random numbers.";
    let first = format!("#[measured(generators(numbers), alternatives = \"mix\"{documents})]");
    BENCH.replacen(MEASURED, &first, 1).replacen("/// Random numbers.", again, 1)
}

/// The library of [`OwnCrate`] with a method, which the second function names.
pub(crate) fn library() -> String {
    format!("{LIBRARY}{METHOD}")
}

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

#[tokio::test]
async fn a_notebook_is_published_and_measured_by_readers() -> Result<()> {
    let _turn = turn().await;
    read_article(vec![ReadersBrowser::chromium().await?]).await
}

#[tokio::test]
#[ignore = "nightly: Firefox and WebKit"]
async fn a_notebook_is_published_and_measured_by_readers_in_firefox_and_webkit() -> Result<()> {
    let _turn = quiet_turn().await;
    read_article(ReadersBrowser::others().await?).await
}

/// Profiles a function, which calls one of the crate.
fn profile_mix(own: &OwnCrate) -> Result<()> {
    let output = own.command(&["profile", "mix", "--set", "size=1k..2k", "--json"])?.output()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout)?;
    let schema = serde_json::from_str(include_str!("../../../docs/profile.schema.json"))?;
    assert!(jsonschema::options().build(&schema)?.is_valid(&report), "{report}");
    let answer = report["answer"].as_str().context("an answer")?.replace('\u{202f}', " ");
    assert!(answer.starts_with("mix: ") && answer.contains(" wasm instructions with size 2 000"), "{answer}");
    let names: Vec<&str> =
        report["functions"].as_array().into_iter().flatten().filter_map(|row| row["name"].as_str()).collect();
    // How much of it is inlined depends on the compiler.
    assert!(names[0] == "mix" && names[1..].iter().any(|name| name.starts_with("own::mix")), "{names:?}");
    let unknown = own.command(&["profile", "mix", "--at", "7M"])?.output()?;
    let error = String::from_utf8(unknown.stderr)?;
    assert!(!unknown.status.success() && error.contains("--at: expected "), "{error}");
    Ok(())
}

/// Publishes a notebook, whose readers measure it, and adds what they send.
async fn read_article(browsers: Vec<ReadersBrowser>) -> Result<()> {
    let own = OwnCrate::unchanged(&library(), &bench(", documents = own::mix"))?;
    let measure = ["measure", "--compare", "mix,mix_again", "--range", "size=1k..3k", "--priority", "1", "--counts"];
    run(&mut own.command(&[&measure[..], &["--save", "sums.benchbook.json"]].concat())?)?;
    let saved: Value = serde_json::from_str(&fs::read_to_string(own.path().join("sums.benchbook.json"))?)?;
    let curves = &saved["cells"][0]["measurement"]["results"][0]["curves"];
    let counts: Vec<&Value> =
        [0, 1].map(|curve| &curves[curve]["points"][0]["measured"]["point"]["wasm_instructions"]["counted"]).to_vec();
    assert!(counts[0]["calls"].as_u64().is_some() && counts[0] == counts[1], "they do the same: {curves}");
    profile_mix(&own)?;
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
    let module = fs::read(folder.join(config["suites"][0].as_str().context("the module's address")?))?;
    assert_eq!(config["commits"][fingerprint(&module)], own.head()?[..12]);
    assert!(folder.join("suites/mixing.counted.wasm").is_file());
    let still = fs::read_to_string(folder.join("index.html"))?;
    assert!(
        still.contains("</style><article>") && still.contains("<code>mix_again</code>"),
        "it can be read without scripts"
    );
    // Again, into the same folder.
    run(&mut own.command(&arguments)?)?;

    let mut embedded = String::new();
    let mut count = 0;
    for ReadersBrowser { browser, .. } in browsers {
        let notebook = Notebook::load(browser, plain_host(&folder), "").await?;
        // Two functions on the machines of the author and of Bob.
        notebook.browser.until_reloaded("document.querySelectorAll('[data-test=series]').length === 4").await?;
        if embedded.is_empty() {
            notebook.intercept().await?;
            notebook.share("embed").await?;
            embedded = notebook.intercepted("copied").await?.replace(notebook.server.url(), "./");
            // The menu shows that it was copied.
            notebook.press(Key::Escape).await?;
        }
        notebook.browser.until_reloaded("document.querySelector('[data-test=measure]:enabled') !== null").await?;
        notebook.click("measure").await?;
        notebook.until_shown("save-results").await?;
        notebook.browser.until("document.querySelectorAll('[data-test=series]').length === 6").await?;
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
pub(crate) async fn read_without_scripts(folder: &Path, page: &str, expected: &[&str]) -> Result<()> {
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
    let own = OwnCrate::unchanged(LIBRARY, BENCH)?;
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
    Ok(())
}
