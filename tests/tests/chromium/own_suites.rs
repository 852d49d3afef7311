//! The suites that the user opens in the page: from a file, by drag and drop, and from an address.

use std::fs;

use anyhow::{Context, Result};
use benchbook_host::fingerprint::fingerprint;
use benchbook_tests::browser::turn;
use benchbook_tests::fake_suite;
use benchbook_tests::notebook::Notebook;
use benchbook_tests::server::{ServedFile, Server, Site, dist};
use benchbook_tests::sites::{demo, qualities, with_notebook};
use benchbook_tests::suites;
use serde_json::json;
use tempfile::TempDir;

/// A function of the suite `ladder`, which the page contains but does not list.
const SUM: &str = "alternatives::agree_a";

fn ladder() -> Result<Vec<u8>> {
    Ok(fs::read(dist()?.join("suites/ladder.wasm"))?)
}

/// Another build of the suite: a custom section changes the fingerprint only.
fn another_build(module: &[u8]) -> Vec<u8> {
    [module, &[0, 2, 1, b'x']].concat()
}

/// Waits until the list contains the suite with this binary as the only one of the user.
async fn until_listed(notebook: &Notebook, module: &[u8]) -> Result<()> {
    let listed = "[...document.querySelectorAll('[data-test=own-suite]')].map((own) => own.dataset.fingerprint).join()";
    notebook.browser.until(&format!("{listed} === '{}'", fingerprint(module))).await
}

async fn until_not_listed(notebook: &Notebook) -> Result<()> {
    notebook.browser.until("document.querySelector('[data-test=own-suite]') === null").await
}

/// Opens a suite from its address in the dialog.
async fn open_address(notebook: &Notebook, address: &str) -> Result<()> {
    if notebook.browser.value("document.querySelector('[data-test=open-suite-dialog]') === null").await? == json!(true)
    {
        notebook.click("open-suite").await?;
        notebook.until_shown("suite-address").await?;
    }
    let field = notebook.find("[data-test=suite-address]").await?;
    field.clear().await?;
    field.send_keys(address).await?;
    notebook.click("open-suite-address").await
}

#[tokio::test]
async fn a_suite_from_a_file_is_measured_stored_replaced_and_removed() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    let (first, folder) = (ladder()?, TempDir::new()?);
    let path = folder.path().join("mine.wasm");
    fs::write(&path, &first)?;
    notebook.click("open-suite").await?;
    notebook.browser.until("document.querySelector('[data-test=open-suite-dialog]')?.open").await?;
    notebook.assert_accessible("the dialog for a suite").await?;
    notebook.find("[data-test=suite-picker]").await?.send_keys(path.to_str().context("the path is text")?).await?;
    until_listed(&notebook, &first).await?;
    notebook.until_text("suite-notice", "Opened ladder 0.1.0.").await?;
    assert_eq!(notebook.browser.value("document.querySelector('dialog')").await?, json!(null));
    let origin = notebook.texts("own-suite").await?.concat();
    assert!(origin.contains(&fingerprint(&first)[..12]) && origin.contains("mine.wasm"), "{origin}");
    notebook.assert_accessible("a suite of the user").await?;

    notebook.choose(SUM).await?;
    let rows = notebook.measure().await?;
    assert!(!rows.is_empty());
    notebook.until_saved().await?;
    notebook.browser.client.refresh().await?;
    until_listed(&notebook, &first).await?;
    notebook.until_shown("measure").await?;
    assert_eq!(notebook.rows().await?, rows, "after a reload");

    let second = another_build(&first);
    notebook.drop_binary("mine.wasm", &second).await?;
    until_listed(&notebook, &second).await?;
    notebook.until_text("suite-notice", "Opened a new build of ladder 0.1.0.").await?;
    notebook.measure().await?;
    let legend = notebook.browser.value("document.querySelector('[data-current]').textContent").await?;
    assert!(legend.as_str().is_some_and(|text| text.contains("agree_a · before")), "{legend}");
    notebook.until_saved().await?;

    notebook.click("remove-suite").await?;
    until_not_listed(&notebook).await?;
    notebook.until_shown("not-measurable").await?;
    assert!(!notebook.rows().await?.is_empty(), "the results remain");
    notebook.assert_accessible("a removed suite").await?;
    notebook.click("undo-remove-suite").await?;
    until_listed(&notebook, &second).await?;
    notebook.until_shown("measure").await?;
    notebook.browser.client.refresh().await?;
    until_listed(&notebook, &second).await?;
    notebook.click("remove-suite").await?;
    until_not_listed(&notebook).await?;
    notebook.browser.client.refresh().await?;
    notebook.until_shown("not-measurable").await?;
    assert_eq!(notebook.texts("own-suite").await?, [""; 0]);
    notebook.close().await
}

