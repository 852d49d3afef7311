//! Compares the throughput that Benchbook shows with what criterion prints, for the same times.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use benchbook_build::Target;
use benchbook_build::compile;
use xtask::workspace::Workspace;

use super::criterion;
use super::environment::{WORKSPACE, remove_package_variables};
use super::figures::PeerFigures;

/// Prints a table of the throughput of each benchmark.
///
/// # Errors
/// If the texts of a benchmark differ by more than the rounding.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let root = workspace.root().join(WORKSPACE);
    let benchmarks = compile::executables(&root, "peer-criterion", Target::Native, &[])?;
    let benchmarks = benchmarks.get("peer-criterion-throughput").context("the executable of criterion is missing")?;
    let benchbook = compile::executables(&root, "peer-benchbook", Target::Native, &[])?;
    let benchbook = benchbook.get("peer-benchbook").context("the executable of Benchbook is missing")?;

    let folder = workspace.target().join("bench-throughput");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("failed to delete {}", folder.display()))?;
    }
    let printed = parse(&criterion_output(benchmarks, &folder)?)?;
    ensure!(!printed.is_empty(), "criterion printed no throughput");

    println!("| benchmark | criterion | Benchbook |\n| --- | --- | --- |");
    let mut different = Vec::new();
    for CriterionThroughput { name, texts } in &printed {
        let ours = benchbook_texts(benchbook, name, &criterion::read(&folder, &folder_of(name))?)?;
        println!("| `{name}` | {} | {} |", texts.join(", "), ours.join(", "));
        let is_equal = texts.iter().zip(&ours).all(|(theirs, ours)| is_equal(theirs, ours));
        different.extend((!is_equal).then_some(name.as_str()));
    }
    ensure!(different.is_empty(), "Benchbook's throughput differs from criterion's for {}", different.join(", "));
    Ok(())
}

