//! The steps that lead to a state of the page.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use benchbook_tests::notebook::Notebook;

use Step::{
    Add, Choose, Click, Compare, Drag, DropFile, DropSuite, Follow, Go, Hover, LoseRunner, Measure, OpenStandalone,
    Print, Run, Search, Text, Type, UntilDrawn, UntilFound, UntilInFrame, UntilPriority, UntilRunner, UntilSaved,
    UntilShown, Visit,
};

pub(crate) enum Step {
    /// Chooses the function at this path.
    Choose(&'static str),
    /// Adds the function at this path to the comparison.
    Compare(&'static str),
    /// Searches the list of functions.
    Search(&'static str),
    /// Types into a field of a parameter: its name, the field, the text.
    Type(&'static str, &'static str, &'static str),
    /// Clicks the element with this `data-test`.
    Click(&'static str),
    /// Adds a text cell after the last cell.
    Text(&'static str),
    /// Adds a measurement cell with the function at this path.
    Add(&'static str),
    /// Measures to the last priority.
    Measure,
    /// Waits for the measurement of this priority.
    UntilPriority(u8),
    /// Waits for an element with this `data-test`.
    UntilShown(&'static str),
    /// Waits for an element that this CSS selector selects.
    UntilFound(&'static str),
    /// Waits for an element that this CSS selector selects in the frame of the page.
    UntilInFrame(&'static str),
    /// Waits for the plots of all cells near the window.
    UntilDrawn,
    /// Waits for this state of the runner.
    UntilRunner(&'static str),
    /// Follows a link to a function.
    Follow(&'static str),
    /// Navigates to a fragment of the address in the archive.
    Go(&'static str),
    /// Waits until the notebook is saved.
    UntilSaved,
    /// Shows the page as on paper.
    Print,
    /// Ends the runner.
    LoseRunner,
    /// Drags over the plot; coordinates are fractions of its width and height.
    Drag((f64, f64), (f64, f64)),
    /// Moves the pointer there.
    Hover(f64, f64),
    /// Runs a script in the page, in place of an event that a test cannot cause otherwise.
    Run(&'static str),
    /// Drops a file with this content on the page.
    DropFile(fn() -> String),
    /// Drops a file of the page's host on the page as a suite.
    DropSuite(&'static str),
    /// Loads the page again at a fragment of its address.
    Visit(&'static str),
    /// Stores the notebook as a standalone page, and opens that.
    OpenStandalone,
}

/// Takes a step. `folder`: for files.
pub(crate) async fn take(notebook: &Notebook, step: &Step, folder: &Path) -> Result<()> {
    match step {
        Choose(path) => notebook.choose(path).await,
        Compare(path) => notebook.compare(path).await,
        Search(text) => notebook.find_function(text).await,
        Type(parameter, field, text) => notebook.type_into(parameter, field, text).await,
        Click(test) => notebook.click(test).await,
        Text(text) => notebook.add_text(text).await,
        Add(path) => notebook.add_cell(path).await,
        Measure => notebook.measure().await.map(drop),
        UntilPriority(priority) => {
            let priority_shown = "document.querySelector('[data-test=progress]').dataset.priority";
            notebook.browser.until(&format!("{priority_shown} === '{priority}'")).await
        }
        UntilRunner(state) => notebook.until_runner(state).await,
        Follow(fragment) => {
            notebook.browser.client.execute(&format!("location.hash = '{fragment}'"), Vec::new()).await?;
            notebook.browser.until("document.querySelector('[data-test=cell]')").await
        }
        Go(fragment) => {
            notebook.browser.client.execute(&format!("location.hash = '{fragment}'"), Vec::new()).await?;
            let is_shown = "document.querySelector('[data-test=archive]') && \
                 !document.querySelector('[data-test=archive-status]')?.textContent.startsWith('Loading')";
            notebook.browser.until(is_shown).await
        }
        Print => notebook.browser.emulate_print().await,
        UntilSaved => {
            notebook.browser.until("document.querySelector('[data-test=saved]').dataset.state === 'saved'").await
        }
        LoseRunner => bail!("there is no runner"),
        UntilShown(test) => notebook.browser.until(&format!("document.querySelector('[data-test={test}]')")).await,
        UntilFound(selector) => notebook.browser.until(&format!("document.querySelector('{selector}')")).await,
        UntilInFrame(selector) => {
            let found = format!("document.querySelector('iframe')?.contentDocument?.querySelector('{selector}')");
            notebook.browser.until_reloaded(&format!("Boolean({found})")).await
        }
        UntilDrawn => {
            let all_drawn = "(plots => plots.length > 0 && plots.every(plot => plot.hasAttribute('width')))\
                 ([...document.querySelectorAll('.near [data-test=plot] canvas')])";
            notebook.browser.until(all_drawn).await
        }
        Drag(from, to) => notebook.drag(*from, *to).await,
        Hover(right, down) => notebook.hover((*right, *down)).await,
        Run(script) => Ok(notebook.browser.client.execute(script, Vec::new()).await.map(drop)?),
        DropFile(content) => notebook.drop_file("dropped.benchbook.json", &content()).await,
        DropSuite(path) => drop_from_host(notebook, path, "mine.wasm").await,
        Visit(fragment) => notebook.visit(fragment).await,
        OpenStandalone => open_standalone(notebook, folder).await,
    }
}

/// Drops a file of the page's host on the page, as a file of this name.
async fn drop_from_host(notebook: &Notebook, path: &str, name: &str) -> Result<()> {
    const DROP: &str = "const [path, name, done] = arguments;
        fetch(path).then((response) => response.arrayBuffer()).then((content) => {
            const data = new DataTransfer();
            data.items.add(new File([content], name));
            window.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));
            done();
        });";
    notebook.browser.client.execute_async(DROP, vec![path.into(), name.into()]).await?;
    Ok(())
}

async fn open_standalone(notebook: &Notebook, folder: &Path) -> Result<()> {
    notebook.intercept().await?;
    notebook.share("share-page").await?;
    let page = notebook.intercepted("file").await?;
    let path = folder.join("standalone.html");
    fs::write(&path, page).context("failed to write the standalone page")?;
    notebook.browser.client.goto(&format!("file://{}", path.display())).await?;
    // The page's policy forbids `eval`, which the other way of waiting uses.
    notebook.browser.until_reloaded("document.querySelector('[data-test=plot] canvas')?.width > 300").await
}