#[tokio::test]
async fn files_that_are_no_suites_are_rejected_and_change_nothing() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    let functions = notebook.texts("function").await?;
    let ladder = ladder()?;
    // `invalid_suites.rs` has more of them.
    let table = [
        ("page.wasm", b"<!doctype html><script>window.hurt = 1</script>".to_vec(), "It is not a WebAssembly module."),
        ("empty.wasm", Vec::new(), "It is not a WebAssembly module."),
        ("short.wasm", ladder[..ladder.len() / 2].to_vec(), "It is not a WebAssembly module: "),
        // By its content, not by its name.
        ("module.json", b"\0asm\x01\0\0\0".to_vec(), "It is not a suite: it does not export memory"),
        ("garbage.wasm", fake_suite::with_replies(&["hello"]), "invalid message"),
        ("memory.wasm", fake_suite::not_instantiable(), "The suite cannot be started: "),
    ];
    for (name, module, expected) in table {
        notebook.drop_binary(name, &module).await?;
        notebook.until_problem(expected).await.with_context(|| name.to_owned())?;
        let problem = notebook.texts("problem").await?;
        assert!(
            problem.len() == 1 && problem[0].starts_with(&format!("Cannot load the suite {name}. ")),
            "{problem:?}"
        );
    }
    const DROP_HUGE: &str = "const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(100_000_000)], 'huge.wasm'));
        window.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));";
    notebook.browser.client.execute(DROP_HUGE, Vec::new()).await?;
    notebook.until_problem("It exceeds the limit of 64 MiB.").await?;
    assert_eq!(notebook.texts("function").await?, functions);
    assert_eq!(notebook.browser.value("window.hurt ?? null").await?, json!(null));
    notebook.browser.client.refresh().await?;
    notebook.until_shown("library").await?;
    assert_eq!(notebook.texts("problem").await?, [""; 0], "nothing was stored");
    assert_eq!(notebook.texts("function").await?, functions);
    notebook.close().await
}

