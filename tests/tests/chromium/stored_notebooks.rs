//! Notebooks in the browser's storage: reloading, several tabs, the list, and damage.

use anyhow::{Context, Result};
use benchbook_tests::browser::turn;
use benchbook_tests::notebook::Notebook;
use benchbook_tests::sites::demo;
use fantoccini::key::Key;
use serde_json::json;

const SORT: &str = "sorting::sort_unstable";

/// The texts of the notebook's text cells.
async fn texts(notebook: &Notebook) -> Result<Vec<String>> {
    Ok(notebook.texts("text").await?.into_iter().map(|text| text.trim().to_owned()).collect())
}

/// A saved notebook with results, a title and a text.
async fn measured() -> Result<Notebook> {
    let notebook = Notebook::open_sorts(&[SORT]).await?;
    notebook.find("[data-test=title]").await?.send_keys("Which sort?").await?;
    notebook.until_saved().await?;
    Ok(notebook)
}

/// Adds to the title of the notebook and to its first text in one turn, so that one save contains both edits.
async fn edit_title_and_text(notebook: &Notebook, addition: &str) -> Result<()> {
    const TYPE: &str =
        "for (const field of ['title', 'text-field'].map((name) => document.querySelector(`[data-test=${name}]`))) {
            field.value += arguments[0];
            field.dispatchEvent(new InputEvent('input', { bubbles: true }));
        }";
    notebook.browser.click("[data-test=text-cell] [data-test=text-edit]").await?;
    notebook.until_shown("text-field").await?;
    notebook.browser.client.execute(TYPE, vec![json!(addition)]).await?;
    notebook.browser.click("[data-test=text-cell] [data-test=text-done]").await?;
    Ok(())
}

#[tokio::test]
async fn a_reload_shows_texts_settings_results_and_samples() -> Result<()> {
    let _turn = turn().await;
    let notebook = measured().await?;
    notebook.browser.click("[data-test=outline-item] button").await?;
    let rows = notebook.rows().await?;
    notebook.click("tab-samples").await?;
    let samples = "document.querySelector('[data-test=raw-samples]').value";
    let before = notebook.browser.value(samples).await?;
    notebook.until_saved().await?;
    notebook.browser.client.refresh().await?;
    notebook.until_shown("table").await?;
    assert_eq!(notebook.rows().await?, rows);
    assert_eq!(notebook.browser.value(samples).await?, before, "the raw samples are stored, too");
    assert_eq!(texts(&notebook).await?, ["A conclusion"]);
    let title = notebook.browser.value("document.querySelector('[data-test=title]').value").await?;
    assert_eq!(title, "Which sort?");
    notebook.click("toggle-controls").await?;
    let high = "document.querySelector('[data-name=size] [data-test=high]').value";
    assert_eq!(notebook.browser.value(high).await?, "3\u{202f}000");
    notebook.close().await
}

#[tokio::test]
async fn two_tabs_show_the_edits_of_each_other() -> Result<()> {
    let _turn = turn().await;
    let notebook = measured().await?;
    let client = &notebook.browser.client;
    let (first, address) = (client.window().await?, client.current_url().await?);
    let second = notebook.browser.open_tab(address.as_str()).await?;
    notebook.until_shown("text").await?;
    notebook.add_text("From the second tab").await?;
    notebook.until_saved().await?;
    client.switch_to_window(first.clone()).await?;
    let both = "[...document.querySelectorAll('[data-test=text]')].map((text) => text.textContent.trim()).join()";
    notebook.browser.until(&format!("{both} === 'A conclusion,From the second tab'")).await?;
    notebook.add_text("From the first tab").await?;
    notebook.until_saved().await?;
    client.switch_to_window(second.clone()).await?;
    notebook.browser.until(&format!("{both} === 'A conclusion,From the second tab,From the first tab'")).await?;
    assert_eq!(notebook.texts("notice").await?, [""; 0], "no tab has overwritten an edit");

    // Both tabs edit before the first one is notified.
    client.execute("BroadcastChannel.prototype.postMessage = () => {};", Vec::new()).await?;
    edit_title_and_text(&notebook, " Second").await?;
    notebook.until_saved().await?;
    client.switch_to_window(first).await?;
    edit_title_and_text(&notebook, " First").await?;
    let merged = "'A conclusion First,A conclusion Second,From the second tab,From the first tab'";
    notebook.browser.until(&format!("{both} === {merged}")).await?;
    notebook.until_text("notice", "Another tab set the title “Which sort? Second” at the same time.").await?;
    notebook.until_text("notice", "Another tab changed the cell “A conclusion First”, too.").await?;
    notebook.assert_accessible("notices").await?;
    notebook.until_saved().await?;
    client.switch_to_window(second).await?;
    notebook.browser.until(&format!("{both} === {merged}")).await?;
    let title = "document.querySelector('[data-test=title]').value";
    assert_eq!(notebook.browser.value(title).await?, "Which sort? First");
    notebook.browser.click("[data-test=outline-item] button").await?;
    assert!(!notebook.rows().await?.is_empty(), "the results remain");
    notebook.close().await
}

