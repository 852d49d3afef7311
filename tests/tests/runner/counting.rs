//! Counting wasm instructions on a runner.

use std::fs;

use anyhow::{Context, Result};
use benchbook_contract::axis_value::AxisValue;
use benchbook_count::Interpreter;
use benchbook_host::api::Event;
use benchbook_host::request::{Plan, Request};
use benchbook_host::response::{Point, WasmCounts};
use benchbook_instrument::{COUNTING_MODULE, Options, instrument};
use benchbook_tests::ready_runner::{ReadyRunner, RunnerSetup};
use benchbook_tests::suites::{fixture, native};
use reqwest::StatusCode;
use tempfile::TempDir;
use wasm_encoder::{CustomSection, Section};

/// A runner with a suite that has a counting module, and with one that has none.
struct CountingRunner {
    ready: ReadyRunner,
    /// Counts the same in this process.
    reference: Interpreter,
    _suites: TempDir,
}

impl CountingRunner {
    /// `lines`: the first lines of its configuration. `padding`: the size of a section without meaning in the counting module.
    async fn start(lines: &str, padding: u32) -> Result<Self> {
        let (folder, ladder) = (tempfile::tempdir()?, fixture("ladder")?);
        let program = folder.path().join("ladder");
        let module = instrument(&ladder.wasm()?, &Options::default())?.module;
        fs::copy(&ladder.program, &program)?;
        fs::copy(&ladder.module, program.with_extension("wasm"))?;
        let section = CustomSection { name: "padding".into(), data: vec![0; padding as usize].into() };
        fs::write(program.with_extension(COUNTING_MODULE), [module.clone(), encoded(&section)].concat())?;
        let suites = vec![program, native("misbehaving")?];
        let ready = RunnerSetup { suites, lines: lines.to_owned(), ..RunnerSetup::default() }.start().await?;
        Ok(Self { ready, reference: Interpreter::new(&module)?, _suites: folder })
    }

    fn request(&self, functions: &[&str]) -> Request {
        Request { wasm_instructions: true, ..self.ready.request(functions, 1) }
    }

    /// The counts of the points of a request.
    fn expected(&self, request: &Request) -> Result<Vec<(String, AxisValue, WasmCounts)>> {
        let suites = &self.ready.catalog.suites;
        let entry = suites.iter().find(|entry| entry.suite.name == request.suite).context("it is listed")?;
        let plan = Plan::new(&entry.suite, request.clone()).map_err(|problems| anyhow::anyhow!("{problems:?}"))?;
        let count = |function: &String, x: AxisValue| {
            let counts = self.reference.count(&plan.open(1, vec![function.clone()], &x));
            (function.clone(), x, counts)
        };
        let xs = plan.axis_values(3);
        Ok(xs.into_iter().flat_map(|x| request.functions.iter().map(move |path| count(path, x.clone()))).collect())
    }
}

fn encoded(section: &CustomSection<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    section.append_to(&mut bytes);
    bytes
}

fn counts(points: &[Point]) -> Vec<(String, AxisValue, WasmCounts)> {
    let of_point = |point: &Point| {
        let counts = point.measured()?.wasm_instructions.clone()?;
        Some((point.function.clone(), point.x.clone(), counts))
    };
    points.iter().filter_map(of_point).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn measured_points_are_counted_in_the_counting_module_and_stored() -> Result<()> {
    let runner = CountingRunner::start("", 0).await?;
    let request = runner.request(&["rungs::one", "rungs::eight"]);
    let expected = runner.expected(&request)?;
    assert!(expected.iter().all(|(.., counts)| matches!(counts, WasmCounts::Counted(_))), "{expected:?}");
    let without = Request { wasm_instructions: false, ..request.clone() };
    assert_eq!(counts(&runner.ready.measure(&without).await?.points), []);

    // Each point is sent when it is measured, and again with its counts.
    let events = runner.ready.stream(&request).await?.rest().await?;
    let points: Vec<&Point> = events
        .iter()
        .filter_map(|event| if let Event::Point { point } = event { Some(&**point) } else { None })
        .collect();
    assert_eq!(points.len(), 2 * expected.len());
    assert!(events.iter().any(|event| matches!(event, Event::Counting { total: 6, .. })), "{events:?}");
    let Some(Event::Done(done)) = events.last() else { panic!("{events:?}") };
    assert_eq!(done.results, [2], "those without counts do not suffice");

    let stored = runner.ready.measure(&request).await?;
    assert_eq!((counts(&stored.points), stored.results), (expected, vec![2]));
    assert_eq!(runner.ready.measure(&without).await?.results, [2]);
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_suite_without_counting_module_is_not_counted() -> Result<()> {
    let runner = CountingRunner::start("", 0).await?;
    let listed: Vec<bool> = runner.ready.catalog.suites.iter().map(|entry| entry.can_count).collect();
    assert_eq!(listed, [true, false]);
    let response = runner.ready.runner.post("measure").json(&runner.request(&["functions::hangs"])).send().await?;
    assert_eq!(response.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let text = response.text().await?;
    assert!(text.contains("put `misbehaving.counted.wasm` next to `misbehaving.wasm`"), "{text}");
    Ok(())
}

/// The limit suffices for the suite, but not for this counting module.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn counting_has_the_limits_of_a_suite() -> Result<()> {
    let runner = CountingRunner::start("[children]\nmemory_bytes = 67108864\n", 67_108_864).await?;
    let request = runner.request(&["rungs::one"]);
    for result in [1, 2] {
        let response = runner.ready.measure(&request).await?;
        let counts = counts(&response.points);
        let [(.., WasmCounts::Failed(reason)), ..] = &counts[..] else { panic!("{counts:?}") };
        assert_eq!(reason, "failed to read the counting module: out of memory");
        assert_eq!((counts.len(), response.results), (3, vec![result]), "points that failed are counted again");
    }
    Ok(())
}
