//! The plot of stored results: the wiring of each kind of input, and what is drawn. `app/src/components/widgets/interactive_chart/gestures.rs` tests what the
//! inputs request.

use anyhow::{Context, Result};
use benchbook_tests::browser::{Browser, turn};
use benchbook_tests::notebook::{DESKTOP, Notebook};
use benchbook_tests::plot::VisibleRange;
use benchbook_tests::sites::demo;
use benchbook_tests::stored_sorts::{COUNTED, SORTS, file_of_sorts};
use fantoccini::actions::MOUSE_BUTTON_MIDDLE;
use fantoccini::key::Key;
use serde_json::json;

/// Canvas pixels per CSS pixel.
const PIXELS: &str = "(canvas => canvas.width / canvas.clientWidth)(document.querySelector('[data-test=plot] canvas'))";

#[tokio::test]
async fn wheel_drags_and_keys_zoom_move_and_reset() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open_sorts(&SORTS[..1]).await?;
    let whole = notebook.visible().await?;
    notebook.wheel((0.5, 0.5), -100).await?;
    notebook.until_zoomed("plot", true).await?;
    assert!(whole.contains(&notebook.visible().await?));
    notebook.double_click((0.5, 0.5)).await?;
    notebook.until_zoomed("plot", false).await?;
    assert_eq!(notebook.visible().await?, whole);

    notebook.drag_with(MOUSE_BUTTON_MIDDLE, (0.3, 0.3), (0.6, 0.7)).await?;
    assert!(!notebook.is_zoomed().await?, "another button");
    notebook.drag((0.3, 0.3), (0.6, 0.7)).await?;
    notebook.until_zoomed("plot", true).await?;
    let zoomed = notebook.visible().await?;
    assert!(zoomed.x.0 > whole.x.0 && zoomed.x.1 < whole.x.1, "{zoomed:?} within {whole:?}");
    assert!(zoomed.y.0 > whole.y.0 && zoomed.y.1 < whole.y.1, "{zoomed:?} within {whole:?}");
    notebook.click("reset-zoom").await?;
    notebook.until_zoomed("plot", false).await?;
    assert_eq!(notebook.visible().await?, whole);
    assert_eq!(notebook.browser.value("document.activeElement.tagName").await?, "CANVAS");

    notebook.shift_drag((0.5, 0.5), (0.4, 0.5)).await?;
    notebook.until_zoomed("plot", true).await?;
    let moved = notebook.visible().await?;
    assert!(moved.x.0 > whole.x.0 && moved.x.1 > whole.x.1, "{moved:?} from {whole:?}");
    notebook.type_into_plot("0").await?;
    notebook.until_zoomed("plot", false).await?;

    notebook.type_into_plot("+").await?;
    notebook.until_zoomed("plot", true).await?;
    let label = notebook.chart_label("plot").await?;
    notebook.press(Key::Right).await?;
    let right: VisibleRange = notebook.label_after("plot", &label).await?.parse()?;
    let zoomed: VisibleRange = label.parse()?;
    assert!(right.x.0 > zoomed.x.0 && right.x.1 > zoomed.x.1 && right.y == zoomed.y, "{right:?} from {zoomed:?}");
    notebook.press(Key::Escape).await?;
    notebook.until_zoomed("plot", false).await?;
    notebook.close().await
}

#[tokio::test]
async fn hovering_and_keys_select_points() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open_sorts(&SORTS[..1]).await?;
    notebook.hover((0.08, 0.5)).await?;
    notebook.until_shown("reading").await?;
    let text = notebook.texts("reading").await?.remove(0);
    for words in ["1\u{202f}000 keys", &format!("{COUNTED} samples · priority 4"), "mean 10.0", "median 10.0"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let reading = "document.querySelector('[data-test=reading]').textContent";
    notebook.type_into_plot(".").await?;
    notebook.browser.until(&format!("{reading}.startsWith('1\u{202f}300 keys')")).await?;
    notebook.type_into_plot(",").await?;
    notebook.browser.until(&format!("{reading}.startsWith('1\u{202f}000 keys')")).await?;
    assert_eq!(notebook.texts("reading").await?, [text]);
    notebook.close().await
}

#[tokio::test]
async fn a_finger_reads_points_that_stay() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open_sorts(&SORTS[..1]).await?;
    const HINT: &str = "document.querySelector('[data-test=touch-hint]').checkVisibility()";
    assert_eq!(notebook.browser.value(HINT).await?, json!(false), "for a mouse");
    notebook.browser.emulate_touch().await?;
    assert_eq!(notebook.browser.value(HINT).await?, json!(true));
    const PLACE: &str = "(box => [box.x + 0.08 * box.width, box.y + 0.5 * box.height])(document.querySelector('[data-test=plot] canvas').getBoundingClientRect())";
    let place: (f64, f64) = serde_json::from_value(notebook.browser.value(PLACE).await?)?;
    notebook.browser.tap(place).await?;
    notebook.until_shown("reading").await?;
    assert!(notebook.texts("reading").await?[0].starts_with("1\u{202f}000 keys"));
    notebook.close().await
}