#[tokio::test]
async fn a_suite_is_opened_from_an_address_or_reported() -> Result<()> {
    let _turn = turn().await;
    let ladder = ladder()?;
    let theirs = || vec![("theirs.wasm".to_owned(), ServedFile::Bytes(ladder.clone()))];
    let shared = Server::start(Site { files: theirs(), is_shared: true, ..Site::default() }).await?;
    let private = Server::start(Site { files: theirs(), ..Site::default() }).await?;
    let forbidden = format!("{}theirs.wasm", private.url());
    let host = private.url().trim_start_matches("http://").trim_end_matches('/');
    let denied =
        format!("Couldn't load from {host}. It may be down, or lack the header Access-Control-Allow-Origin: *.");
    // The site lists a suite of a host that does not share it.
    let listed = json!({ "suites": [forbidden, "suites/demo.wasm"], "qualities": qualities(5_000.0) });
    let files = vec![
        ("endless.wasm".to_owned(), ServedFile::Endless),
        ("stalled.wasm".to_owned(), ServedFile::Stalled(1 << 20)),
    ];
    let notebook = Notebook::open(Site { files, ..with_notebook(&listed) }).await?;
    let in_list = "document.querySelector('nav section:first-of-type[data-test=failed-suite]')?.textContent";
    notebook.browser.until(&format!("{in_list}?.includes({})", json!(denied))).await?;
    notebook.until_shown("function").await?;
    notebook.assert_accessible("a suite of another host that is not shared").await?;

    let own = notebook.server.url().to_owned();
    let problems = [
        (format!("{own}missing.wasm"), "The host responded with status 404."),
        (forbidden.clone(), denied.as_str()),
        ("http://127.0.0.1:1/none.wasm".to_owned(), "Couldn't load from 127.0.0.1:1. It may be down"),
        (format!("{own}endless.wasm"), "It exceeds the limit of 64 MiB."),
        (format!("{own}notebook.json"), "It is not a WebAssembly module."),
        ("file:///etc/passwd".to_owned(), "The address must begin with https:// or http://."),
    ];
    let shown = "document.querySelector('[data-test=suite-problem]')?.textContent";
    for (address, problem) in problems {
        open_address(&notebook, &address).await?;
        let is_shown = format!(
            "{shown}?.startsWith({}) && {shown}.includes({})",
            json!(format!("Cannot load the suite {address}. ")),
            json!(problem)
        );
        notebook.browser.until(&is_shown).await.with_context(|| address.clone())?;
    }
    notebook.assert_accessible("a suite that was not opened").await?;
    open_address(&notebook, &format!("{own}stalled.wasm")).await?;
    let received = "document.querySelector('[data-test=received]')?.textContent === '1.0 MB of 2.1 MB'";
    notebook.browser.until(received).await?;
    notebook.assert_accessible("a suite that is being opened").await?;
    notebook.click("cancel-suite").await?;
    notebook.browser.until("document.querySelector('[data-test=suite-progress]') === null").await?;
    assert_eq!(notebook.texts("suite-problem").await?, [""; 0]);
    // A stalled download does not prevent another one.
    open_address(&notebook, &format!("{own}stalled.wasm")).await?;
    notebook.browser.until(received).await?;
    open_address(&notebook, &format!("{}theirs.wasm", shared.url())).await?;
    until_listed(&notebook, &ladder).await?;
    let origin = notebook.texts("own-suite").await?.concat();
    assert!(origin.contains(&format!("{}theirs.wasm", shared.url())), "{origin}");
    assert_eq!(notebook.texts("suite-problem").await?, [""; 0]);
    notebook.choose(SUM).await?;
    assert!(!notebook.measure().await?.is_empty());
    let fragment = notebook.fragment().await?;
    assert!(fragment.contains(&format!("suite_address={}theirs.wasm", shared.url())), "{fragment}");

    // A link suggests a suite; only the user requests it.
    let suggested = Server::start(Site { files: theirs(), is_shared: true, ..Site::default() }).await?;
    let address = format!("{}theirs.wasm", suggested.url());
    notebook.click("remove-suite").await?;
    until_not_listed(&notebook).await?;
    notebook.visit(&format!("suite_address={address}&suite=ladder&function={SUM}")).await?;
    notebook.until_shown("suggested-suite").await?;
    let typed = notebook.browser.value("document.querySelector('[data-test=suite-address]').value").await?;
    assert_eq!(typed, json!(address));
    notebook.assert_accessible("a suite that a link suggests").await?;
    assert_eq!(suggested.requests(), [""; 0]);
    notebook.click("open-suite-address").await?;
    until_listed(&notebook, &ladder).await?;
    notebook.browser.until(&format!("document.querySelector('[data-current][data-path=\"{SUM}\"]')")).await?;
    assert_eq!(suggested.requests().len(), 1);
    notebook.close().await
}

#[tokio::test]
async fn a_site_lists_a_suite_of_another_host() -> Result<()> {
    let _turn = turn().await;
    let theirs = vec![("theirs.wasm".to_owned(), ServedFile::Bytes(ladder()?))];
    let other = Server::start(Site { files: theirs, is_shared: true, ..Site::default() }).await?;
    let listed = json!({ "suites": [format!("{}theirs.wasm", other.url())], "qualities": qualities(5_000.0) });
    let notebook = Notebook::open(with_notebook(&listed)).await?;
    notebook.choose(SUM).await?;
    let rows = notebook.measure().await?;
    assert!(!rows.is_empty() && rows.iter().all(|row| row.failed.is_none()), "{rows:?}");
    assert_eq!(notebook.texts("own-suite").await?, [""; 0], "the site's, not the user's");
    assert_eq!(other.requests().len(), 1);
    notebook.close().await
}

