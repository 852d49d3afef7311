//! Comparing functions: measured together, and as overlaid curves.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use benchbook_notebook::file;
use benchbook_tests::browser::turn;
use benchbook_tests::full_notebook::full_notebook;
use benchbook_tests::notebook::{Notebook, Row};
use benchbook_tests::sites::{demo, ladder, misbehaving, qualities, with_notebook};
use fantoccini::Locator;
use serde_json::json;

fn axis_values(rows: &[Row]) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut values: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for row in rows {
        values.entry(&row.path).or_default().insert(&row.x);
    }
    values
}

/// Whether the legend lists these curves: a part of each label, and whether it is marked as unpaired.
async fn lists(notebook: &Notebook, expected: [(&str, bool); 2]) -> Result<bool> {
    let series = notebook.texts("series").await?;
    let is_listed = |(text, (label, unpaired)): (&String, &(&str, bool))| {
        text.contains(label) && text.ends_with("unpaired") == *unpaired
    };
    Ok(series.len() == expected.len() && series.iter().zip(&expected).all(is_listed))
}

#[tokio::test]
async fn functions_of_one_generator_are_measured_together() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("sorting::sort_unstable").await?;
    notebook.type_into("size", "high", "3000").await?;
    notebook.compare("sorting::sort_stable").await?;
    let rows = notebook.measure().await?;
    let values = axis_values(&rows);
    assert_eq!(values.keys().copied().collect::<Vec<_>>(), ["sorting::sort_stable", "sorting::sort_unstable"]);
    assert_eq!(values["sorting::sort_stable"], values["sorting::sort_unstable"]);
    assert!(rows.iter().all(|row| row.failed.is_none() && !row.unpaired && row.priority == "4"), "{rows:?}");
    assert!(lists(&notebook, [("sort_unstable", false), ("sort_stable", false)]).await?);
    notebook.close().await
}

#[tokio::test]
async fn functions_measured_together_have_ratios() -> Result<()> {
    let _turn = turn().await;
    // Long enough that no block has a negative time.
    let mut qualities = qualities(5_000.0);
    qualities[3]["point_ms"] = json!(100.0);
    let site = with_notebook(&json!({ "suites": ["suites/demo.wasm"], "qualities": qualities }));
    let notebook = Notebook::open(site).await?;
    notebook.choose("sorting::sort_unstable").await?;
    notebook.type_into("size", "high", "3000").await?;
    notebook.compare("sorting::sort_stable").await?;
    let rows = notebook.measure().await?;
    let (first, other): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.path == "sorting::sort_unstable");
    assert!(first.iter().all(|row| row.ratio.is_none() && row.withheld.is_none()), "{first:?}");
    assert!(other.iter().all(|row| row.ratio.is_some() && row.withheld.is_none()), "{other:?}");
    let copied = notebook.copied_rows().await?;
    let copied: Vec<_> = copied.iter().filter(|row| row["function"] == "sorting::sort_stable").collect();
    assert_eq!(copied.len(), other.len());
    for row in copied {
        let number = |name: &str| row[name].parse::<f64>().context("a number");
        let ratio = number("ratio")?;
        assert!(number("ratio, lower bound")? < ratio && ratio < number("ratio, upper bound")?, "{row:?}");
        assert_eq!(row["ratio statistic"], "medians", "{row:?}");
    }
    let verdict = notebook.texts("verdict").await?.concat();
    for word in ["sort_stable", "sort_unstable", "at 3\u{202f}000", "at 1\u{202f}000", "["] {
        assert!(verdict.contains(word), "{word}: {verdict}");
    }
    // A range of a factor of three is too short for a statement about growth.
    assert_eq!(notebook.growth().await?, [""; 0]);
    notebook.close().await
}

/// The paths of the ranked functions, the fastest first.
async fn ranked(notebook: &Notebook) -> Result<Vec<String>> {
    const PATHS: &str = "[...document.querySelectorAll('[data-test=ranked]')].map((row) => row.dataset.path)";
    Ok(serde_json::from_value(notebook.browser.value(PATHS).await?)?)
}

