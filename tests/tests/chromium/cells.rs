//! The cells of a notebook: adding, editing, moving, measuring and removing them.

use anyhow::Result;
use benchbook_tests::browser::turn;
use benchbook_tests::notebook::{Notebook, PHONE};
use benchbook_tests::sites::{demo, misbehaving};
use benchbook_tests::stored_sorts::SORTS;
use fantoccini::key::Key;

const SUM: &str = "numbers::sum";
const SORT: &str = "sorting::sort_unstable";

/// Waits until these are the cells in order: the paths of their functions, or the texts.
async fn until_cells(notebook: &Notebook, expected: &[&str]) -> Result<()> {
    let expected = serde_json::to_string(expected)?;
    let shown = "JSON.stringify([...document.querySelectorAll('[data-test=cell], [data-test=text-cell]')].map((cell) =>
        cell.dataset.path ?? cell.querySelector('[data-test=text], [data-test=text-line]').textContent.trim()))";
    notebook.browser.until(&format!("{shown} === '{expected}'")).await
}

/// A notebook with two measurements and a text.
async fn three_cells() -> Result<Notebook> {
    let notebook = Notebook::open(demo()).await?;
    notebook.choose(SUM).await?;
    notebook.add_cell(SORT).await?;
    notebook.add_text("# Which?").await?;
    until_cells(&notebook, &[SUM, SORT, "Which?"]).await?;
    Ok(notebook)
}

#[tokio::test]
async fn an_empty_notebook_finds_functions_and_compares_groups() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.until_shown("function").await?;
    notebook.click("new-notebook").await?;
    notebook.find("[data-test=empty-search]").await?.send_keys("is_ev").await?;
    notebook.until_text("empty-notebook", "1 function").await?;
    notebook.click("found-function").await?;
    until_cells(&notebook, &["numbers::is_even"]).await?;

    notebook.click("home").await?;
    notebook.click("new-notebook").await?;
    const OFFERED: &str =
        "document.querySelector('[data-test=empty-notebook] .alternatives').querySelectorAll('code').length";
    let offered = notebook.browser.value(OFFERED).await?;
    notebook.click("compare-group").await?;
    notebook.until_shown("partner").await?;
    assert_eq!(Some(1 + notebook.texts("partner").await?.len() as u64), offered.as_u64());
    notebook.close().await
}

/// On a phone, the comparisons of four functions begin before 1 200 pixels. How much is said about their quality varies: at most five lines.
#[tokio::test]
async fn a_phone_shows_four_functions_within_1200_pixels() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.browser.resize(PHONE.0, PHONE.1).await?;
    notebook.until_shown("example").await?;
    notebook.click("new-notebook").await?;
    notebook.click("compare-group").await?;
    notebook.until_shown("partner").await?;
    assert_eq!(notebook.texts("partner").await?.len(), 3);
    notebook.click("measure").await?;
    notebook.until_shown("open-comparisons").await?;
    const HEIGHT: &str = "(() => {
        const end = document.querySelector('[data-test=open-comparisons]');
        const cell = end.closest('[data-test=cell]');
        const quality = cell.querySelector('.qualities')?.offsetHeight ?? 0;
        return end.getBoundingClientRect().bottom - cell.getBoundingClientRect().top - quality;
    })()";
    let height = notebook.browser.value(HEIGHT).await?;
    assert!(height.as_f64().is_some_and(|height| height <= 1_200.0 - 100.0), "{height}");
    notebook.close().await
}

#[tokio::test]
async fn choosing_replaces_the_function_of_a_cell_without_results() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open_sorts(&[SORT]).await?;
    notebook.choose("numbers::is_even").await?;
    until_cells(&notebook, &[SORT, "numbers::is_even", "A conclusion"]).await?;
    notebook.choose(SUM).await?;
    until_cells(&notebook, &[SORT, SUM, "A conclusion"]).await?;
    notebook.add_cell("numbers::is_even").await?;
    until_cells(&notebook, &[SORT, SUM, "numbers::is_even", "A conclusion"]).await?;
    notebook.close().await
}

