//! The sites under test.

use std::rc::Rc;

use anyhow::Result;
use benchbook_host::request::Request;
use benchbook_notebook::cell::{Cell, CellContent, MeasurementCell};
use benchbook_notebook::file;
use benchbook_notebook::id::Id;
use benchbook_notebook::notebook::Notebook;
use benchbook_notebook::result::SharedValue;
use benchbook_notebook::setup::CellSetup;
use benchbook_pinpoint::PinpointReport;
use serde_json::{Value, json};

use crate::server::{ServedFile, Site};
use crate::suites;

/// Short qualities: priority 4 is complete within seconds.
pub fn qualities(timeout_ms: f64) -> Value {
    let quality = |points: u32, precision: f64, point_ms: f64| {
        json!({
            "points": points,
            "precision": precision,
            "point_ms": point_ms,
            "warm_up": { "at_least": 5, "at_most": 20, "ms": point_ms / 4.0 },
            "samples": { "at_least": 5, "at_most": 50 },
            "processes": 1,
            "timeout_ms": timeout_ms,
        })
    };
    json!([quality(2, 0.5, 10.0), quality(2, 0.4, 10.0), quality(3, 0.3, 15.0), quality(5, 0.2, 25.0)])
}

/// As [`qualities`], with points of the first priority that take `point_ms`, since no precision is enough.
pub fn long_first_priority(timeout_ms: f64, point_ms: f64) -> Value {
    let mut qualities = qualities(timeout_ms);
    qualities[0]["point_ms"] = json!(point_ms);
    qualities[0]["precision"] = json!(1e-6);
    qualities[0]["samples"] = json!({ "at_least": 5, "at_most": 100_000 });
    qualities
}

/// The demo suite, isolated, with short qualities.
pub fn demo() -> Site {
    with_notebook(&json!({ "title": "A test", "suites": ["suites/demo.wasm"], "qualities": qualities(5_000.0) }))
}

/// The demo suite, isolated, with short qualities, and our own notebooks.
pub fn own_notebooks() -> Site {
    let listed = ["maps", "sorts", "browser"]
        .map(|name| json!({ "title": name, "address": format!("notebooks/{name}.benchbook.json") }));
    with_notebook(&json!({ "suites": ["suites/demo.wasm"], "qualities": qualities(5_000.0), "notebooks": listed }))
}

/// The page of [`with_blog`], relative to Benchbook's.
pub const BLOG: &str = "blog.html";

/// A site with a page of its own that contains this HTML, such as a frame of Benchbook.
pub fn with_blog(mut site: Site, html: &str) -> Site {
    let page =
        format!("<!doctype html><html lang=\"en\"><title>A blog</title><main><h1>A blog</h1>{html}</main></html>");
    site.files.push((BLOG.to_owned(), ServedFile::Html(page)));
    site
}

/// The demo suite with short qualities on a host without isolation, next to a page that contains this HTML.
pub fn blog(html: &str) -> Site {
    let config = json!({ "suites": ["suites/demo.wasm"], "qualities": qualities(5_000.0) });
    with_blog(Site { isolated: false, ..with_notebook(&config) }, html)
}

/// The demo suite, isolated, with this `notebook.json`.
pub fn with_notebook(notebook: &Value) -> Site {
    Site { notebook: Some(notebook.to_string()), isolated: true, ..Site::default() }
}

/// The fixture `misbehaving`, whose functions fail in every known way.
pub fn misbehaving(timeout_ms: f64) -> Result<Site> {
    let notebook = json!({ "suites": ["suites/misbehaving.wasm"], "qualities": qualities(timeout_ms) });
    let module = suites::fixture("misbehaving")?.module;
    Ok(Site { suites: vec![("misbehaving.wasm".to_owned(), module)], ..with_notebook(&notebook) })
}

/// The suite `ladder`, whose true ratios are known.
pub fn ladder() -> Result<Site> {
    let notebook = json!({ "suites": ["suites/ladder.wasm"], "qualities": qualities(5_000.0) });
    let module = suites::fixture("ladder")?.module;
    Ok(Site { suites: vec![("ladder.wasm".to_owned(), module)], ..with_notebook(&notebook) })
}

/// The addresses of the modules of [`compared_builds`].
pub const RANGE_MODULES: [&str; 2] = ["pinpoint/before.wasm", "pinpoint/after.wasm"];

/// A comparison of two builds as an article, with their modules that time ranges, the earlier one first.
pub fn compared_builds(request: &Request, report: &PinpointReport, modules: [Vec<u8>; 2]) -> Result<Site> {
    let title = format!("Why is {} slower?", report.instructions.function);
    let measurement = MeasurementCell {
        title: title.clone(),
        setup: CellSetup::repeating(request),
        pinpoint: Some(SharedValue(Rc::new(serde_json::to_value(report)?))),
        ..MeasurementCell::default()
    };
    let content = CellContent::Measurement(Box::new(measurement));
    let cell = Rc::new(Cell { id: Id::from_random(1), is_collapsed: false, content });
    let document = file::write(&Notebook { title, cells: vec![cell] });
    let mut site =
        with_notebook(&json!({ "title": "A comparison", "suites": [], "article": "article.benchbook.json" }));
    site.files.push(("article.benchbook.json".to_owned(), ServedFile::Text(document)));
    let modules = RANGE_MODULES.into_iter().zip(modules);
    site.files.extend(modules.map(|(address, module)| (address.to_owned(), ServedFile::Bytes(module))));
    Ok(site)
}