#[tokio::test]
async fn notebooks_are_listed_searched_renamed_duplicated_deleted_and_restored() -> Result<()> {
    let _turn = turn().await;
    let notebook = measured().await?;
    notebook.click("home").await?;
    let names = "[...document.querySelectorAll('[data-test=open-notebook]')].map((link) => link.textContent).join()";
    let until_listed = async |expected: &str| notebook.browser.until(&format!("{names} === '{expected}'")).await;
    until_listed("Which sort?").await?;
    let answer = notebook.texts("notebook-answer").await?.concat();
    assert!(answer.contains("sort_unstable"), "{answer}");
    notebook.assert_accessible("the list of notebooks").await?;
    notebook.click("duplicate-notebook").await?;
    until_listed("Copy of Which sort?,Which sort?").await?;
    notebook.click("rename-notebook").await?;
    notebook.assert_accessible("a notebook that is being renamed").await?;
    let all = format!("{}a{}", char::from(Key::Control), char::from(Key::Null));
    let enter = char::from(Key::Enter);
    notebook.find("[data-test=new-title]").await?.send_keys(&format!("{all}Another{enter}")).await?;
    until_listed("Another,Which sort?").await?;
    notebook.find("[data-test=search-notebooks]").await?.send_keys("WHICH").await?;
    until_listed("Which sort?").await?;
    notebook.find("[data-test=search-notebooks]").await?.send_keys(&format!("{all}conclusion")).await?;
    until_listed("Another,Which sort?").await?;
    notebook.click("delete-notebook").await?;
    until_listed("Which sort?").await?;
    notebook.browser.click("[data-test=deleted-notebooks] summary").await?;
    notebook.assert_accessible("the deleted notebooks").await?;
    notebook.click("restore-notebook").await?;
    until_listed("Another,Which sort?").await?;
    notebook.click("open-notebook").await?;
    notebook.until_shown("table").await?;
    assert!(!notebook.rows().await?.is_empty(), "the copy has the results");
    notebook.click("home").await?;
    notebook.click("delete-notebook").await?;
    notebook.until_shown("deleted-notebooks").await?;
    let is_used = "/^Stored in this browser: [0-9.]+ [MG]B of [0-9.]+ [MG]B used\\.$/.test(document.querySelector('[data-test=storage-use]').textContent.trim())";
    notebook.browser.until(is_used).await?;
    // The browser frees its disk later, and rounds.
    let estimate = "navigator.storage.estimate = () => Promise.resolve({ usage: 2_500_000, quota: 4_000_000_000 });";
    notebook.browser.client.execute(estimate, Vec::new()).await?;
    notebook.browser.click("[data-test=deleted-notebooks] summary").await?;
    notebook.click("empty-deleted").await?;
    notebook.browser.until("!document.querySelector('[data-test=deleted-notebooks]')").await?;
    let is_freed = "document.querySelector('[data-test=storage-use]').textContent.includes('2.5 MB of 4.0 GB')";
    notebook.browser.until(is_freed).await?;
    let count = "const count = database.transaction('results').objectStore('results').count();
        count.onsuccess = () => end(count.result);";
    let results = notebook.with_database(count).await?;
    assert_eq!(results, 1, "its results are removed, too");
    notebook.close().await
}

