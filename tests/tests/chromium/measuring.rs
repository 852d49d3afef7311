//! The page in Chromium: the main path of a user, and every kind of failed measurement.

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use benchbook_tests::browser::{quiet_turn, turn};
use benchbook_tests::notebook::{Notebook, Row};
use benchbook_tests::server::{Site, dist};
use benchbook_tests::sites::{demo, misbehaving, qualities, with_notebook};
use benchbook_tests::suites;
use benchbook_tests::wasm::WasmModule;
use fantoccini::actions::MOUSE_BUTTON_MIDDLE;
use fantoccini::key::Key;
use serde_json::json;
use tempfile::TempDir;

fn numbers(rows: &[Row]) -> Vec<f64> {
    rows.iter().filter_map(|row| row.x.parse().ok()).collect()
}

#[tokio::test]
async fn measures_a_function_up_to_the_last_priority() -> Result<()> {
    let _turn = quiet_turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("sorting::sort_unstable").await?;
    notebook.type_into("size", "low", "200").await?;
    notebook.type_into("size", "high", "1k").await?;
    notebook.pick("spread", "Reversed").await?;
    notebook.pick("spread", "Random").await?;
    assert_eq!(notebook.data("progress").await?["state"], "idle");

    let rows = notebook.measure().await?;

    let progress = notebook.data("progress").await?;
    assert_eq!(
        (progress["priority"].as_str(), progress["points"].as_str()),
        ("4", "7"),
        "of 9 points, two fall onto others"
    );
    assert_eq!(numbers(&rows), [200.0, 300.0, 400.0, 500.0, 700.0, 800.0, 1000.0], "log points on the grid");
    for row in &rows {
        assert_eq!(
            (row.path.as_str(), row.machine.as_str(), row.priority.as_str()),
            ("sorting::sort_unstable", "browser", "4")
        );
        assert_eq!(row.failed, None, "at {}", row.x);
        let mean: f64 = row.mean.as_deref().context("a mean")?.parse()?;
        assert!(mean.is_finite(), "{row:?}");
        let (q1, median, q3) = (row.q1.clone(), row.median.clone(), row.q3.clone());
        let quartiles: Vec<f64> =
            [q1, median, q3].into_iter().flatten().map(|text| text.parse()).collect::<Result<_, _>>()?;
        assert!(quartiles.is_sorted() && quartiles.len() == 3, "{quartiles:?}");
    }
    notebook.close().await
}

/// The last priority measures in fresh workers, each with a module of its own.
#[tokio::test]
async fn the_last_priority_measures_in_several_workers() -> Result<()> {
    let _turn = turn().await;
    let mut qualities = qualities(5_000.0);
    qualities[3]["processes"] = json!(3);
    let site = with_notebook(&json!({ "suites": ["suites/demo.wasm"], "qualities": qualities }));
    let notebook = Notebook::open(site).await?;
    const COUNT_WORKERS: &str = "
        window.workers = 0;
        window.Worker = class extends Worker { constructor(...all) { super(...all); window.workers += 1; } };";
    notebook.browser.client.execute(COUNT_WORKERS, Vec::new()).await?;
    notebook.choose("sorting::sort_unstable").await?;
    notebook.compare("sorting::sort_stable").await?;
    for workers in [3, 6] {
        let rows = notebook.measure().await?;
        assert!(rows.iter().all(|row| row.priority == "4" && row.failed.is_none()), "{rows:?}");
        assert!(rows.iter().any(|row| row.ratio.is_some()), "{rows:?}");
        assert_eq!(notebook.browser.value("window.workers").await?, json!(workers));
    }
    notebook.click("tab-samples").await?;
    let caption = notebook.browser.value("document.querySelector('[data-test=samples] p').textContent").await?;
    assert!(caption.as_str().context("no caption")?.contains(", in 3 processes"), "{caption}");
    assert_eq!(notebook.texts("one-process").await?, [""; 0]);
    notebook.close().await
}

