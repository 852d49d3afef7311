//! `cargo benchbook compare`: two sets of results that were measured before.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use benchbook_host::history::{Acceptance, AcceptedResult, Benchmark, CheckedMetric, CheckedResult, VERSION};
use serde::Deserialize;

use crate::accepted::last_check::LastCheck;
use crate::accepted::location::LocationOptions;
use crate::arguments;
use crate::check::compare::Comparisons;
use crate::check::measure::{MeasuredResult, Measurements};
use crate::check::plan::{ComparisonRule, HistoryTest};
use crate::check::report::CheckReport;
use crate::output::print;
use crate::project::commit::git;
use crate::project::selection::is_selected;
use crate::project::suite_options::SuiteOptions;

/// The results of the last check.
const LAST: &str = "last";

/// The probability that a comparison reports no change if nothing has changed.
const CONFIDENCE: f64 = 0.99;

/// Compare two sets of results that were measured before: those of commits, of files, or of the last check
///
/// Each side is a git revision of which there are accepted results, the number of an accepted result (the name of its file), a file of results (an accepted one, or
/// those that `history --json` prints), or `last` for the last check. Nothing is measured.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo benchbook compare v1.2 main                 the accepted results of two commits
  cargo benchbook compare main last sort            the last check, where the path of the function contains \"sort\"
  cargo benchbook compare before.json after.json    files")]
pub(crate) struct CompareOptions {
    /// The earlier results
    #[arg(value_name = "BEFORE")]
    before: String,
    /// The later results
    #[arg(value_name = "AFTER")]
    after: String,
    /// Only functions whose path contains one of these strings
    #[arg(value_name = "FILTER")]
    filters: Vec<String>,
    /// The smallest change that counts
    #[arg(long, value_name = "PERCENT", value_parser = arguments::minimum_effect, default_value = "1%")]
    minimum_effect: f64,
    /// Print the comparison as JSON; docs/check.schema.json describes it
    #[arg(long, group = "format")]
    json: bool,
    /// Print the comparison as Markdown
    #[arg(long, group = "format")]
    markdown: bool,
    #[command(flatten)]
    location: LocationOptions,
    #[command(flatten)]
    suites: SuiteOptions,
}

/// Prints the comparison.
///
/// # Errors
/// If a side has no results, or both have none in common.
pub(crate) fn run(options: &CompareOptions) -> Result<()> {
    let project = options.suites.project()?;
    let history = options.location.location(&project)?.read()?;
    history.problems.iter().for_each(|problem| anstream::eprintln!("warning: {problem}"));
    let accepted: Vec<AcceptedResult> = history.results().cloned().collect();
    let side = |name: &str| -> Result<Vec<AcceptedResult>> {
        let commit = || {
            git(&project.root, &["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{name}^{{commit}}")])
        };
        let results = match name {
            LAST => LastCheck::read(&project)?.results.into_iter().map(not_accepted).collect(),
            _ if Path::new(name).is_file() => read(Path::new(name))?,
            _ => of_revision(&accepted, name, commit().as_deref())?,
        };
        let is_selected = |one: &AcceptedResult| {
            is_selected(&options.filters, &one.result.benchmark.suite, &one.result.benchmark.function)
        };
        Ok(results.into_iter().filter(is_selected).collect())
    };
    let report = compared(
        &side(&options.before)?,
        &side(&options.after)?,
        [&options.before, &options.after],
        options.minimum_effect,
    )?;
    print(&match () {
        () if options.json => report.json(),
        () if options.markdown => report.markdown(),
        () => report.text(),
    });
    Ok(())
}

