//! The controls of parameters: text input, sliders, choices, and error messages.

use anyhow::Result;
use benchbook_tests::browser::turn;
use benchbook_tests::notebook::Notebook;
use benchbook_tests::sites::demo;
use fantoccini::Locator;
use fantoccini::actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use fantoccini::key::Key;

async fn notes(notebook: &Notebook, parameter: &str) -> Result<String> {
    let notes = format!("document.querySelector('[data-test=parameter][data-name={parameter}] .notes').textContent");
    Ok(notebook.browser.value(&notes).await?.as_str().unwrap_or_default().to_owned())
}

async fn value(notebook: &Notebook, selector: &str) -> Result<String> {
    let value = notebook.browser.value(&format!("document.querySelector('{selector}').value")).await?;
    Ok(value.as_str().unwrap_or_default().to_owned())
}

const LOW: &str = "[data-test=parameter][data-name=size] [data-test=low]";
const HIGH: &str = "[data-test=parameter][data-name=size] [data-test=high]";

#[tokio::test]
async fn sizes_accept_common_notations() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("sorting::sort_unstable").await?;
    for (typed, shown) in [
        ("10k", "10\u{202f}000"),
        ("64 KiB", "65\u{202f}500"),
        ("1e6", "1\u{202f}000\u{202f}000"),
        ("200 000", "200\u{202f}000"),
    ] {
        notebook.type_into("size", "high", typed).await?;
        assert_eq!(value(&notebook, HIGH).await?, shown, "{typed}");
        assert_eq!(
            notes(&notebook, "size").await?.contains("rounded to"),
            typed == "64 KiB",
            "note about snapping: {typed}"
        );
    }
    notebook.close().await
}

#[tokio::test]
async fn errors_appear_at_the_control_while_typing() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("sorting::sort_unstable").await?;
    for (low, high, expected) in [
        ("5k", "2k", "low must not be greater than high: 5\u{202f}000 > 2\u{202f}000"),
        ("1", "2k", "expected 100 to 1"),
        ("-5", "2k", "expected 100 to 1"),
        ("1k", "1e30", "expected 100 to 1"),
        ("1k", "99999999999999999999999999", "expected 100 to 1"),
        ("", "2k", "expected a number"),
        ("1,5", "2k", "use a point for decimals"),
        ("NaN", "2k", "expected a number"),
        ("<script>", "2k", "expected a number"),
    ] {
        notebook.type_and_stay("size", "low", &if low.is_empty() { Key::Delete + "" } else { low.to_owned() }).await?;
        notebook.type_and_stay("size", "high", high).await?;
        let text = notes(&notebook, "size").await?;
        assert!(text.contains(expected), "{low} to {high}: {text}");
        let marked = "document.querySelectorAll('[data-name=size] [aria-invalid=true]').length";
        assert!(notebook.browser.value(marked).await?.as_u64() > Some(0), "{low} to {high}");
    }
    // Clicking Measure moves the focus to the first error instead of measuring.
    notebook.click("measure").await?;
    notebook.browser.until("document.activeElement.matches('[data-name=size] [aria-invalid=true]')").await?;
    assert_eq!(notebook.data("progress").await?["state"], "idle");
    notebook.close().await
}

#[tokio::test]
async fn slider_handles_move_by_keys_up_to_the_other_handle() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("sorting::sort_unstable").await?;
    let handles = notebook.browser.client.find_all(Locator::Css("[data-name=size] [type=range]")).await?;
    handles[0].send_keys(&char::from(Key::Right).to_string()).await?;
    assert_eq!(value(&notebook, LOW).await?, "1\u{202f}100", "a hundredth of the scale");
    handles[0].send_keys(&char::from(Key::PageUp).to_string()).await?;
    assert_eq!(value(&notebook, LOW).await?, "2\u{202f}800", "a tenth of the scale");
    handles[0].send_keys(&char::from(Key::End).to_string()).await?;
    assert_eq!(value(&notebook, LOW).await?, value(&notebook, HIGH).await?);
    assert_eq!(notes(&notebook, "size").await?, "", "a range may consist of one value");
    handles[1].send_keys(&char::from(Key::End).to_string()).await?;
    assert_eq!(value(&notebook, HIGH).await?, "1\u{202f}000\u{202f}000");
    assert_eq!(notes(&notebook, "size").await?, "");
    notebook.close().await
}

#[tokio::test]
async fn texts_may_be_empty_but_not_too_long() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    for (length, is_right) in [(10_000, true), (10_001, false), (0, true)] {
        let needle = "n".repeat(length);
        notebook.visit(&format!("suite=demo&function=text::find&arg.needle={needle}")).await?;
        notebook.browser.until("document.querySelector('[data-name=needle]')").await?;
        assert_eq!(
            notes(&notebook, "needle").await?.contains("at most 10\u{202f}000 characters, not 10\u{202f}001"),
            !is_right
        );
        if is_right {
            let rows = notebook.measure().await?;
            assert!(!rows.is_empty() && rows.iter().all(|row| row.failed.is_none()), "{length}: {rows:?}");
        }
    }
    notebook.close().await
}

/// The centre of a slider's handle in window pixels, and the length of its track.
async fn handle(notebook: &Notebook, index: usize) -> Result<(f64, f64, f64)> {
    // A handle is 16 px wide.
    let script = format!(
        "((input, box = input.getBoundingClientRect(), way = box.width - 16) =>
            [box.left + 8 + way * input.value / input.max, box.top + box.height / 2, way]
        )(document.querySelectorAll('[data-name=size] [type=range]')[{index}])"
    );
    Ok(serde_json::from_value(notebook.browser.value(&script).await?)?)
}

#[tokio::test]
async fn slider_handles_can_be_dragged() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("sorting::sort_unstable").await?;
    // The scale is logarithmic from 100 to 1 000 000, so a quarter of the track is a factor of 10.
    for (index, part, low, high) in [(0, 0.25, 10_000.0, 100_000.0), (1, 0.25, 10_000.0, 1e6), (0, -0.5, 100.0, 1e6)] {
        let (x, y, way) = handle(&notebook, index).await?;
        let moved = |x: f64| PointerAction::MoveTo { duration: None, x, y };
        let drag = MouseActions::new("mouse".to_owned())
            .then(moved(x))
            .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
            .then(moved(x + way * part / 2.0))
            .then(moved(x + way * part))
            .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
        notebook.browser.client.perform_actions(drag).await?;
        // A screen pixel corresponds to a few per cent of the value.
        for (selector, expected) in [(LOW, low), (HIGH, high)] {
            let shown: f64 = value(&notebook, selector).await?.replace('\u{202f}', "").parse()?;
            assert!((shown / expected - 1.0).abs() < 0.1, "{shown}, not {expected}, after handle {index} by {part}");
        }
    }
    assert_eq!(notes(&notebook, "size").await?, "");
    notebook.close().await
}
