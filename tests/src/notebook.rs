//! A page object: drives the page through its `data-test` attributes.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use fantoccini::Client;
use fantoccini::actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use fantoccini::elements::Element;
use fantoccini::key::Key;
use serde::Deserialize;
use serde_json::json;

use crate::browser::Browser;
use crate::server::{Server, Site};

/// The window size of a laptop.
pub const DESKTOP: (u32, u32) = (1360, 900);

/// The screen size of a phone in portrait orientation.
pub const PHONE: (u32, u32) = (390, 844);

/// The current cell of the notebook, or else the document, as a JavaScript expression.
const CURRENT: &str = "(document.querySelector('[data-current]') ?? document)";

/// An open page with its server and its browser. Elements that each cell contains are those of the current cell.
pub struct Notebook {
    /// The browser.
    pub browser: Browser,
    /// The server.
    pub server: Server,
}

/// A row of the table, from its `data-` attributes. Times are in nanoseconds.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// The function's path.
    pub path: String,
    /// The axis value.
    pub x: String,
    /// The priority, 1 to 4.
    pub priority: String,
    /// `browser` or `native`.
    pub machine: String,
    /// Absent if the point failed.
    pub mean: Option<String>,
    /// Absent if the point failed.
    pub sd: Option<String>,
    /// Absent if it is unavailable or the point failed.
    pub q1: Option<String>,
    /// Absent if it is unavailable or the point failed.
    pub median: Option<String>,
    /// Absent if it is unavailable or the point failed.
    pub q3: Option<String>,
    /// The reason if the point failed.
    pub failed: Option<String>,
    /// Whether it was measured at another time or on other inputs than the first function.
    pub is_separate: bool,
    /// The ratio of its time to the first function's, with the interval; present only if both were measured together.
    pub ratio: Option<String>,
    /// Why there is no ratio.
    pub unavailable: Option<String>,
}

/// The clock of the browser.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShownClock {
    /// The resolution in nanoseconds.
    pub resolution: f64,
    /// Whether the page is cross-origin isolated.
    pub is_isolated: bool,
}

impl Notebook {
    /// Opens the page in a browser without stored data and waits until it shows a function or a problem.
    pub async fn open(site: Site) -> Result<Self> {
        let notebook = Self::load(Browser::reuse(DESKTOP.0, DESKTOP.1).await?, site, "").await?;
        notebook.browser.until("document.querySelector('[data-test=function], [data-test=problem]')").await?;
        Ok(notebook)
    }

    /// Loads the page in a running browser, at a fragment of its address such as `#a`.
    pub async fn load(browser: Browser, site: Site, fragment: &str) -> Result<Self> {
        let server = Server::start(site).await?;
        browser.client.goto(&format!("{}{fragment}", server.url())).await?;
        Ok(Self { browser, server })
    }

    /// Opens the sheet with the contents, if the screen is narrow and it is closed.
    pub async fn show_contents(&self) -> Result<()> {
        let is_hidden = "document.querySelector('[data-test=contents-sheet]')?.offsetHeight === 0";
        if self.browser.value(is_hidden).await? == true {
            self.click("contents").await?;
        }
        Ok(())
    }

    /// Chooses the function with this path.
    pub async fn choose(&self, path: &str) -> Result<()> {
        self.show_contents().await?;
        self.until_present(&format!("[data-test=function][data-path='{path}']")).await?.click().await?;
        self.browser.until(&format!("document.querySelector(\"[data-current][data-path='{path}']\")")).await
    }

    /// Adds a cell with the function at this path after the current one.
    pub async fn add_cell(&self, path: &str) -> Result<()> {
        self.show_contents().await?;
        let button = format!("li:has(> [data-test=function][data-path='{path}']) [data-test=add-function]");
        self.until_present(&button).await?.click().await?;
        self.browser.until(&format!("document.querySelector(\"[data-current][data-path='{path}']\")")).await
    }

    /// Adds a text cell after the last cell.
    pub async fn add_text(&self, text: &str) -> Result<()> {
        let last = "main > [data-test=insert] [data-test=insert-text]";
        self.browser.click(last).await?;
        self.browser.until("document.querySelector('[data-current] [data-test=text-field]')").await?;
        self.find("[data-test=text-field]").await?.send_keys(text).await?;
        self.click("text-done").await
    }

