//! `cargo benchbook measure`: measures functions natively, and prints tables, plots and comparisons.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use benchbook_contract::protocol::MAX_FUNCTIONS;
use benchbook_host::quality::Priority;
use benchbook_host::request::Request;
use benchbook_host::response::{FailureKind, Point, Response, WasmCounts};
use benchbook_notebook::cell::{Cell, CellContent, MeasurementCell};
use benchbook_notebook::curve::{MeasuredCurve, Reading};
use benchbook_notebook::file;
use benchbook_notebook::id::Id;
use benchbook_notebook::notebook::Notebook;
use benchbook_notebook::result::CellResult;
use benchbook_notebook::setup::CellSetup;
use benchbook_report::export::{ExportFormat, points_csv};
use benchbook_terminal::measurement::{CompleteMeasurement, NativeMeasurement, host_name, results_of};
use benchbook_terminal::report;

use crate::advised_command::AdvisedCommand;
use crate::arguments::{self, FunctionNames, SetArgument};
use crate::output::print;
use crate::project::OpenedSuite;
use crate::project::counting_modules::CountingModules;
use crate::project::selection::{SelectedFunction, matching, named, target_of};
use crate::project::suite_options::SuiteOptions;

/// The priority if neither a precision nor a time is given.
const DEFAULT_PRIORITY: u8 = 2;

/// The relative difference up to which times count as the same.
const MARGIN: f64 = 0.01;

/// Measure functions natively, and print tables, plots and comparisons
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo benchbook measure                                       every function, with its default workload
  cargo benchbook measure sort --set spread=Sorted              the functions whose path contains \"sort\"
  cargo benchbook measure --compare sort_stable,sort_unstable   two functions on the same inputs
  cargo benchbook measure sum --range count=10..1M --precision 1% --save sums.benchbook.json")]
pub(crate) struct MeasureOptions {
    /// Only functions whose path contains one of these strings
    #[arg(value_name = "FILTER")]
    filters: Vec<String>,
    /// Compare functions on the same inputs: two to four paths or names, separated by commas
    #[arg(long, value_name = "FUNCTIONS", conflicts_with = "filters")]
    compare: Option<FunctionNames>,
    /// The generator of the inputs: its path or name [default: the function's first one]
    #[arg(long, short, value_name = "NAME")]
    generator: Option<String>,
    /// Set a parameter of the generator to a value, or vary one over several values, separated by commas. Repeat the option for others
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<SetArgument>,
    /// Vary a parameter over a range, which includes both ends
    #[arg(long, value_name = "NAME=LOW..HIGH")]
    range: Option<SetArgument>,
    /// The accuracy: 1 (a first curve within seconds) to 4 (the most accurate figures) [default: 2]
    #[arg(long, value_name = "1-4", value_parser = clap::value_parser!(u8).range(1..=4), conflicts_with_all = ["precision", "time"])]
    priority: Option<u8>,
    /// Stop measuring a point when the 95% interval of its mean is within ± this percentage, such as 1%
    #[arg(long, value_name = "PERCENT", value_parser = arguments::precision)]
    precision: Option<f64>,
    /// Measure each point for at most this time, such as 5s
    #[arg(long, value_name = "TIME", value_parser = arguments::time)]
    time: Option<Duration>,
    /// Also count the wasm instructions per call, exactly (builds the suites for wasm, too)
    #[arg(long)]
    counts: bool,
    /// The name of this machine in the results [default: its host name]
    #[arg(long, value_name = "NAME")]
    machine: Option<String>,
    /// Print the responses as JSON, in the format of the runner's API
    #[arg(long, group = "format")]
    json: bool,
    /// Print one CSV record per point
    #[arg(long, group = "format")]
    csv: bool,
    /// Print a Markdown summary, for a pull request
    #[arg(long, group = "format")]
    markdown: bool,
    /// Also save a notebook with all raw samples
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    #[command(flatten)]
    suites: SuiteOptions,
}

