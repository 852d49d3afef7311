//! The answer as a page, which can also search by time.

use std::rc::Rc;

use anyhow::{Context, Result, ensure};
use benchbook_build::progress::BuildStep;
use benchbook_contract::catalog::name_of;
use benchbook_notebook::cell::{Cell, CellContent, MeasurementCell};
use benchbook_notebook::file;
use benchbook_notebook::id::Id;
use benchbook_notebook::notebook::Notebook;
use benchbook_notebook::result::SharedValue;
use benchbook_notebook::setup::CellSetup;
use benchbook_pinpoint::{FindLimits, PinpointReport, TimeSearch};

use super::PinpointOptions;
use super::counted::{CountedBuild, Target};
use crate::accepted::site_history::SiteHistory;
use crate::commands::served::serve;
use crate::commands::site::{SiteFolder, write_file};
use crate::project::Project;
use crate::project::build::ProjectBuild;

/// The notebook in the folder.
const ARTICLE: &str = "pinpoint.benchbook.json";

/// The modules of the earlier and the later build that time ranges, in the folder.
const MODULES: [&str; 2] = ["pinpoint/before.wasm", "pinpoint/after.wasm"];

/// Writes the page with the report, and serves it until the program ends.
pub(super) fn serve_report(
    project: &Project,
    options: &PinpointOptions,
    target: &Target,
    mut report: PinpointReport,
    builds: [CountedBuild; 2],
) -> Result<()> {
    let page = benchbook_page::files();
    ensure!(!page.is_empty(), "{}", benchbook_page::MISSING);
    let build = ProjectBuild::run(&project.only(&target.suite), true)?;
    let step = BuildStep::start("Writing the page");
    let path = project.output.join("pinpoint");
    let mut folder = SiteFolder::open(&path)?;
    let depth = options.depth.map(|depth| depth as usize);
    report.search = Some(TimeSearch {
        modules: MODULES.map(str::to_owned),
        open: target.open(report.x()),
        limits: FindLimits { depth, excluded: options.exclude.clone() },
    });
    let notebook = notebook(target, &report)?;
    folder.set_sources(project, &build.built);
    folder.set_article(ARTICLE, notebook.shown_title());
    folder.write(&page, &build.built, &SiteHistory::default())?;
    write_file(&path.join(ARTICLE), file::write(&notebook).as_bytes())?;
    for (module, build) in MODULES.into_iter().zip(builds) {
        let ranges = build.ranges.context("a module for the search is missing (this is a bug)")?;
        write_file(&path.join(module), &ranges)?;
    }
    drop(step);
    serve("The answer", &path, "", &options.serving)
}

/// A notebook with the report as its only cell.
fn notebook(target: &Target, report: &PinpointReport) -> Result<Notebook> {
    let question = if report.instructions.added() < 0.0 { "faster" } else { "slower" };
    let title = format!("Why is {} {question} than in {}?", name_of(target.function()), report.baseline);
    let document = serde_json::to_value(report).context("the report is not JSON (this is a bug)")?;
    let measurement = MeasurementCell {
        title: title.clone(),
        setup: CellSetup::repeating(&target.request),
        pinpoint: Some(SharedValue(Rc::new(document))),
        ..MeasurementCell::default()
    };
    let content = CellContent::Measurement(Box::new(measurement));
    Ok(Notebook { title, cells: vec![Rc::new(Cell { id: Id::from_random(1), is_collapsed: false, content })] })
}