/// Measures every second function with each generator, beginning with this one.
async fn measure_alternate_functions(first: usize) -> Result<()> {
    let _turn = turn().await;
    let mut qualities = qualities(5_000.0);
    for (quality, points) in qualities.as_array_mut().context("qualities")?.iter_mut().zip([2, 2, 2, 5]) {
        (quality["points"], quality["point_ms"]) = (json!(points), json!(5.0));
    }
    let site = with_notebook(&json!({ "suites": ["suites/demo.wasm"], "qualities": qualities }));
    let notebook = Notebook::open(site).await?;
    let suite = WasmModule::new(&suites::demo()?.wasm()?)?.describe()?;
    for function in suite.functions.iter().skip(first).step_by(2).filter(|function| !function.native) {
        for generator in &function.generators {
            notebook.choose(&function.path).await?;
            notebook.generator(generator).await?;
            let rows = notebook.measure().await?;
            let has_axis = suite.generator(generator).is_some_and(|generator| generator.default_axis().is_some());
            assert!(rows.len() > if has_axis { 3 } else { 0 }, "{} from {generator}: {rows:?}", function.path);
            assert!(rows.iter().all(|row| row.failed.is_none()), "{} from {generator}: {rows:?}", function.path);
            // The page would have to draw all earlier cells too.
            notebook.choose_command("delete").await?;
        }
    }
    notebook.close().await
}

#[tokio::test]
async fn measures_functions_1_3_5_and_so_on_with_each_generator() -> Result<()> {
    measure_alternate_functions(0).await
}

#[tokio::test]
async fn measures_functions_2_4_6_and_so_on_with_each_generator() -> Result<()> {
    measure_alternate_functions(1).await
}

#[tokio::test]
async fn plot_is_drawn_when_its_tab_is_opened() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("numbers::sum").await?;
    notebook.measure().await?;
    notebook.click("tab-table").await?;
    notebook.type_into("count", "high", "500").await?;
    notebook.measure().await?;
    notebook.click("tab-plot").await?;
    const COLOURS: &str = "(() => {
        const canvas = document.querySelector('[data-test=plot] canvas');
        const pixels = new Uint32Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer);
        return [canvas.width, canvas.clientWidth, new Set(pixels).size];
    })()";
    notebook.browser.until(&format!("{COLOURS}[2] > 5")).await?;
    let [width, shown, _]: [u32; 3] = serde_json::from_value(notebook.browser.value(COLOURS).await?)?;
    assert!(shown > 0 && width >= shown, "{width} pixels on {shown}");
    notebook.close().await
}

#[tokio::test]
async fn dragging_zooms_and_double_click_resets() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("sorting::sort_stable").await?;
    notebook.measure().await?;
    let whole = notebook.visible().await?;

    notebook.drag((0.3, 0.3), (0.6, 0.7)).await?;
    notebook.until_zoomed("plot", true).await?;
    let zoomed = notebook.visible().await?;
    ensure!(zoomed.x.0 > whole.x.0 && zoomed.x.1 < whole.x.1, "x of {zoomed:?} within {whole:?}");
    ensure!(zoomed.y.0 > whole.y.0 && zoomed.y.1 < whole.y.1, "y of {zoomed:?} within {whole:?}");

    notebook.double_click((0.5, 0.5)).await?;
    notebook.until_zoomed("plot", false).await?;
    assert_eq!(notebook.visible().await?, whole);

    notebook.drag((0.3, 0.3), (0.6, 0.7)).await?;
    notebook.until_zoomed("plot", true).await?;
    notebook.type_into("size", "high", "2000").await?;
    notebook.measure().await?;
    assert!(!notebook.is_zoomed().await?, "another range resets the zoom");
    notebook.close().await
}

#[tokio::test]
async fn dragging_with_another_button_does_not_zoom() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("numbers::sum").await?;
    notebook.measure().await?;
    notebook.drag_with(MOUSE_BUTTON_MIDDLE, (0.3, 0.3), (0.6, 0.7)).await?;
    assert!(!notebook.is_zoomed().await?);
    notebook.drag((0.3, 0.3), (0.6, 0.7)).await?;
    assert!(notebook.is_zoomed().await?, "the left button still zooms");
    notebook.close().await
}