pub(crate) fn run(options: &MeasureOptions) -> Result<()> {
    let project = options.suites.project()?;
    let suites = project.open()?;
    let mut modules = options.counts.then(|| CountingModules::build(&project)).transpose()?;
    let planned = options.plan(&suites)?;
    let machine = options.machine.clone().unwrap_or_else(host_name);
    let mut measured: Vec<CompleteMeasurement> = Vec::new();
    for (number, measurement) in planned.iter().enumerate() {
        let (mut response, mut result) = measurement.run(&machine, Id::from_random(number as u64))?;
        if let Some((modules, suite)) = modules.as_mut().zip(target_of(&suites, measurement.suite)) {
            modules.count(suite, &measurement.plan, &mut response.points);
            let difference = modules.native_difference(suite, measurement.suite, &measurement.plan);
            // The report already says so of counts with conditional code.
            if let Some(difference) = difference.filter(|_| !response.points.iter().any(has_conditional_code)) {
                anstream::eprintln!("note: {difference}");
            }
            Rc::make_mut(&mut result).add(response.priority, response.points.clone());
        }
        if !options.has_format() {
            print(&format!("\n{}", report::report(&results_of(&result), MARGIN)));
        }
        measured.push((response, result));
    }
    options.print_format(&measured)?;
    if !options.has_format() {
        print(&comparison_hints(&planned));
    }
    if let Some(path) = &options.save {
        save(path, measured.iter().map(|(_, result)| result))?;
    }
    let failed: Vec<String> = measured
        .iter()
        .flat_map(|(_, result)| result.curves.iter().filter(|measured| has_failed(&measured.curve)))
        .map(|measured| measured.function.clone())
        .collect();
    ensure!(failed.is_empty(), "no point of {} could be measured", failed.join(", "));
    Ok(())
}

fn has_conditional_code(point: &Point) -> bool {
    let counts = point.measured().and_then(|measured| measured.wasm_instructions.as_ref());
    matches!(counts, Some(WasmCounts::Counted(counted)) if counted.conditional > 0)
}

/// Whether a curve has no results, although its function did not skip itself.
fn has_failed(curve: &MeasuredCurve) -> bool {
    let is_skipped =
        |reading: &Reading| reading.failure().is_some_and(|(_, failure)| failure.kind == FailureKind::Skipped);
    !curve.has_figures() && !curve.readings().iter().all(is_skipped)
}

impl MeasureOptions {
    fn has_format(&self) -> bool {
        self.json || self.csv || self.markdown
    }

    /// The measurements: one of all compared functions, or else one for each function.
    fn plan<'s>(&self, suites: &'s [OpenedSuite]) -> Result<Vec<NativeMeasurement<'s>>> {
        let Some(FunctionNames(compared)) = &self.compare else {
            return matching(suites, &self.filters)?.into_iter().map(|one| self.plan_of(&[one])).collect();
        };
        ensure!(
            (2..=MAX_FUNCTIONS).contains(&compared.len()),
            "--compare expects 2 to {MAX_FUNCTIONS} functions, separated by commas"
        );
        let functions: Vec<SelectedFunction<'s>> =
            compared.iter().map(|name| named(suites, name)).collect::<Result<_>>()?;
        Ok(vec![self.plan_of(&functions)?])
    }

    fn plan_of<'s>(&self, functions: &[SelectedFunction<'s>]) -> Result<NativeMeasurement<'s>> {
        let first = functions.first().context("no function is selected")?;
        let suite = first.suite;
        let name = &suite.suite().name;
        if let Some(other) = functions.iter().find(|one| one.suite.suite().name != *name) {
            bail!(
                "`{}` and `{}` are in different suites. Compare functions of the same suite",
                other.function.path,
                first.function.path
            );
        }
        let generator = first.generator(self.generator.as_deref())?;
        let set: Vec<SetArgument> = self.set.iter().chain(&self.range).cloned().collect();
        let arguments = arguments::arguments(generator, &set)
            .map_err(|reason| anyhow::anyhow!("`{}`: {reason}", first.function.path))?;
        // As on the page, an explicit precision or time replaces that of the last priority.
        let has_target = self.precision.is_some() || self.time.is_some();
        let priority = if has_target { Priority::LAST.number() } else { self.priority.unwrap_or(DEFAULT_PRIORITY) };
        let request = Request {
            precision: self.precision,
            point_ms: self.time.map(|time| time.as_secs_f64() * 1e3),
            ..Request::new(
                name.clone(),
                functions.iter().map(|one| one.function.path.clone()).collect(),
                generator.path.clone(),
                arguments,
                Priority::try_from(priority).map_err(anyhow::Error::msg)?,
            )
        };
        Ok(NativeMeasurement { suite, generator, plan: first.plan(request)? })
    }

    /// Prints everything in the chosen format, if there is one.
    fn print_format(&self, measured: &[CompleteMeasurement]) -> Result<()> {
        if self.json {
            let responses: Vec<&Response> = measured.iter().map(|(response, _)| response).collect();
            println!("{}", serde_json::to_string_pretty(&responses)?);
        }
        if self.csv {
            let shown: Vec<_> = measured.iter().flat_map(|(_, result)| results_of(result).shown()).collect();
            print(&points_csv(&shown));
        }
        if self.markdown {
            for (_, result) in measured {
                print(&ExportFormat::Markdown.write(&results_of(result), MARGIN, None));
            }
        }
        Ok(())
    }
}

