//! A notebook with stored results of two sorts, for tests of what the page shows: the times are known, and nothing is measured.

use std::rc::Rc;

use anyhow::Result;
use benchbook_contract::catalog::Generator;
use benchbook_contract::parameter::{Argument, Arguments, Range};
use benchbook_host::fingerprint::fingerprint;
use benchbook_host::quality::Priority;
use benchbook_host::request::Request;
use benchbook_host::response::{METHOD, Point};
use benchbook_notebook::cell::{Cell, CellContent, MeasurementCell};
use benchbook_notebook::file;
use benchbook_notebook::id::Id;
use benchbook_notebook::notebook::Notebook as Document;
use benchbook_notebook::result::CellResult;
use benchbook_notebook::result_setup::ResultSetup;
use benchbook_notebook::setup::CellSetup;
use serde_json::json;

use crate::full_notebook::{machine, point, request, suite_card};
use crate::notebook::Notebook;
use crate::sites::demo;
use crate::suites;

/// The functions, the faster one first.
pub const SORTS: [&str; 2] = ["sorting::sort_unstable", "sorting::sort_stable"];

/// The measured numbers of keys.
pub const SIZES: [f64; 5] = [1_000.0, 1_300.0, 1_700.0, 2_300.0, 3_000.0];

/// The samples of a point that count.
pub const COUNTED: usize = 24;

/// The samples of a point before those that count.
pub const WARM_UP: usize = 2;

impl Notebook {
    /// Opens the page with the stored results of these functions. The cell is the current one.
    pub async fn open_sorts(functions: &[&str]) -> Result<Self> {
        let notebook = Self::open(demo()).await?;
        notebook.drop_sorts(&file_of_sorts(functions)).await?;
        Ok(notebook)
    }

    /// Opens a file with stored results, and waits until its first cell is the current one and complete.
    pub async fn drop_sorts(&self, file: &str) -> Result<()> {
        self.drop_file("sorts.benchbook.json", file).await?;
        // A click could miss its element while the page still renders what is above.
        let complete = "document.querySelector('[data-test=plot] canvas')?.width > 300 && document.querySelector('[data-test=table]')";
        self.browser.until(complete).await?;
        self.browser.click("[data-test=outline-item] button").await?;
        self.browser.until("document.querySelector('[data-current] [data-test=table]')").await
    }
}

/// The file of a notebook with a cell of these functions and the text “A conclusion”.
pub fn file_of_sorts(functions: &[&str]) -> String {
    let request = Request {
        functions: functions.iter().map(ToString::to_string).collect(),
        generator: "sorting::keys".to_owned(),
        arguments: Arguments::from([
            ("size".to_owned(), Argument::Range(Range { low: SIZES[0], high: SIZES[4] })),
            ("spread".to_owned(), Argument::Text("Random".to_owned())),
        ]),
        ..request()
    };
    let setup = Rc::new(ResultSetup::new(request, &keys(), suite_card(), machine(), METHOD));
    let mut result = CellResult::new(Id::from_random(1_000), 1.79e12, Rc::clone(&setup));
    for size in SIZES {
        let points = functions.iter().zip([10.0, 15.0]).map(|(function, time)| measured(function, size, time * size));
        result.add(Priority::LAST, points.collect());
    }
    let measurement = MeasurementCell {
        title: String::new(),
        setup: CellSetup::repeating(&setup.request),
        results: vec![Rc::new(result)],
        ..MeasurementCell::default()
    };
    let contents = [CellContent::Measurement(Box::new(measurement)), CellContent::Text("A conclusion".to_owned())];
    let cell = |(id, content)| Rc::new(Cell { id: Id::from_random(id), is_collapsed: false, content });
    file::write(&Document { title: String::new(), cells: (2..).zip(contents).map(cell).collect() })
}

/// As [`file_of_sorts`], with results of the page's own build of the suite.
pub fn file_of_own_build(functions: &[&str]) -> Result<String> {
    let own = fingerprint(&suites::demo()?.wasm()?);
    Ok(file_of_sorts(functions).replace(&suite_card().fingerprint, &own))
}

/// The generator of the keys, as the demo suite describes it.
fn keys() -> Generator {
    let size = json!({
        "name": "size", "description": "Number of keys.", "type": "integer", "of": "u32", "unit": "keys",
        "min": 100, "max": 1_000_000, "step": 100, "default": { "low": 1_000, "high": 100_000 }, "scale": "log", "axis": true,
    });
    let keys = json!({ "path": "sorting::keys", "name": "Keys", "docs": "", "mode": "fresh", "parameters": [size] });
    serde_json::from_value(keys).expect("a generator")
}

/// A point whose samples are within 2% of this time, after slower ones from the warm-up.
fn measured(function: &str, size: f64, time: f64) -> Point {
    let counted = (0..COUNTED).map(|index| 0.98 + 0.04 * ((7 * index) % 12) as f64 / 11.0);
    point(function, size, WARM_UP, [2.0; WARM_UP].into_iter().chain(counted).map(|factor| factor * time))
}