#[tokio::test]
async fn a_cleared_storage_is_written_again() -> Result<()> {
    let _turn = turn().await;
    let notebook = measured().await?;
    let clear = "const clearing = database.transaction(['notebooks', 'results'], 'readwrite');
        clearing.objectStore('notebooks').clear(); clearing.objectStore('results').clear();
        clearing.oncomplete = () => end(true);";
    notebook.with_database(clear).await?;
    notebook.add_text("More").await?;
    notebook.until_saved().await?;
    notebook.until_text("notice", "storage. This tab has stored it again.").await?;

    // Both close the connection of the page: the user clears the data of the page, or another page deletes the database.
    let origin = notebook.browser.value("location.origin").await?;
    let delete = "const done = arguments[0]; indexedDB.deleteDatabase('benchbook').onsuccess = () => done(true);";
    for is_cleared in [true, false] {
        notebook.click("dismiss-notice").await?;
        notebook.browser.until("!document.querySelector('[data-test=notice]')").await?;
        if is_cleared {
            let data = json!({ "origin": origin, "storageTypes": "indexeddb" });
            notebook.browser.devtools("Storage.clearDataForOrigin", data).await?;
        } else {
            notebook.browser.client.execute_async(delete, Vec::new()).await?;
        }
        // Without an edit.
        notebook.until_text("notice", "storage. This tab has stored it again.").await?;
        notebook.until_saved().await?;
    }
    notebook.browser.client.refresh().await?;
    notebook.until_shown("table").await?;
    assert_eq!(texts(&notebook).await?, ["A conclusion", "More"]);
    notebook.browser.click("[data-test=outline-item] button").await?;
    assert!(!notebook.rows().await?.is_empty());
    notebook.close().await
}

#[tokio::test]
async fn a_blocked_storage_is_reported_and_the_page_works() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    // A newer version of the page has converted the database.
    let newer = "const done = arguments[0];
        const deleting = indexedDB.deleteDatabase('benchbook');
        deleting.onsuccess = () => {
            const opening = indexedDB.open('benchbook', 1000);
            opening.onsuccess = () => { opening.result.close(); done(true); };
        };";
    notebook.browser.client.execute_async(newer, Vec::new()).await?;
    notebook.visit("").await?;
    let problem = "document.querySelector('[data-test=library] [data-test=problem]')?.textContent";
    notebook.browser.until(&format!("{problem}?.includes('A newer version of Benchbook')")).await?;
    notebook.choose(SORT).await?;
    notebook.type_into("size", "high", "3000").await?;
    assert!(!notebook.measure().await?.is_empty());
    notebook.browser.until("document.querySelector('[data-test=saved]').dataset.state === 'failed'").await?;
    notebook.close().await
}

#[tokio::test]
async fn a_full_storage_is_reported_and_written_again_when_there_is_room() -> Result<()> {
    let _turn = turn().await;
    let notebook = measured().await?;
    // Chromium applies a changed quota to small writes after a delay, so the test throws Chromium's exception itself.
    const FILL: &str = "const put = IDBObjectStore.prototype.put;
        window.setFull = (isFull) => {
            IDBObjectStore.prototype.put = isFull ? () => { throw new DOMException('The quota has been exceeded.', 'QuotaExceededError'); } : put;
        };
        setFull(true);";
    notebook.browser.client.execute(FILL, Vec::new()).await?;
    let until_full = async || {
        notebook.browser.until("document.querySelector('[data-test=saved]').dataset.state === 'failed'").await?;
        let status = notebook.texts("saved").await?.concat();
        assert!(status.starts_with("Not saved: storage is full. Delete notebooks"), "{status}");
        anyhow::Ok(())
    };
    notebook.add_text("Written when the storage was full").await?;
    until_full().await?;
    notebook.assert_accessible("a full storage").await?;
    notebook.click("save-again").await?;
    until_full().await?;
    notebook.browser.client.execute("setFull(false);", Vec::new()).await?;
    notebook.click("save-again").await?;
    notebook.until_saved().await?;
    notebook.browser.client.refresh().await?;
    notebook.browser.until("document.querySelectorAll('[data-test=text]').length === 2").await?;
    assert_eq!(texts(&notebook).await?, ["A conclusion", "Written when the storage was full"]);
    notebook.close().await
}

