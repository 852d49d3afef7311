//! Sharing notebooks: links, files, copies, the runner's folder; and bad input from elsewhere.

use std::fs;

use anyhow::{Context, Result};
use benchbook_tests::browser::turn;
use benchbook_tests::notebook::Notebook;
use benchbook_tests::runner_site::RunnerSite;
use benchbook_tests::sites::{demo, own_notebooks};
use benchbook_tests::suites;
use fantoccini::key::Key;
use serde_json::{Value, json};
use tempfile::TempDir;

const SORT: &str = "sorting::sort_unstable";

/// Records what the page copies and downloads.
const INTERCEPT: &str = "navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); };
    URL.createObjectURL = (blob) => { blob.text().then((text) => { window.file = text; }); return 'blob:intercepted'; };";

/// A measured notebook with a text.
async fn measured() -> Result<Notebook> {
    let notebook = Notebook::open(demo()).await?;
    notebook.choose(SORT).await?;
    notebook.type_into("size", "high", "3000").await?;
    notebook.compare("sorting::sort_stable").await?;
    notebook.measure().await?;
    notebook.add_text("A conclusion").await?;
    notebook.find("[data-test=outline-item] button").await?.click().await?;
    notebook.browser.client.execute(INTERCEPT, Vec::new()).await?;
    Ok(notebook)
}

/// Chooses an entry of the Share menu.
async fn share(notebook: &Notebook, entry: &str) -> Result<()> {
    let is_open = "document.querySelector('[data-test=share-menu]').open";
    if notebook.browser.value(is_open).await? == json!(false) {
        notebook.find("[data-test=share-menu] summary").await?.click().await?;
    }
    notebook.click(entry).await
}

/// The intercepted value of a variable of the page.
async fn intercepted(notebook: &Notebook, variable: &str) -> Result<String> {
    notebook.browser.until(&format!("window.{variable}")).await?;
    let value = notebook.browser.value(&format!("window.{variable}")).await?;
    Ok(value.as_str().context("not a text")?.to_owned())
}

async fn until_problem(notebook: &Notebook, text: &str) -> Result<()> {
    let shown =
        "[...document.querySelectorAll('main > [data-test=problem]')].map((problem) => problem.textContent).join()";
    notebook.browser.until(&format!("{shown}.includes('{text}')")).await
}

/// Drops a file on the page.
async fn drop_file(notebook: &Notebook, name: &str, content: &str) -> Result<()> {
    const DROP: &str = "const data = new DataTransfer();
        data.items.add(new File([arguments[1]], arguments[0]));
        for (const type of ['dragover', 'drop']) {
            window.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
        }";
    notebook.browser.client.execute(DROP, vec![json!(name), json!(content)]).await?;
    Ok(())
}

#[tokio::test]
async fn a_link_contains_texts_settings_and_figures() -> Result<()> {
    let _turn = turn().await;
    let notebook = measured().await?;
    let rows = notebook.rows().await?;
    let (answer, ranking) = (notebook.texts("answer").await?, notebook.texts("ranked").await?);
    let shortcut = format!("{}{}l{}", char::from(Key::Control), char::from(Key::Shift), char::from(Key::Null));
    notebook.find("body").await?.send_keys(&shortcut).await?;
    let copied = intercepted(&notebook, "copied").await?;
    let outcome = notebook.texts("share-outcome").await?.concat();
    assert_eq!(outcome, "Copied the link, with figures but without raw samples");
    let (_, fragment) = copied.split_once('#').context("no fragment")?;
    assert!(fragment.starts_with("content="), "{fragment}");
    notebook.visit(fragment).await?;
    notebook.browser.until("document.querySelector('[data-test=table]')").await?;
    assert_eq!(notebook.rows().await?, rows);
    assert_eq!((notebook.texts("answer").await?, notebook.texts("ranked").await?), (answer, ranking));
    assert_eq!(notebook.texts("text").await?.concat().trim(), "A conclusion");
    // It is stored here, so that a reload shows it again.
    notebook.browser.until("document.querySelector('[data-test=saved]').dataset.state === 'saved'").await?;
    assert!(notebook.fragment().await?.starts_with("notebook="));
    notebook.browser.client.refresh().await?;
    notebook.browser.until("document.querySelector('[data-test=table]')").await?;
    assert_eq!(notebook.rows().await?, rows);
    notebook.close().await
}