/// Compares the latest of the later results of each benchmark with all earlier ones. `names`: of both sides.
fn compared(
    before: &[AcceptedResult],
    after: &[AcceptedResult],
    names: [&str; 2],
    minimum_effect: f64,
) -> Result<CheckReport> {
    let mut latest: Vec<&CheckedResult> = Vec::new();
    for AcceptedResult { result, .. } in after {
        let same = latest.iter().position(|one| one.benchmark == result.benchmark && one.machine == result.machine);
        match same {
            Some(index) if latest[index].measured <= result.measured => latest[index] = result,
            Some(_) => {}
            None => latest.push(result),
        }
    }
    let function = |benchmark: &Benchmark| (benchmark.suite.clone(), benchmark.function.clone());
    let functions: BTreeSet<_> = latest.iter().map(|one| function(&one.benchmark)).collect();
    let earlier: BTreeSet<_> = before.iter().map(|one| function(&one.result.benchmark)).collect();
    ensure!(
        functions.iter().any(|one| earlier.contains(one)),
        "`{}` and `{}` have no function in common",
        names[0],
        names[1]
    );
    let timed: BTreeSet<_> = latest
        .iter()
        .filter(|one| one.benchmark.metric == CheckedMetric::Time)
        .map(|one| function(&one.benchmark))
        .collect();
    let results = latest.iter().map(|&result| MeasuredResult {
        check: 0,
        result: result.clone(),
        baseline: None,
        minimum_effect,
        has_time: timed.contains(&function(&result.benchmark)),
        noise: None,
    });
    let measured = Measurements { results: results.collect(), ..Measurements::default() };
    let accepted: Vec<&AcceptedResult> = before.iter().collect();
    let rule = ComparisonRule { confidence: CONFIDENCE, test: HistoryTest::Difference };
    let removed = earlier.difference(&functions).map(|(_, function)| function.clone()).collect();
    let compared = Comparisons::of(&measured.results, &accepted, rule);
    Ok(CheckReport::new(compared, &measured, &accepted).compared_with(names[0]).with_removed(removed))
}

/// The accepted results of a commit, or of a number. `commit`: the hash of the revision; `None` if there is no revision of this name.
fn of_revision(accepted: &[AcceptedResult], name: &str, commit: Option<&str>) -> Result<Vec<AcceptedResult>> {
    let of_number: Vec<AcceptedResult> = accepted.iter().filter(|one| one.id() == name).cloned().collect();
    if !of_number.is_empty() {
        return Ok(of_number);
    }
    // The commit may exist in another clone only.
    let start = commit.unwrap_or(name);
    let is_its = |one: &&AcceptedResult| {
        one.result.build.commit.as_deref().is_some_and(|hash| hash.starts_with(start) && start.len() >= MIN_DIGITS)
    };
    let (dirty, clean): (Vec<AcceptedResult>, Vec<AcceptedResult>) =
        accepted.iter().filter(is_its).cloned().partition(|one| one.result.build.dirty);
    if !clean.is_empty() {
        return Ok(clean);
    }
    ensure!(
        dirty.is_empty(),
        "the accepted results of `{name}` were measured with files that differed from the commit"
    );
    let of_commits = accepted.iter().map(|one| &one.result.build).filter(|build| !build.dirty);
    let known: BTreeSet<&str> = of_commits
        .filter_map(|build| build.commit.as_deref())
        .map(|hash| hash.get(..SHOWN_DIGITS).unwrap_or(hash))
        .collect();
    let known: Vec<&str> = known.into_iter().collect();
    let of_others = match known.is_empty() {
        true => "No accepted result is of a commit without changed files".to_owned(),
        false => format!("There are some of {}", known.join(", ")),
    };
    match commit {
        Some(_) => bail!(
            "there are no accepted results of `{name}`. {of_others}. Check and accept at that commit, or compare its code with the current one: cargo benchbook check --baseline {name}"
        ),
        None => {
            bail!("`{name}` is neither a file, nor a git revision, nor the number of an accepted result. {of_others}")
        }
    }
}

/// The fewest digits of a hash that name a commit.
const MIN_DIGITS: usize = 4;

/// The digits of a commit in a message.
const SHOWN_DIGITS: usize = 8;

/// The contents of a file of results.
#[derive(Deserialize)]
#[serde(untagged)]
enum ResultsFile {
    One(Box<AcceptedResult>),
    Several(Vec<AcceptedResult>),
    LastCheck(LastCheck),
}