#[tokio::test]
async fn cells_are_added_duplicated_moved_renamed_collapsed_removed_and_read_and_steps_can_be_undone() -> Result<()> {
    let _turn = turn().await;
    let notebook = three_cells().await?;
    notebook.assert_accessible("a notebook").await?;
    // Radio buttons with one name are one group, in which an arrow key selects another button.
    let groups = "[...document.querySelectorAll('[data-test=cell]')].map((cell) =>
        [...new Set([...cell.querySelectorAll('[data-test=axis]')].map(({ name }) => name))])";
    notebook
        .browser
        .until(&format!("new Set({groups}.flat()).size === 2 && {groups}.every(({{ length }}) => length === 1)"))
        .await?;
    let steps = [
        ("move-up", &[SUM, "Which?", SORT][..]),
        ("duplicate", &[SUM, "Which?", "Which?", SORT]),
        ("delete", &[SUM, "Which?", SORT]),
    ];
    for (entry, expected) in steps {
        notebook.choose_command(entry).await?;
        until_cells(&notebook, expected).await?;
    }
    let undone = [&[SUM, "Which?", "Which?", SORT][..], &[SUM, "Which?", SORT], &[SUM, SORT, "Which?"]];
    for expected in undone {
        notebook.click("undo").await?;
        until_cells(&notebook, expected).await?;
    }
    for expected in undone.iter().rev().skip(1) {
        notebook.click("redo").await?;
        until_cells(&notebook, expected).await?;
    }
    notebook.click("collapse").await?;
    notebook
        .browser
        .until("document.querySelector('[data-current] [data-test=collapse]').ariaExpanded === 'false'")
        .await?;
    notebook.assert_accessible("a collapsed cell").await?;

    // A new measurement repeats the setup of the one before it.
    notebook.browser.click("main [data-test=insert][data-index='1'] [data-test=insert-measurement]").await?;
    until_cells(&notebook, &[SUM, SUM, "Which?", "Which?", SORT]).await?;
    notebook.choose_command("rename").await?;
    let title = "document.querySelector('[data-current] [data-test=cell-title]')";
    notebook.browser.until(title).await?;
    let enter = char::from(Key::Enter);
    notebook.find("[data-test=cell-title]").await?.send_keys(&format!("The same again{enter}")).await?;
    notebook.browser.until(&format!("!{title}")).await?;
    assert_eq!(notebook.texts("outline-item").await?, ["sum", "The same again", "Which?", "Which?", "sort_unstable"]);
    let heading = "document.querySelector('[data-current] h2').textContent";
    assert_eq!(notebook.browser.value(heading).await?, "The same again");
    for undone in ["sum", "Which?"] {
        notebook.click("undo").await?;
        notebook
            .browser
            .until(&format!("document.querySelectorAll('[data-test=outline-item]')[1].textContent === '{undone}'"))
            .await?;
    }

    // A reader sees the same cells without controls.
    notebook.click("reader-mode").await?;
    notebook.browser.until("!document.querySelector('[data-test=cell-menu]')").await?;
    until_cells(&notebook, &[SUM, "Which?", "Which?", SORT]).await?;
    for control in ["insert", "cell-menu", "measure", "text-edit", "undo"] {
        assert_eq!(notebook.texts(control).await?, [""; 0], "{control}");
    }
    assert_eq!(notebook.texts("reader-mode").await?, ["Edit"]);
    notebook.click("reader-mode").await?;
    notebook.browser.until("document.querySelectorAll('[data-test=cell-menu]').length === 4").await?;
    notebook.close().await
}

