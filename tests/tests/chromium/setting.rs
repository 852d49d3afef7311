//! The controls of parameters: text input, sliders, switches, and error messages. `app/src/state/cell/number_input.rs` and `app/src/state/tests/` test the
//! notations and the errors.

use anyhow::{Context, Result};
use benchbook_contract::parameter::{ChoiceOption, Kind};
use benchbook_contract::protocol::{PROTOCOL, SuiteMessage};
use benchbook_tests::browser::turn;
use benchbook_tests::fake_suite;
use benchbook_tests::notebook::Notebook;
use benchbook_tests::server::{ServedFile, Site};
use benchbook_tests::sites::{demo, with_notebook};
use benchbook_tests::suites;
use benchbook_tests::wasm::WasmModule;
use fantoccini::Locator;
use fantoccini::actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use fantoccini::key::Key;
use serde_json::json;

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
async fn numbers_are_typed_and_errors_appear_at_the_control() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("sorting::sort_unstable").await?;
    notebook.type_into("size", "high", "64 KiB").await?;
    assert_eq!(value(&notebook, HIGH).await?, "65\u{202f}500");
    assert!(notes(&notebook, "size").await?.contains("rounded to"));
    notebook.type_into("size", "high", "10k").await?;
    assert_eq!(
        (value(&notebook, HIGH).await?.as_str(), notes(&notebook, "size").await?.as_str()),
        ("10\u{202f}000", "")
    );
    for (low, high, expected) in [
        ("5k", "2k", "low must not be greater than high: 5\u{202f}000 > 2\u{202f}000"),
        ("1", "2k", "expected 100 to 1"),
        (&(Key::Delete + ""), "2k", "expected a number"),
        ("<script>", "2k", "expected a number"),
    ] {
        notebook.type_and_stay("size", "low", low).await?;
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

    notebook.generator("sorting::nearly_sorted").await?;
    notebook.browser.until("document.querySelector('[data-name=disorder]')").await?;
    for (command, path, parameter) in
        [("undo", "sorting::keys", "spread"), ("redo", "sorting::nearly_sorted", "disorder")]
    {
        notebook.click(command).await?;
        let shown = "document.querySelector('[data-test=generator]').value";
        let is_shown = format!("{shown} === '{path}' && document.querySelector('[data-name={parameter}]')");
        notebook.browser.until(&is_shown).await?;
    }
    notebook.close().await
}

#[tokio::test]
async fn slider_handles_are_dragged_and_move_by_keys_up_to_the_other_handle() -> Result<()> {
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
    notebook.type_into("size", "low", "1000").await?;
    notebook.type_into("size", "high", "100000").await?;
    let handles = notebook.browser.client.find_all(Locator::Css("[data-name=size] [type=range]")).await?;
    for (handle, key, field, expected) in [
        (0, Key::Right, LOW, "1\u{202f}100"),
        (0, Key::PageUp, LOW, "2\u{202f}800"),
        (0, Key::End, LOW, "100\u{202f}000"),
        (1, Key::End, HIGH, "1\u{202f}000\u{202f}000"),
    ] {
        handles[handle].send_keys(&char::from(key).to_string()).await?;
        // A hundredth or a tenth of the scale, or up to the other handle.
        assert_eq!(value(&notebook, field).await?, expected, "{key:?}");
        assert_eq!(notes(&notebook, "size").await?, "", "a range may consist of one value");
    }
    notebook.close().await
}

/// The demo suite, with a choice of false and true in place of the spread of its keys.
fn suite_with_bool() -> Result<Vec<u8>> {
    let mut suite = WasmModule::new(&suites::demo()?.wasm()?)?.describe()?;
    let generator = suite.generators.iter_mut().find(|generator| generator.path == "sorting::keys");
    let mut parameters = generator.context("the generator")?.parameters.iter_mut();
    let spread = parameters.find(|parameter| parameter.name == "spread").context("the parameter")?;
    let option = |name: &str| ChoiceOption { name: name.to_owned(), description: String::new() };
    spread.kind =
        Kind::Choice { options: vec![option("false"), option("true")], default: "false".to_owned(), varied: false };
    Ok(fake_suite::with_catalog(&SuiteMessage::Catalog { protocol: PROTOCOL, suite }))
}

#[tokio::test]
async fn a_choice_of_false_and_true_is_a_switch() -> Result<()> {
    let _turn = turn().await;
    let files = vec![("suites/bool.wasm".to_owned(), ServedFile::Bytes(suite_with_bool()?))];
    let notebook = Notebook::open(Site { files, ..with_notebook(&json!({ "suites": ["suites/bool.wasm"] })) }).await?;
    notebook.choose("sorting::sort_unstable").await?;
    let switch = "document.querySelector('[data-test=parameter][data-name=spread] [data-test=value][role=switch]')";
    assert_eq!(notebook.browser.value(&format!("{switch}.checked")).await?, json!(false));
    notebook.assert_accessible("a switch that is off").await?;

    notebook.browser.client.execute(&format!("{switch}.focus()"), Vec::new()).await?;
    notebook.press(Key::Space).await?;
    notebook.browser.until(&format!("{switch}.checked")).await?;
    // The address changes without a change of the document.
    notebook.browser.until_reloaded("location.hash.includes('arg.spread=true')").await?;
    assert_eq!(notebook.browser.value(&format!("document.activeElement === {switch}")).await?, json!(true));
    assert!(notebook.focused().await?.1, "the focus is visible");
    notebook.assert_accessible("a switch that is on").await?;

    notebook.browser.client.refresh().await?;
    notebook.browser.until(&format!("{switch}?.checked")).await?;
    notebook.browser.value(&format!("{switch}.click()")).await?;
    notebook.browser.until(&format!("!{switch}.checked")).await?;
    notebook.browser.until_reloaded("!location.hash.includes('arg.spread=true')").await?;
    notebook.close().await
}