#[tokio::test]
async fn axes_switch_between_linear_and_log_scales_and_mean_median_and_samples_can_be_hidden() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open_sorts(&SORTS[..1]).await?;
    let both = picture(&notebook).await?;
    for switch in ["show-mean", "show-median", "show-samples"] {
        notebook.click(switch).await?;
        assert!(picture(&notebook).await? != both, "{switch} has no effect");
        notebook.click(switch).await?;
        assert!(picture(&notebook).await? == both, "{switch} cannot be undone");
    }

    let linear = notebook.visible().await?;
    const ARE_LOG: &str =
        "['x', 'y'].map((axis) => document.querySelector(`[data-test=scale-${axis}]`).ariaPressed === 'true')";
    assert_eq!(notebook.browser.value(ARE_LOG).await?, json!([true, false]), "the times are within a decade");
    notebook.click("scale-y").await?;
    assert_eq!(notebook.browser.value(ARE_LOG).await?, json!([true, true]));
    let log = notebook.visible().await?;
    assert!(linear.y.0 == 0.0 && log.y.0 > 0.0, "a linear time axis starts at 0: {linear:?}");
    notebook.click("scale-x").await?;
    assert_eq!(notebook.browser.value(ARE_LOG).await?, json!([false, true]));
    notebook.close().await
}

#[tokio::test]
async fn a_time_limit_is_typed_and_dragged() -> Result<()> {
    const FIELD: &str = "document.querySelector('[data-test=time-limit]').value";
    let _turn = turn().await;
    let notebook = Notebook::open_sorts(&SORTS[..1]).await?;
    let visible = notebook.visible().await?;
    let middle = (visible.y.0 + visible.y.1) / 2.0;
    notebook.set_target("time-limit", &format!("{middle} ns")).await?;
    notebook.press(Key::Tab).await?;
    notebook.until_shown("largest").await?;
    let typed = notebook.texts("largest").await?.remove(0);
    assert!(typed.contains("sort_unstable"), "{typed}");

    let row = row_of_limit(&notebook).await?;
    let before = notebook.browser.value(FIELD).await?;
    notebook.drag((0.5, row), (0.5, row - 0.1)).await?;
    notebook.browser.until_reloaded(&format!("{FIELD} !== {before} && location.hash.includes('&limit=')")).await?;
    assert_ne!(notebook.texts("largest").await?, [typed]);
    assert!(!notebook.is_zoomed().await?, "the drag moves the line instead");

    notebook.set_target("time-limit", "5").await?;
    notebook.press(Key::Tab).await?;
    notebook.browser.until("document.querySelector('[data-test=time-limit][aria-invalid=true]')").await?;
    notebook.close().await
}

/// The row of the time limit near the middle of the plot, as a fraction of its height.
async fn row_of_limit(notebook: &Notebook) -> Result<f64> {
    for row in (35..65).map(|percent| f64::from(percent) / 100.0) {
        notebook.hover((0.5, row)).await?;
        if notebook.browser.value("!!document.querySelector('[data-test=plot] canvas.on-limit')").await? == true {
            return Ok(row);
        }
    }
    anyhow::bail!("no line")
}

/// The canvas as a data URL.
async fn picture(notebook: &Notebook) -> Result<String> {
    let picture = notebook.browser.value("document.querySelector('[data-test=plot] canvas').toDataURL()").await?;
    Ok(picture.as_str().context("not a text")?.to_owned())
}

#[tokio::test]
async fn the_plot_has_the_resolution_of_the_screen_and_is_drawn_when_its_tab_is_opened() -> Result<()> {
    const COLOURS: &str = "(() => {
        const canvas = document.querySelector('[data-test=plot] canvas');
        const pixels = new Uint32Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer);
        return new Set(pixels).size;
    })()";
    let _turn = turn().await;
    // At a density of 1, the plot still has two pixels per CSS pixel.
    for (density, expected) in [(1.0, 2.0), (3.0, 3.0)] {
        let browser = Browser::reuse(DESKTOP.0, DESKTOP.1).await?;
        browser.set_pixel_density(density).await?;
        let notebook = Notebook::load(browser, demo(), "").await?;
        notebook.until_shown("function").await?;
        notebook.drop_sorts(&file_of_sorts(&SORTS)).await?;
        let pixels = notebook.browser.value(PIXELS).await?.as_f64().context("not a number")?;
        assert!((pixels / expected - 1.0).abs() < 0.01, "{pixels} on a screen of {density}");
        if density == 1.0 {
            notebook.click("tab-table").await?;
            notebook.until_saved().await?;
            notebook.browser.client.refresh().await?;
            notebook.browser.until("document.querySelector('[data-test=panel-table]:not([hidden]) table')").await?;
            notebook.click("tab-plot").await?;
            notebook
                .browser
                .until_reloaded(&format!(
                    "document.querySelector('[data-test=plot] canvas')?.clientWidth > 0 && {COLOURS} > 5"
                ))
                .await?;
        }
        notebook.close().await?;
    }
    Ok(())
}
