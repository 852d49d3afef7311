//! `cargo benchbook import-criterion`: the saved results of criterion as accepted results.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result, ensure};
use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::parameter::{Argument, Arguments};
use benchbook_host::fingerprint::fingerprint;
use benchbook_host::history::{
    Acceptance, AcceptedResult, Benchmark, BuildOrigin, CheckedMetric, CheckedPoint, CheckedResult, MachineClass,
    VERSION,
};
use benchbook_server::machine::current_card;
use benchbook_terminal::measurement::host_name;
use serde::Deserialize;
use walkdir::WalkDir;

use super::accept::user_name;
use super::history_location::LocationOptions;
use crate::project::SuiteOptions;

/// The name of the suite and of the generator of imported results.
const NAME: &str = "criterion";

/// The name of the parameter whose values are those of criterion's inputs.
const PARAMETER: &str = "value";

/// The file that describes a benchmark, and the one with its figures.
const DESCRIPTION: &str = "benchmark.json";
const ESTIMATES: &str = "estimates.json";

/// Import the saved results of criterion as accepted results, which `history` and the page show
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo benchbook import-criterion                         the results in cargo's output folder
  cargo benchbook import-criterion ../old/target/criterion those of another folder
  cargo benchbook history                                  print them")]
pub(crate) struct ImportOptions {
    /// The folder with criterion's results [default: criterion in cargo's output folder]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Your name [default: git's user.name]
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
    #[command(flatten)]
    location: LocationOptions,
    #[command(flatten)]
    suites: SuiteOptions,
}

/// Imports the results that are not accepted yet.
///
/// # Errors
/// If the folder has no results, or if they cannot be written.
pub(crate) fn import_criterion(options: &ImportOptions) -> Result<()> {
    let project = options.suites.project()?;
    let by = options.by.clone().or_else(|| user_name(&project)).context("your name is unknown. Add --by NAME")?;
    let folder = options.folder.clone().unwrap_or_else(|| project.output.with_file_name(NAME));
    let saved = SavedResults::read(&folder)?;
    for problem in &saved.problems {
        anstream::eprintln!("warning: {problem}");
    }
    ensure!(
        !saved.runs.is_empty(),
        "{} contains no criterion results. Pass their folder, such as target/criterion",
        folder.display()
    );
    let location = options.location.location(&project)?;
    let known: Vec<String> = location.read()?.results().map(AcceptedResult::id).collect();
    let machine = MachineClass::of(&current_card(&host_name(), None), &benchbook_build::host()?, false);
    let (mut imported, mut repeated) = (0, 0);
    for run in saved.runs {
        let accepted = run.accepted(&by, machine.clone());
        if let Err(problem) = accepted.check() {
            anstream::eprintln!("warning: `{}` was not imported: {problem}", accepted.result.benchmark.function);
            continue;
        }
        if known.contains(&accepted.id()) {
            repeated += 1;
        } else {
            location.add(&accepted)?;
            imported += 1;
        }
    }
    let others = if repeated > 0 { format!(" {repeated} were imported before.") } else { String::new() };
    println!("Imported {imported} criterion results into {location}.{others}");
    Ok(())
}

/// The results in a folder of criterion.
#[derive(Debug, Default, PartialEq)]
struct SavedResults {
    /// In the order of their times.
    runs: Vec<SavedRun>,
    /// A sentence for each file that cannot be read.
    problems: Vec<String>,
}

/// The results of a function, as saved under the name of a baseline: `new` is that of the last run, and `base` is a copy of it, unless the run
/// used `--baseline`.
#[derive(Clone, Debug, PartialEq)]
struct SavedRun {
    /// The names of the group and of the function.
    function: String,
    baseline: String,
    /// When the last of the results was saved, in seconds since 1970.
    saved: f64,
    /// The means of criterion in nanoseconds, with the inputs.
    points: Vec<(AxisValue, f64)>,
}

/// The parts of criterion's description of a benchmark that are used.
#[derive(Deserialize)]
struct SavedDescription {
    group_id: String,
    function_id: Option<String>,
    value_str: Option<String>,
}

