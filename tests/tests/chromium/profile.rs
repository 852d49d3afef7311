//! The profile of a cell's functions: counted, zoomed, compared, exported and stored.

use std::fs;

use anyhow::{Context, Result, anyhow};
use benchbook_contract::parameter::Range;
use benchbook_count::{Interpreter, Rounds};
use benchbook_host::request::Plan;
use benchbook_instrument::{CODE_MAP_SECTION, CONTEXTS_SECTION, COUNTING_MODULE, CodeMap};
use benchbook_profile::{FunctionFilter, LibraryFrames, Profile, ProfileMetric, answer, rows};
use benchbook_tests::browser::turn;
use benchbook_tests::notebook::{Notebook, PHONE};
use benchbook_tests::server::{ServedFile, Site};
use benchbook_tests::sites::{demo, with_notebook};
use benchbook_tests::stored_sorts::{SIZES, SORTS, file_of_own_build};
use benchbook_tests::wasm::WasmModule;
use benchbook_tests::{requests, suites};
use fantoccini::Locator;
use fantoccini::key::Key;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Opens results of the page's own build, and their profile.
async fn open_profile(site: Site, functions: &[&str]) -> Result<Notebook> {
    let notebook = Notebook::open(site).await?;
    notebook.drop_sorts(&file_of_own_build(functions)?).await?;
    notebook.click("tab-profile").await?;
    Ok(notebook)
}

pub async fn text(notebook: &Notebook, test: &str) -> Result<String> {
    Ok(notebook.texts(test).await?.concat())
}

pub async fn choose(notebook: &Notebook, select: &str, value: &str) -> Result<()> {
    let select = notebook.browser.client.find(Locator::Css(&format!("[data-test={select}]"))).await?;
    Ok(select.select_by_value(value).await?)
}

/// The profile of a function of the demo suite, counted in an interpreter.
fn reference(path: &str, range: Range) -> Result<Profile> {
    const POINTS: u32 = 9;
    let builds = suites::demo()?;
    let interpreter = Interpreter::new(&fs::read(builds.module.with_extension(COUNTING_MODULE))?)?;
    let suite = WasmModule::new(&builds.wasm()?)?.describe()?;
    let function = suite.function(path).context("it is listed")?;
    let generator = suite.generator(&function.generators[0]).context("it is listed")?;
    let request = requests::request(&suite, &[path], generator, range);
    let plan = Plan::new(&suite, request).map_err(|problems| anyhow!("{problems:?}"))?;
    let mut counts = Vec::new();
    for x in plan.axis_values(POINTS) {
        let counted = interpreter.count_contexts(&plan.open(1, vec![path.to_owned()], &x), Rounds::Usual)?;
        counts.push((x, counted));
    }
    Ok(Profile::new(interpreter.map(), path, plan.axis_name(), &counts).simplified())
}

