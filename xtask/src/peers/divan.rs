//! divan: the arguments of its benchmarks and its table.

use anyhow::{Context, Result, ensure};

use super::figures::PeerFigures;

/// The arguments that measure a function. `seconds`: the time of the samples; absent: divan's default of 100 samples.
pub(crate) fn arguments(function: &str, seconds: Option<f64>) -> Vec<String> {
    let path = format!("peer_divan::{function}");
    let mut arguments = ["--bench", "--color", "never", "--exact", &path].map(str::to_owned).to_vec();
    for option in ["--min-time", "--max-time"] {
        arguments.extend(seconds.into_iter().flat_map(|seconds| [option.to_owned(), seconds.to_string()]));
    }
    arguments
}

/// Reads the row of a function: fastest, slowest, median, mean, samples, calls. divan states no interval.
pub(crate) fn parse(stdout: &str, function: &str) -> Result<PeerFigures> {
    let row = stdout.lines().find_map(|line| {
        let line = line.trim_start_matches(['├', '╰', '─', ' ']);
        line.strip_prefix(function).filter(|rest| rest.starts_with(' '))
    });
    let row = row.with_context(|| format!("divan's table has no row `{function}`:\n{stdout}"))?;
    let cells: Vec<&str> = row.split('│').map(str::trim).collect();
    ensure!(cells.len() >= 4, "expected six columns as in divan 0.1, not {}: `{row}`", cells.len());
    Ok(PeerFigures {
        estimate: nanoseconds(cells[3])?,
        median: Some(nanoseconds(cells[2])?),
        low: None,
        high: None,
        is_different: None,
        wall_seconds: None,
        another_day: None,
    })
}

/// Parses a time such as `1.234 µs`.
fn nanoseconds(time: &str) -> Result<f64> {
    let (number, unit) = time.split_once(' ').with_context(|| format!("expected a time with a unit, not `{time}`"))?;
    let number: f64 = number.parse().with_context(|| format!("expected a number before the unit in `{time}`"))?;
    let factor = match unit {
        "ps" => 1e-3,
        "ns" => 1.0,
        "µs" | "us" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        _ => anyhow::bail!("unknown unit of time in `{time}`; expected ps, ns, µs, ms or s"),
    };
    Ok(number * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_tables_have_a_mean_and_a_median() {
        let table = [
            ("mix", include_str!("fixtures/divan-mix.txt"), 5.426, 2.01),
            ("sort_copy", include_str!("fixtures/divan-sort_copy.txt"), 115_600.0, 108_500.0),
        ];
        for (function, stdout, mean, median) in table {
            let figures = parse(stdout, function).unwrap();
            assert!((figures.estimate / mean - 1.0).abs() < 1e-9, "{figures:?}");
            assert!((figures.median.unwrap() / median - 1.0).abs() < 1e-9, "{figures:?}");
            assert_eq!((figures.interval(), figures.is_different), (None, None));
        }
    }

    #[test]
    fn the_row_has_the_full_name() {
        let stdout = include_str!("fixtures/divan-sort_copy.txt");
        let error = parse(stdout, "sort").unwrap_err().to_string();
        assert!(error.starts_with("divan's table has no row `sort`:\n"), "{error}");
    }

    #[test]
    fn times_have_units() {
        for (time, expected) in [("5 ps", 0.005), ("1.5 ns", 1.5), ("2 µs", 2e3), ("3.25 ms", 3.25e6), ("1 s", 1e9)] {
            assert!((nanoseconds(time).unwrap() / expected - 1.0).abs() < 1e-12, "{time}");
        }
        for (time, problem) in [
            ("5", "expected a time with a unit, not `5`"),
            ("x ns", "expected a number before the unit in `x ns`"),
            ("1 h", "unknown unit of time in `1 h`; expected ps, ns, µs, ms or s"),
        ] {
            assert_eq!(nanoseconds(time).unwrap_err().to_string(), problem);
        }
    }

    #[test]
    fn a_given_time_is_the_minimum_and_the_maximum() {
        assert_eq!(arguments("mix", None), ["--bench", "--color", "never", "--exact", "peer_divan::mix"]);
        assert_eq!(arguments("mix", Some(1.5))[5..], ["--min-time", "1.5", "--max-time", "1.5"]);
    }
}