/// The parts of criterion's figures that are used.
#[derive(Deserialize)]
struct SavedEstimates {
    mean: SavedEstimate,
}

#[derive(Deserialize)]
struct SavedEstimate {
    /// In nanoseconds.
    point_estimate: f64,
}

/// A saved figure.
struct SavedFigure {
    input: Option<String>,
    mean: f64,
    saved: f64,
}

impl SavedResults {
    /// Reads all results in a folder.
    fn read(folder: &Path) -> Result<Self> {
        ensure!(folder.is_dir(), "the folder {} does not exist", folder.display());
        let mut results = Self::default();
        let mut figures: BTreeMap<(String, String), Vec<SavedFigure>> = BTreeMap::new();
        for entry in WalkDir::new(folder).sort_by_file_name() {
            let entry = entry.with_context(|| format!("reading {}", folder.display()))?;
            if entry.file_name() != DESCRIPTION {
                continue;
            }
            match read_figure(entry.path()) {
                Ok((function, baseline, figure)) => figures.entry((function, baseline)).or_default().push(figure),
                Err(error) => results.problems.push(format!("{error:#}")),
            }
        }
        for ((function, baseline), figures) in figures {
            let run = SavedRun::new(function, baseline, &figures);
            // `base` is usually a copy of `new`.
            let is_same = |other: &SavedRun| other.function == run.function && other.points == run.points;
            if !results.runs.iter().any(is_same) {
                results.runs.push(run);
            }
        }
        results.runs.sort_by(|one, other| one.saved.total_cmp(&other.saved));
        Ok(results)
    }
}

/// Reads a benchmark: the name of its function, that of the baseline, and the figure.
fn read_figure(description: &Path) -> Result<(String, String, SavedFigure)> {
    let SavedDescription { group_id, function_id, value_str } = read_json(description)?;
    let estimates = description.with_file_name(ESTIMATES);
    let SavedEstimates { mean } = read_json(&estimates)?;
    let modified = fs::metadata(&estimates).and_then(|metadata| metadata.modified());
    let modified = modified.with_context(|| format!("reading {}", estimates.display()))?;
    let saved = modified.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs_f64();
    let baseline = description.parent().and_then(Path::file_name).context("the baseline has a name")?;
    let function = [Some(group_id), function_id].into_iter().flatten().collect::<Vec<_>>().join("::");
    let figure = SavedFigure { input: value_str, mean: mean.point_estimate, saved };
    Ok((function, baseline.to_string_lossy().into_owned(), figure))
}

fn read_json<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<T> {
    let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is not a file of criterion", path.display()))
}

impl SavedRun {
    fn new(function: String, baseline: String, figures: &[SavedFigure]) -> Self {
        let are_numbers = figures.iter().flat_map(|figure| &figure.input).all(|input| number(input).is_some());
        let axis_value = |input: &Option<String>| match input {
            None => AxisValue::Absent,
            Some(input) if are_numbers => number(input).map_or(AxisValue::Absent, AxisValue::Number),
            Some(input) => AxisValue::from(input.as_str()),
        };
        let mut points: Vec<(AxisValue, f64)> =
            figures.iter().map(|figure| (axis_value(&figure.input), figure.mean)).collect();
        points.sort_by(|one, other| one.0.total_cmp(&other.0));
        // Such as `1` and `1.0`.
        points.dedup_by(|one, other| one.0 == other.0);
        let saved = figures.iter().map(|figure| figure.saved).fold(0.0, f64::max);
        Self { function, baseline, saved, points }
    }

