//! Sharing notebooks: links, files, copies, standalone pages, and the runner's folder.

use std::fs;

use anyhow::{Context, Result};
use benchbook_contract::rng::Rng;
use benchbook_notebook::file;
use benchbook_tests::browser::turn;
use benchbook_tests::full_notebook::full_notebook;
use benchbook_tests::notebook::Notebook;
use benchbook_tests::runner_site::RunnerSite;
use benchbook_tests::sites::{demo, own_notebooks};
use benchbook_tests::slowed_curve::slow_down;
use benchbook_tests::stored_sorts::{SORTS, file_of_own_build, file_of_sorts};
use benchbook_tests::suites;
use fantoccini::key::Key;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A notebook with stored results and a text.
async fn measured() -> Result<Notebook> {
    let notebook = Notebook::open_sorts(&SORTS).await?;
    notebook.intercept().await?;
    Ok(notebook)
}

#[tokio::test]
async fn a_link_contains_texts_settings_and_figures() -> Result<()> {
    let _turn = turn().await;
    let notebook = measured().await?;
    let rows = notebook.rows().await?;
    let (answer, ranking) = (notebook.texts("answer").await?, notebook.texts("ranked").await?);
    let shortcut = format!("{}{}l{}", char::from(Key::Control), char::from(Key::Shift), char::from(Key::Null));
    notebook.find("body").await?.send_keys(&shortcut).await?;
    let copied = notebook.intercepted("copied").await?;
    let outcome = notebook.texts("share-outcome").await?.concat();
    assert_eq!(outcome, "Copied the link, with results but without raw samples");
    let (_, fragment) = copied.split_once('#').context("no fragment")?;
    assert!(fragment.starts_with("content="), "{fragment}");
    notebook.visit(fragment).await?;
    notebook.until_shown("table").await?;
    assert_eq!(notebook.rows().await?, rows);
    assert_eq!((notebook.texts("answer").await?, notebook.texts("ranked").await?), (answer, ranking));
    assert_eq!(notebook.texts("text").await?.concat().trim(), "A conclusion");
    // It is stored here, so that a reload shows it again.
    notebook.until_saved().await?;
    assert!(notebook.fragment().await?.starts_with("notebook="));
    notebook.browser.client.refresh().await?;
    notebook.until_shown("table").await?;
    assert_eq!(notebook.rows().await?, rows);
    notebook.close().await
}

#[tokio::test]
async fn the_notice_about_a_link_that_is_too_long_offers_the_file() -> Result<()> {
    let _turn = turn().await;
    let notebook = measured().await?;
    // It hardly compresses.
    let mut random = Rng::seed_from_u64(1);
    let text: String = (0..60_000).map(|_| char::from(b'a' + random.random_range(0..26))).collect();
    notebook.drop_file("long.benchbook.json", &file_of_sorts(&SORTS).replace("A conclusion", &text)).await?;
    notebook.browser.until("document.querySelector('[data-test=text]')?.textContent.trim().length === 60000").await?;

    notebook.share("share").await?;
    notebook.until_text("share-outcome", "too long for a link").await?;
    assert_eq!(notebook.texts("offer-file").await?, ["Download as a file"]);
    notebook.assert_accessible("a link that is too long").await?;
    notebook.click("offer-file").await?;
    assert!(notebook.intercepted("file").await?.contains(&text), "the file contains all of it");
    notebook.until_text("share-outcome", "Downloaded ").await?;
    assert!(notebook.texts("offer-file").await?.is_empty());
    let focused = "document.activeElement.matches('[data-test=share-menu] > summary')";
    assert_eq!(notebook.browser.value(focused).await?, true, "the focus is not lost with the button");

    notebook.share("share").await?;
    notebook.until_shown("close-outcome").await?;
    notebook.click("close-outcome").await?;
    notebook.browser.until("document.querySelector('[data-test=share-outcome]').textContent === ''").await?;
    notebook.close().await
}

