//! Suites with invalid catalogs, and documentation with hostile content.

use anyhow::{Context, Result};
use benchbook_contract::catalog::Suite;
use benchbook_contract::protocol::{PROTOCOL, SuiteMessage};
use benchbook_tests::browser::turn;
use benchbook_tests::fake_suite;
use benchbook_tests::notebook::Notebook;
use benchbook_tests::server::{ServedFile, Site};
use benchbook_tests::sites::with_notebook;
use benchbook_tests::suites;
use benchbook_tests::wasm::WasmModule;
use serde_json::json;
use wasm_encoder::{EntityType, ImportSection, Module, TypeSection};

/// The demo suite's catalog.
fn demo_catalog() -> Result<Suite> {
    WasmModule::new(&suites::demo()?.wasm()?)?.describe()
}

/// Opens the page with these modules as suites `liar-0.wasm` and so on, in addition to the demo suite.
async fn open(modules: &[Vec<u8>]) -> Result<Notebook> {
    let name = |index| format!("suites/liar-{index}.wasm");
    let file = |(index, module): (usize, &Vec<u8>)| (name(index), ServedFile::Bytes(module.clone()));
    let files = modules.iter().enumerate().map(file).collect();
    let listed: Vec<String> = (0..modules.len()).map(name).chain(["suites/demo.wasm".to_owned()]).collect();
    Notebook::open(Site { files, ..with_notebook(&json!({ "suites": listed })) }).await
}

/// A module with an import that a suite must not have.
fn with_import(module: &str, name: &str) -> Vec<u8> {
    let mut types = TypeSection::new();
    types.ty().function([], []);
    let mut imports = ImportSection::new();
    imports.import(module, name, EntityType::Function(0));
    let mut wasm = Module::new();
    wasm.section(&types).section(&imports);
    wasm.finish()
}

#[tokio::test]
async fn other_files_unsupported_protocols_and_invalid_catalogs_are_reported() -> Result<()> {
    let _turn = turn().await;
    let liar = |protocol, change: fn(&mut Suite)| -> Result<Vec<u8>> {
        let mut suite = Suite { name: "liar".to_owned(), ..demo_catalog()? };
        change(&mut suite);
        Ok(fake_suite::replying(&SuiteMessage::Catalog { protocol, suite }))
    };
    let future = format!("uses version {} of the suite contract instead of", PROTOCOL + 1);
    let (modules, expected): (Vec<_>, Vec<_>) = [
        (b"<!doctype html>".to_vec(), "not a WebAssembly module"),
        (b"\0asm\x01\0\0\0".to_vec(), "not a suite"),
        (with_import("wbg", "__wbg_now_1"), "wasm-bindgen"),
        (liar(PROTOCOL + 1, |_| ())?, future.as_str()),
        (liar(PROTOCOL, |suite| suite.functions.clear())?, "it lists no functions"),
        (liar(PROTOCOL, |suite| suite.generators.clear())?, "which is not listed"),
        (liar(PROTOCOL, |suite| suite.functions[0].generators.clear())?, "has no generator"),
        (fake_suite::with_replies(&["{\"type\":\"catalog\"}"]), "invalid message"),
        (fake_suite::with_replies(&["hello"]), "invalid message"),
        (fake_suite::with_replies(&["{\"type\":\"closed\",\"slot\":1}"]), "did not respond within"),
        (fake_suite::not_instantiable(), "The suite cannot be started: "),
    ]
    .into_iter()
    .unzip();
    let notebook = open(&modules).await?;
    let texts = "[...document.querySelectorAll('[data-test=problem]')].map((problem) => problem.textContent)";
    for (index, expected) in expected.iter().enumerate() {
        let start = format!("Cannot load the suite suites/liar-{index}.wasm");
        let is_reported =
            format!("{texts}.some((text) => text.includes({}) && text.includes({}))", json!(start), json!(expected));
        notebook.browser.until(&is_reported).await.with_context(|| format!("{index}: {expected}"))?;
    }
    // The other suite is still usable.
    notebook.choose("numbers::sum").await?;
    notebook.close().await
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
    let notebook = open(&[module]).await?;
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