#[tokio::test]
async fn the_answer_names_the_fastest_function() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("sorting::sort_stable").await?;
    notebook.type_into("size", "high", "3000").await?;
    notebook.measure().await?;
    let alone = notebook.texts("answer").await?.concat();
    assert!(alone.starts_with("sort_stable takes ") && alone.contains(" at 1\u{202f}000 keys and "), "{alone}");
    assert_eq!(ranked(&notebook).await?, [""; 0], "a single function has no ranking");

    notebook.compare("sorting::sort_unstable").await?;
    let rows = notebook.measure().await?;
    // On a loaded machine, some values are undecided.
    let answer = notebook.texts("answer").await?.concat();
    assert!(answer.contains("sort_unstable") && answer.ends_with('.'), "{answer}");
    assert_eq!(ranked(&notebook).await?.len(), 2);
    let table = notebook.texts("ranked").await?;
    assert!(table[0].contains("1 ×") && table[1].contains(" × ("), "{table:?}");

    let values: Vec<String> =
        rows.iter().filter(|row| row.path == "sorting::sort_stable").map(|row| row.x.clone()).collect();
    let mut at = None;
    for x in &values {
        notebook.browser.client.find(Locator::Css("[data-test=rank-at]")).await?.select_by_value(x).await?;
        notebook.browser.until(&format!("document.querySelector('[data-test=rank-at]').value === '{x}'")).await?;
        // On a loaded machine, a time may have an upper bound only, which is no median.
        if !notebook.texts("ranked").await?.concat().contains('<') {
            at = Some(x);
            break;
        }
    }
    let at = at.context("both functions have a median at some value")?;
    let median = |path: &str| {
        let row = rows.iter().find(|row| row.path == path && row.x == *at).context("it was measured")?;
        row.median.as_deref().context("it has a median")?.parse::<f64>().context("a number")
    };
    let [unstable, stable] = ["sorting::sort_unstable", "sorting::sort_stable"];
    let fastest = if median(unstable)? < median(stable)? { unstable } else { stable };
    let first = format!("document.querySelector('[data-test=ranked]').dataset.path === '{fastest}'");
    notebook.browser.until(&first).await?;

    notebook.click("relative").await?;
    let title = "Time relative to sort_stable of sort_stable, sort_unstable by";
    let is_relative = format!("document.querySelector('[data-test=plot] canvas').ariaLabel.includes('{title}')");
    notebook.browser.until(&is_relative).await?;
    assert_eq!(notebook.texts("show-mean").await?, [""; 0], "ratios have neither means nor quartiles");
    notebook.close().await
}

#[tokio::test]
async fn functions_with_different_outputs_get_a_problem_instead_of_ratios() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(ladder()?).await?;
    notebook.choose("alternatives::differ_a").await?;
    notebook.compare("alternatives::differ_b").await?;
    let rows = notebook.measure().await?;
    let other: Vec<&Row> = rows.iter().filter(|row| row.path == "alternatives::differ_b").collect();
    assert!(other.iter().all(|row| row.withheld.as_deref() == Some("the outputs differ")), "{other:?}");
    assert!(other.iter().all(|row| row.ratio.is_none() && row.mean.is_some()), "{other:?}");
    let texts = notebook.texts("problem").await?.concat();
    assert!(texts.contains("differ_b and differ_a do different work: their outputs differ at"), "{texts}");
    assert_eq!(notebook.texts("verdict").await?, [""; 0]);
    notebook.close().await
}

#[tokio::test]
async fn curves_with_other_arguments_are_marked_as_unpaired() -> Result<()> {
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
    assert!(lists(&notebook, [("sort_unstable", false), ("sort_unstable", true)]).await?);
    let rows = notebook.rows().await?;
    let (unpaired, own): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.unpaired);
    assert!(!unpaired.is_empty() && unpaired.len() == own.len(), "{rows:?}");
    let legend = notebook.texts("series").await?;
    assert!(legend[1].contains("spread Random") && legend[1].contains("unpaired"), "{legend:?}");
    assert!(rows.iter().all(|row| row.ratio.is_none() && row.withheld.is_none()), "no ratios expected: {rows:?}");

    notebook.browser.click("[data-test=overlay] button").await?;
    notebook.browser.until("document.querySelectorAll('[data-test=series]').length === 0").await?;
    notebook.close().await
}

#[tokio::test]
async fn curves_of_another_generator_can_be_overlaid() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("numbers::sum").await?;
    notebook.measure().await?;
    notebook.choose("sorting::sort_unstable").await?;
    notebook.type_into("size", "high", "3000").await?;
    notebook.measure().await?;
    notebook.find("[data-test=compare]").await?.select_by_value("overlay:0").await?;
    notebook.click("compare-add").await?;
    notebook.browser.until("document.querySelectorAll('[data-test=series]').length === 2").await?;
    let series = notebook.texts("series").await?;
    assert!(series[1].contains("sum") && series[1].ends_with("unpaired"), "{series:?}");
    notebook.close().await
}

#[tokio::test]
async fn a_failing_function_does_not_affect_the_other() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(misbehaving(5_000.0)?).await?;
    notebook.choose("functions::well").await?;
    notebook.compare("functions::panics").await?;
    let rows = notebook.measure().await?;
    let (well, panics): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.path == "functions::well");
    assert!(well.iter().all(|row| row.failed.is_none()), "{well:?}");
    assert!(panics.iter().any(|row| row.failed.is_some()) && panics.iter().any(|row| row.mean.is_some()), "{panics:?}");
    notebook.close().await
}

