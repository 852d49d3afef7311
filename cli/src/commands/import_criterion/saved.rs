//! The files in which criterion saves its results.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use walkdir::WalkDir;

/// The file that describes a benchmark, and the one with its figures.
const DESCRIPTION: &str = "benchmark.json";
const ESTIMATES: &str = "estimates.json";

/// The name under which criterion saves the results of each run.
const LAST_RUN: &str = "new";

/// The results in a folder of criterion.
#[derive(Debug, Default, PartialEq)]
pub(super) struct SavedResults {
    /// In the order of their times.
    pub(super) runs: Vec<SavedRun>,
    /// A sentence for each file that cannot be read.
    pub(super) problems: Vec<String>,
}

/// The results of a function, as saved under the name of a baseline: `new` is that of the last run, and `base` is a copy of it, unless the run
/// used `--baseline`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SavedRun {
    /// The names of the group and of the function.
    pub(super) function: String,
    pub(super) baseline: String,
    /// When the last of the results was saved, in seconds since 1970.
    pub(super) saved: f64,
    /// In the order of the inputs' texts.
    pub(super) points: Vec<SavedPoint>,
}

/// The result of a function with an input.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SavedPoint {
    /// The input as text; absent for a function without inputs.
    pub(super) input: Option<String>,
    /// The mean of criterion, in nanoseconds.
    pub(super) mean: f64,
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

/// The result of a benchmark.
struct SavedFigure {
    function: String,
    baseline: String,
    point: SavedPoint,
    /// When it was saved, in seconds since 1970.
    saved: f64,
}

impl SavedResults {
    /// Reads all results in a folder.
    ///
    /// # Errors
    /// If the folder does not exist. A file that is damaged is a problem in the result.
    pub(super) fn read(folder: &Path) -> Result<Self> {
        ensure!(folder.is_dir(), "the folder {} does not exist", folder.display());
        let mut results = Self::default();
        let mut figures: BTreeMap<(String, String), Vec<SavedFigure>> = BTreeMap::new();
        for entry in WalkDir::new(folder).sort_by_file_name() {
            let entry = entry.with_context(|| format!("failed to read {}", folder.display()))?;
            if entry.file_name() != DESCRIPTION {
                continue;
            }
            match read_figure(entry.path()) {
                Ok(figure) => {
                    let key = (figure.function.clone(), figure.baseline.clone());
                    figures.entry(key).or_default().push(figure);
                }
                Err(error) => results.problems.push(format!("{error:#}")),
            }
        }
        // `base` is usually a copy of `new`, the last run.
        let mut figures: Vec<_> = figures.into_iter().collect();
        figures.sort_by_key(|((_, baseline), _)| baseline != LAST_RUN);
        for ((function, baseline), figures) in figures {
            let run = SavedRun::new(function, baseline, figures);
            let is_same = |other: &SavedRun| other.function == run.function && other.points == run.points;
            if !results.runs.iter().any(is_same) {
                results.runs.push(run);
            }
        }
        results.runs.sort_by(|one, other| one.saved.total_cmp(&other.saved));
        Ok(results)
    }
}

/// Reads a benchmark and its figures.
fn read_figure(description: &Path) -> Result<SavedFigure> {
    let SavedDescription { group_id, function_id, value_str } = read_json(description)?;
    let estimates = description.with_file_name(ESTIMATES);
    let SavedEstimates { mean } = read_json(&estimates)?;
    let modified = fs::metadata(&estimates).and_then(|metadata| metadata.modified());
    let modified = modified.with_context(|| format!("failed to read {}", estimates.display()))?;
    let saved = modified.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs_f64();
    let baseline = description.parent().and_then(Path::file_name).context("the baseline has no name")?;
    Ok(SavedFigure {
        function: [Some(group_id), function_id].into_iter().flatten().collect::<Vec<_>>().join("::"),
        baseline: baseline.to_string_lossy().into_owned(),
        point: SavedPoint { input: value_str, mean: mean.point_estimate },
        saved,
    })
}

fn read_json<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<T> {
    let text = fs::read_to_string(path).with_context(|| format!("failed to read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is not a file of criterion", path.display()))
}

impl SavedRun {
    fn new(function: String, baseline: String, figures: Vec<SavedFigure>) -> Self {
        let saved = figures.iter().map(|figure| figure.saved).fold(0.0, f64::max);
        let mut points: Vec<SavedPoint> = figures.into_iter().map(|figure| figure.point).collect();
        points.sort_by(|one, other| one.input.cmp(&other.input));
        Self { function, baseline, saved, points }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn the_benchmarks_of_a_function_and_baseline_are_one_run() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        for baseline in ["base", "new"] {
            for (value, mean) in [("20", 2.0), ("100", 7.0)] {
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
        let points = |points: &[(Option<&str>, f64)]| {
            let point =
                |(input, mean): &(Option<&str>, f64)| SavedPoint { input: input.map(str::to_owned), mean: *mean };
            points.iter().map(point).collect::<Vec<_>>()
        };
        let expected = [
            ("hash/maps::insert", "new", points(&[(Some("100"), 7.0), (Some("20"), 2.0)])),
            ("single", "before", points(&[(None, 4.0)])),
            ("single", "new", points(&[(None, 3.0)])),
            ("texts", "new", points(&[(Some("7"), 6.0), (Some("big"), 5.0)])),
        ];
        assert_eq!(found, expected);
        let missing = SavedResults::read(&root.join("missing")).expect_err("no folder").to_string();
        assert!(missing.ends_with("missing does not exist"), "{missing}");
    }
}