#[tokio::test]
async fn a_file_contains_the_samples_and_is_opened_from_the_picker_by_dropping_and_from_an_address() -> Result<()> {
    let _turn = turn().await;
    let notebook = measured().await?;
    let rows = notebook.rows().await?;
    share(&notebook, "share-file").await?;
    let file = intercepted(&notebook, "file").await?;
    notebook.assert_accessible("the Share menu").await?;
    share(&notebook, "share-text").await?;
    assert_eq!(intercepted(&notebook, "copied").await?, file);
    let parsed: Value = serde_json::from_str(&file)?;
    let point = &parsed["cells"][0]["measurement"]["results"][0]["curves"][0]["points"][0]["measured"]["point"];
    assert!(point["runs"][0]["samples"].as_array().is_some_and(|samples| !samples.is_empty()), "{point}");

    drop_file(&notebook, "dropped.benchbook.json", &file.replace("A conclusion", "Dropped")).await?;
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

    notebook.click("home").await?;
    notebook
        .find("[data-test=file-address]")
        .await?
        .send_keys(&format!("{}notebook.json", notebook.server.url()))
        .await?;
    notebook.click("open-address").await?;
    until_problem(&notebook, "is not a Benchbook notebook").await?;
    notebook.close().await
}

/// The maximum size of a standalone page of ten cells in bytes.
const MAX_PAGE: usize = 3_000_000;

#[tokio::test]
async fn a_standalone_page_shows_the_notebook_from_a_disk_without_a_server() -> Result<()> {
    let _turn = turn().await;
    let notebook = measured().await?;
    let rows = notebook.rows().await?;
    for _ in 0..9 {
        notebook.find("[data-test=cell-menu] summary").await?.click().await?;
        notebook.click("duplicate").await?;
    }
    notebook.browser.until("document.querySelectorAll('[data-test=cell]').length === 10").await?;
    share(&notebook, "share-page").await?;
    let page = intercepted(&notebook, "file").await?;
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
    let first = "[...document.querySelector('[data-test=table]').tBodies[0].rows].map((row) => row.dataset.median).filter(Boolean).join()";
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
    let drawn = "document.querySelectorAll('[data-test=plot] canvas[width]').length";
    assert!(browser.value(drawn).await?.as_u64() < Some(10), "only the near ones are drawn");
    let printed = browser.devtools("Page.printToPDF", json!({ "printBackground": true })).await?;
    assert!(printed["data"].as_str().is_some_and(|pdf| pdf.starts_with("JVBERi0")), "{printed}");
    assert_eq!(browser.value(drawn).await?, 10);
    // The plot zooms.
    let label = "document.querySelector('[data-test=plot] canvas').ariaLabel";
    let whole = browser.value(label).await?;
    browser.client.execute("document.querySelector('[data-test=plot] canvas').focus()", Vec::new()).await?;
    browser.client.active_element().await?.send_keys("+").await?;
    browser.until_reloaded(&format!("{label} !== {whole}")).await?;
    browser.close().await
}

