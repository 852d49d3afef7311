//! `cargo benchbook serve` in a crate whose only suite is a bench written for criterion.

use anyhow::Result;
use benchbook_tests::browser::turn;
use benchbook_tests::notebook::{Notebook, Row};
use benchbook_tests::own_crate::OwnCrate;

/// The values and machines of the table.
fn values(rows: &[Row]) -> Vec<(&str, &str)> {
    let mut values: Vec<_> = rows.iter().map(|row| (row.x.as_str(), row.machine.as_str())).collect();
    values.sort_unstable();
    values
}

/// Whether the x axis of the plot has a scale, as that of a curve has.
async fn has_scale(notebook: &Notebook) -> Result<bool> {
    notebook.click("tab-plot").await?;
    notebook.until_present("[data-current] [data-test=plot] canvas").await?;
    Ok(notebook.browser.value("document.querySelector('[data-current] [data-test=scale-x]') !== null").await? == true)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn groups_with_numbers_are_curves_and_others_bars_in_the_browser_and_on_the_runner() -> Result<()> {
    let _turn = turn().await;
    let own = OwnCrate::with_criterion_bench()?;
    let mut served = own.serve(&["--no-watch"])?;
    served.until_printed("Built criterion_bench for the runner and for browsers: 2 functions, 2 generators.")?;
    let notebook = served.open().await?;
    let listed = "[...document.querySelectorAll('[data-test=function]')].map(one => one.dataset.path)";
    assert_eq!(notebook.browser.value(listed).await?.to_string(), r#"["words","mixing::mix"]"#);

    notebook.choose("mixing::mix").await?;
    notebook.set_target("point-time", "0.02").await?;
    let generators = "document.querySelector('[data-current] [data-test=generator]').innerText";
    assert_eq!(notebook.browser.value(generators).await?, "mixing");
    let rows = notebook.measure().await?;
    let expected = [
        ("100", "browser"),
        ("100", "native"),
        ("1000", "browser"),
        ("1000", "native"),
        ("10000", "browser"),
        ("10000", "native"),
    ];
    assert_eq!(values(&rows), expected);
    assert!(rows.iter().all(|row| row.mean.is_some()), "{rows:?}");
    assert!(has_scale(&notebook).await?);
    notebook.assert_accessible("a curve of a bench for criterion").await?;

    notebook.choose("words").await?;
    notebook.set_target("point-time", "0.02").await?;
    let rows = notebook.measure().await?;
    let expected = [("long", "browser"), ("long", "native"), ("short", "browser"), ("short", "native")];
    assert_eq!(values(&rows), expected);
    assert!(rows.iter().all(|row| row.mean.is_some()), "{rows:?}");
    assert!(!has_scale(&notebook).await?);
    notebook.close().await
}