#[tokio::test]
async fn a_file_contains_the_samples_and_is_opened_from_the_picker_and_by_dropping() -> Result<()> {
    let _turn = turn().await;
    let notebook = measured().await?;
    let rows = notebook.rows().await?;
    notebook.share("share-file").await?;
    let file = notebook.intercepted("file").await?;
    notebook.browser.click("[data-test=share-menu] summary").await?;
    notebook.assert_accessible("the Share menu").await?;
    notebook.share("share-text").await?;
    assert_eq!(notebook.intercepted("copied").await?, file);
    let parsed: Value = serde_json::from_str(&file)?;
    let point = &parsed["cells"][0]["measurement"]["results"][0]["curves"][0]["points"][0]["measured"]["point"];
    assert!(point["runs"][0]["samples"].as_array().is_some_and(|samples| !samples.is_empty()), "{point}");

    notebook.drop_file("dropped.benchbook.json", &file.replace("A conclusion", "Dropped")).await?;
    let is_shown = |text: &str| format!("document.querySelector('[data-test=text]')?.textContent.trim() === '{text}'");
    notebook.browser.until(&is_shown("Dropped")).await?;
    assert_eq!(notebook.rows().await?, rows);

    notebook.click("home").await?;
    let folder = TempDir::new()?;
    let path = folder.path().join("picked.benchbook.json");
    fs::write(&path, file.replace("A conclusion", "Picked"))?;
    let path = path.to_str().context("the path is text")?;
    notebook.find("[data-test=file-picker]").await?.send_keys(path).await?;
    notebook.browser.until(&is_shown("Picked")).await?;
    notebook.close().await
}

/// The maximum size of a standalone page of ten cells in bytes.
const MAX_PAGE: usize = 3_000_000;

#[tokio::test]
async fn a_standalone_page_shows_the_notebook_from_a_disk_without_a_server() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.intercept().await?;
    // Ten cells of the last priority, without two equal figures that would compress well.
    let full = file::write(&full_notebook(10, 1));
    notebook.drop_file("full.benchbook.json", &full).await?;
    notebook.browser.until("document.querySelectorAll('[data-test=cell]').length === 10").await?;
    // A click could miss its button while cells are still being rendered.
    notebook.browser.until("document.querySelectorAll('[data-test=table]').length === 10").await?;
    let rows = notebook.rows().await?;
    notebook.add_text("A conclusion").await?;
    notebook.share("share-page").await?;
    let page = notebook.intercepted("file").await?;
    assert!(page.len() <= MAX_PAGE, "{} bytes", page.len());
    let Notebook { browser, server } = notebook;
    drop(server);

    let folder = TempDir::new()?;
    let path = folder.path().join("sorts.html");
    fs::write(&path, &page)?;
    browser.client.goto(&format!("file://{}", path.display())).await?;
    // The page's policy forbids `eval`, which the other ways of waiting use.
    browser.until_reloaded("Boolean(document.querySelector('[data-test=machine]'))").await?;
    // The cells below the window are rendered when the browser is idle.
    browser.until_reloaded("document.querySelectorAll('[data-test=table]').length === 10").await?;
    let first = "[...document.querySelector('[data-test=table]').tBodies].flatMap((group) => [...group.rows]).map((row) => row.dataset.median).filter(Boolean).join()";
    let expected: Vec<String> = rows.iter().filter_map(|row| row.median.clone()).collect();
    assert_eq!(browser.value(first).await?, expected.join(","));
    let requests = "performance.getEntriesByType('resource').map((entry) => entry.name)";
    assert_eq!(browser.value(requests).await?, json!([]), "the page requests nothing");
    for test in ["answer", "text", "machine", "build"] {
        let count = browser.value(&format!("document.querySelectorAll('[data-test={test}]').length")).await?;
        assert!(count.as_u64() >= Some(1), "{test}");
    }
    browser.assert_accessible("a standalone page").await?;
    // Printing draws the plots that are far from the window, too.
    let drawn = "document.querySelectorAll('[data-test=plot] .on-paper svg').length";
    assert_eq!(browser.value(drawn).await?, 0);
    // Also on a slow processor.
    browser.devtools("Emulation.setCPUThrottlingRate", json!({ "rate": 8 })).await?;
    let printed = browser.devtools("Page.printToPDF", json!({ "printBackground": true })).await?;
    assert!(printed["data"].as_str().is_some_and(|pdf| pdf.starts_with("JVBERi0")), "{printed}");
    assert_eq!(browser.value(drawn).await?, 10);
    browser.devtools("Emulation.setCPUThrottlingRate", json!({ "rate": 1 })).await?;
    browser.emulate_print().await?;
    let displayed = "['canvas', '.on-paper'].map((part) => getComputedStyle(document.querySelector(`[data-test=plot] ${part}`)).display)";
    assert_eq!(browser.value(displayed).await?, json!(["none", "block"]));
    browser.devtools("Emulation.setEmulatedMedia", json!({ "media": "" })).await?;
    // The plot zooms.
    let label = "document.querySelector('[data-test=plot] canvas').ariaLabel";
    let whole = browser.value(label).await?;
    browser.client.execute("document.querySelector('[data-test=plot] canvas').focus()", Vec::new()).await?;
    browser.client.active_element().await?.send_keys("+").await?;
    browser.until_reloaded(&format!("{label} !== {whole}")).await?;
    browser.close().await
}