#[tokio::test]
async fn persistent_storage_is_requested_at_the_first_save() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    let record = "window.requests = 0;
        navigator.storage.persist = () => { window.requests += 1; return Promise.resolve(true); };";
    notebook.browser.client.execute(record, Vec::new()).await?;
    assert_eq!(notebook.browser.value("window.requests").await?, 0);
    notebook.choose(SORT).await?;
    for text in ["One", "Two"] {
        notebook.add_text(text).await?;
        notebook.until_saved().await?;
        assert_eq!(notebook.browser.value("window.requests").await?, 1, "{text}");
    }
    notebook.close().await
}

#[tokio::test]
async fn a_record_that_this_version_cannot_read_is_never_overwritten() -> Result<()> {
    let _turn = turn().await;
    let notebook = measured().await?;
    // A newer version of the page has saved the notebook in another tab.
    let newer = "const store = database.transaction('notebooks', 'readwrite').objectStore('notebooks');
        store.openCursor().onsuccess = ({ target: { result: cursor } }) => {
            const record = JSON.parse(cursor.value);
            record.revision += 1;
            record.document = record.document.replace('\"benchbook\":1', '\"benchbook\":99');
            cursor.update(JSON.stringify(record)).onsuccess = () => end(true);
        };";
    notebook.with_database(newer).await?;
    notebook.add_text("More").await?;
    notebook.browser.until("document.querySelector('[data-test=saved]').dataset.state === 'failed'").await?;
    let status = notebook.texts("saved").await?.concat();
    assert!(status.starts_with("Not saved: The file has version 99 of the format"), "{status}");
    let read = "database.transaction('notebooks').objectStore('notebooks').getAll().onsuccess = ({ target }) => end(target.result);";
    let stored = notebook.with_database(read).await?;
    assert!(stored.to_string().contains(r#"\\\"benchbook\\\":99"#), "{stored}");
    notebook.close().await
}

#[tokio::test]
async fn damaged_records_do_not_hide_the_others() -> Result<()> {
    let _turn = turn().await;
    let notebook = measured().await?;
    let damage = "const store = database.transaction('notebooks', 'readwrite').objectStore('notebooks');
        store.put('{', 'damaged'); store.put(7, 'number');
        store.put('{\"revision\":1,\"changed\":0,\"document\":\"{}\",\"results\":[]}', 'empty').onsuccess = () => end(true);";
    notebook.with_database(damage).await?;
    notebook.visit("").await?;
    notebook.browser.until("document.querySelectorAll('[data-test=open-notebook]').length === 2").await?;
    let names = notebook.texts("stored-notebook").await?;
    assert!(
        names[0].contains("Which sort?") && names[1].contains("written by a newer version, or damaged"),
        "{names:?}"
    );
    notebook.visit("notebook=empty").await?;
    notebook.until_text("problem", "not a Benchbook notebook").await?;
    let problem = notebook.texts("problem").await?.into_iter().next().context("a problem")?;
    assert!(problem.contains("no field benchbook"), "{problem}");

    // A damaged result is reported.
    let damage = "const store = database.transaction('results', 'readwrite').objectStore('results');
        store.openCursor().onsuccess = ({ target: { result: cursor } }) => { cursor.update('{').onsuccess = () => end(true); };";
    notebook.with_database(damage).await?;
    notebook.visit("").await?;
    notebook.click("open-notebook").await?;
    let expected = "Cannot read 1 stored result of the cell “sort_unstable”: damaged or missing.";
    notebook.until_text("notice", expected).await?;
    notebook.close().await
}
