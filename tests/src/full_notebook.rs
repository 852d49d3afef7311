//! Notebooks as large as the last priority makes them, with distinct figures in each cell.

use std::rc::Rc;

use benchbook_contract::catalog::Build;
use benchbook_contract::rng::Rng;
use benchbook_host::analyze::stability::Stability;
use benchbook_host::analyze::statistics::{Basis, summarize};
use benchbook_host::quality::{Priority, Qualities};
use benchbook_host::request::Request;
use benchbook_host::response::{
    ClockCard, METHOD, Machine, MachineKind, MeasuredPoint, Outcome, Point, Run, Sample, SuiteCard,
};
use benchbook_notebook::cell::{Cell, CellContent, MeasurementCell};
use benchbook_notebook::id::Id;
use benchbook_notebook::notebook::Notebook;
use benchbook_notebook::result::CellResult;
use benchbook_notebook::result_setup::ResultSetup;
use benchbook_notebook::setup::CellSetup;
use rand::{RngExt, SeedableRng};
use serde_json::json;

/// The functions of each cell: the most that a cell compares.
const FUNCTIONS: [&str; 4] = [
    "collections::hash_map_get",
    "collections::fx_hash_map_get",
    "collections::b_tree_map_get",
    "collections::sorted_vec_get",
];

const LOW: f64 = 10.0;
const HIGH: f64 = 100_000.0;

/// The samples of a point; the last priority takes at least as many.
const SAMPLES: usize = 30;

/// A notebook with this many measurement cells of four functions, with all points of the last priority and random times.
pub fn full_notebook(cells: usize, seed: u64) -> Notebook {
    let mut random = Rng::seed_from_u64(seed);
    let cell = |index: usize| Rc::new(cell(index, &mut random));
    Notebook { title: "Which map for which size?".to_owned(), cells: (0..cells).map(cell).collect() }
}

fn cell(index: usize, random: &mut Rng) -> Cell {
    let id = |random: &mut Rng| Id::from_random(random.random());
    let setup = Rc::new(ResultSetup::undescribed(request(), suite_card(), machine(), METHOD));
    let mut result = CellResult::new(id(random), 1.79e12, Rc::clone(&setup));
    let points = Qualities::default().of(Priority::LAST).points;
    for point in 0..points {
        let x = (LOW * (HIGH / LOW).powf(f64::from(point) / f64::from(points - 1))).round();
        let functions =
            FUNCTIONS.iter().zip(1..).map(|(function, factor)| measured(function, x, f64::from(factor), random));
        result.add(Priority::LAST, functions.collect());
    }
    let measurement = MeasurementCell {
        title: format!("Lookups, part {}", index + 1),
        setup: CellSetup::repeating(&setup.request),
        results: vec![Rc::new(result)],
        ..MeasurementCell::default()
    };
    Cell { id: id(random), is_collapsed: false, content: CellContent::Measurement(Box::new(measurement)) }
}

/// A point whose times grow slowly with the size, and scatter by a few percent.
fn measured(function: &str, x: f64, factor: f64, random: &mut Rng) -> Point {
    let times = (0..SAMPLES).map(|_| 10.0 * factor * x.ln() * (1.0 + 0.05 * random.random::<f64>()));
    point(function, x, 0, times)
}

/// A point with samples of one call. The first ones, as many as `warm_up`, don't count.
pub(crate) fn point(function: &str, x: f64, warm_up: usize, times: impl Iterator<Item = f64>) -> Point {
    let sample = |(index, elapsed)| Sample { elapsed, warm_up: index < warm_up, ..Sample::default() };
    let samples: Vec<Sample> = times.enumerate().map(sample).collect();
    let counted = samples.len() - warm_up;
    let run = Run::of_single_calls(samples, vec![1; counted], Stability::Settled);
    let times = run.times();
    let summary = summarize(&Basis::of(&[run.run_times(&times)], counted as u64));
    let point = MeasuredPoint::new(summary.expect("there are samples"), vec![run]);
    Point { function: function.to_owned(), x: x.into(), outcome: Outcome::Measured(Box::new(point)) }
}

pub(crate) fn request() -> Request {
    let request = json!({
        "suite": "demo", "functions": FUNCTIONS, "generator": "collections::lookups",
        "arguments": { "size": { "low": LOW, "high": HIGH } }, "priority": 4, "client": "",
    });
    serde_json::from_value(request).expect("a request")
}

pub(crate) fn machine() -> Machine {
    let clock = ClockCard { resolution: 5_000.0, jitter: 100.0, cost: 60.0 };
    Machine { kind: MachineKind::Browser, name: "Chrome 156".to_owned(), id: None, processor: None, clock }
}

pub(crate) fn suite_card() -> SuiteCard {
    SuiteCard {
        name: "demo".to_owned(),
        version: "0.1.0".to_owned(),
        build: Build {
            rustc: "rustc 1.95.0".to_owned(),
            target: "wasm32-unknown-unknown".to_owned(),
            opt_level: "3".to_owned(),
            ..Build::default()
        },
        catalog_hash: "c".repeat(64),
        fingerprint: "f".repeat(64),
        commit: None,
    }
}
