//! Opening files and links from elsewhere: by address, broken, hostile, huge, and from a newer version.

use std::fs;

use anyhow::{Context, Result};
use benchbook_tests::browser::turn;
use benchbook_tests::notebook::Notebook;
use benchbook_tests::server::{ServedFile, Server, Site};
use benchbook_tests::sites::demo;
use benchbook_tests::stored_sorts::{SORTS, file_of_sorts};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A notebook with stored results and a text.
async fn measured() -> Result<Notebook> {
    let notebook = Notebook::open_sorts(&SORTS[..1]).await?;
    notebook.intercept().await?;
    Ok(notebook)
}

#[tokio::test]
async fn a_file_is_opened_from_an_address_or_reported() -> Result<()> {
    let _turn = turn().await;
    let file = |text: &str| ServedFile::Text(format!(r#"{{"benchbook":1,"cells":[{{"id":"a","text":"{text}"}}]}}"#));
    let files = vec![("ours.json".to_owned(), file("Of this host")), ("endless.json".to_owned(), ServedFile::Endless)];
    let notebook = Notebook::open(Site { files, ..demo() }).await?;
    let theirs = || vec![("theirs.json".to_owned(), file("Of another host"))];
    let shared = Server::start(Site { files: theirs(), is_shared: true, ..Site::default() }).await?;
    let private = Server::start(Site { files: theirs(), ..Site::default() }).await?;
    let own = notebook.server.url().to_owned();
    let problems = [
        (format!("{own}missing.json"), "the host responded with status 404"),
        (format!("{}theirs.json", private.url()), "may not allow requests from other pages (CORS)"),
        (format!("{own}endless.json"), "the file exceeds the limit of 64 MiB"),
        (format!("{own}notebook.json"), "is not a Benchbook notebook"),
        ("file:///etc/passwd".to_owned(), "the address must begin with https:// or http://"),
    ];
    for (address, problem) in problems {
        notebook.open_address(&address).await?;
        notebook.until_problem(problem).await.with_context(|| address.clone())?;
    }
    for (address, text) in
        [(format!("{own}ours.json"), "Of this host"), (format!("{}theirs.json", shared.url()), "Of another host")]
    {
        notebook.open_address(&address).await?;
        let is_shown = format!("document.querySelector('[data-test=text]')?.textContent.trim() === '{text}'");
        notebook.browser.until(&is_shown).await.with_context(|| address.clone())?;
        assert_eq!(notebook.texts("problem").await?, [""; 0]);
        notebook.click("home").await?;
    }
    notebook.close().await
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
        ("{\"benchbook\":1,\"cells\":[{\"id\":\"a\"}]}", "exactly one of text and measurement"),
    ];
    for (content, expected) in table {
        notebook.drop_file("bad.json", content).await.with_context(|| format!("dropping {content:.40}"))?;
        notebook.until_problem(expected).await.with_context(|| format!("opening {content:.40}"))?;
        assert_eq!(notebook.rows().await?, rows, "{content:.40}: the notebook remains");
    }
    const DROP_HUGE: &str = "const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(100_000_000)], 'huge.json'));
        window.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));";
    notebook.browser.client.execute(DROP_HUGE, Vec::new()).await?;
    notebook.until_problem("The file has 96 MiB; the limit is 64 MiB").await?;
    assert_eq!(notebook.rows().await?, rows, "a file of 100 MB: the notebook remains");
    let links = [
        ("content=%00", "damaged or incomplete"),
        ("content=AAAA", "damaged or incomplete"),
        ("site_file=../secret.json", "notebook.json lists no notebook"),
        ("file=../secret.json", ""),
    ];
    for (fragment, expected) in links {
        notebook.visit(fragment).await?;
        if !expected.is_empty() {
            notebook.until_problem(expected).await.with_context(|| format!("opening {fragment}"))?;
        }
        notebook.choose("numbers::sum").await?;
    }
    let requests = notebook.server.requests();
    assert!(!requests.iter().any(|path| path.contains("secret")), "{requests:?}");
    notebook.close().await
}

#[tokio::test]
async fn scripts_in_a_file_do_not_run_and_its_results_remain_readable_without_its_suite() -> Result<()> {
    let _turn = turn().await;
    let notebook = measured().await?;
    let mut file: Value = serde_json::from_str(&file_of_sorts(&SORTS[..1]))?;
    let trap = Server::start(Site { is_shared: true, ..Site::default() }).await?;
    let address = trap.url();
    let script = format!(
        "</title></script><img src={address}a onerror='window.hacked=1'><script src={address}b>window.hacked=1</script>\
         <style>@import url({address}c)</style><iframe src={address}d></iframe>"
    );
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
    file["cells"][1]["text"] = json!(format!(
        "{script} [x](javascript:window.hacked=1) ![y]({address}e)\n\n![z][z]\n\n[z]: {address}f\n\n# {script}"
    ));
    notebook.drop_file("hostile.json", &file.to_string()).await?;
    notebook.until_shown("not-measurable").await?;
    assert!(notebook.rows().await?.len() > 2, "the results remain readable");
    for tab in ["tab-table", "tab-samples", "tab-plot"] {
        notebook.click(tab).await?;
    }
    let dangerous = "document.body.querySelectorAll('img, iframe, style, main script, header script').length";
    assert_eq!(notebook.browser.value(dangerous).await?, 0);
    assert!(notebook.browser.value("window.hacked ?? null").await?.is_null());
    notebook.assert_accessible("a cell whose suite is missing").await?;
    // Including those that failed.
    let others = "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => !name.startsWith(location.origin) && !name.startsWith('blob:'))";
    assert_eq!(notebook.browser.value(others).await?, json!([]), "no requests to other addresses");

    notebook.share("share-page").await?;
    notebook.browser.until("window.file?.startsWith('<!doctype')").await?;
    let page = notebook.intercepted("file").await?;
    let folder = TempDir::new()?;
    let path = folder.path().join("hostile.html");
    fs::write(&path, &page)?;
    let browser = &notebook.browser;
    browser.client.goto(&format!("file://{}", path.display())).await?;
    browser.until_reloaded("document.querySelector('[data-test=table]') !== null").await?;
    assert_eq!(browser.value(dangerous).await?, 0, "in a standalone page");
    assert!(browser.value("window.hacked ?? null").await?.is_null(), "in a standalone page");
    let title = browser.value("document.title").await?;
    assert!(title.as_str().is_some_and(|title| title.contains("</title></script>")), "{title}");
    assert_eq!(trap.requests(), [""; 0], "no requests to other addresses");
    notebook.close().await
}
