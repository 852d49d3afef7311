//! `cargo benchbook serve` in a crate whose suites are benches written for criterion and for divan, one of which compiles only natively.

use std::fs;

use anyhow::Result;
use benchbook_tests::browser::quiet_turn;
use benchbook_tests::notebook::Notebook;
use benchbook_tests::own_crate::OwnCrate;
use fantoccini::Locator;
use fantoccini::key::Key;

/// A bench that compiles only natively.
const NATIVE_BENCH: &str = "use std::os::unix::process::parent_id;

use criterion::{Criterion, criterion_group, criterion_main};

fn parent(c: &mut Criterion) {
    c.bench_function(\"parent\", |b| b.iter(parent_id));
}

criterion_group!(benches, parent);
criterion_main!(benches);
";

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
    own.write("benches/native_bench.rs", NATIVE_BENCH)?;
    let manifest = fs::read_to_string(own.path().join("Cargo.toml"))?;
    own.write("Cargo.toml", &format!("{manifest}\n[[bench]]\nname = \"native_bench\"\nharness = false\n"))?;
    let mut served = own.serve(&["--no-watch"])?;
    served.until_all_printed([
        "`native_bench` does not compile for wasm.",
        "To measure it in browsers, move the benchmarks that need the operating system to a separate target.",
        "Built criterion_bench for the runner and for browsers: 302 functions, 3 generators.",
        "note: without effect: sample_size. ",
        "note: without effect: sample_count. ",
        "Built native_bench for the runner only: 1 function, 1 generator.",
    ])?;
    let notebook = served.open().await?;
    let listed = "[...document.querySelectorAll('[data-test=function]')].map(one => one.dataset.path)";
    notebook.browser.until(&format!("{listed}.length === 305")).await?;
    let others = format!("{listed}.filter((path) => !path.startsWith('many::'))");
    let paths = notebook.browser.value(&others).await?.to_string();
    assert_eq!(paths, r#"["words","mixing::mix","fold","split","parent"]"#);
    // The search finds one of hundreds.
    let search = notebook.browser.client.find(Locator::Css("[data-test=search]")).await?;
    search.send_keys("number 271").await?;
    notebook.browser.until(&format!("{listed}.join() === 'many::number 271'")).await?;
    notebook.choose("many::number 271").await?;
    notebook.set_target("point-time", "0.02").await?;
    assert_measured(&notebook, &[""]).await?;
    search.send_keys(&Key::Escape.to_string()).await?;
    notebook.browser.until(&format!("{listed}.length === 305")).await?;

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
    notebook.choose("parent").await?;
    notebook.set_target("point-time", "0.02").await?;
    let rows = notebook.measure().await?;
    assert!(rows.len() == 1 && rows[0].machine == "native" && rows[0].mean.is_some(), "{rows:?}");
    notebook.close().await
}
