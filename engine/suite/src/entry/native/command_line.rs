//! The command line of a suite's executable, as users, `cargo bench` and `cargo test` start it.

use std::ffi::OsString;

use lexopt::prelude::*;

use super::function_filter::FunctionFilter;

/// A command of the executable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SuiteCommand {
    /// Prints the options and the functions.
    Help,
    /// Prints the paths of the functions.
    List { filter: FunctionFilter, is_terse: bool },
    /// Measures the functions.
    Measure(FunctionFilter),
    /// Calls each function once.
    RunOnce(FunctionFilter),
}

/// Options of Rust's test harness that cargo, editors and users pass to all bench targets, and that have no effect here.
const IGNORED_FLAGS: [&str; 12] = [
    "nocapture",
    "no-capture",
    "quiet",
    "show-output",
    "test",
    "include-ignored",
    "exclude-should-panic",
    "force-run-in-process",
    "report-time",
    "ensure-time",
    "shuffle",
    "verbose",
];

/// Options with a value that have no effect here.
const IGNORED_OPTIONS: [&str; 4] = ["test-threads", "color", "logfile", "shuffle-seed"];

/// Options of criterion and divan that have a counterpart elsewhere, and that counterpart.
const REPLACED_OPTIONS: [(&[&str], &str); 4] = [
    (
        &["save-baseline", "baseline", "baseline-lenient", "load-baseline", "discard-baseline"],
        "`cargo benchbook check` compares with accepted results and with other commits",
    ),
    (
        &[
            "sample-size",
            "sample-count",
            "measurement-time",
            "warm-up-time",
            "min-time",
            "max-time",
            "nresamples",
            "noise-threshold",
            "confidence-level",
            "significance-level",
            "quick",
        ],
        "`cargo benchbook measure` has --priority, --precision and --time",
    ),
    (&["noplot", "plotting-backend"], "`cargo bench` draws no plots; `cargo benchbook` shows them in the notebook"),
    (&["output-format", "output-style"], "`cargo benchbook measure` has --json, --csv and --markdown"),
];

/// The error for an option that Benchbook lacks.
fn replaced_option(name: &str) -> Option<String> {
    let (_, replacement) = REPLACED_OPTIONS.iter().find(|(names, _)| names.contains(&name))?;
    Some(format!("Benchbook has no option `--{name}`: {replacement}"))
}

impl SuiteCommand {
    /// Parses the arguments after the name of the program.
    ///
    /// # Errors
    /// States an unknown option, and what replaces it if another harness has it, or a missing value.
    pub(super) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, String> {
        Self::parse_arguments(lexopt::Parser::from_args(arguments)).map_err(|error| error.to_string())
    }

    fn parse_arguments(mut parser: lexopt::Parser) -> Result<Self, lexopt::Error> {
        let mut filter = FunctionFilter::default();
        let (mut is_bench, mut lists, mut is_terse, mut only_ignored) = (false, false, false, false);
        while let Some(argument) = parser.next()? {
            match argument {
                Short('h') | Long("help") => return Ok(Self::Help),
                Long("bench") => is_bench = true,
                Long("list") => lists = true,
                Long("format") => is_terse = parser.value()? == "terse",
                Long("exact") => filter.is_exact = true,
                Long("skip") => filter.skipped.push(parser.value()?.string()?),
                Long("ignored") => only_ignored = true,
                Short('q' | 'v') => {}
                Short('Z') => {
                    parser.value()?;
                }
                Long(name) if IGNORED_FLAGS.contains(&name) => {
                    // Some of them have an optional value.
                    parser.optional_value();
                }
                Long(name) if IGNORED_OPTIONS.contains(&name) => {
                    parser.value()?;
                }
                Value(name) => filter.names.push(name.string()?),
                Long(name) => match replaced_option(name) {
                    Some(problem) => return Err(problem.into()),
                    None => return Err(argument.unexpected()),
                },
                Short(_) => return Err(argument.unexpected()),
            }
        }
        if only_ignored {
            // A suite has no ignored functions. Every path contains the empty text, so this skips all of them.
            filter = FunctionFilter { skipped: vec![String::new()], ..FunctionFilter::default() };
        }
        Ok(match (lists, is_bench) {
            (true, _) => Self::List { filter, is_terse },
            (false, true) => Self::Measure(filter),
            (false, false) => Self::RunOnce(filter),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<SuiteCommand, String> {
        SuiteCommand::parse(line.split_whitespace().map(OsString::from))
    }

    fn filter(names: &[&str]) -> FunctionFilter {
        FunctionFilter { names: names.iter().map(ToString::to_string).collect(), ..FunctionFilter::default() }
    }

    #[test]
    fn cargo_bench_measures_and_cargo_test_calls_once() {
        for (line, expected) in [
            ("--bench", SuiteCommand::Measure(filter(&[]))),
            ("sort sum --bench", SuiteCommand::Measure(filter(&["sort", "sum"]))),
            ("sort --exact --bench", SuiteCommand::Measure(FunctionFilter { is_exact: true, ..filter(&["sort"]) })),
            ("", SuiteCommand::RunOnce(filter(&[]))),
            ("--test-threads=1 --nocapture -q --color always sort", SuiteCommand::RunOnce(filter(&["sort"]))),
            ("--list --bench", SuiteCommand::List { filter: filter(&[]), is_terse: false }),
            ("--list --format terse", SuiteCommand::List { filter: filter(&[]), is_terse: true }),
            ("--bench --help --list", SuiteCommand::Help),
        ] {
            assert_eq!(parse(line), Ok(expected), "{line}");
        }
    }

    #[test]
    fn no_function_is_ignored() {
        let Ok(SuiteCommand::List { filter, .. }) = parse("--list --format terse --ignored") else { panic!() };
        assert!(!filter.selects("sort"));
    }

    #[test]
    fn unknown_options_and_missing_values_are_errors() {
        for (line, expected) in [("--fast", "--fast"), ("--skip", "--skip"), ("-x", "-x")] {
            let error = parse(line).unwrap_err();
            assert!(error.contains(expected), "{line}: {error}");
        }
    }

    #[test]
    fn the_error_for_an_option_of_another_harness_names_its_replacement() {
        for (line, expected) in [
            (
                "--bench --save-baseline main",
                "Benchbook has no option `--save-baseline`: `cargo benchbook check` compares with accepted results and with other commits",
            ),
            (
                "--noplot",
                "Benchbook has no option `--noplot`: `cargo bench` draws no plots; `cargo benchbook` shows them in the notebook",
            ),
            (
                "--sample-count=10",
                "Benchbook has no option `--sample-count`: `cargo benchbook measure` has --priority, --precision and --time",
            ),
        ] {
            assert_eq!(parse(line).unwrap_err(), expected);
        }
    }
}