    /// Replaces the text in the search field of the function list.
    pub async fn find_function(&self, wanted: &str) -> Result<()> {
        self.show_contents().await?;
        let all = format!("{}a{}", char::from(Key::Control), char::from(Key::Null));
        Ok(self.find("[data-test=search]").await?.send_keys(&format!("{all}{wanted}")).await?)
    }

    /// Types into a field of a parameter (`low`, `high` or `value`) and moves the focus to the next field.
    pub async fn type_into(&self, parameter: &str, field: &str, text: &str) -> Result<()> {
        self.type_and_stay(parameter, field, &format!("{text}{}", char::from(Key::Tab))).await
    }

    /// Types into a field of a parameter and leaves the focus there.
    pub async fn type_and_stay(&self, parameter: &str, field: &str, text: &str) -> Result<()> {
        let input = self.find(&format!("[data-test=parameter][data-name={parameter}] [data-test={field}]")).await?;
        // Ctrl+A selects the present text, so that typing replaces it.
        Ok(input.send_keys(&format!("{}a{}{text}", char::from(Key::Control), char::from(Key::Null))).await?)
    }

    /// Chooses an option of a choice parameter.
    pub async fn pick(&self, parameter: &str, option: &str) -> Result<()> {
        let selector = format!("[data-test=parameter][data-name={parameter}] label:has(input[value='{option}'])");
        self.browser.click(&selector).await
    }

    /// Makes a parameter the axis.
    pub async fn vary(&self, parameter: &str) -> Result<()> {
        self.browser.click(&format!("[data-test=parameter][data-name={parameter}] [data-test=axis]")).await
    }

    /// Selects how a parameter varies: `range`, `list` or `one value`.
    pub async fn set_role(&self, parameter: &str, role: &str) -> Result<()> {
        let selector = format!("[data-test=parameter][data-name={parameter}] [data-test=role]");
        Ok(self.until_present(&selector).await?.select_by_value(role).await?)
    }

    /// Chooses a generator by its path.
    pub async fn generator(&self, path: &str) -> Result<()> {
        Ok(self.find("[data-test=generator]").await?.select_by_value(path).await?)
    }

    /// Clicks the element with this `data-test`.
    pub async fn click(&self, test: &str) -> Result<()> {
        self.browser.click(&format!("[data-test={test}]")).await
    }

    /// Replaces a part of the last priority's target: `aim` (precision in percent) or `point-time` (seconds).
    pub async fn set_target(&self, field: &str, text: &str) -> Result<()> {
        let all = format!("{}a{}", char::from(Key::Control), char::from(Key::Null));
        Ok(self.find(&format!("[data-test={field}]")).await?.send_keys(&format!("{all}{text}")).await?)
    }

    /// Waits until the measurement's progress shows this state. It may take any time on a slow machine, as long as points are completed.
    pub async fn until_state(&self, state: &str) -> Result<()> {
        let progress = format!("({CURRENT}.querySelector('[data-test=progress]')?.dataset ?? {{}})");
        let completed = format!("JSON.stringify([{progress}.priority, {progress}.points])");
        loop {
            let before = self.browser.value(&completed).await?;
            let waited = self.browser.until(&format!("{progress}.state === '{state}'")).await;
            if waited.is_ok() || self.browser.value(&completed).await? == before {
                return waited;
            }
        }
    }

    /// Chooses an entry of the menu of the current cell.
    pub async fn choose_command(&self, entry: &str) -> Result<()> {
        self.browser.click("[data-test=cell-menu] summary").await?;
        self.click(entry).await
    }

    /// Measures up to the last priority and returns the rows of the table.
    pub async fn measure(&self) -> Result<Vec<Row>> {
        self.click("measure").await?;
        self.until_state("done").await?;
        self.rows().await
    }

    /// Asserts that a function of the demo suite can be measured.
    pub async fn assert_measures(&self) -> Result<()> {
        self.until_shown("function").await?;
        self.choose("numbers::sum").await?;
        let rows = self.measure().await?;
        ensure!(rows.len() > 1 && rows.iter().all(|row| row.failed.is_none()), "{rows:?}");
        Ok(())
    }

