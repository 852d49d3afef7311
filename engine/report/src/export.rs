//! The results of a cell in formats for other programs.

mod markdown;

use std::rc::Rc;

use benchbook_host::response::MeasuredPoint;
use benchbook_notebook::cell::{Cell, CellContent, MeasurementCell};
use benchbook_notebook::file;
use benchbook_notebook::notebook::Notebook;
use benchbook_notebook::setup::CellSetup;

use super::ranking::MachineRanking;
use super::results::Results;
use super::shown_trace::ShownTrace;
use super::table_text::records;
pub use markdown::{escaped, markdown};

/// A format to export results in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// The answer and the ranking, for a pull request.
    Markdown,
    /// The figures of each point.
    PointsCsv,
    /// The raw samples.
    SamplesCsv,
    /// A notebook file with figures and raw samples.
    Json,
}

impl ExportFormat {
    /// All formats, in the order of the menu.
    pub const ALL: [Self; 4] = [Self::Markdown, Self::PointsCsv, Self::SamplesCsv, Self::Json];

    /// The label on the page.
    pub fn label(self) -> &'static str {
        match self {
            Self::Markdown => "Markdown table",
            Self::PointsCsv => "CSV of the points",
            Self::SamplesCsv => "CSV of the samples",
            Self::Json => "JSON with samples",
        }
    }

    /// The name in the document.
    pub fn name(self) -> &'static str {
        match self {
            Self::Markdown => "markdown",
            Self::PointsCsv => "points-csv",
            Self::SamplesCsv => "samples-csv",
            Self::Json => "json",
        }
    }

    /// The file extension.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Markdown => ".md",
            Self::PointsCsv => ".csv",
            Self::SamplesCsv => ".samples.csv",
            Self::Json => file::EXTENSION,
        }
    }

    /// The media type of a file.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Markdown => "text/markdown",
            Self::PointsCsv | Self::SamplesCsv => "text/csv",
            Self::Json => "application/json",
        }
    }

    /// Whether it consists of the raw samples.
    pub fn has_samples(self) -> bool {
        matches!(self, Self::SamplesCsv | Self::Json)
    }

    /// Writes the results in this format.
    /// `margin`: the relative difference up to which times count as the same. `ranked_at`: the axis value of the ranking, as text.
    pub fn write(self, results: &Results, margin: f64, ranked_at: Option<&str>) -> String {
        let shown = results.shown();
        match self {
            Self::Markdown => markdown(&shown, &MachineRanking::all(&shown), margin, ranked_at),
            Self::PointsCsv => points_csv(&shown),
            Self::SamplesCsv => csv(sample_records(&shown)),
            Self::Json => file::write_for_reading(&notebook_of(results)).text,
        }
    }
}

/// The points of curves, which may come from several measurements, as CSV with one line of headings.
pub fn points_csv(shown: &[ShownTrace]) -> String {
    csv(records(shown, &MachineRanking::all(shown)))
}

/// Records separated by commas (RFC 4180), each on a line.
fn csv(records: Vec<Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    records.iter().for_each(|record| writer.write_record(record).expect("all records have the same number of fields"));
    let bytes = writer.into_inner().expect("writing to memory succeeds");
    String::from_utf8(bytes).expect("the fields are text")
}

/// The headings, and a record for each sample. The time per call excludes the overhead, as in the figures. Overlays are omitted: their
/// samples belong to other arguments.
fn sample_records(all: &[ShownTrace]) -> Vec<Vec<String>> {
    let axis = all.first().map(|first| first.trace.setup.axis_name().to_owned()).unwrap_or_default();
    let head = [
        "function",
        "machine",
        &axis,
        "priority",
        "process",
        "calls",
        "batch [ns]",
        "per call [ns]",
        "warm-up",
        "preempted",
    ];
    let head = head.map(str::to_owned).to_vec();
    let points = all.iter().filter(|shown| !shown.is_separate).flat_map(|shown| {
        let readings = shown.trace.curve.readings().iter();
        readings.filter_map(move |reading| Some((shown, reading, reading.measured()?)))
    });
    let records = points.flat_map(|(shown, reading, measured)| {
        let trace = &shown.trace;
        let point = [
            trace.path.clone(),
            trace.setup.machine.name.clone(),
            reading.x.to_string(),
            reading.priority().number().to_string(),
        ];
        samples_of(measured).map(move |fields| point.iter().cloned().chain(fields).collect())
    });
    std::iter::once(head).chain(records).collect()
}

/// The process, calls, times and flags of each sample.
fn samples_of(measured: &MeasuredPoint) -> impl Iterator<Item = [String; 6]> {
    measured.runs.iter().zip(1..).flat_map(|(run, process): (_, u32)| {
        run.samples.iter().map(move |sample| {
            [
                process.to_string(),
                run.calls.to_string(),
                sample.elapsed.to_string(),
                run.time_of(sample).to_string(),
                u8::from(sample.warm_up).to_string(),
                u8::from(sample.interrupted).to_string(),
            ]
        })
    })
}

/// A notebook with one cell, which contains the results of the last measurement. Overlays belong to other cells.
fn notebook_of(results: &Results) -> Notebook {
    let Some(first) = results.latest.first() else { return Notebook::default() };
    let request = &first.setup.request;
    let measurement = MeasurementCell {
        setup: CellSetup::repeating(request),
        results: results.latest.clone(),
        ..MeasurementCell::default()
    };
    // The only cell, so that any identifier is unique.
    let cell =
        Cell { id: first.id.clone(), is_collapsed: false, content: CellContent::Measurement(Box::new(measurement)) };
    Notebook { title: request.functions.join(", "), cells: vec![Rc::new(cell)] }
}
