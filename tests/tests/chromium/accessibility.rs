//! Every view of the page is accessible: axe reports no violation in light colours, nor under forced colours where badges get a border or elements
//! opt out. The contrast of the other colours is computed (`app/src/components/widgets/theme/tests.rs`).

use anyhow::Result;
use benchbook_tests::appearance::Appearance;
use benchbook_tests::browser::turn;
use benchbook_tests::notebook::{DESKTOP, Notebook, PHONE};
use benchbook_tests::server::Site;
use benchbook_tests::sites::{demo, misbehaving};
use benchbook_tests::stored_sorts::SORTS;
use fantoccini::key::Key;
use serde_json::json;

/// For views with elements whose layout or background depends on forced colours.
const WITH_FORCED: [Appearance; 2] = [Appearance::Light, Appearance::Forced];

async fn use_phone_screen(notebook: &Notebook) -> Result<()> {
    notebook.browser.resize(PHONE.0, PHONE.1).await
}

#[tokio::test]
async fn start_and_help() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(Site { notebook: None, ..demo() }).await?;
    notebook.assert_accessible("start").await?;
    notebook.browser.client.execute("document.querySelector('[data-test=clock]').open = true", Vec::new()).await?;
    notebook.assert_accessible("start, machine card").await?;
    notebook.click("help").await?;
    notebook.assert_accessible("help").await?;
    use_phone_screen(&notebook).await?;
    notebook.assert_accessible("help on a phone").await?;
    notebook.click("help-close").await?;
    notebook.assert_accessible("start on a phone").await?;
    notebook.close().await
}

#[tokio::test]
async fn start_without_suites() -> Result<()> {
    let _turn = turn().await;
    let table = [json!({ "suites": [] }), json!({ "suites": ["suites/none.wasm"] })];
    for (notebook, expected) in table.into_iter().zip(["This page has no suites.", "no such file"]) {
        let view = format!("start of {notebook}");
        let notebook = Notebook::open(Site { notebook: Some(notebook.to_string()), ..demo() }).await?;
        assert!(notebook.texts("problem").await?.concat().contains(expected), "{expected}");
        notebook.assert_accessible(&view).await?;
        notebook.close().await?;
    }
    Ok(())
}

#[tokio::test]
async fn unmeasured_function() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("sorting::sort_unstable").await?;
    notebook.browser.assert_accessible_in(&WITH_FORCED, "function").await?;
    notebook.type_into("size", "low", "many").await?;
    notebook.click("measure").await?;
    notebook.assert_accessible("bad input").await?;
    use_phone_screen(&notebook).await?;
    notebook.assert_accessible("bad input on a phone").await?;
    notebook.choose("memory::write_file").await?;
    notebook.assert_accessible("native function on a phone").await?;
    let problem = notebook.texts("problem").await?.concat();
    assert!(
        problem.starts_with("Only a runner can measure this function: its author declared it native. "),
        "{problem}"
    );
    assert_eq!(notebook.browser.value("document.querySelector('[data-test=measure]').disabled").await?, json!(true));
    notebook.close().await
}

#[tokio::test]
async fn running_measurement() -> Result<()> {
    let _turn = turn().await;
    // This function hangs after its first point, so the measurement outlasts axe.
    let notebook = Notebook::open(misbehaving(600_000.0)?).await?;
    notebook.choose("functions::hangs").await?;
    notebook.click("measure").await?;
    notebook.browser.until("document.querySelectorAll('[data-test=table] tbody tr').length >= 1").await?;
    notebook.browser.assert_accessible_in(&WITH_FORCED, "measuring").await?;
    assert_eq!(notebook.data("progress").await?["state"], "measuring");
    notebook.close().await
}

#[tokio::test]
async fn measured_functions() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open_sorts(&SORTS).await?;
    for tab in ["table", "samples", "plot"] {
        notebook.click(&format!("tab-{tab}")).await?;
        notebook.browser.assert_accessible_in(&WITH_FORCED, &format!("two functions, {tab}")).await?;
    }
    notebook.find_function("no such thing").await?;
    notebook.assert_accessible("a search without matches").await?;
    use_phone_screen(&notebook).await?;
    for tab in ["table", "samples", "plot"] {
        notebook.click(&format!("tab-{tab}")).await?;
        notebook.assert_accessible(&format!("{tab} on a phone")).await?;
    }
    notebook.browser.resize(DESKTOP.0, DESKTOP.1).await?;
    notebook.click("toggle-controls").await?;
    notebook.pick("spread", "Reversed").await?;
    notebook.assert_accessible("results of other settings").await?;
    notebook.close().await
}