#[tokio::test]
async fn the_outline_selects_and_moves_cells_by_keys_and_by_dragging() -> Result<()> {
    let _turn = turn().await;
    let notebook = three_cells().await?;
    let items = notebook.texts("outline-item").await?;
    assert_eq!(items, ["sum", "sort_unstable", "Which?"]);
    let first = "[data-test=outline-item] button";
    notebook.browser.client.execute(&format!("document.querySelector('{first}').focus()"), Vec::new()).await?;
    notebook.press(Key::Enter).await?;
    notebook.browser.until(&format!("document.querySelector('[data-current]').dataset.path === '{SUM}'")).await?;
    let alt_down = format!("{}{}{}", char::from(Key::Alt), char::from(Key::Down), char::from(Key::Null));
    notebook.browser.client.active_element().await?.send_keys(&alt_down).await?;
    until_cells(&notebook, &[SORT, SUM, "Which?"]).await?;
    notebook.press(Key::Delete).await?;
    until_cells(&notebook, &[SORT, "Which?"]).await?;
    let undo = format!("{}z{}", char::from(Key::Control), char::from(Key::Null));
    notebook.browser.client.active_element().await?.send_keys(&undo).await?;
    until_cells(&notebook, &[SORT, SUM, "Which?"]).await?;

    // As the browser reports a drag of the last entry to the first one.
    const DRAG: &str = "const items = document.querySelectorAll('[data-test=outline-item]');
        const data = new DataTransfer();
        const send = (item, type) => item.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
        send(items[2], 'dragstart');
        const done = arguments[0];
        requestAnimationFrame(() => { const accepted = !send(items[0], 'dragover'); send(items[0], 'drop'); done(accepted); });";
    let accepted = notebook.browser.client.execute_async(DRAG, Vec::new()).await?;
    assert_eq!(accepted, true, "the entry is a drop target");
    until_cells(&notebook, &["Which?", SORT, SUM]).await?;
    notebook.close().await
}

#[tokio::test]
async fn text_is_markdown_with_a_preview_and_runs_no_script() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose(SUM).await?;
    notebook.add_text("Before").await?;
    notebook.click("text-edit").await?;
    let field = notebook.find("[data-test=text-field]").await?;
    field.send_keys("\n\n| a | b |\n| - | - |\n| 1 | `x` |\n\n[link](https://example.com) [bad](javascript:window.hacked=1) <img src=x onerror='window.hacked=1'><script>window.hacked=1</script>").await?;
    notebook.browser.until("document.querySelector('[data-test=text] td code')?.textContent === 'x'").await?;
    let links = "[...document.querySelectorAll('[data-test=text] a')].map((link) => link.href)";
    assert_eq!(notebook.browser.value(links).await?, serde_json::json!(["https://example.com/"]));
    let dangerous = "document.querySelectorAll('[data-test=text] img, [data-test=text] script').length";
    assert_eq!(notebook.browser.value(dangerous).await?, 0);
    assert!(notebook.browser.value("window.hacked ?? null").await?.is_null());
    notebook.assert_accessible("a text that is being edited").await?;
    notebook.press(Key::Escape).await?;
    notebook.browser.until("!document.querySelector('[data-test=text-field]')").await?;
    notebook.close().await
}

#[tokio::test]
async fn all_cells_are_measured_in_order() -> Result<()> {
    let _turn = turn().await;
    let notebook = three_cells().await?;
    let states = "JSON.stringify([...document.querySelectorAll('[data-test=progress]')].map((progress) => progress.dataset.state))";
    let record = format!(
        "window.states = [];
        const record = () => {{ const states = {states}; if (states !== window.states.at(-1)) window.states.push(states); }};
        new MutationObserver(record).observe(document, {{ subtree: true, childList: true, attributeFilter: ['data-state'] }});"
    );
    notebook.browser.client.execute(&record, Vec::new()).await?;
    notebook.click("measure-all").await?;
    notebook.browser.until(&format!("{states} === '[\"done\",\"done\"]'")).await?;
    let recorded: Vec<String> = serde_json::from_value(notebook.browser.value("window.states").await?)?;
    let recorded: Vec<(String, String)> =
        recorded.iter().map(|states| serde_json::from_str(states)).collect::<Result<_, _>>()?;
    let is_idle = |state: &str| ["idle", "done"].contains(&state);
    assert!(recorded.iter().any(|(first, second)| first == "measuring" && second == "idle"), "{recorded:?}");
    assert!(recorded.iter().any(|(first, second)| first == "done" && second == "measuring"), "{recorded:?}");
    assert!(recorded.iter().all(|(first, second)| is_idle(second) || first == "done"), "{recorded:?}");
    notebook.close().await
}