fn read(path: &Path) -> Result<Vec<AcceptedResult>> {
    let text = fs::read_to_string(path).with_context(|| format!("failed to read {}", path.display()))?;
    let file: ResultsFile = serde_json::from_str(&text).ok().with_context(|| {
        format!(
            "{} contains no results. Files of accepted results and the output of `cargo benchbook history --json` do",
            path.display()
        )
    })?;
    Ok(match file {
        ResultsFile::One(one) => vec![*one],
        ResultsFile::Several(several) => several,
        ResultsFile::LastCheck(last) => last.results.into_iter().map(not_accepted).collect(),
    })
}

/// A result that nobody has accepted yet.
fn not_accepted(result: CheckedResult) -> AcceptedResult {
    AcceptedResult {
        benchbook_history: VERSION,
        accepted: Acceptance { by: String::new(), note: String::new() },
        result,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accepted::fixtures::{accepted, on_day, single_result};

    /// The result of a commit of a day.
    fn result(function: &str, commit: &str, day: f64, mean: f64) -> AcceptedResult {
        let mut result = on_day(day, single_result(function, mean));
        (result.build.commit, result.build.dirty) = (Some(commit.to_owned()), false);
        accepted(result)
    }

    fn history() -> Vec<AcceptedResult> {
        let before = [1.0, 2.0, 3.0].map(|day| result("mix", "aaaa1111", day, 100.0));
        let gone = result("gone", "aaaa1111", 1.0, 5.0);
        before
            .into_iter()
            .chain([gone, result("mix", "bbbb2222", 4.0, 90.0), result("mix", "bbbb2222", 5.0, 150.0)])
            .collect()
    }

    #[test]
    fn the_latest_result_of_one_commit_is_compared_with_all_of_another() {
        let history = history();
        let [before, after] = ["aaaa", "bbbb"].map(|name| of_revision(&history, name, None).unwrap());
        let report = compared(&before, &after, ["aaaa", "bbbb"], 0.01).unwrap();
        let text = report.text().replace('\u{202f}', " ");
        assert!(text.starts_with("\nSlower than aaaa: 1 slower.\nLargest loss: +50% (mix).\n"), "{text}");
        assert!(text.contains("Only aaaa contains gone."), "{text}");
        assert!(text.contains("cargo benchbook pinpoint mix --baseline aaaa1111"), "{text}");
        let error = compared(&before[3..], &after, ["aaaa", "bbbb"], 0.01).map(|_| ()).unwrap_err().to_string();
        assert_eq!(error, "`aaaa` and `bbbb` have no function in common");
    }

    #[test]
    fn results_are_found_by_commit_and_by_number() {
        let mut history = history();
        assert_eq!(of_revision(&history, "main", Some("bbbb2222")).unwrap().len(), 2);
        let number = history[1].id();
        assert_eq!(of_revision(&history, &number, None).unwrap(), [history[1].clone()]);
        let error = |history: &[AcceptedResult], name: &str, commit| {
            of_revision(history, name, commit).unwrap_err().to_string()
        };
        let unknown = error(&history, "v9", None);
        assert!(
            unknown.starts_with("`v9` is neither a file, nor a git revision, nor")
                && unknown.ends_with("There are some of aaaa1111, bbbb2222"),
            "{unknown}"
        );
        let missing = error(&history, "main", Some("cccc3333"));
        assert!(
            missing.starts_with("there are no accepted results of `main`. There are some of aaaa1111, bbbb2222."),
            "{missing}"
        );
        history.iter_mut().for_each(|one| one.result.build.dirty = true);
        assert!(error(&history, "bbbb", None).contains("files that differed from the commit"));
    }

    #[test]
    fn files_of_results_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.json");
        let history = history();
        for text in [serde_json::to_string(&history).unwrap(), serde_json::to_string(&history[..1]).unwrap()] {
            fs::write(&path, text).unwrap();
            assert_eq!(read(&path).unwrap()[0], history[0]);
        }
        fs::write(&path, serde_json::to_string(&history[0]).unwrap()).unwrap();
        assert_eq!(read(&path).unwrap(), history[..1]);
        fs::write(&path, "{}").unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("results.json contains no results."));
    }
}