#[tokio::test]
async fn a_profile_is_counted_as_in_another_engine_and_stored() -> Result<()> {
    let _turn = turn().await;
    let notebook = open_profile(demo(), &SORTS[..1]).await?;
    notebook.until_shown("icicle").await?;
    notebook.until_state("done").await?;
    let expected = reference(SORTS[0], Range { low: SIZES[0], high: SIZES[4] })?;
    let whole = FunctionFilter { library: LibraryFrames::All, ..FunctionFilter::default() };
    let folded = expected.clone().filtered(&FunctionFilter::default());
    let last = folded.points.len() - 1;
    let sentence =
        answer(&folded, &rows(&folded, ProfileMetric::Instructions, last), ProfileMetric::Instructions, last);
    let shown = text(&notebook, "profile-answer").await?;
    assert!(shown.to_lowercase().starts_with(&sentence.to_lowercase()), "{shown}\n{sentence}");
    notebook.assert_accessible("a profile").await?;

    // The exported profile is the same in every count.
    notebook.click("profile-std").await?;
    notebook.until_text("profile-crates", "core").await?;
    notebook.assert_accessible("a profile with the standard library").await?;
    notebook.intercept().await?;
    notebook.browser.click("[data-test=export-menu] summary").await?;
    for format in ["profile-json", "callgrind", "folded", "firefox"] {
        notebook.browser.click(&format!("[data-test=export][data-format={format}] [data-test=export-copy]")).await?;
        notebook.browser.until("window.copied").await?;
        let copied = notebook.browser.value("window.copied").await?;
        let copied = copied.as_str().context("a text")?;
        match format {
            "profile-json" => assert_eq!(serde_json::from_str::<Profile>(copied)?, expected.clone().filtered(&whole)),
            "callgrind" => assert!(copied.starts_with("# callgrind format\n"), "{copied}"),
            "folded" => assert!(copied.lines().all(|line| line.starts_with("sorting::sort_unstable")), "{copied}"),
            _ => assert_eq!(serde_json::from_str::<Value>(copied)?["meta"]["product"], json!("sorting::sort_unstable")),
        }
        notebook.browser.client.execute("delete window.copied", Vec::new()).await?;
    }

    // It is a part of the results: nothing is counted again.
    notebook.until_saved().await?;
    let shown = text(&notebook, "profile-answer").await?;
    notebook.browser.client.refresh().await?;
    notebook.until_shown("icicle").await?;
    let counting = notebook.server.requests().iter().filter(|path| path.contains(COUNTING_MODULE)).count();
    assert_eq!((text(&notebook, "profile-answer").await?, counting), (shown.clone(), 1));

    // And of a standalone page, which has no server and no suite.
    notebook.intercept().await?;
    notebook.share("share-page").await?;
    let page = notebook.intercepted("file").await?;
    let folder = TempDir::new()?;
    let path = folder.path().join("profile.html");
    fs::write(&path, &page)?;
    notebook.browser.client.goto(&format!("file://{}", path.display())).await?;
    notebook.browser.until_reloaded("Boolean(document.querySelector('[data-test=icicle]'))").await?;
    assert_eq!(text(&notebook, "profile-answer").await?, shown);
    notebook.close().await
}

#[tokio::test]
async fn frames_zoom_and_the_size_and_the_comparison_are_chosen() -> Result<()> {
    let _turn = turn().await;
    let notebook = open_profile(demo(), &SORTS).await?;
    notebook.until_shown("profile-before").await?;
    notebook.until_state("done").await?;
    notebook.click("profile-std").await?;
    notebook.until_present("[data-path='0.0']").await?;
    let width = async |path: &str| {
        let script = format!("document.querySelector('.frame[data-path=\"{path}\"]').style.width");
        Ok::<_, anyhow::Error>(notebook.browser.value(&script).await?.as_str().unwrap_or_default().to_owned())
    };
    // The keyboard leads from frame to frame; Enter zooms, and Escape zooms out.
    notebook.browser.client.execute("document.querySelector('.frame').focus()", Vec::new()).await?;
    notebook.press(Key::Down).await?;
    let (focused, has_outline) = notebook.focused().await?;
    assert!(focused.contains("aria-level=\"2\"") && has_outline, "{focused}");
    assert_ne!(width("0").await?, "100%");
    notebook.press(Key::Enter).await?;
    notebook.until_shown("profile-unzoom").await?;
    assert_eq!(width("0").await?, "100%");
    let reading = text(&notebook, "profile-reading").await?;
    assert!(reading.contains("% (") && reading.contains(".rs:"), "{reading}");
    notebook.press(Key::Escape).await?;
    notebook.browser.until("!document.querySelector('[data-test=profile-unzoom]')").await?;

    notebook.find("[data-test=profile-search]").await?.send_keys("quicksort").await?;
    notebook.until_text("profile-found", "% in matching functions").await?;
    notebook
        .browser
        .until("document.querySelector('.frame.dim') && document.querySelector('.frame:not(.dim)')")
        .await?;

    // Another size.
    let (before, share) = (text(&notebook, "profile-x").await?, text(&notebook, "profile-answer").await?);
    notebook.browser.client.execute("document.querySelector('[data-test=profile-at]').focus()", Vec::new()).await?;
    notebook.press(Key::Left).await?;
    notebook
        .browser
        .until(&format!("document.querySelector('[data-test=profile-x]').textContent !== {}", json!(before)))
        .await?;
    assert_ne!(text(&notebook, "profile-answer").await?, share);

    // Another function next to it.
    choose(&notebook, "profile-before", SORTS[1]).await?;
    notebook.until_text("profile-answer", "wasm instructions than sort_stable").await?;
    let amounts =
        notebook.browser.value("[...document.querySelectorAll('.frame span')].map((one) => one.textContent)").await?;
    let amounts: Vec<String> = serde_json::from_value(amounts)?;
    assert!(amounts.len() > 3 && amounts.iter().all(|amount| amount.starts_with(['▲', '▼', '='])), "{amounts:?}");
    notebook.assert_accessible("a comparison of profiles").await?;
    choose(&notebook, "profile-before", "").await?;

    choose(&notebook, "profile-by", "held").await?;
    notebook.until_shown("profile-held").await?;
    assert!(text(&notebook, "profile-held").await?.contains("initial"));
    notebook.browser.resize(PHONE.0, PHONE.1).await?;
    notebook.assert_accessible("a profile on a phone").await?;
    notebook.close().await
}