/// The commands that compare alternatives which were measured one after the other; empty if there are none.
fn comparison_hints(planned: &[NativeMeasurement<'_>]) -> String {
    let mut groups: BTreeMap<(&str, &str, &str), Vec<&str>> = BTreeMap::new();
    for NativeMeasurement { suite, generator, plan } in planned {
        let [path] = plan.request().functions.as_slice() else { continue };
        let alternatives = suite.suite().function(path).and_then(|function| function.alternatives.as_deref());
        let Some(alternatives) = alternatives else { continue };
        groups.entry((&suite.suite().name, alternatives, &generator.path)).or_default().push(path);
    }
    let hint = |paths: &Vec<&str>| {
        let compared = &paths[..paths.len().min(MAX_FUNCTIONS)];
        let command = AdvisedCommand::Compare(&compared.join(",")).to_string();
        format!("\nTo compare alternatives on the same inputs:\n  {command}\n")
    };
    groups.values().filter(|paths| paths.len() > 1).map(hint).collect()
}

/// Writes a notebook with a cell for each result.
fn save<'r>(path: &PathBuf, results: impl Iterator<Item = &'r Rc<CellResult>>) -> Result<()> {
    let cell = |(number, result): (usize, &Rc<CellResult>)| {
        let setup = CellSetup::repeating(&result.setup.request);
        let measurement = MeasurementCell { setup, results: vec![Rc::clone(result)], ..MeasurementCell::default() };
        let content = CellContent::Measurement(Box::new(measurement));
        Rc::new(Cell { id: Id::from_random(number as u64), is_collapsed: false, content })
    };
    let cells: Vec<Rc<Cell>> = results.enumerate().map(cell).collect();
    let title = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let title = title.strip_suffix(file::EXTENSION).unwrap_or(title).to_owned();
    let written = file::write_for_reading(&Notebook { title, cells });
    fs::write(path, written.text).with_context(|| format!("failed to write {}", path.display()))?;
    if !written.has_samples {
        anstream::eprintln!(
            "warning: the notebook would be too large with raw samples, so only the figures were saved"
        );
    }
    let path = path.display().to_string();
    anstream::eprintln!("Saved {path}. Open it on the page, or publish it: {}", AdvisedCommand::Publish(&path));
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// The results of our own notebook have a crossover.
    #[test]
    fn the_report_names_crossovers() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/notebooks/search.benchbook.json");
        let notebook = file::read(&fs::read_to_string(path).unwrap()).unwrap();
        let results = notebook.cells.iter().filter_map(|cell| cell.measurement()).flat_map(|cell| &cell.results);
        let reports: Vec<String> = results.map(|result| report::report(&results_of(result), MARGIN)).collect();
        assert!(reports.iter().any(|report| report.contains(" overtakes ")), "{reports:?}");
    }

    #[test]
    fn several_measurements_are_one_csv_file() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/notebooks/maps.benchbook.json");
        let notebook = file::read(&fs::read_to_string(path).unwrap()).unwrap();
        let results = notebook.cells.iter().filter_map(|cell| cell.measurement()).flat_map(|cell| &cell.results);
        let shown: Vec<_> = results.flat_map(|result| results_of(result).shown()).collect();
        let csv = points_csv(&shown);
        let points: usize = shown.iter().map(|one| one.trace.curve.readings().len()).sum();
        assert_eq!(csv.lines().filter(|line| line.starts_with("function,")).count(), 1, "{csv}");
        assert!(csv.lines().count() == points + 1 && shown.len() > 4, "{csv}");
    }
}
