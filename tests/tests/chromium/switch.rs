//! A parameter of type `bool` is a switch.

use std::fs;

use anyhow::{Context, Result};
use benchbook_contract::parameter::{ChoiceOption, Kind};
use benchbook_contract::protocol::{PROTOCOL, SuiteMessage};
use benchbook_tests::browser::turn;
use benchbook_tests::fake_suite;
use benchbook_tests::notebook::Notebook;
use benchbook_tests::server::Site;
use benchbook_tests::sites::with_notebook;
use benchbook_tests::suites;
use benchbook_tests::wasm::WasmModule;
use fantoccini::key::Key;
use serde_json::json;
use tempfile::TempDir;

/// The demo suite, with a choice of false and true in place of the spread of its keys.
fn suite_with_bool() -> Result<Vec<u8>> {
    let mut suite = WasmModule::new(&suites::demo()?.wasm()?)?.describe()?;
    let generator = suite.generators.iter_mut().find(|generator| generator.path == "sorting::keys");
    let mut parameters = generator.context("the generator")?.parameters.iter_mut();
    let spread = parameters.find(|parameter| parameter.name == "spread").context("the parameter")?;
    let option = |name: &str| ChoiceOption { name: name.to_owned(), description: String::new() };
    spread.kind =
        Kind::Choice { options: vec![option("false"), option("true")], default: "false".to_owned(), varied: false };
    Ok(fake_suite::with_catalog(&SuiteMessage::Catalog { protocol: PROTOCOL, suite }))
}

#[tokio::test]
async fn a_choice_of_false_and_true_is_a_switch() -> Result<()> {
    let _turn = turn().await;
    let folder = TempDir::new()?;
    let path = folder.path().join("bool.wasm");
    fs::write(&path, suite_with_bool()?)?;
    let notebook = json!({ "suites": ["suites/bool.wasm"] });
    let site = Site { suites: vec![("bool.wasm".to_owned(), path)], ..with_notebook(&notebook) };
    let notebook = Notebook::open(site).await?;
    notebook.choose("sorting::sort_unstable").await?;
    let switch = "document.querySelector('[data-test=parameter][data-name=spread] [data-test=value][role=switch]')";
    assert_eq!(notebook.browser.value(&format!("{switch}.checked")).await?, json!(false));
    notebook.assert_accessible("a switch that is off").await?;

    notebook.browser.client.execute(&format!("{switch}.focus()"), Vec::new()).await?;
    notebook.press(Key::Space).await?;
    notebook.browser.until(&format!("{switch}.checked")).await?;
    // The address changes without a change of the document.
    notebook.browser.until_reloaded("location.hash.includes('arg.spread=true')").await?;
    assert_eq!(notebook.browser.value(&format!("document.activeElement === {switch}")).await?, json!(true));
    assert!(notebook.focused().await?.1, "the focus is visible");
    notebook.assert_accessible("a switch that is on").await?;

    notebook.browser.client.refresh().await?;
    notebook.browser.until(&format!("{switch}?.checked")).await?;
    notebook.browser.value(&format!("{switch}.click()")).await?;
    notebook.browser.until(&format!("!{switch}.checked")).await?;
    notebook.browser.until_reloaded("!location.hash.includes('arg.spread=true')").await?;
    notebook.close().await
}