#[tokio::test]
async fn clicking_an_example_measures_it() -> Result<()> {
    let _turn = turn().await;
    let example = json!({
        "question": "Which sort?",
        "link": "suite=demo&function=sorting::sort_unstable&with=sorting::sort_stable&arg.size=100..2000",
    });
    let notebook = json!({ "suites": ["suites/demo.wasm"], "qualities": qualities(5_000.0), "examples": [example] });
    let notebook = Notebook::open(with_notebook(&notebook)).await?;
    notebook.browser.until("document.querySelector('[data-test=example]')").await?;
    let texts = notebook.texts("start").await?;
    assert!(texts[0].contains("Which sort?"), "{texts:?}");
    notebook.click("example").await?;
    notebook.browser.until("document.querySelector('[data-test=progress]')").await?;
    notebook.until_state("done").await?;
    let rows = notebook.rows().await?;
    assert_eq!(axis_values(&rows).len(), 2, "{rows:?}");
    let fragment = notebook.fragment().await?;
    assert!(fragment.contains("with=sorting::sort_stable") && fragment.contains("arg.size=100..2000"), "{fragment}");
    notebook.close().await
}

#[tokio::test]
async fn without_examples_the_start_offers_the_first_function() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.browser.until("document.querySelector('[data-test=example]')").await?;
    notebook.click("example").await?;
    notebook.browser.until("document.querySelector('[data-test=progress]')").await?;
    notebook.until_state("done").await?;
    assert!(notebook.rows().await?.first().context("no row")?.mean.is_some());
    notebook.close().await
}

#[tokio::test]
async fn examples_that_cannot_be_measured_are_reported() -> Result<()> {
    let _turn = turn().await;
    let example = |question: &str, function: &str| json!({ "question": question, "link": format!("suite=demo&function={function}") });
    let notebook = json!({
        "suites": ["suites/demo.wasm"],
        "qualities": qualities(5_000.0),
        "examples": [example("Gone?", "sorting::bogus"), example("Native?", "memory::write_file"), example("Here?", "numbers::sum")],
    });
    let notebook = Notebook::open(with_notebook(&notebook)).await?;
    notebook.browser.until("document.querySelectorAll('[data-test=problem]').length === 2").await?;
    let texts = notebook.texts("problem").await?;
    assert!(texts[0].contains("“Gone?”") && texts[1].contains("“Native?”"), "{texts:?}");
    let start = notebook.texts("start").await?;
    assert!(start[0].contains("Here?"), "other examples are offered: {start:?}");
    notebook.close().await
}

/// Of stored results with known times: on a loaded machine, those of a measurement may grow like anything.
#[tokio::test]
async fn the_growth_of_each_curve_is_stated() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.drop_file("lookups.json", &file::write(&full_notebook(1, 1))).await?;
    notebook.browser.until("document.querySelectorAll('[data-test=series]').length === 4").await?;
    let growth = notebook.growth().await?;
    assert_eq!(growth.len(), 4, "{growth:?}");
    for sentence in &growth {
        assert!(sentence.contains(" grows like log n, with n = size (exponent "), "{growth:?}");
    }
    notebook.close().await
}

#[tokio::test]
async fn compared_functions_are_marked_and_have_a_menu_in_the_ranking() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    let [stable, unstable] = ["sorting::sort_stable", "sorting::sort_unstable"];
    notebook.choose(stable).await?;
    assert_eq!(notebook.texts("in-cell").await?, [""; 0], "a single function is the chosen one");
    notebook.type_into("size", "high", "3000").await?;
    notebook.compare(unstable).await?;
    notebook.measure().await?;
    assert_eq!(notebook.texts("in-cell").await?, ["in cell", "in cell"]);

    notebook.hover((0.08, 0.5)).await?;
    notebook.browser.until("document.querySelectorAll('[data-test=reading-row]').length === 2").await?;
    let head = "document.querySelector('[data-test=reading] thead').textContent";
    assert_eq!(notebook.browser.value(head).await?, "at 1\u{202f}000 keysmedianmean ± sd");
    let rows = notebook.texts("reading-row").await?;
    assert!(rows[0].starts_with("sort_stable") && rows[1].starts_with("sort_unstable"), "{rows:?}");

    let command = async |path: &str, entry: &str| -> Result<()> {
        let row = format!("[data-test=ranked][data-path='{path}']");
        notebook.browser.click(&format!("{row} [data-test=row-menu] summary")).await?;
        if entry == "make-baseline" {
            notebook.assert_accessible("the menu of a ranked function").await?;
        }
        notebook.browser.click(&format!("{row} [data-test={entry}]")).await
    };
    command(unstable, "make-baseline").await?;
    notebook.browser.until(&format!("document.querySelector('[data-current]').dataset.path === '{unstable}'")).await?;
    assert_eq!(notebook.texts("partner").await?.len(), 1);
    command(unstable, "remove-function").await?;
    notebook.browser.until(&format!("document.querySelector('[data-current]').dataset.path === '{stable}'")).await?;
    assert_eq!(notebook.texts("partner").await?, [""; 0]);
    command(unstable, "measure-alone").await?;
    notebook.browser.until(&format!("document.querySelector('[data-current]').dataset.path === '{unstable}'")).await?;
    assert_eq!(notebook.browser.value("document.querySelectorAll('[data-test=cell]').length").await?, 2);
    notebook.close().await
}