#[tokio::test]
async fn bad_files_and_links_are_reported_and_change_nothing() -> Result<()> {
    let _turn = turn().await;
    let notebook = measured().await?;
    let rows = notebook.rows().await?;
    let nested = "[".repeat(100_000);
    let table = [
        ("", "damaged or incomplete"),
        ("{\"benchbook\":1,\"cells\":[", "damaged or incomplete"),
        ("{\"cells\":[]}", "is not a Benchbook notebook"),
        ("{\"benchbook\":99,\"cells\":[]}", "has version 99 of the format"),
        (nested.as_str(), "is not a Benchbook notebook"),
        ("{\"benchbook\":1,\"cells\":[{\"id\":\"a\"}]}", "exactly one of `text` and `measurement`"),
    ];
    for (content, expected) in table {
        drop_file(&notebook, "bad.json", content).await.with_context(|| format!("dropping {content:.40}"))?;
        until_problem(&notebook, expected).await.with_context(|| format!("opening {content:.40}"))?;
        assert_eq!(notebook.rows().await?, rows, "{content:.40}: the notebook remains");
    }
    const DROP_HUGE: &str = "const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(100_000_000)], 'huge.json'));
        window.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));";
    notebook.browser.client.execute(DROP_HUGE, Vec::new()).await?;
    until_problem(&notebook, "The file has 96 MiB; the limit is 64 MiB").await?;
    assert_eq!(notebook.rows().await?, rows, "a file of 100 MB: the notebook remains");
    for (fragment, expected) in
        [("content=%00", "damaged or incomplete"), ("content=AAAA", "damaged or incomplete"), ("file=../secret", "")]
    {
        notebook.visit(fragment).await?;
        if !expected.is_empty() {
            until_problem(&notebook, expected).await?;
        }
        notebook.choose("numbers::sum").await?;
    }
    notebook.close().await
}

#[tokio::test]
async fn scripts_in_a_file_do_not_run_and_its_results_remain_readable_without_its_suite() -> Result<()> {
    let _turn = turn().await;
    let notebook = measured().await?;
    share(&notebook, "share-file").await?;
    let mut file: Value = serde_json::from_str(&intercepted(&notebook, "file").await?)?;
    let script = "<img src=x onerror='window.hacked=1'><script>window.hacked=1</script>";
    file["title"] = json!(script);
    let measurement = &mut file["cells"][0]["measurement"];
    measurement["title"] = json!(script);
    measurement["setup"]["suite"] = json!(script);
    let setup = &mut measurement["results"][0]["setup"];
    setup["generator"] = json!(script);
    setup["machine"]["name"] = json!(script);
    setup["axis"]["description"] = json!(script);
    setup["axis"]["unit"] = json!(script);
    setup["suite"]["build"]["rustc"] = json!(script);
    file["cells"][1]["text"] = json!(format!("{script} [x](javascript:window.hacked=1)"));
    drop_file(&notebook, "hostile.json", &file.to_string()).await?;
    notebook.browser.until("document.querySelector('[data-test=not-measurable]')").await?;
    assert!(notebook.rows().await?.len() > 2, "the results remain readable");
    for tab in ["tab-table", "tab-samples", "tab-plot"] {
        notebook.click(tab).await?;
    }
    let dangerous = "document.querySelectorAll('main img, main script, header img, header script').length";
    assert_eq!(notebook.browser.value(dangerous).await?, 0);
    assert!(notebook.browser.value("window.hacked ?? null").await?.is_null());
    notebook.assert_accessible("a cell whose suite is missing").await?;
    notebook.close().await
}