#[tokio::test]
async fn tabs_share_the_suites_and_a_damaged_one_can_be_removed() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    let client = &notebook.browser.client;
    let (first, address) = (client.window().await?, client.current_url().await?);
    let second = notebook.browser.open_tab(address.as_str()).await?;
    notebook.until_shown("library").await?;
    let (old, new) = (ladder()?, another_build(&ladder()?));
    for module in [&old, &new] {
        client.switch_to_window(first.clone()).await?;
        notebook.drop_binary("mine.wasm", module).await?;
        until_listed(&notebook, module).await?;
        client.switch_to_window(second.clone()).await?;
        until_listed(&notebook, module).await?;
    }
    notebook.click("remove-suite").await?;
    client.switch_to_window(first.clone()).await?;
    until_not_listed(&notebook).await?;
    client.switch_to_window(second.clone()).await?;
    notebook.click("undo-remove-suite").await?;
    client.switch_to_window(first).await?;
    until_listed(&notebook, &new).await?;

    // The browser has lost the binary.
    const DAMAGE: &str = "const transaction = database.transaction('suites', 'readwrite');
        transaction.objectStore('suites').put({ source: 'mine.wasm' }, 'ladder');
        transaction.oncomplete = () => end(true);";
    notebook.with_database(DAMAGE).await?;
    client.refresh().await?;
    notebook.until_text("unusable-suite", "It is not a WebAssembly module").await?;
    notebook.assert_accessible("a stored suite that cannot be loaded").await?;
    notebook.click("remove-suite").await?;
    notebook.browser.until("document.querySelector('[data-test=unusable-suite]') === null").await?;
    let stored = "const request = database.transaction('suites').objectStore('suites').count();
        request.onsuccess = () => end(request.result);";
    notebook.until_text("suite-notice", "Removed the suite ladder").await?;
    assert_eq!(notebook.with_database(stored).await?, json!(0));
    notebook.close().await
}

#[tokio::test]
async fn a_full_or_older_storage_and_a_name_of_the_site_are_no_obstacles() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("numbers::sum").await?;
    notebook.add_text("Stored before there were suites").await?;
    notebook.until_saved().await?;
    let fragment = notebook.fragment().await?;
    // Converts the database to version 1, which had no suites.
    const TO_FIRST_VERSION: &str = "const stores = ['notebooks', 'results'];
        const contents = {};
        const transaction = database.transaction(stores);
        for (const name of stores) {
            const store = transaction.objectStore(name);
            store.getAllKeys().onsuccess = ({ target }) => { contents[name] = { keys: target.result }; };
            store.getAll().onsuccess = ({ target }) => { contents[name].values = target.result; };
        }
        transaction.oncomplete = () => {
            database.close();
            indexedDB.deleteDatabase('benchbook').onsuccess = () => {
                const older = indexedDB.open('benchbook', 1);
                older.onupgradeneeded = () => {
                    for (const name of stores) {
                        const store = older.result.createObjectStore(name);
                        contents[name].keys.forEach((key, index) => store.put(contents[name].values[index], key));
                    }
                };
                older.onsuccess = () => { older.result.close(); done(true); };
            };
        };";
    // From a file of the site: the page would open the database again before it is converted.
    let page = notebook.browser.client.current_url().await?;
    notebook.browser.client.goto(page.join("manifest.webmanifest")?.as_str()).await?;
    notebook.with_database(TO_FIRST_VERSION).await?;
    notebook.browser.client.goto(page.as_str()).await?;
    notebook.until_text("text", "before there were").await?;
    assert_eq!(notebook.fragment().await?, fragment);

    // The same name as the site's suite.
    let demo_build = another_build(&suites::demo()?.wasm()?);
    let full = "IDBObjectStore.prototype.put = () => { throw new DOMException('Full.', 'QuotaExceededError'); };";
    notebook.browser.client.execute(full, Vec::new()).await?;
    notebook.drop_binary("demo.wasm", &demo_build).await?;
    until_listed(&notebook, &demo_build).await?;
    notebook
        .until_text(
            "suite-notice",
            "works until you leave this page, but it is not stored: this browser’s storage is full.",
        )
        .await?;
    let suites = "document.querySelectorAll('nav .suites section').length";
    assert_eq!(notebook.browser.value(suites).await?, json!(1), "it replaces the suite of the site");
    notebook.until_shown("measure").await?;
    notebook.click("remove-suite").await?;
    until_not_listed(&notebook).await?;
    notebook.until_shown("measure").await?;
    assert_eq!(notebook.browser.value(suites).await?, json!(1), "the suite of the site is back");
    notebook.browser.client.refresh().await?;
    notebook.until_shown("function").await?;
    assert_eq!(notebook.texts("own-suite").await?, [""; 0]);
    notebook.close().await
}
