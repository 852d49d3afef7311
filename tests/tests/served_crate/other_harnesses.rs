//! `cargo benchbook serve` in a crate whose suites are benches written for criterion and for divan.

use anyhow::Result;
use benchbook_tests::browser::quiet_turn;
use benchbook_tests::notebook::Notebook;
use benchbook_tests::own_crate::OwnCrate;
use fantoccini::Locator;
use fantoccini::key::Key;

/// Measures, and compares the values in the table with the expected ones: each in the browser and on the runner.
async fn assert_measured(notebook: &Notebook, values: &[&str]) -> Result<()> {
    let rows = notebook.measure().await?;
    assert!(rows.iter().all(|row| row.mean.is_some()), "{rows:?}");
    let mut measured: Vec<(&str, &str)> = rows.iter().map(|row| (row.x.as_str(), row.machine.as_str())).collect();
    measured.sort_unstable();
    let mut expected: Vec<_> =
        values.iter().flat_map(|value| ["browser", "native"].map(|machine| (*value, machine))).collect();
    expected.sort_unstable();
    assert_eq!(measured, expected);
    Ok(())
}

/// Whether the x axis of the plot has a scale, as that of a curve has.
async fn has_scale(notebook: &Notebook) -> Result<bool> {
    notebook.click("tab-plot").await?;
    notebook.until_present("[data-current] [data-test=plot] canvas").await?;
    Ok(notebook.browser.value("document.querySelector('[data-current] [data-test=scale-x]') !== null").await? == true)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn numbers_are_curves_and_other_inputs_bars_in_the_browser_and_on_the_runner() -> Result<()> {
    // The runners of the crates share a database.
    let _turn = quiet_turn().await;
    let own = OwnCrate::with_benches_of_others()?;
    let mut served = own.serve(&["--no-watch"])?;
    served.until_printed("Built criterion_bench for the runner and for browsers: 302 functions, 3 generators.")?;
    let notebook = served.open().await?;
    let listed = "[...document.querySelectorAll('[data-test=function]')].map(one => one.dataset.path)";
    notebook.browser.until(&format!("{listed}.length === 304")).await?;
    let others = format!("{listed}.filter((path) => !path.startsWith('many::'))");
    let paths = notebook.browser.value(&others).await?.to_string();
    assert_eq!(paths, r#"["words","mixing::mix","fold","split"]"#);
    // The search finds one of hundreds.
    let search = notebook.browser.client.find(Locator::Css("[data-test=search]")).await?;
    search.send_keys("number 271").await?;
    notebook.browser.until(&format!("{listed}.join() === 'many::number 271'")).await?;
    notebook.choose("many::number 271").await?;
    notebook.set_target("point-time", "0.02").await?;
    assert_measured(&notebook, &[""]).await?;
    search.send_keys(&Key::Escape.to_string()).await?;
    notebook.browser.until(&format!("{listed}.length === 304")).await?;

    let curves = [("mixing::mix", "mixing", &["100", "1000", "10000"][..]), ("fold", "benchmarks", &["100", "1000"])];
    for (path, generator, sizes) in curves {
        notebook.choose(path).await?;
        notebook.set_target("point-time", "0.02").await?;
        let generators = "document.querySelector('[data-current] [data-test=generator]').innerText";
        assert_eq!(notebook.browser.value(generators).await?, generator);
        assert_measured(&notebook, sizes).await?;
        assert!(has_scale(&notebook).await?, "{path}");
        notebook.assert_accessible(path).await?;
    }
    for (path, texts) in [("words", ["long", "short"]), ("split", ["a b", "a b c d e f g h"])] {
        notebook.choose(path).await?;
        notebook.set_target("point-time", "0.02").await?;
        assert_measured(&notebook, &texts).await?;
        assert!(!has_scale(&notebook).await?, "{path}");
    }
    notebook.close().await
}