    /// The accepted result. Criterion measures in a single process, so each point has a single mean.
    fn accepted(self, by: &str, machine: MachineClass) -> AcceptedResult {
        let values: Vec<AxisValue> = self.points.iter().map(|(x, _)| x).filter(|x| !x.is_absent()).cloned().collect();
        let mut arguments = Arguments::new();
        if !values.is_empty() {
            arguments.insert(PARAMETER.to_owned(), Argument::Values(values));
        }
        let figures = format!("{:?}", self.points);
        let build = BuildOrigin {
            fingerprint: fingerprint(figures.as_bytes()),
            commit: None,
            dirty: false,
            compiler: "unknown".to_owned(),
        };
        let benchmark = Benchmark {
            suite: NAME.to_owned(),
            function: self.function,
            generator: NAME.to_owned(),
            arguments,
            inputs: String::new(),
            metric: CheckedMetric::Time,
        };
        let point = |(x, mean)| CheckedPoint { x, means: vec![mean], calls: None };
        let points = self.points.into_iter().map(point).collect();
        let note = format!("imported from criterion (saved as `{}`)", self.baseline);
        AcceptedResult {
            benchbook_history: VERSION,
            accepted: Acceptance { by: by.to_owned(), note },
            result: CheckedResult { benchmark, machine, build, measured: self.saved, points },
        }
    }
}

/// A finite number; `None` for other texts.
fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::fixtures::single_result;

    /// Writes a benchmark as criterion 0.5 to 0.8 do.
    fn save(folder: &Path, path: &str, names: [Option<&str>; 3], mean: f64) {
        let folder = folder.join(path);
        fs::create_dir_all(&folder).expect("a folder");
        let [group_id, function_id, value_str] = names;
        let description = serde_json::json!({
            "group_id": group_id, "function_id": function_id, "value_str": value_str, "throughput": null, "full_id": path,
        });
        let interval = serde_json::json!({ "confidence_level": 0.95, "lower_bound": mean, "upper_bound": mean });
        let mean =
            serde_json::json!({ "confidence_interval": interval, "point_estimate": mean, "standard_error": 0.1 });
        for (file, value) in
            [(DESCRIPTION, description), (ESTIMATES, serde_json::json!({ "mean": mean, "slope": null }))]
        {
            fs::write(folder.join(file), value.to_string()).expect("it is written");
        }
    }

    #[test]
    fn saved_results_become_curves_over_their_inputs() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        for baseline in ["base", "new"] {
            for (value, mean) in [("100", 7.0), ("20", 2.0)] {
                let path = format!("hash_maps/insert/{value}/{baseline}");
                save(root, &path, [Some("hash/maps"), Some("insert"), Some(value)], mean);
            }
        }
        save(root, "single/new", [Some("single"), None, None], 3.0);
        save(root, "single/before", [Some("single"), None, None], 4.0);
        save(root, "texts/big/new", [Some("texts"), None, Some("big")], 5.0);
        save(root, "texts/7/new", [Some("texts"), None, Some("7")], 6.0);
        fs::create_dir_all(root.join("damaged/new")).expect("a folder");
        fs::write(root.join("damaged/new").join(DESCRIPTION), "{").expect("it is written");
        let saved = SavedResults::read(root).expect("the folder exists");
        assert_eq!(saved.problems.len(), 1);
        assert!(saved.problems[0].contains("is not a file of criterion"), "{:?}", saved.problems);
        let mut found: Vec<_> =
            saved.runs.iter().map(|run| (run.function.as_str(), run.baseline.as_str(), run.points.clone())).collect();
        found.sort_by_key(|run| (run.0, run.1));
        let expected = [
            ("hash/maps::insert", "base", vec![(AxisValue::Number(20.0), 2.0), (AxisValue::Number(100.0), 7.0)]),
            ("single", "before", vec![(AxisValue::Absent, 4.0)]),
            ("single", "new", vec![(AxisValue::Absent, 3.0)]),
            ("texts", "new", vec![(AxisValue::from("7"), 6.0), (AxisValue::from("big"), 5.0)]),
        ];
        assert_eq!(found, expected);

        let accepted = saved.runs[0].clone().accepted("Ada", single_result("sort", 1.0).machine);
        assert_eq!(accepted.check(), Ok(()));
        let missing = SavedResults::read(&root.join("missing")).expect_err("no folder").to_string();
        assert!(missing.ends_with("missing does not exist"), "{missing}");
    }
}