/// A suite from `suites/other/demo.wasm`, next to this counting module or none.
pub fn site(counting: Option<Vec<u8>>) -> Result<Site> {
    let mut site = with_notebook(&json!({ "suites": ["other/demo.wasm"] }));
    site.files.push(("other/demo.wasm".to_owned(), ServedFile::Bytes(suites::demo()?.wasm()?)));
    site.files.extend(counting.map(|module| (format!("other/demo.{COUNTING_MODULE}"), ServedFile::Bytes(module))));
    Ok(site)
}

#[tokio::test]
async fn without_a_usable_counting_module_there_is_a_reason() -> Result<()> {
    let _turn = turn().await;
    let module = fs::read(suites::demo()?.module.with_extension(COUNTING_MODULE))?;
    let with_map = |map: &[u8]| with_section(&module, CODE_MAP_SECTION, map);
    for (counting, reason) in [
        (None, "is not available: the host has no such file"),
        (Some(with_map(b"{\"functions\":[]}")), "the map of the counting module is damaged"),
        (Some(with_section(&module, CONTEXTS_SECTION, b"\0asm")), "is not a WebAssembly module"),
    ] {
        let notebook = open_profile(site(counting)?, &SORTS[..1]).await?;
        notebook.until_text("remark", reason).await?;
        // What was measured remains, and counting can be tried again.
        notebook.until_shown("profile").await?;
        notebook.click("tab-table").await?;
        notebook.close().await?;
    }
    Ok(())
}

/// Names are text, whatever is in them.
#[tokio::test]
async fn hostile_names_of_functions_are_only_shown() -> Result<()> {
    const NAME: &str = "<img src=x onerror=document.title=String(1)>::\u{202e}\"'&amp;";
    let _turn = turn().await;
    let module = fs::read(suites::demo()?.module.with_extension(COUNTING_MODULE))?;
    let interpreter = Interpreter::new(&module)?;
    let mut map: CodeMap = interpreter.map().clone();
    for text in map.strings.iter_mut().filter(|text| text.contains("quicksort")) {
        *text = format!("core::{NAME}{}", "x".repeat(10_000));
    }
    let notebook =
        open_profile(site(Some(with_section(&module, CODE_MAP_SECTION, &map.to_bytes())))?, &SORTS[..1]).await?;
    notebook.until_shown("icicle").await?;
    notebook.click("profile-std").await?;
    notebook
        .browser
        .until("[...document.querySelectorAll('.frame')].some((one) => one.title.includes('onerror'))")
        .await?;
    assert_eq!(
        notebook.browser.value("document.querySelectorAll('[data-test=panel-profile] img').length").await?,
        json!(0)
    );
    let is_as_wide = "document.documentElement.scrollWidth <= innerWidth";
    assert_eq!(notebook.browser.value(is_as_wide).await?, json!(true), "a long name widens the page");
    notebook.close().await
}

/// A module with other contents of a custom section.
pub fn with_section(module: &[u8], name: &str, data: &[u8]) -> Vec<u8> {
    use wasm_encoder::{CustomSection, Module, RawSection};
    use wasmparser::{Parser, Payload};
    let mut changed = Module::new();
    for payload in Parser::new(0).parse_all(module) {
        let payload = payload.expect("the module is valid");
        match &payload {
            Payload::CustomSection(section) if section.name() == name => {
                changed.section(&CustomSection { name: name.into(), data: data.into() });
            }
            payload => {
                if let Some((id, range)) = payload.as_section() {
                    changed.section(&RawSection { id, data: &module[range.start as usize..range.end as usize] });
                }
            }
        }
    }
    changed.finish()
}