#[tokio::test]
async fn clicking_measure_right_after_typing_starts_the_measurement() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("sorting::sort_unstable").await?;
    notebook.type_into("size", "high", "900").await?;
    // An off-grid value shows a note when the field loses the focus.
    notebook.type_and_stay("size", "low", "210").await?;
    let rows = notebook.measure().await?;
    assert_eq!(numbers(&rows).first(), Some(&200.0));
    assert_eq!(numbers(&rows).last(), Some(&900.0));
    notebook.close().await
}

#[tokio::test]
async fn arrow_keys_switch_tabs() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("numbers::sum").await?;
    notebook.measure().await?;
    notebook.click("tab-plot").await?;
    for (key, expected) in [(Key::Right, "table"), (Key::End, "samples"), (Key::Right, "plot"), (Key::Left, "samples")]
    {
        notebook.press(key).await?;
        let focused = "[document.activeElement.dataset.test, document.querySelector('[role=tabpanel]:not([hidden])').dataset.test]";
        assert_eq!(
            notebook.browser.value(focused).await?,
            json!([format!("tab-{expected}"), format!("panel-{expected}")])
        );
    }
    notebook.close().await
}

#[tokio::test]
async fn page_works_in_a_subfolder() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(Site { folder: Some("/a/b".to_owned()), ..demo() }).await?;
    notebook.choose("numbers::sum").await?;
    let rows = notebook.measure().await?;
    assert!(rows.iter().all(|row| row.failed.is_none()), "{rows:?}");
    notebook.close().await
}

#[tokio::test]
async fn page_shows_two_suites() -> Result<()> {
    let _turn = turn().await;
    let notebook = json!({ "suites": ["suites/library.wasm", "suites/demo.wasm"], "qualities": qualities(5_000.0) });
    let library = suites::fixture("library")?.module;
    let notebook = Notebook::open(Site {
        notebook: Some(notebook.to_string()),
        suites: vec![("library.wasm".to_owned(), library)],
        ..demo()
    })
    .await?;
    notebook.browser.until("document.querySelectorAll('nav h2').length === 2").await?;
    let names =
        notebook.browser.value("[...document.querySelectorAll('nav h2')].map(name => name.textContent)").await?;
    assert_eq!(names, json!(["library 0.1.0", "demo 0.1.0"]), "in the order of notebook.json");
    for path in ["library_functions::numbers::sum", "numbers::sum", "library_functions::words::count"] {
        notebook.choose(path).await?;
        let rows = notebook.measure().await?;
        assert!(rows.len() > 3 && rows.iter().all(|row| row.path == path && row.failed.is_none()), "{rows:?}");
    }
    notebook.close().await
}

#[tokio::test]
async fn a_second_suite_with_the_same_name_is_ignored() -> Result<()> {
    let _turn = turn().await;
    let notebook = json!({ "suites": ["suites/demo.wasm", "suites/again.wasm"], "qualities": qualities(5_000.0) });
    let notebook = Notebook::open(Site {
        notebook: Some(notebook.to_string()),
        suites: vec![("again.wasm".to_owned(), suites::demo()?.module)],
        ..demo()
    })
    .await?;
    notebook
        .browser
        .until("document.querySelector('[data-test=problem]')?.textContent.includes('Only the first one is shown')")
        .await?;
    notebook.choose("numbers::sum").await?;
    assert!(notebook.measure().await?.iter().all(|row| row.failed.is_none()));
    notebook.close().await
}

#[tokio::test]
async fn measures_another_generator_and_axis() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("sorting::sort_stable").await?;
    notebook.generator("sorting::nearly_sorted").await?;
    notebook.vary("disorder").await?;
    notebook.type_into("size", "value", "400").await?;
    let rows = notebook.measure().await?;
    assert_eq!(numbers(&rows).first(), Some(&0.0));
    assert_eq!(numbers(&rows).last(), Some(&50.0));
    assert!(rows.iter().all(|row| row.failed.is_none()), "{rows:?}");
    notebook.close().await
}