#[tokio::test]
async fn notebook_of_several_cells() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.click("new-notebook").await?;
    notebook.assert_accessible("an empty notebook").await?;
    notebook.add_text("# Which sort?").await?;
    notebook.assert_accessible("a notebook with one text").await?;
    notebook.add_cell("sorting::sort_unstable").await?;
    notebook.add_cell("sorting::sort_stable").await?;
    notebook.browser.click("[data-test=text-edit]").await?;
    notebook.assert_accessible("a text that is edited").await?;
    use_phone_screen(&notebook).await?;
    notebook.assert_accessible("a notebook on a phone").await?;
    notebook.close().await
}

/// Asserts that neither the page nor a dialog is wider than the screen.
async fn assert_fits(notebook: &Notebook, view: &str) -> Result<()> {
    const TOO_WIDE: &str = "[document.documentElement, ...document.querySelectorAll('dialog')]
        .filter((element) => element.scrollWidth > element.clientWidth).map((element) => element.tagName)";
    let too_wide = notebook.browser.value(TOO_WIDE).await?;
    assert_eq!(too_wide, json!([]), "{view} scrolls sideways");
    Ok(())
}

#[tokio::test]
async fn no_width_scrolls_sideways() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open_sorts(&SORTS).await?;
    let many_ranges =
        "document.querySelector('[data-test=ranked] th small').textContent = '10 000 to 42 200, '.repeat(9)";
    notebook.browser.value(many_ranges).await?;
    notebook.add_text(&"word".repeat(100)).await?;
    for width in [320, 390, 768, 899, 1024, 1360, 3840] {
        notebook.browser.resize(width, 900).await?;
        // Below the run bar, which stays in view, nothing could be clicked.
        notebook.browser.client.execute("scrollTo(0, 0)", Vec::new()).await?;
        for tab in ["plot", "table", "samples"] {
            notebook.click(&format!("tab-{tab}")).await?;
            assert_fits(&notebook, &format!("{tab} at {width} px")).await?;
        }
        notebook.click("tab-plot").await?;
        notebook.hover((0.45, 0.5)).await?;
        notebook.until_shown("reading").await?;
        let fits = "(reading => reading.scrollWidth <= reading.clientWidth && reading.getBoundingClientRect().left >= reading.parentElement.getBoundingClientRect().left)\
            (document.querySelector('[data-test=reading]'))";
        assert_eq!(notebook.browser.value(fits).await?, true, "the figures at the pointer at {width} px");
        if width <= 760 {
            notebook.click("more").await?;
            assert_fits(&notebook, &format!("both rows of the header at {width} px")).await?;
        }
        notebook.click("help").await?;
        assert_fits(&notebook, &format!("help at {width} px")).await?;
        notebook.click("help-close").await?;
        if width <= 760 {
            notebook.click("more").await?;
        }
    }
    notebook.close().await
}

#[tokio::test]
async fn focused_elements_are_outlined() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open_sorts(&SORTS[..1]).await?;
    notebook.browser.client.execute("document.querySelector('[data-test=home]').focus()", Vec::new()).await?;
    let mut stops = Vec::new();
    loop {
        notebook.press(Key::Tab).await?;
        let (stop, is_outlined) = notebook.focused().await?;
        if stop.starts_with("<body") || stops.contains(&stop) {
            break;
        }
        assert!(is_outlined, "{stop}");
        stops.push(stop);
    }
    assert!(stops.len() > 20, "{stops:#?}");
    notebook.close().await
}

#[tokio::test]
async fn help_scrolls_to_its_section() -> Result<()> {
    const PLACES: &str = "[document.querySelector('.help-head').getBoundingClientRect().bottom,
        [...document.querySelectorAll('.help h3')].find((heading) => heading.textContent === 'Priorities')
            .getBoundingClientRect().top,
        document.querySelector('.help').scrollTop]";
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("sorting::sort_unstable").await?;
    notebook.browser.resize(1360, 400).await?;
    notebook.click("help-priorities").await?;
    notebook.browser.until("document.querySelector('.help')?.scrollTop > 0").await?;
    let (head, heading, scrolled): (f64, f64, f64) = serde_json::from_value(notebook.browser.value(PLACES).await?)?;
    assert!((head..head + 100.0).contains(&heading), "{heading} below {head}, scrolled by {scrolled}");
    notebook.close().await
}