    /// The rows of the table.
    pub async fn rows(&self) -> Result<Vec<Row>> {
        const ROWS: &str = "[...CURRENT.querySelectorAll('[data-test=table] tbody tr')].map((row) => {
            const heads = [...row.closest('table').tHead.rows[0].cells].map((head) => head.textContent);
            // The axis value is in the first row of its group.
            const isLater = row.parentElement.rows[0] !== row && row.parentElement.querySelector('[rowspan]');
            const cell = (isWanted) => row.cells[heads.findIndex(isWanted) - (isLater ? 1 : 0)];
            const ratio = cell((head) => head.startsWith('× '));
            return {
                ...row.dataset,
                isSeparate: cell((head) => head === 'function')?.textContent.endsWith('(measured separately)') ?? false,
                ratio: ratio?.textContent.includes(' to ') ? ratio.textContent : null,
                unavailable: ratio?.textContent === 'unavailable' ? ratio.title : null,
            };
        })";
        let rows = self.browser.value(&ROWS.replace("CURRENT", CURRENT)).await?;
        serde_json::from_value(rows).context("failed to read the table")
    }

    /// The rows of the table as the page copies it: unrounded figures, by column heading.
    pub async fn copied_rows(&self) -> Result<Vec<BTreeMap<String, String>>> {
        // A headless browser's clipboard cannot be read, so the text is intercepted.
        const INTERCEPT: &str =
            "navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); };";
        self.client().execute(INTERCEPT, Vec::new()).await?;
        self.click("tab-table").await?;
        self.click("copy-table").await?;
        self.browser.until("window.copied").await?;
        let text: String = serde_json::from_value(self.browser.value("window.copied").await?)?;
        let mut lines = text.lines().map(|line| line.split('\t').map(str::to_owned).collect::<Vec<_>>());
        let head = lines.next().context("the copied table has a header")?;
        Ok(lines.map(|cells| head.iter().cloned().zip(cells).collect()).collect())
    }

    /// The `data-` attributes of the first element with this `data-test`, in the current cell if it contains one.
    pub async fn data(&self, test: &str) -> Result<BTreeMap<String, String>> {
        let selector = format!("[data-test={test}]");
        let data =
            format!("({{...({CURRENT}.querySelector('{selector}') ?? document.querySelector('{selector}')).dataset}})");
        serde_json::from_value(self.browser.value(&data).await?)
            .with_context(|| format!("failed to parse the data of {test}"))
    }

    /// The clock of this browser's chip.
    pub async fn clock(&self) -> Result<ShownClock> {
        let data = self.data("clock").await?;
        let value = |name: &str| data.get(name).with_context(|| format!("the clock has no {name}: {data:?}"));
        Ok(ShownClock { resolution: value("resolution")?.parse()?, is_isolated: value("isolated")?.parse()? })
    }

    /// The texts of all elements with this `data-test`.
    pub async fn texts(&self, test: &str) -> Result<Vec<String>> {
        let texts = format!("[...document.querySelectorAll('[data-test={test}]')].map(element => element.textContent)");
        serde_json::from_value(self.browser.value(&texts).await?)
            .with_context(|| format!("failed to parse the texts of {test}"))
    }

    /// The sentences about growth, once they are computed.
    pub async fn growth(&self) -> Result<Vec<String>> {
        self.browser.until("document.querySelector('[data-test=growths]').ariaBusy === 'false'").await?;
        self.texts("growth").await
    }

    /// Adds a function to the comparison.
    pub async fn compare(&self, path: &str) -> Result<()> {
        self.find("[data-test=compare]").await?.select_by_value(&format!("with:{path}")).await?;
        self.click("compare-add").await?;
        self.browser.until(&format!("document.querySelector(\"[data-test=partner][data-path='{path}']\")")).await
    }

    /// The fragment of the address, without its `#`.
    pub async fn fragment(&self) -> Result<String> {
        let hash = self.browser.value("location.hash.slice(1)").await?;
        Ok(serde_json::from_value(hash)?)
    }

    /// The settings of the current cell in the address, without the identifiers of notebook and cell: a link that opens them in a
    /// new notebook.
    pub async fn settings(&self) -> Result<String> {
        let fragment = self.fragment().await?;
        let (_, settings) = fragment.split_once("suite=").with_context(|| format!("no settings in {fragment}"))?;
        Ok(format!("suite={settings}"))
    }

    /// Loads the page again at this fragment.
    pub async fn visit(&self, fragment: &str) -> Result<()> {
        // A change of the fragment alone would not load the page.
        self.client().goto("about:blank").await?;
        self.client().goto(&format!("{}#{fragment}", self.server.url())).await?;
        self.browser.until("document.querySelector('[data-test=function], [data-test=problem]')").await
    }

    /// Presses a key on the focused element.
    pub async fn press(&self, key: Key) -> Result<()> {
        Ok(self.client().active_element().await?.send_keys(&char::from(key).to_string()).await?)
    }

    /// Returns the start of the focused element's HTML, and whether the element or its label has a visible outline.
    pub async fn focused(&self) -> Result<(String, bool)> {
        const FOCUSED: &str = "(focused => {
            const isOutlined = (element) => {
                const { outlineStyle, outlineWidth } = element ? getComputedStyle(element) : {};
                return element !== null && outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
            };
            return [focused.outerHTML.slice(0, 120), isOutlined(focused) || isOutlined(focused.closest('label'))];
        })(document.activeElement)";
        serde_json::from_value(self.browser.value(FOCUSED).await?).context("failed to parse the focused element")
    }

    /// Drags over the plot. Positions are fractions of its width and height.
    pub async fn drag(&self, from: (f64, f64), to: (f64, f64)) -> Result<()> {
        self.drag_with(MOUSE_BUTTON_LEFT, from, to).await
    }

    /// Drags over the plot with this mouse button.
    pub async fn drag_with(&self, button: u64, from: (f64, f64), to: (f64, f64)) -> Result<()> {
        let (start, end) = (self.plot_pixel(from).await?, self.plot_pixel(to).await?);
        let moved = |(x, y): (f64, f64)| PointerAction::MoveTo { duration: None, x, y };
        let drag = MouseActions::new("mouse".to_owned())
            .then(moved(start))
            .then(PointerAction::Down { button })
            .then(moved((start.0.midpoint(end.0), start.1.midpoint(end.1))))
            .then(moved(end))
            .then(PointerAction::Up { button });
        Ok(self.client().perform_actions(drag).await?)
    }

    /// Double-clicks the plot.
    pub async fn double_click(&self, at: (f64, f64)) -> Result<()> {
        let (x, y) = self.plot_pixel(at).await?;
        let mut clicks = MouseActions::new("mouse".to_owned()).then(PointerAction::MoveTo { duration: None, x, y });
        for _ in 0..2 {
            clicks = clicks
                .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
                .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
        }
        Ok(self.client().perform_actions(clicks).await?)
    }

    /// Ends the browser.
    pub async fn close(self) -> Result<()> {
        self.browser.close().await
    }

    fn client(&self) -> &Client {
        &self.browser.client
    }

    /// Waits for an element that the page may show only once its suites are loaded.
    pub async fn until_present(&self, selector: &str) -> Result<Element> {
        self.browser.until(&format!("document.querySelector(\"{selector}\")")).await?;
        self.find(selector).await
    }

    /// Waits until an element with this `data-test` is present.
    pub async fn until_shown(&self, test: &str) -> Result<()> {
        self.browser.until(&format!("document.querySelector('[data-test={test}]')")).await
    }

    /// Waits until an element with this `data-test` contains a text.
    pub async fn until_text(&self, test: &str, text: &str) -> Result<()> {
        let elements = format!("[...document.querySelectorAll('[data-test={test}]')]");
        self.browser.until(&format!("{elements}.some((one) => one.textContent.includes({}))", json!(text))).await
    }

    /// As [`Browser::find`].
    pub async fn find(&self, selector: &str) -> Result<Element> {
        self.browser.find(selector).await
    }

    /// Scrolls the plot into view, and converts a position on its canvas from fractions of its size to window pixels.
    pub(crate) async fn plot_pixel(&self, (right, down): (f64, f64)) -> Result<(f64, f64)> {
        const CORNERS: &str = "const canvas = (document.querySelector('[data-current]') ?? document).querySelector('[data-test=plot] canvas');
            canvas.scrollIntoView({ block: 'center' });
            const box = canvas.getBoundingClientRect();
            return [box.left + box.width * arguments[0], box.top + box.height * arguments[1]];";
        let pixel = self.client().execute(CORNERS, vec![json!(right), json!(down)]).await?;
        serde_json::from_value(pixel).context("locating the plot")
    }
}
