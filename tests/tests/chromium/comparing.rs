//! Comparing functions: measured together, and as overlaid curves.

use std::collections::BTreeSet;

use anyhow::{Context, Result};
use benchbook_tests::browser::turn;
use benchbook_tests::notebook::{Notebook, Row};
use benchbook_tests::sites::{demo, ladder, qualities, with_notebook};
use benchbook_tests::stored_sorts::SORTS;
use fantoccini::Locator;
use serde_json::json;

#[tokio::test]
async fn functions_measured_together_have_ratios_and_a_ranking() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open_sorts(&SORTS).await?;
    let rows = notebook.rows().await?;
    let (first, other): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.path == SORTS[0]);
    assert!(first.iter().all(|row| row.ratio.is_none() && row.unavailable.is_none()), "{first:?}");
    assert!(other.iter().all(|row| row.ratio.is_some() && row.unavailable.is_none()), "{other:?}");
    let copied = notebook.copied_rows().await?;
    let copied: Vec<_> = copied.iter().filter(|row| row["function"] == SORTS[1]).collect();
    assert_eq!(copied.len(), other.len());
    for row in copied {
        let number = |name: &str| row[name].parse::<f64>().context("a number");
        let ratio = number("ratio to the fastest")?;
        assert!((ratio - 1.5).abs() < 1e-9, "{row:?}");
        assert!(number("ratio, lower bound")? <= ratio && ratio <= number("ratio, upper bound")?, "{row:?}");
        assert_eq!(row["ratio statistic"], "medians", "{row:?}");
    }
    let verdict = notebook.texts("verdict").await?.concat();
    for word in ["sort_stable", "sort_unstable", "at 3\u{202f}000", "at 1\u{202f}000", "("] {
        assert!(verdict.contains(word), "{word}: {verdict}");
    }
    // A range of a factor of three is too short for a statement about growth.
    assert_eq!(notebook.growth().await?, [""; 0]);

    let answer = notebook.texts("answer").await?.concat();
    assert!(answer.starts_with("sort_unstable is faster"), "{answer}");
    assert_eq!(ranked(&notebook).await?, SORTS);
    let table = notebook.texts("ranked").await?;
    assert!(table[0].contains("1 ×") && table[1].contains("1.500 ×"), "{table:?}");
    notebook.browser.client.find(Locator::Css("[data-test=rank-at]")).await?.select_by_value("1700").await?;
    notebook
        .browser
        .until("document.querySelector('[data-test=ranked]').textContent.includes('17.0\u{202f}µs')")
        .await?;

    notebook.click("tab-plot").await?;
    // The curves are close to each other, so the plot shows ratios until the user chooses times.
    let title = "Time relative to the fastest of sort_unstable, sort_stable by";
    let is_relative = format!("document.querySelector('[data-test=plot] canvas').ariaLabel.includes('{title}')");
    notebook.browser.until(&is_relative).await?;
    assert_eq!(notebook.texts("show-mean").await?, [""; 0], "ratios have neither means nor quartiles");
    notebook.click("relative").await?;
    notebook.browser.until(&format!("!{is_relative}")).await?;
    notebook.hover((0.08, 0.5)).await?;
    notebook.browser.until("document.querySelectorAll('[data-test=reading-row]').length === 2").await?;
    let head = "document.querySelector('[data-test=reading] thead').textContent";
    assert_eq!(notebook.browser.value(head).await?, "at 1\u{202f}000 keysmedianmean ± sd");
    let rows = notebook.texts("reading-row").await?;
    assert!(rows[0].starts_with("sort_unstable") && rows[1].starts_with("sort_stable"), "{rows:?}");

    let hidden = "document.querySelectorAll('[data-test=series][data-hidden=true]').length";
    notebook.click("line-name").await?;
    notebook.browser.until(&format!("{hidden} === 1")).await?;
    notebook.browser.click("[data-test=series][data-hidden=true] button").await?;
    notebook.browser.until(&format!("{hidden} === 0")).await?;

    assert_eq!(notebook.texts("in-cell").await?, ["in cell", "in cell"]);
    let [unstable, stable] = SORTS;
    let command = async |path: &str, entry: &str| -> Result<()> {
        let row = format!("[data-test=ranked][data-path='{path}']");
        notebook.browser.click(&format!("{row} [data-test=row-menu] summary")).await?;
        if entry == "remove-function" {
            notebook.assert_accessible("the menu of a ranked function").await?;
        }
        notebook.browser.click(&format!("{row} [data-test={entry}]")).await
    };
    let until_first = async |path: &str| {
        notebook.browser.until(&format!("document.querySelector('[data-current]').dataset.path === '{path}'")).await
    };
    command(stable, "remove-function").await?;
    notebook.browser.until("!location.hash.includes('&with=')").await?;
    until_first(unstable).await?;
    command(stable, "measure-alone").await?;
    until_first(stable).await?;
    assert_eq!(notebook.browser.value("document.querySelectorAll('[data-test=cell]').length").await?, 2);
    notebook.close().await
}

/// The paths of the ranked functions, the fastest first.
async fn ranked(notebook: &Notebook) -> Result<Vec<String>> {
    const PATHS: &str = "[...document.querySelectorAll('[data-test=ranked]')].map((row) => row.dataset.path)";
    Ok(serde_json::from_value(notebook.browser.value(PATHS).await?)?)
}