#[tokio::test]
async fn stopping_retains_the_points_and_allows_a_new_measurement() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(Site { notebook: None, ..demo() }).await?;
    notebook.choose("sorting::sort_unstable").await?;
    notebook.click("measure").await?;
    // With the shipped qualities, priority 4 takes most of a minute.
    notebook.browser.until("document.querySelectorAll('[data-test=table] tbody tr').length >= 3").await?;
    notebook.click("stop").await?;
    notebook.until_state("stopped").await?;
    let (stopped, progress) = (notebook.rows().await?, notebook.data("progress").await?);
    assert!(stopped.len() >= 3);
    assert!(progress["priority"].parse::<u8>()? >= 1 && progress.contains_key("points"), "{progress:?}");

    notebook.choose("numbers::sum").await?;
    notebook.click("measure").await?;
    notebook.browser.until("document.querySelectorAll('[data-test=table] tbody tr').length >= 5").await?;
    notebook.click("stop").await?;
    notebook.until_state("stopped").await?;
    assert!(notebook.rows().await?.iter().all(|row| row.path == "numbers::sum" && row.failed.is_none()));
    notebook.close().await
}

#[tokio::test]
async fn without_isolation_the_clock_is_coarse_but_measuring_works() -> Result<()> {
    let _turn = quiet_turn().await;
    let resolution = async |isolated: bool| -> Result<f64> {
        let notebook = Notebook::open(Site { isolated, ..demo() }).await?;
        let clock = notebook.clock().await?;
        assert_eq!(clock.is_isolated, isolated);
        notebook.choose("sorting::sort_unstable").await?;
        notebook.type_into("size", "high", "2000").await?;
        let rows = notebook.measure().await?;
        assert!(rows.iter().all(|row| row.failed.is_none() && row.mean.is_some()), "{rows:?}");
        notebook.close().await?;
        Ok(clock.resolution)
    };
    let (fine, coarse) = (resolution(true).await?, resolution(false).await?);
    assert!(fine < coarse, "{fine} ns with isolation, {coarse} ns without");
    Ok(())
}

#[tokio::test]
async fn input_errors_are_shown_at_the_control() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("sorting::sort_unstable").await?;
    let table = [
        ("low", "5", "expected 100 to 1\u{202f}000\u{202f}000"),
        ("low", "many", "expected a number"),
        ("low", "2,5", "use a point for decimals (2.5)"),
        ("low", "500k", "low must not be greater than high"),
    ];
    for (field, text, expected) in table {
        notebook.type_into("size", field, text).await?;
        notebook.click("measure").await?;
        let texts = notebook.texts("problem").await?;
        assert!(texts.iter().any(|problem| problem.contains(expected)), "{text}: {texts:?}");
        assert_eq!(notebook.data("progress").await?["state"], "idle");
    }
    notebook.type_into("size", "low", "1010").await?;
    assert!(notebook.texts("problem").await?.is_empty(), "the value is snapped to the grid");
    notebook.close().await
}

#[tokio::test]
async fn native_functions_require_a_runner() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("memory::write_file").await?;
    let texts = notebook.texts("problem").await?;
    assert!(texts.iter().any(|problem| problem.contains("Only a runner can measure this function")), "{texts:?}");
    assert_eq!(notebook.browser.value("document.querySelector('[data-test=measure]').disabled").await?, json!(true));
    notebook.close().await
}

/// The page's own module, which is not a suite.
fn page_module() -> Result<PathBuf> {
    let mut files = fs::read_dir(dist()?)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?.into_iter();
    files.find(|path| path.extension() == Some(OsStr::new("wasm"))).context("the page has no module")
}

