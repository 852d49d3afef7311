//! Mouse and keyboard input on the plot.

use anyhow::{Context, Result};
use benchbook_tests::browser::{Browser, turn};
use benchbook_tests::notebook::{DESKTOP, Notebook};
use benchbook_tests::sites::{demo, misbehaving};
use fantoccini::key::Key;

/// Opens the page and measures a curve.
async fn open_measured() -> Result<Notebook> {
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("sorting::sort_unstable").await?;
    notebook.type_into("size", "high", "3000").await?;
    notebook.measure().await?;
    Ok(notebook)
}

#[tokio::test]
async fn wheel_zooms_and_double_click_resets() -> Result<()> {
    let _turn = turn().await;
    let notebook = open_measured().await?;
    let whole = notebook.visible().await?;
    notebook.wheel((0.5, 0.5), -100).await?;
    notebook.until_zoomed("plot", true).await?;
    let zoomed = notebook.visible().await?;
    assert!(whole.contains(&zoomed), "{zoomed:?} of {whole:?}");
    notebook.double_click((0.5, 0.5)).await?;
    notebook.until_zoomed("plot", false).await?;
    assert_eq!(notebook.visible().await?, whole);
    notebook.close().await
}

#[tokio::test]
async fn wheel_zoom_depends_on_its_delta_and_ends_at_the_full_range() -> Result<()> {
    let _turn = turn().await;
    let notebook = open_measured().await?;
    let whole = notebook.visible().await?;
    notebook.wheel((0.5, 0.5), -100).await?;
    notebook.until_zoomed("plot", true).await?;
    let notch = notebook.visible().await?;
    notebook.double_click((0.5, 0.5)).await?;
    notebook.until_zoomed("plot", false).await?;
    notebook.wheel((0.5, 0.5), -5).await?;
    notebook.until_zoomed("plot", true).await?;
    assert!(notebook.visible().await?.contains(&notch), "a touchpad's smaller delta zooms less");
    for _ in 0..3 {
        notebook.wheel((0.5, 0.5), 100).await?;
    }
    notebook.until_zoomed("plot", false).await?;
    assert_eq!(notebook.visible().await?, whole, "the full range is the limit");
    notebook.close().await
}

#[tokio::test]
async fn keys_zoom_move_and_reset() -> Result<()> {
    let _turn = turn().await;
    let notebook = open_measured().await?;
    let whole = notebook.visible().await?;
    notebook.type_into_plot("+").await?;
    notebook.until_zoomed("plot", true).await?;
    let zoomed = notebook.visible().await?;
    assert!(whole.contains(&zoomed), "{zoomed:?} of {whole:?}");
    notebook.press(Key::Right).await?;
    let right = notebook.visible().await?;
    assert!(right.x.0 > zoomed.x.0 && right.x.1 > zoomed.x.1 && right.y == zoomed.y, "{right:?} from {zoomed:?}");
    notebook.press(Key::Up).await?;
    let up = notebook.visible().await?;
    assert!(up.y.0 > right.y.0 && up.y.1 > right.y.1 && up.x == right.x, "{up:?} from {right:?}");
    notebook.type_into_plot("-").await?;
    assert!(notebook.visible().await?.contains(&up));
    notebook.type_into_plot("0").await?;
    notebook.until_zoomed("plot", false).await?;
    notebook.type_into_plot("+").await?;
    notebook.press(Key::Escape).await?;
    notebook.until_zoomed("plot", false).await?;
    assert_eq!(notebook.visible().await?, whole);
    notebook.close().await
}

#[tokio::test]
async fn dragging_with_shift_moves_the_range() -> Result<()> {
    let _turn = turn().await;
    let notebook = open_measured().await?;
    let whole = notebook.visible().await?;
    notebook.shift_drag((0.5, 0.5), (0.4, 0.5)).await?;
    notebook.until_zoomed("plot", true).await?;
    let moved = notebook.visible().await?;
    assert!(moved.x.0 > whole.x.0 && moved.x.1 > whole.x.1, "{moved:?} from {whole:?}");

    let exact = zoom_of_link(&notebook, None).await?;
    notebook.shift_drag((0.5, 0.5), (0.4, 0.5)).await?;
    let again = zoom_of_link(&notebook, Some(&exact)).await?;
    let ratio = |zoom: &[f64]| zoom[1] / zoom[0];
    assert!(again[0] > exact[0] && again[1] > exact[1], "{again:?} from {exact:?}");
    assert!((ratio(&again) / ratio(&exact) - 1.0).abs() < 1e-6, "the scale has changed: {again:?} from {exact:?}");
    let digits = 0.01;
    assert!(
        (ratio(&exact) / (whole.x.1 / whole.x.0) - 1.0).abs() < digits,
        "the scale has changed: {exact:?} from {whole:?}"
    );
    notebook.close().await
}

/// Waits until the link has a zoom other than `before`, and returns it with all its digits.
async fn zoom_of_link(notebook: &Notebook, before: Option<&[f64]>) -> Result<Vec<f64>> {
    let before =
        before.map_or_else(String::new, |before| before.iter().map(f64::to_string).collect::<Vec<_>>().join(","));
    let zoom = "(location.hash.match(/zoom=([^&]*)/)?.[1] ?? '')";
    // The address changes without a change of the document.
    notebook.browser.until_reloaded(&format!("{zoom} !== '' && {zoom} !== '{before}'")).await?;
    let numbers = notebook.browser.value(zoom).await?;
    let numbers = numbers.as_str().context("not a text")?.split(',');
    Ok(numbers.map(str::parse).collect::<Result<_, _>>()?)
}