#[tokio::test]
async fn a_notebook_from_another_machine_is_measured_again_and_both_results_are_shown() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    // Of the same build, on a machine where one function took a hundred times as long.
    let mut file: Value = serde_json::from_str(&file_of_own_build(&SORTS)?)?;
    let result = &mut file["cells"][0]["measurement"]["results"][0];
    slow_down(&mut result["curves"][1]["points"])?;
    let colleague = "Browser of a colleague";
    result["setup"]["machine"]["name"] = json!(colleague);
    notebook.drop_file("elsewhere.json", &file.to_string()).await?;
    notebook.until_text("stale", "in another browser or profile").await?;
    let series = notebook.texts("series").await?.len();
    assert_eq!(notebook.texts("measure").await?, ["Measure again here"]);
    let origins = notebook.texts("result-origin").await?;
    let [original] = &origins[..] else { panic!("one result: {origins:?}") };
    let parts: Vec<&str> = original.split(" · ").collect();
    let [machine, suite, compiler] = parts[..] else { panic!("not three parts: {original}") };
    assert!(machine.starts_with("WebAssembly in ") && machine.contains(colleague), "{original}");
    assert!(suite.starts_with("demo 0.") && suite.ends_with("…)") && compiler.starts_with("rustc 1."), "{original}");
    notebook.measure().await?;
    let repeated = notebook.texts("result-origin").await?;
    assert_eq!((repeated.len(), &repeated[0]), (2, original), "the original result keeps its origin");
    assert_eq!(notebook.texts("measure").await?, ["Measure again here"]);
    let names = notebook.texts("series").await?;
    assert_eq!(names.len(), 2 * series, "{names:?}");
    assert!(
        names.iter().filter(|name| name.contains(colleague) && name.ends_with("measured separately")).count() == series,
        "{names:?}"
    );
    assert_eq!(notebook.texts("stale").await?, [""; 0]);
    let text = notebook.texts("reproduction").await?.concat();
    // Here, no function takes a hundred times as long.
    let held = format!(" results from {colleague} hold here");
    assert!(text.starts_with("0 of ") && text.contains(&held), "{text}");
    // On a loaded machine, a ratio may be unavailable.
    let times = format!("Times here relative to {colleague} at ");
    assert!(text.contains(&times) && text.contains(" keys, measured separately: sort_"), "{text}");
    let summary = "document.querySelector('[data-test=repeated-ratios] summary')";
    let title = notebook.browser.value(&format!("{summary}.textContent")).await?;
    assert!(title.as_str().is_some_and(|title| title.contains(", measured separately, at all ")), "{title}");
    notebook.browser.value(&format!("{summary}.click()")).await?;
    assert!(notebook.texts("repeated-ratio").await?.len() > 1);
    notebook.assert_accessible("a repeated measurement").await?;
    // Each machine has its own switch.
    notebook.browser.click("[data-test=show-menu] summary").await?;
    notebook.assert_accessible("the switches of the machines").await?;
    let switch = format!("[data-test=show-machine][data-machine='{colleague}']");
    notebook.browser.click(&switch).await?;
    let hidden = "[...document.querySelectorAll('[data-test=series][data-hidden]')].map((one) => one.textContent)";
    notebook.browser.until(&format!("{hidden}.length > 0")).await?;
    let hidden: Vec<String> = serde_json::from_value(notebook.browser.value(hidden).await?)?;
    assert!(hidden.len() == series && hidden.iter().all(|name| name.contains(colleague)), "{hidden:?}");
    notebook.close().await
}

