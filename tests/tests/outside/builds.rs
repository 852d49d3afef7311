//! Any two builds that a runner keeps are compared: from the cell, and from the history of accepted results.

use anyhow::{Context, Result};
use benchbook_contract::parameter::{Argument, Arguments, Range};
use benchbook_host::history::AcceptedResult;
use benchbook_tests::accepted_history::{STEP, accepted_history, write_history};
use benchbook_tests::browser::quiet_turn;
use benchbook_tests::notebook::{Notebook, PHONE};
use benchbook_tests::own_crate::{OwnCrate, SLOW_LIBRARY, SLOWEST_LIBRARY};
use fantoccini::key::Key;

/// The results of the function `mix` on one machine: `before` and `after` are the builds on both sides of the step.
fn history(before: &str, after: &str) -> Vec<AcceptedResult> {
    let of_first_machine = |accepted: &AcceptedResult| accepted.result.machine.cpu.as_deref() == Some("AMD EPYC 9R14");
    let mut results: Vec<AcceptedResult> = accepted_history().into_iter().filter(of_first_machine).collect();
    for accepted in &mut results {
        let benchmark = &mut accepted.result.benchmark;
        "mixing".clone_into(&mut benchmark.suite);
        "mix".clone_into(&mut benchmark.function);
        "numbers".clone_into(&mut benchmark.generator);
        let range = Argument::Range(Range { low: 1_000.0, high: 100_000.0 });
        benchmark.arguments = Arguments::from([("size".to_owned(), range)]);
    }
    before.clone_into(&mut results[STEP - 1].result.build.fingerprint);
    after.clone_into(&mut results[STEP].result.build.fingerprint);
    results
}

/// Chooses an option of a list by its value.
async fn choose_build(notebook: &Notebook, list: &str, build: &str) -> Result<()> {
    let select = notebook.find(&format!("[data-test={list}]")).await?;
    Ok(select.select_by_value(build).await?)
}

async fn press_enter(notebook: &Notebook, selector: &str) -> Result<()> {
    Ok(notebook.find(selector).await?.send_keys(&Key::Enter.to_string()).await?)
}

async fn assert_fits_phone(notebook: &Notebook, name: &str) -> Result<()> {
    notebook.browser.resize(PHONE.0, PHONE.1).await?;
    notebook.assert_accessible(&format!("{name} on a phone")).await?;
    let is_wide = "document.documentElement.scrollWidth > innerWidth";
    assert_eq!(notebook.browser.value(is_wide).await?, false, "{name}: the page scrolls sideways");
    notebook.browser.resize(1280, 900).await
}

/// Waits until both builds are measured, and checks that the slow one is second.
async fn assert_compared(notebook: &Notebook, [fast, slow]: [&str; 2]) -> Result<()> {
    notebook.until_state("done").await?;
    let expected = format!("Build {} against {}", &slow[..4], &fast[..4]);
    assert_eq!(notebook.texts("builds-compared").await?, [expected]);
    let ranked = notebook.texts("ranked").await?;
    let [first, second] = &ranked[..] else { panic!("two builds: {ranked:?}") };
    assert!(first.starts_with(&format!("mix · build {}", &fast[..4])), "{first}");
    assert!(second.starts_with(&format!("mix · build {}", &slow[..4])) && second.contains('×'), "{second}");
    let link = notebook.fragment().await?;
    assert!(link.contains(&format!("function=mix@{slow}")) && link.contains(&format!("with=mix@{fast}")), "{link}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "nightly: compiles three builds for both targets, and asserts which is slower"]
async fn any_two_retained_builds_are_compared_from_the_cell_and_from_the_history() -> Result<()> {
    let _turn = quiet_turn().await;
    let own = OwnCrate::new("rebuilt")?;
    let mut served = own.serve(&["--history", "results"])?;
    served.until_printed("The build took")?;
    let notebook = served.open().await?;
    notebook.choose("mix").await?;
    notebook.set_target("point-time", "0.02").await?;
    notebook.click("measure-after-builds").await?;
    let builds = "[...document.querySelectorAll('[data-test=build-first] option')].map(option => option.value)";
    for (count, library) in [(2, SLOW_LIBRARY), (3, SLOWEST_LIBRARY)] {
        own.write("src/lib.rs", library)?;
        notebook.browser.until(&format!("{builds}.length === {count}")).await?;
    }
    let listed: Vec<String> = serde_json::from_value(notebook.browser.value(builds).await?)?;
    let [_, slow, fast] = &listed[..] else { panic!("three builds: {listed:?}") };
    let pair = [fast.as_str(), slow.as_str()];

    // The same build twice is rejected; two earlier ones are measured.
    choose_build(&notebook, "build-first", slow).await?;
    choose_build(&notebook, "build-second", slow).await?;
    press_enter(&notebook, "[data-test=compare-two-builds]").await?;
    let note = "document.querySelector('[data-test=build-pair] [role=status]').textContent";
    notebook.browser.until(&format!("{note} === 'Choose two different builds.'")).await?;
    choose_build(&notebook, "build-second", fast).await?;
    press_enter(&notebook, "[data-test=compare-two-builds]").await?;
    notebook.until_shown("builds-compared").await?;
    assert_compared(&notebook, pair).await?;
    let before = notebook.fragment().await?;
    notebook.assert_accessible("two builds").await?;
    assert_fits_phone(&notebook, "two builds").await?;

    // The same pair from both sides of a step in the history, with the arguments of the results.
    let results = history(fast, slow);
    write_history(&own.path().join("results"), &results)?;
    let go = |fragment: String| {
        let (client, url) = (notebook.browser.client.clone(), served.url.clone());
        async move {
            client.goto("about:blank").await?;
            client.goto(&format!("{url}#{fragment}")).await
        }
    };
    let step = |index: usize| format!("history=time&suite=mixing&function=mix&step={}", results[index].id());
    go(step(STEP)).await?;
    let link = "[data-test=sides-builds] [data-test=compare-accepted-builds]";
    notebook.browser.until(&format!("document.querySelector('{link}')")).await?;
    notebook.assert_accessible("builds of a step").await?;
    assert_fits_phone(&notebook, "builds of a step").await?;
    let on_runner = notebook.texts("build-on-runner").await?;
    let count = |text: &str| on_runner.iter().filter(|cell| *cell == text).count();
    assert_eq!((count("Compare builds"), count("not kept")), (2, results.len() - 2), "{on_runner:?}");
    press_enter(&notebook, link).await?;
    notebook.browser.until("document.querySelector('[data-test=cell] [data-test=compare-two-builds]')").await?;
    let opened = notebook.fragment().await?;
    assert!(opened.contains("arg.size=1000..100000") && !before.contains("arg.size=1000..100000"), "{opened}");
    notebook.set_target("point-time", "0.02").await?;
    notebook.click("measure").await?;
    assert_compared(&notebook, pair).await?;

    // Builds that are not kept.
    go(step(STEP - 4)).await?;
    notebook.until_shown("sides-builds").await?;
    let text = notebook.texts("sides-builds").await?;
    let text = text.first().context("a sentence")?;
    assert!(text.starts_with("The runner no longer keeps builds "), "{text}");
    notebook.close().await
}