#[tokio::test]
async fn missing_and_invalid_suites_are_reported() -> Result<()> {
    let _turn = turn().await;
    let table = [
        (json!({ "suites": ["suites/none.wasm"] }).to_string(), "no such file"),
        (json!({ "suites": ["worker.js"] }).to_string(), "not a WebAssembly module"),
        (json!({ "suites": ["suites/page.wasm"] }).to_string(), "wasm-bindgen"),
        (json!({ "suites": ["suites/nothing.wasm"] }).to_string(), "not a suite"),
        (json!({ "suites": [] }).to_string(), "has no suites"),
        ("{ \"suites\": 3 }".to_owned(), "line 1"),
    ];
    let folder = TempDir::new()?;
    let empty = folder.path().join("nothing.wasm");
    fs::write(&empty, b"\0asm\x01\0\0\0")?;
    let modules = [("page.wasm".to_owned(), page_module()?), ("nothing.wasm".to_owned(), empty)];
    for (text, expected) in table {
        let notebook = Notebook::open(Site { notebook: Some(text), suites: modules.to_vec(), ..demo() }).await?;
        let texts = notebook.texts("problem").await?;
        assert!(texts.iter().any(|problem| problem.contains(expected)), "{expected}: {texts:?}");
        notebook.close().await?;
    }
    Ok(())
}

/// Measures a function of the fixture `misbehaving`, which succeeds for sizes up to 5 and fails from 10 on, and then
/// one that always succeeds.
async fn assert_fails(notebook: &Notebook, function: &str, generator: Option<&str>, expected: &str) -> Result<()> {
    notebook.choose(function).await?;
    if let Some(generator) = generator {
        notebook.generator(generator).await?;
    }
    let rows = notebook.measure().await.with_context(|| format!("measuring {function}"))?;
    for row in &rows {
        let size: f64 = row.x.parse()?;
        match &row.failed {
            None => assert!(size < 10.0, "{function} at {size} has figures: {row:?}"),
            Some(reason) => {
                assert!(size >= 10.0, "{function} failed at {size}: {reason}");
                assert!(
                    reason.contains(expected) || reason.starts_with("skipped: it timed out"),
                    "{function}: {reason}"
                );
            }
        }
    }
    assert!(rows.iter().any(|row| row.failed.is_some()) && rows.iter().any(|row| row.failed.is_none()), "{rows:?}");
    let texts = notebook.texts("problem").await?;
    assert!(texts.iter().any(|problem| problem.contains(expected)), "{function}: {texts:?}");

    notebook.choose("functions::well").await?;
    let rows = notebook.measure().await.with_context(|| format!("measuring after {function}"))?;
    assert!(rows.iter().all(|row| row.failed.is_none()), "after {function}: {rows:?}");
    Ok(())
}

#[tokio::test]
async fn failures_are_reported_per_point_and_the_page_recovers() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(misbehaving(5_000.0)?).await?;
    let table = [
        ("functions::panics", None, "is too much for me"),
        ("functions::traps", None, "unreachable"),
        ("functions::recurs", None, "call stack"),
        ("functions::exhausts", None, "out of memory"),
        ("generators::takes", Some("generators::panics_at_once"), "the generator panicked"),
        ("generators::takes", Some("generators::panics_later"), "the generator panicked"),
        ("generators::takes", Some("generators::panics_after_a_call"), "a hook of the generator panicked"),
    ];
    for (function, generator, expected) in table {
        assert_fails(&notebook, function, generator, expected).await?;
    }
    notebook.close().await
}

#[tokio::test]
async fn endless_calls_time_out_and_the_page_recovers() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(misbehaving(1_000.0)?).await?;
    assert_fails(&notebook, "functions::hangs", None, "timed out").await?;
    notebook.close().await
}

#[tokio::test]
async fn empty_functions_get_a_note_instead_of_a_time() -> Result<()> {
    let _turn = quiet_turn().await;
    let notebook = Notebook::open(misbehaving(5_000.0)?).await?;
    notebook.choose("functions::nothing").await?;
    notebook.measure().await?;
    let quality = notebook.texts("quality").await?.concat();
    assert!(quality.contains("The time is indistinguishable from zero"), "{quality}");
    notebook.close().await
}

#[tokio::test]
async fn stopping_ends_an_endless_call() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(misbehaving(600_000.0)?).await?;
    notebook.choose("functions::hangs").await?;
    notebook.click("measure").await?;
    notebook.browser.until("document.querySelectorAll('[data-test=table] tbody tr').length >= 1").await?;
    notebook.click("stop").await?;
    notebook.until_state("stopped").await?;
    notebook.choose("functions::well").await?;
    assert!(notebook.measure().await?.iter().all(|row| row.failed.is_none()));
    notebook.close().await
}