#[tokio::test]
async fn functions_with_different_outputs_get_a_problem_instead_of_ratios() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(ladder()?).await?;
    notebook.choose("alternatives::differ_a").await?;
    notebook.compare("alternatives::differ_b").await?;
    let rows = notebook.measure().await?;
    let other: Vec<&Row> = rows.iter().filter(|row| row.path == "alternatives::differ_b").collect();
    assert!(other.iter().all(|row| row.unavailable.as_deref() == Some("the outputs differ")), "{other:?}");
    assert!(other.iter().all(|row| row.ratio.is_none() && row.mean.is_some()), "{other:?}");
    let texts = notebook.texts("problem").await?.concat();
    assert!(texts.contains("differ_b and differ_a do different work: their outputs differ at"), "{texts}");
    assert_eq!(notebook.texts("verdict").await?, [""; 0]);
    notebook.close().await
}

#[tokio::test]
async fn curves_with_other_arguments_are_marked() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("sorting::sort_unstable").await?;
    notebook.type_into("size", "high", "3000").await?;
    notebook.measure().await?;
    notebook.pick("spread", "Sorted").await?;
    notebook.measure().await?;
    let select = notebook.find("[data-test=compare]").await?;
    select.select_by_value("overlay:0").await?;
    notebook.click("compare-add").await?;
    notebook.browser.until("document.querySelectorAll('[data-test=series]').length === 2").await?;
    let rows = notebook.rows().await?;
    let (separate, own): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.is_separate);
    assert!(!separate.is_empty() && separate.len() == own.len(), "{rows:?}");
    let legend = notebook.texts("series").await?;
    assert!(legend[0].contains("sort_unstable") && !legend[0].ends_with("measured separately"), "{legend:?}");
    assert!(legend[1].contains("sort_unstable") && legend[1].ends_with("measured separately"), "{legend:?}");
    assert!(legend[1].contains("spread Random"), "{legend:?}");
    assert!(rows.iter().all(|row| row.ratio.is_none() && row.unavailable.is_none()), "no ratios expected: {rows:?}");

    notebook.browser.click("[data-test=overlay] button").await?;
    notebook.browser.until("document.querySelectorAll('[data-test=series]').length === 0").await?;
    notebook.close().await
}

#[tokio::test]
async fn examples_are_measured_or_reported() -> Result<()> {
    let _turn = turn().await;
    let example =
        |question: &str, link: &str| json!({ "question": question, "link": format!("suite=demo&function={link}") });
    let examples = [
        example("Gone?", "sorting::bogus"),
        example("Native?", "memory::write_file"),
        example("Which sort?", "sorting::sort_unstable&with=sorting::sort_stable&arg.size=100..2000"),
    ];
    let notebook = json!({ "suites": ["suites/demo.wasm"], "qualities": qualities(5_000.0), "examples": examples });
    let notebook = Notebook::open(with_notebook(&notebook)).await?;
    notebook.browser.until("document.querySelectorAll('[data-test=problem]').length === 2").await?;
    let texts = notebook.texts("problem").await?;
    assert!(texts[0].contains("“Gone?”") && texts[1].contains("“Native?”"), "{texts:?}");
    notebook.until_shown("example").await?;
    let texts = notebook.texts("start").await?;
    assert!(texts[0].contains("Which sort?") && texts[0].contains("Your first curve"), "{texts:?}");
    notebook.click("example").await?;
    notebook.until_shown("progress").await?;
    notebook.until_state("done").await?;
    let rows = notebook.rows().await?;
    assert_eq!(rows.iter().map(|row| &row.path).collect::<BTreeSet<_>>().len(), 2, "{rows:?}");
    let fragment = notebook.fragment().await?;
    assert!(fragment.contains("with=sorting::sort_stable") && fragment.contains("arg.size=100..2000"), "{fragment}");
    notebook.close().await
}

#[tokio::test]
async fn without_examples_the_start_offers_the_first_function() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.until_shown("example").await?;
    notebook.click("example").await?;
    notebook.browser.until("document.querySelector('[data-test=table] tbody tr')").await?;
    notebook.close().await
}

#[tokio::test]
async fn the_table_has_a_group_of_rows_per_axis_value_and_shows_that_it_can_be_scrolled() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open_sorts(&SORTS).await?;
    notebook.click("tab-table").await?;
    const GROUPS: &str = "[...document.querySelectorAll('[data-test=table] tbody')]
        .map((group) => [group.rows.length, group.querySelectorAll('th').length])";
    let headings: Vec<[usize; 2]> = serde_json::from_value(notebook.browser.value(GROUPS).await?)?;
    assert!(headings.len() > 1 && headings.iter().all(|heading| *heading == [2, 1]), "{headings:?}");
    // In a column of half the width, the table is cut: its region has the shadow, the focus, and the axis values at its edge.
    const SCROLLED: &str = "(() => {
        const region = document.querySelector('[data-test=table]').parentElement;
        region.style.width = '20rem';
        region.focus();
        region.scrollLeft = 100;
        const heading = region.querySelector('tbody th').getBoundingClientRect();
        return [region.scrollLeft, heading.left - region.getBoundingClientRect().left, document.activeElement === region, getComputedStyle(region).backgroundImage.split('linear-gradient').length - 1];
    })()";
    assert_eq!(notebook.browser.value(SCROLLED).await?, json!([100, 0, true, 4]));
    notebook.close().await
}