#[tokio::test]
async fn a_notebook_from_another_machine_is_measured_again_and_both_results_are_shown() -> Result<()> {
    let _turn = turn().await;
    let notebook = measured().await?;
    share(&notebook, "share-file").await?;
    let mut file: Value = serde_json::from_str(&intercepted(&notebook, "file").await?)?;
    // A colleague's browser with the same name.
    let machine = &mut file["cells"][0]["measurement"]["results"][0]["setup"]["machine"];
    let colleague = format!("another {}", machine["name"].as_str().context("a name")?);
    machine["id"] = json!("colleague");
    drop_file(&notebook, "elsewhere.json", &file.to_string()).await?;
    notebook.browser.until("document.querySelector('[data-test=stale]')").await?;
    let series = notebook.texts("series").await?.len();
    assert_eq!(notebook.texts("measure").await?, ["Measure again here"]);
    notebook.measure().await?;
    let names = notebook.texts("series").await?;
    assert_eq!(names.len(), 2 * series, "{names:?}");
    assert!(
        names.iter().filter(|name| name.contains(&colleague) && name.ends_with("unpaired")).count() == series,
        "{names:?}"
    );
    assert_eq!(notebook.texts("stale").await?, [""; 0]);
    // On a busy machine, the first measurement may have no conclusions.
    let text = notebook.texts("reproduction").await?.concat();
    let times = format!("Times here relative to {colleague} at 3\u{202f}000 keys, unpaired: sort_unstable ");
    assert!(text.contains(&times), "{text}");
    notebook.assert_accessible("a repeated measurement").await?;
    notebook.close().await
}

#[tokio::test]
async fn a_file_of_a_runner_is_read_and_a_copy_is_edited() -> Result<()> {
    let _turn = turn().await;
    let measured = measured().await?;
    share(&measured, "share-file").await?;
    let file = intercepted(&measured, "file").await?;
    measured.close().await?;

    let folder = TempDir::new()?;
    fs::create_dir(folder.path().join("sorts"))?;
    let path = folder.path().join("sorts/which.benchbook.json");
    fs::write(&path, &file)?;
    let folder = folder.path().to_str().context("the path is text")?;
    let runner = RunnerSite::start(&suites::demo()?, 20, &["--notebooks", folder])?;
    let notebook = runner.open().await?;
    notebook.browser.until("document.querySelector('[data-test=open-runner-notebook]')").await?;
    notebook.assert_accessible("the runner's notebooks").await?;
    notebook.click("open-runner-notebook").await?;
    notebook.browser.until("document.querySelector('[data-test=table]')").await?;
    assert!(notebook.fragment().await?.starts_with("file=sorts/which.benchbook.json"));
    assert!(!notebook.rows().await?.is_empty());
    for control in ["insert", "cell-menu", "measure", "text-edit", "function", "toggle-controls"] {
        assert!(notebook.texts(control).await?.is_empty(), "{control}: it is shown without controls");
    }
    notebook.assert_accessible("a notebook without controls").await?;
    let undo = format!("{}z{}", char::from(Key::Control), char::from(Key::Null));
    notebook.find("body").await?.send_keys(&undo).await?;
    notebook.click("reader-mode").await?;
    notebook.browser.until("document.querySelector('[data-test=cell-menu]')").await?;
    notebook.add_text("Mine").await?;
    notebook.browser.until("document.querySelector('[data-test=saved]').dataset.state === 'saved'").await?;
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
        notebook.browser.until("document.querySelector('[data-test=machine]')").await?;
        // Those below the window follow when the browser is idle.
        let are_rendered = "[...document.querySelectorAll('[data-test=cell]')].every((cell) => cell.querySelector('[data-test=table]'))";
        notebook.browser.until(are_rendered).await?;
        let count = async |test: &str| -> Result<u64> {
            let count =
                notebook.browser.value(&format!("document.querySelectorAll('[data-test={test}]').length")).await?;
            count.as_u64().with_context(|| test.to_owned())
        };
        let cells = count("cell").await?;
        assert!(cells >= 3 && count("text").await? > cells, "{index}");
        assert_eq!(count("machine").await?, 2, "a browser and a native build");
        for problem in ["problem", "not-measurable"] {
            assert_eq!(count(problem).await?, 0, "{problem}");
        }
        let cell = "document.querySelector('[data-test=cell]')";
        notebook.browser.value(&format!("{cell}.scrollIntoView()")).await?;
        notebook.browser.until(&format!("{cell}.querySelector('[data-test=plot] canvas').width > 300")).await?;
        if index == 0 {
            notebook.assert_accessible("one of our notebooks").await?;
        }
        notebook.click("home").await?;
    }
    notebook.close().await
}