/// Measures briefly: the comparison needs times of any accuracy.
fn criterion_output(program: &Path, folder: &Path) -> Result<String> {
    let mut command = Command::new(program);
    command.args(["--bench", "--warm-up-time", "0.1", "--measurement-time", "0.3", "--sample-size", "10"]);
    command.args(["--noplot", "--color", "never"]).env(criterion::FOLDER, folder);
    remove_package_variables(&mut command);
    let output = command.output().context("failed to start criterion")?;
    ensure!(output.status.success(), "criterion failed:\n{}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The throughput that Benchbook shows for the times of criterion's estimates. The name of a benchmark ends in the unit and the
/// amount: `sum/bytes/8000`.
fn benchbook_texts(program: &Path, name: &str, figures: &PeerFigures) -> Result<[String; 3]> {
    let mut parts = name.rsplit('/');
    let (amount, unit) = parts.next().zip(parts.next()).with_context(|| format!("`{name}` has no unit and amount"))?;
    let (low, high) = figures.interval().context("criterion states no interval")?;
    let times = [low, figures.estimate, high].map(|time| time.to_string());
    let output = Command::new(program).args(["throughput", unit, amount]).args(times).output();
    let output = output.context("failed to start Benchbook")?;
    ensure!(output.status.success(), "Benchbook failed:\n{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).context("the output is not a list of three texts")
}

/// criterion's folder of a benchmark: `sum/bytes_8000` for `sum/bytes/8000`.
fn folder_of(name: &str) -> String {
    match name.split_once('/') {
        Some((group, id)) => format!("{group}/{}", id.replace('/', "_")),
        None => name.to_owned(),
    }
}

/// What criterion prints for one benchmark.
#[derive(Debug, PartialEq, Eq)]
struct CriterionThroughput {
    name: String,
    /// The low end of the interval, the estimate, and the high end.
    texts: [String; 3],
}

/// Reads lines such as `thrpt:  [12.001 Gelem/s 12.345 Gelem/s 12.678 Gelem/s]`. The name of the benchmark starts the
/// line above, or has a line of its own above that one.
fn parse(stdout: &str) -> Result<Vec<CriterionThroughput>> {
    let mut name = "";
    let mut all = Vec::new();
    for line in stdout.lines() {
        if let Some(first) = line.split_whitespace().next().filter(|_| !line.starts_with(' ')) {
            name = first;
        }
        if let Some(rest) = line.trim_start().strip_prefix("thrpt:") {
            all.push(CriterionThroughput { name: name.to_owned(), texts: parse_interval(rest.trim())? });
        }
    }
    Ok(all)
}

/// Splits `[1 elem/s 2 elem/s 3 elem/s]` into its three rates.
fn parse_interval(text: &str) -> Result<[String; 3]> {
    let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let words: Vec<&str> = inner.with_context(|| format!("no interval in `{text}`"))?.split_whitespace().collect();
    let [a, a_unit, b, b_unit, c, c_unit] = words[..] else {
        anyhow::bail!("expected three numbers with units, not `{text}`")
    };
    Ok([(a, a_unit), (b, b_unit), (c, c_unit)].map(|(number, unit)| format!("{number} {unit}")))
}

/// Whether two texts of a rate, rounded to different numbers of digits, can stem from the same number. The units must be equal.
fn is_equal(theirs: &str, ours: &str) -> bool {
    let (Some(theirs), Some(ours)) = (RoundedRate::parse(theirs), RoundedRate::parse(ours)) else {
        return false;
    };
    // The last part allows for the binary representation of the decimal numbers.
    let allowed = 0.5 * (theirs.last_digit + ours.last_digit) * (1.0 + 1e-9) + theirs.value * f64::EPSILON;
    theirs.unit == ours.unit && (theirs.value - ours.value).abs() <= allowed
}

/// A rate as it is printed.
struct RoundedRate<'a> {
    value: f64,
    /// The value of a 1 in the place of the last digit.
    last_digit: f64,
    unit: &'a str,
}

impl<'a> RoundedRate<'a> {
    /// Parses a number and a unit with white space between them. Other white space groups digits.
    fn parse(text: &'a str) -> Option<Self> {
        let (number, unit) = text.rsplit_once(char::is_whitespace)?;
        let number: String = number.chars().filter(|character| !character.is_whitespace()).collect();
        let decimals = number.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        Some(Self { value: number.parse().ok()?, last_digit: 0.1_f64.powi(i32::try_from(decimals).ok()?), unit })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_output_has_three_rates_per_benchmark() {
        let all = parse(include_str!("fixtures/criterion-throughput.txt")).unwrap();
        let names: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["mix/elements/1", "mix/bytes/8", "count_distinct/elements/30"]);
    }

    #[test]
    fn other_output_is_quoted() {
        for (text, problem) in [
            ("thrpt: 1 elem/s", "no interval in `1 elem/s`"),
            ("thrpt: [1 elem/s]", "expected three numbers with units, not `[1 elem/s]`"),
        ] {
            assert_eq!(parse(text).unwrap_err().to_string(), problem);
        }
    }

    #[test]
    fn equal_rates_agree_in_every_digit_that_both_show() {
        for (theirs, ours, expected) in [
            ("12.346 Gelem/s", "12.35\u{202f}Gelem/s", true),
            ("12.346 Gelem/s", "12.34\u{202f}Gelem/s", false),
            ("12.346 Gelem/s", "12.35\u{202f}Melem/s", false),
            ("9.9995 KiB/s", "10.00\u{202f}KiB/s", true),
            ("9.9994 KiB/s", "10.00\u{202f}KiB/s", true),
            ("9.9940 KiB/s", "10.00\u{202f}KiB/s", false),
            ("1234.5 B/s", "1\u{202f}234\u{202f}B/s", true),
            ("fast", "fast", false),
        ] {
            assert_eq!(is_equal(theirs, ours), expected, "{theirs}, {ours}");
        }
    }
}
