//! Measuring a notebook from elsewhere again: what states the origin of its results, and how they compare.

use anyhow::Result;
use benchbook_tests::browser::turn;
use benchbook_tests::notebook::Notebook;
use benchbook_tests::server::{ServedFile, Site};
use benchbook_tests::sites::{qualities, with_notebook};
use benchbook_tests::stored_sorts::{SORTS, file_of_own_build};
use serde_json::json;

/// A site with a notebook to read, whose results are from another browser.
fn site() -> Result<Site> {
    let listed = json!({ "title": "Sorts", "address": "sorts.benchbook.json" });
    let config = json!({ "suites": ["suites/demo.wasm"], "qualities": qualities(5_000.0), "notebooks": [listed] });
    let file = ServedFile::Text(file_of_own_build(&SORTS)?);
    Ok(Site { files: vec![("sorts.benchbook.json".to_owned(), file)], ..with_notebook(&config) })
}

/// The texts of these elements in the first measurement cell.
async fn in_cell(notebook: &Notebook, test: &str) -> Result<Vec<String>> {
    let texts = format!(
        "[...document.querySelector('[data-test=cell]').querySelectorAll('[data-test={test}]')].map((one) => one.textContent)"
    );
    Ok(serde_json::from_value(notebook.browser.value(&texts).await?)?)
}

#[tokio::test]
async fn a_copy_states_the_origin_of_every_result_and_has_ratios_to_the_original() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(site()?).await?;
    notebook.until_shown("open-site-notebook").await?;
    notebook.click("open-site-notebook").await?;
    notebook.until_shown("machine").await?;
    notebook.click("reader-mode").await?;
    // The cells are drawn one after another, and not necessarily the first one first.
    notebook
        .browser
        .until("document.querySelector('[data-test=cell]')?.querySelector('[data-test=result-origin]')")
        .await?;
    let original = in_cell(&notebook, "result-origin").await?;
    for line in &original {
        let parts: Vec<&str> = line.split(" · ").collect();
        let [target, machine, suite, compiler] = parts[..] else { panic!("not four parts: {line}") };
        assert!(["browser", "native"].contains(&target) && !machine.is_empty(), "{line}");
        assert!(suite.starts_with("demo 0.") && suite.ends_with("…)") && compiler.starts_with("rustc 1."), "{line}");
    }
    assert_eq!(in_cell(&notebook, "measure").await?, ["Measure again here"]);

    notebook.browser.value("document.querySelector('[data-test=cell] [data-test=measure]').click()").await?;
    notebook.until_state("done").await?;
    notebook
        .browser
        .until("document.querySelector('[data-test=cell]')?.querySelector('[data-test=reproduction]')")
        .await?;
    let repeated = in_cell(&notebook, "result-origin").await?;
    assert_eq!(repeated.len(), original.len() + 1, "{repeated:?}");
    for (before, after) in original.iter().zip(&repeated) {
        // This browser may have the same name as the original one.
        assert_eq!(after.replace("another ", ""), *before, "the original results retain their origin");
    }
    assert_eq!(in_cell(&notebook, "measure").await?, ["Measure again here"]);

    let summary = "document.querySelector('[data-test=cell] [data-test=repeated-ratios] summary')";
    let title = notebook.browser.value(&format!("{summary}.textContent")).await?;
    assert!(title.as_str().is_some_and(|title| title.contains(", unpaired, at all ")), "{title}");
    notebook.browser.value(&format!("{summary}.click()")).await?;
    let rows = in_cell(&notebook, "repeated-ratio").await?;
    assert!(rows.len() > 1, "{rows:?}");
    notebook.assert_accessible("a notebook that was measured again").await?;

    let cell = "document.querySelector('[data-test=cell]')";
    let hidden = format!("{cell}.querySelectorAll('[data-test=series][data-hidden]').length");
    assert_eq!(notebook.browser.value(&hidden).await?, 0);
    notebook.browser.value(&format!("{cell}.querySelector('[data-test=show-menu]').open = true")).await?;
    notebook.assert_accessible("the switches of the machines").await?;
    notebook.browser.value(&format!("{cell}.querySelector('[data-test=show-machine]').click()")).await?;
    notebook.browser.until(&format!("{hidden} > 0")).await?;
    let series = in_cell(&notebook, "series").await?.len();
    assert!(notebook.browser.value(&hidden).await?.as_u64().is_some_and(|hidden| (hidden as usize) < series));
    notebook.close().await
}
