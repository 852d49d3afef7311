//! Suites with invalid catalogs, and documentation with hostile content.

use std::fs;

use anyhow::{Context, Result};
use benchbook_contract::catalog::Suite;
use benchbook_contract::protocol::{PROTOCOL, SuiteMessage};
use benchbook_tests::browser::turn;
use benchbook_tests::fake_suite;
use benchbook_tests::notebook::Notebook;
use benchbook_tests::server::Site;
use benchbook_tests::sites::with_notebook;
use benchbook_tests::suites;
use benchbook_tests::wasm::WasmModule;
use serde_json::json;
use tempfile::TempDir;

/// The demo suite's catalog.
fn demo_catalog() -> Result<Suite> {
    WasmModule::new(&suites::demo()?.wasm()?)?.describe()
}

/// Opens the page with this module as a suite, in addition to the demo suite.
async fn open(module: &[u8]) -> Result<(Notebook, TempDir)> {
    let folder = TempDir::new()?;
    let path = folder.path().join("liar.wasm");
    fs::write(&path, module)?;
    let notebook = json!({ "suites": ["suites/liar.wasm", "suites/demo.wasm"] });
    let site = Site { suites: vec![("liar.wasm".to_owned(), path)], ..with_notebook(&notebook) };
    Ok((Notebook::open(site).await?, folder))
}

async fn assert_reported(module: &[u8], expected: &str) -> Result<()> {
    let (notebook, _folder) = open(module).await?;
    notebook.browser.until("document.querySelector('[data-test=problem]')").await?;
    let texts = notebook.texts("problem").await?;
    assert!(
        texts
            .iter()
            .any(|problem| problem.contains("Cannot load the suite suites/liar.wasm") && problem.contains(expected)),
        "{expected}: {texts:?}"
    );
    // The other suite is still usable.
    notebook.browser.until("document.querySelector('[data-test=function]')").await?;
    notebook.close().await
}

#[tokio::test]
async fn unsupported_protocols_and_invalid_catalogs_are_reported() -> Result<()> {
    let _turn = turn().await;
    let catalog = |change: fn(&mut Suite)| {
        let mut suite = demo_catalog()?;
        suite.name = "liar".to_owned();
        change(&mut suite);
        Ok::<_, anyhow::Error>(SuiteMessage::Catalog { protocol: PROTOCOL, suite })
    };
    let future = SuiteMessage::Catalog { protocol: PROTOCOL + 1, suite: demo_catalog()? };
    let expected = format!("uses version {} of the suite contract, but this page supports versions", PROTOCOL + 1);
    assert_reported(&fake_suite::replying(&future), &expected).await?;
    assert_reported(&fake_suite::replying(&catalog(|suite| suite.functions.clear())?), "it lists no functions").await?;
    assert_reported(&fake_suite::replying(&catalog(|suite| suite.generators.clear())?), "which is not listed").await?;
    assert_reported(
        &fake_suite::replying(&catalog(|suite| suite.functions[0].generators.clear())?),
        "has no generator",
    )
    .await?;
    assert_reported(&fake_suite::with_replies(&["{\"type\":\"catalog\"}"]), "invalid message").await?;
    assert_reported(&fake_suite::with_replies(&["hello"]), "invalid message").await?;
    assert_reported(&fake_suite::with_replies(&["{\"type\":\"closed\",\"slot\":1}"]), "did not respond within").await?;
    assert_reported(&fake_suite::not_instantiable(), "The suite cannot be started: ").await
}

#[tokio::test]
async fn hostile_documentation_is_harmless() -> Result<()> {
    let _turn = turn().await;
    let mut suite = demo_catalog()?;
    suite.name = "liar".to_owned();
    let rows = "| a | b |\n".repeat(5_000);
    let quotes = "> ".repeat(2_000);
    suite.functions.truncate(3);
    suite.functions[0].docs = "<script>window.hurt = 1</script> <img src=x onerror='window.hurt = 2'> <b>bold</b>\n\n[x](javascript:window.hurt=3) \
         <https://example.org/?a=1&b=2>".to_owned();
    suite.functions[1].docs = format!("| a | b |\n| --- | --- |\n{rows}");
    suite.functions[2].docs = format!("{quotes}deep\n\n```\nnever closed <i>");
    suite.functions[0].source = "fn f() { \"</code><script>window.hurt = 4</script><b>\" }".to_owned();
    let paths: Vec<String> = suite.functions.iter().map(|function| function.path.clone()).collect();
    let module = fake_suite::with_catalog(&SuiteMessage::Catalog { protocol: PROTOCOL, suite });
    let (notebook, _folder) = open(&module).await?;
    notebook.browser.until("document.querySelectorAll('nav section').length === 2").await?;
    for path in &paths {
        notebook.choose(path).await?;
        let dangerous =
            "document.querySelectorAll('.docs script, .docs img, .docs b, .docs [href^=javascript]').length";
        assert_eq!(notebook.browser.value(dangerous).await?, json!(0), "{path}");
    }
    // Switching back and forth shows all rows and words again.
    let rows =
        "[document.querySelectorAll('.docs tr').length, document.querySelectorAll('.docs th[scope=col]').length]";
    let deep = "document.querySelector('.docs').textContent.includes('deep')";
    for _ in 0..2 {
        notebook.choose(&paths[1]).await?;
        assert_eq!(notebook.browser.value(rows).await?, json!([5_001, 2]));
        notebook.choose(&paths[2]).await?;
        assert_eq!(notebook.browser.value(deep).await?, json!(true));
    }
    assert_eq!(notebook.browser.value("window.hurt ?? null").await?, json!(null));
    notebook.choose(&paths[0]).await?;
    notebook.browser.click("[data-test=source] summary").await?;
    assert_eq!(notebook.texts("source").await?, ["Sourcefn f() { \"</code><script>window.hurt = 4</script><b>\" }"]);
    assert_eq!(notebook.browser.value("document.querySelectorAll('[data-test=source] b').length").await?, json!(0));
    let docs = notebook.browser.value("document.querySelector('.docs').textContent").await?;
    let docs = docs.as_str().context("not a text")?.to_owned();
    assert!(docs.contains("x") && !docs.contains("hurt"), "{docs}");
    notebook.close().await
}