#[tokio::test]
async fn removing_a_cell_ends_its_measurement_and_undo_restores_its_results() -> Result<()> {
    let _turn = turn().await;
    let (well, hangs) = ("functions::well", "functions::hangs");
    let notebook = Notebook::open(misbehaving(600_000.0)?).await?;
    notebook.choose(well).await?;
    let rows = notebook.measure().await?;
    notebook.add_cell(hangs).await?;
    notebook.click("measure").await?;
    notebook.until_state("measuring").await?;
    notebook.choose_command("delete").await?;
    until_cells(&notebook, &[well]).await?;
    notebook.choose_command("delete").await?;
    until_cells(&notebook, &[]).await?;
    notebook.click("undo").await?;
    until_cells(&notebook, &[well]).await?;
    assert_eq!(notebook.rows().await?, rows);
    // The worker is free for another measurement.
    notebook.measure().await?;
    notebook.close().await
}

#[tokio::test]
async fn one_button_stops_a_collapsed_cell_and_clears_the_queue() -> Result<()> {
    let _turn = turn().await;
    // The functions hang, so that the measurement outlasts axe.
    let notebook = Notebook::open(misbehaving(600_000.0)?).await?;
    notebook.choose("functions::hangs").await?;
    notebook.add_cell("functions::hangs").await?;
    notebook.click("measure-all").await?;
    let states = "JSON.stringify([...document.querySelectorAll('[data-test=progress]')].map((progress) => progress.dataset.state))";
    notebook.browser.until(&format!("{states} === '[\"measuring\",\"idle\"]'")).await?;
    notebook.until_shown("queued").await?;
    assert_eq!(notebook.texts("measure-all").await?, [""; 0], "the button stops instead");
    notebook.browser.value("document.querySelector('[data-test=collapse]').click()").await?;
    let folded = "document.querySelector('[data-test=collapse]').ariaExpanded === 'false'";
    notebook.browser.until(folded).await?;
    assert_eq!(notebook.texts("stop").await?, ["Stop"], "a collapsed cell can be stopped, too");
    notebook.assert_accessible("measuring all cells, one of them collapsed").await?;

    notebook.click("stop-all").await?;
    notebook.browser.until(&format!("{states} === '[\"stopped\",\"idle\"]'")).await?;
    notebook.until_shown("measure-all").await?;
    assert_eq!(notebook.texts("queued").await?, [""; 0]);
    assert_eq!(notebook.browser.value("document.activeElement.dataset.test").await?, "measure-all");
    notebook.close().await
}

#[tokio::test]
async fn a_collapsed_measurement_has_its_answer_quality_setup_and_thumbnail() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open_sorts(&SORTS).await?;
    let badge = notebook.data("quality").await?["badge"].clone();
    // That of the ratios, which is next to the answer unless it is good.
    let of_answer = notebook.texts("badge-of-answer").await?.concat().to_lowercase();
    notebook.until_shown("outline-quality").await?;
    let expected = if of_answer.is_empty() { "good" } else { &of_answer };
    assert_eq!(notebook.texts("outline-quality").await?.concat().trim(), expected);
    let answer = notebook.texts("answer").await?;
    let line = notebook.texts("quality-line").await?;

    notebook.click("collapse").await?;
    notebook.until_shown("thumbnail").await?;
    assert_eq!(notebook.texts("answer").await?, answer);
    assert_eq!(
        (notebook.texts("quality-line").await?, notebook.data("quality").await?["badge"].clone()),
        (line, badge)
    );
    let setup = notebook.texts("setup-line").await?.concat();
    assert!(setup.contains("size 1\u{202f}000 to 3\u{202f}000"), "{setup}");
    let curves = "document.querySelectorAll('[data-test=thumbnail] path').length";
    assert_eq!(notebook.browser.value(curves).await?, 2);
    assert_eq!(notebook.texts("plot").await?, [""; 0]);
    notebook.assert_accessible("a collapsed measurement").await?;
    assert_eq!(notebook.texts("measure").await?, ["Measure again here"]);
    notebook.close().await
}