#[tokio::test]
async fn a_button_resets_the_zoom() -> Result<()> {
    let _turn = turn().await;
    let notebook = open_measured().await?;
    let whole = notebook.visible().await?;
    notebook.drag((0.3, 0.3), (0.6, 0.7)).await?;
    notebook.until_zoomed("plot", true).await?;
    notebook.click("reset-zoom").await?;
    notebook.until_zoomed("plot", false).await?;
    assert_eq!(notebook.visible().await?, whole);
    assert_eq!(notebook.browser.value("document.activeElement.tagName").await?, "CANVAS");
    notebook.close().await
}

#[tokio::test]
async fn hovering_and_keys_select_points() -> Result<()> {
    let _turn = turn().await;
    let notebook = open_measured().await?;
    let rows = notebook.rows().await?;
    let first = rows.first().context("no row")?;
    notebook.hover((0.08, 0.5)).await?;
    notebook.browser.until("document.querySelector('[data-test=reading]')").await?;
    let text = notebook.texts("reading").await?.remove(0);
    for word in [first.x.replace("1000", "1\u{202f}000").as_str(), "keys", "samples", "priority 4"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    // On a busy machine, the time may only be an upper bound.
    assert!(text.contains("under") || (text.contains("mean") && text.contains("median")), "{text}");
    notebook.type_into_plot(".").await?;
    let next = notebook.texts("reading").await?.remove(0);
    assert_ne!(next, text);
    notebook.type_into_plot(",").await?;
    assert_eq!(notebook.texts("reading").await?, [text]);
    notebook.close().await
}

#[tokio::test]
async fn axes_switch_between_linear_and_log_scales() -> Result<()> {
    let _turn = turn().await;
    let notebook = open_measured().await?;
    let log = notebook.visible().await?;
    let scales = async || anyhow::Ok([notebook.texts("scale-x").await?, notebook.texts("scale-y").await?].concat());
    assert_eq!(scales().await?, ["x log", "y log"]);
    notebook.click("scale-y").await?;
    assert_eq!(scales().await?, ["x log", "y linear"]);
    let linear = notebook.visible().await?;
    assert!(linear.y.0 == 0.0 && log.y.0 > 0.0, "a linear time axis starts at 0: {linear:?}");
    notebook.click("scale-x").await?;
    assert_eq!(scales().await?, ["x linear", "y linear"]);
    notebook.close().await
}

#[tokio::test]
async fn a_time_limit_is_typed_and_dragged() -> Result<()> {
    const FIELD: &str = "document.querySelector('[data-test=time-limit]').value";
    let _turn = turn().await;
    let notebook = open_measured().await?;
    let visible = notebook.visible().await?;
    let middle = (visible.y.0 * visible.y.1).sqrt();
    notebook.set_target("time-limit", &format!("{middle} ns")).await?;
    notebook.press(Key::Tab).await?;
    notebook.browser.until("document.querySelector('[data-test=largest]')").await?;
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
async fn mean_median_and_samples_can_be_hidden() -> Result<()> {
    let _turn = turn().await;
    let notebook = open_measured().await?;
    let both = picture(&notebook).await?;
    for switch in ["show-mean", "show-median", "show-samples"] {
        notebook.click(switch).await?;
        assert!(picture(&notebook).await? != both, "{switch} has no effect");
        notebook.click(switch).await?;
        assert!(picture(&notebook).await? == both, "{switch} cannot be undone");
    }
    notebook.close().await
}

#[tokio::test]
async fn failed_and_skipped_points_show_their_reason() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(misbehaving(500.0)?).await?;
    notebook.choose("functions::hangs").await?;
    notebook.measure().await?;
    notebook.hover((0.97, 0.5)).await?;
    notebook
        .browser
        .until("document.querySelector('[data-test=reading]')?.textContent.includes('skipped: it timed out')")
        .await?;
    notebook.close().await
}

#[tokio::test]
async fn plot_has_the_resolution_of_the_screen() -> Result<()> {
    const PIXELS: &str =
        "(canvas => canvas.width / canvas.clientWidth)(document.querySelector('[data-test=plot] canvas'))";
    let _turn = turn().await;
    // At a density of 1, the plot still has two pixels per CSS pixel.
    for (density, expected) in [(1.0, 2.0), (3.0, 3.0)] {
        let browser = Browser::reuse(DESKTOP.0, DESKTOP.1).await?;
        browser.set_pixel_density(density).await?;
        let notebook = Notebook::load(browser, demo(), "").await?;
        notebook.browser.until("document.querySelector('[data-test=function]')").await?;
        notebook.choose("sorting::sort_unstable").await?;
        notebook.measure().await?;
        let pixels = notebook.browser.value(PIXELS).await?.as_f64().context("not a number")?;
        assert!((pixels / expected - 1.0).abs() < 0.01, "{pixels} on a screen of {density}");
        notebook.close().await?;
    }
    Ok(())
}