#[tokio::test]
async fn a_file_of_a_runner_is_read_and_a_copy_is_edited() -> Result<()> {
    let _turn = turn().await;
    let file = file_of_sorts(&SORTS);
    let root = TempDir::new()?;
    let (folder, secret) = (root.path().join("notebooks"), root.path().join("secret.benchbook.json"));
    fs::create_dir_all(folder.join("sorts"))?;
    let path = folder.join("sorts/which.benchbook.json");
    fs::write(&path, &file)?;
    let folder = folder.to_str().context("the path is text")?;
    let runner = RunnerSite::start(&suites::demo()?, 20, &["--notebooks", folder])?;
    let notebook = runner.open().await?;
    fs::write(&secret, file.replace("A conclusion", "A secret"))?;
    for fragment in ["file=../secret.benchbook.json", "file=sorts/../../secret.benchbook.json"] {
        runner.go(&notebook, fragment).await?;
        notebook.browser.until("document.querySelector('main > [data-test=problem]')").await?;
        assert!(
            !notebook.browser.value("document.body.innerText").await?.to_string().contains("A secret"),
            "{fragment}"
        );
    }
    runner.go(&notebook, "").await?;
    notebook.until_shown("open-runner-notebook").await?;
    notebook.assert_accessible("the runner's notebooks").await?;
    notebook.click("open-runner-notebook").await?;
    notebook.until_shown("table").await?;
    assert!(notebook.fragment().await?.starts_with("file=sorts/which.benchbook.json"));
    assert!(!notebook.rows().await?.is_empty());
    for control in ["insert", "cell-menu", "measure", "text-edit", "function", "toggle-controls"] {
        assert!(notebook.texts(control).await?.is_empty(), "{control}: it is shown without controls");
    }
    notebook.assert_accessible("a notebook without controls").await?;
    let undo = format!("{}z{}", char::from(Key::Control), char::from(Key::Null));
    notebook.find("body").await?.send_keys(&undo).await?;
    notebook.click("reader-mode").await?;
    notebook.until_shown("cell-menu").await?;
    notebook.add_text("Mine").await?;
    notebook.until_saved().await?;
    assert_eq!(fs::read_to_string(&path)?, file, "the file is unchanged");
    notebook.close().await
}

#[tokio::test]
async fn the_start_view_opens_our_notebooks() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(own_notebooks()).await?;
    let listed = "document.querySelectorAll('[data-test=open-site-notebook]')";
    for index in 0..3 {
        notebook.browser.until(&format!("{listed}.length === 3")).await?;
        notebook.browser.value(&format!("{listed}[{index}].click()")).await?;
        notebook.until_shown("machine").await?;
        // Those below the window follow when the browser is idle.
        let are_rendered = "[...document.querySelectorAll('[data-test=cell]')].every((cell) => cell.querySelector('[data-test=table]'))";
        notebook.browser.until(are_rendered).await?;
        let count = async |test: &str| -> Result<u64> {
            let count =
                notebook.browser.value(&format!("document.querySelectorAll('[data-test={test}]').length")).await?;
            count.as_u64().with_context(|| test.to_owned())
        };
        let cells = count("cell").await?;
        assert!(cells >= 1 && count("text").await? > cells, "{index}");
        assert_eq!(count("machine").await?, 2, "a browser and a native build");
        for problem in ["problem", "not-measurable"] {
            assert_eq!(count(problem).await?, 0, "{problem}");
        }
        let cell = "document.querySelector('[data-test=cell]')";
        notebook.browser.value(&format!("{cell}.scrollIntoView()")).await?;
        notebook.browser.until(&format!("{cell}.querySelector('[data-test=plot] canvas').width > 300")).await?;
        if index == 0 {
            let open = "[...document.querySelectorAll('details[data-test=quality]')].map((details) => { details.open = true; })";
            notebook.browser.value(open).await?;
            assert!(count("cause").await? > 0, "the causes of a lower quality");
            notebook.assert_accessible("one of our notebooks").await?;
        }
        notebook.click("home").await?;
    }
    notebook.close().await
}
