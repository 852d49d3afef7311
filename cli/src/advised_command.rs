//! The commands that the tool advises after its own. They repeat the options that the user gave, so that they find the same suites and results.

use std::fmt;
use std::sync::OnceLock;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, CommandFactory};

use crate::BenchbookTool;

/// An option that the user gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GivenOption {
    /// Its long name, without hyphens.
    name: String,
    /// One for each time it was given; empty for a flag.
    values: Vec<String>,
}

static GIVEN: OnceLock<Vec<GivenOption>> = OnceLock::new();

/// Sets the options that advised commands repeat.
pub(crate) fn set_given(options: Vec<GivenOption>) {
    // The command line is parsed once.
    let _ = GIVEN.set(options);
}

/// A command that the tool advises. It displays with the given options that it has, too.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AdvisedCommand<'a> {
    /// Accepts the results of a check.
    Accept {
        /// Why; absent if there are no results yet.
        note: Option<&'a str>,
    },
    /// Checks functions.
    Check,
    /// Compares functions, whose names are separated by commas.
    Compare(&'a str),
    /// Prints accepted results.
    History,
    /// Lists functions.
    List,
    /// Measures functions.
    Measure,
    /// Opens the notebook.
    Notebook,
    /// Opens the documentation.
    OpenDocumentation,
    /// Shows how the machine code of a function differs. Its arguments: the function, and with what it is compared.
    Assembly(&'a [String]),
    /// Finds the call that made a function slower. Its arguments: what to compare, and with what.
    Pinpoint(&'a [String]),
    /// Publishes a notebook.
    Publish(&'a str),
    /// Replaces a harness for good.
    Replace(&'a str),
    /// Reverts the replacement of a harness.
    Undo(&'a str),
}

/// Options for the output of a command, which do not matter for others.
const OUTPUTS: [&str; 3] = ["save", "json", "markdown"];

impl AdvisedCommand<'_> {
    /// The subcommand and its own arguments.
    fn words(&self) -> Vec<String> {
        let owned = |words: &[&str]| words.iter().copied().map(str::to_owned).collect();
        let from = |harness: &str| format!("--from-{harness}");
        match *self {
            Self::Accept { note: None } => owned(&["accept"]),
            Self::Accept { note: Some(note) } => owned(&["accept", "--note", note]),
            Self::Check => owned(&["check"]),
            Self::Compare(functions) => owned(&["measure", "--compare", functions]),
            Self::History => owned(&["history"]),
            Self::List => owned(&["list"]),
            Self::Measure => owned(&["measure"]),
            Self::Notebook => Vec::new(),
            Self::OpenDocumentation => owned(&["doc", "--open"]),
            Self::Assembly(arguments) => owned(&["assembly"]).into_iter().chain(arguments.iter().cloned()).collect(),
            Self::Pinpoint(arguments) => owned(&["pinpoint"]).into_iter().chain(arguments.iter().cloned()).collect(),
            Self::Publish(notebook) => owned(&["publish", notebook, "--out", "article"]),
            Self::Replace(harness) => owned(&["init", &from(harness)]),
            Self::Undo(harness) => owned(&["init", &from(harness), "--undo"]),
        }
    }

    fn with(&self, tool: &Command, given: &[GivenOption]) -> String {
        let own = self.words();
        let command = own.first().map_or(Some(tool), |subcommand| tool.find_subcommand(subcommand));
        let is_repeated = |option: &&GivenOption| {
            let mut arguments = command.into_iter().flat_map(Command::get_arguments);
            let is_output = OUTPUTS.contains(&option.name.as_str());
            arguments.any(|argument| option.is_of(argument))
                && !is_output
                && !own.contains(&format!("--{}", option.name))
        };
        let repeated = given.iter().filter(is_repeated).flat_map(GivenOption::words);
        let words = ["cargo", "benchbook"].into_iter().chain(own.iter().map(String::as_str)).map(quoted);
        words.chain(repeated).collect::<Vec<_>>().join(" ")
    }
}

impl fmt::Display for AdvisedCommand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let given = GIVEN.get().map(Vec::as_slice).unwrap_or_default();
        f.write_str(&self.with(&BenchbookTool::command(), given))
    }
}

impl GivenOption {
    /// Whether an argument is this option. Those of two commands may differ: `init --bench` has no value.
    fn is_of(&self, argument: &Arg) -> bool {
        let has_value = argument.get_action().takes_values();
        argument.get_long() == Some(self.name.as_str()) && has_value != self.values.is_empty()
    }

    fn words(&self) -> Vec<String> {
        let name = format!("--{}", self.name);
        if self.values.is_empty() {
            return vec![name];
        }
        self.values.iter().flat_map(|value| [name.clone(), quoted(value)]).collect()
    }
}

/// The options of a parsed command line.
pub(crate) fn given_options(tool: &Command, matches: &ArgMatches) -> Vec<GivenOption> {
    let subcommand = matches.subcommand().and_then(|(name, matches)| Some((tool.find_subcommand(name)?, matches)));
    let (command, matches) = subcommand.unwrap_or((tool, matches));
    command.get_arguments().filter_map(|argument| given_option(argument, matches)).collect()
}

fn given_option(argument: &Arg, matches: &ArgMatches) -> Option<GivenOption> {
    let (name, id) = (argument.get_long()?.to_owned(), argument.get_id().as_str());
    if matches.value_source(id) != Some(ValueSource::CommandLine) {
        return None;
    }
    let values = matches.get_raw(id).filter(|_| argument.get_action().takes_values()).into_iter().flatten();
    Some(GivenOption { name, values: values.map(|value| value.to_string_lossy().into_owned()).collect() })
}

/// An argument as a shell reads it.
pub(crate) fn quoted(argument: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./:,=%@+".contains(letter);
    match argument {
        _ if !argument.is_empty() && argument.chars().all(is_plain) => argument.to_owned(),
        _ if !argument.contains(['"', '$', '`', '\\', '!']) => format!("\"{argument}\""),
        _ => format!("'{}'", argument.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The options of a command line whose arguments contain no spaces.
    fn given(line: &str) -> Vec<GivenOption> {
        let mut tool = BenchbookTool::command();
        let matches = tool.try_get_matches_from_mut(line.split(' ')).unwrap();
        given_options(&tool, &matches)
    }

    const OF_SUITES: &str = "--package mine --bench one --bench two --manifest-path mine/Cargo.toml --profile bench \
                             --features fast,small --all-features --strict";

    /// Each of them.
    fn all() -> [AdvisedCommand<'static>; 14] {
        use AdvisedCommand::*;
        let arguments: &[String] = Box::leak(Box::new(["sort", "--baseline", "main"].map(str::to_owned)));
        let all = [
            Accept { note: None },
            Accept { note: Some("new") },
            Check,
            Compare("a,b"),
            History,
            List,
            Measure,
            Notebook,
            OpenDocumentation,
            Assembly(arguments),
            Pinpoint(arguments),
            Publish("a"),
            Replace("divan"),
            Undo("criterion"),
        ];
        // To add a variant, add it above, too.
        all.map(|one| match one {
            Accept { .. } | Check | Compare(_) | History | List | Measure | Notebook => one,
            Assembly(_) | OpenDocumentation | Pinpoint(_) | Publish(_) | Replace(_) | Undo(_) => one,
        })
    }

    #[test]
    fn each_command_is_accepted_with_the_options_of_any_other() {
        let tool = BenchbookTool::command();
        for line in [
            format!("cargo-benchbook {OF_SUITES}"),
            format!("cargo-benchbook measure {OF_SUITES} --set size=1k --time 5s --save a.json"),
            format!("cargo-benchbook check {OF_SUITES} --history results --samples 20 --set size=1k"),
            format!("cargo-benchbook accept {OF_SUITES} --replace --by Ada"),
            format!("cargo-benchbook doc {OF_SUITES} --open"),
        ] {
            for advised in all() {
                let command = advised.with(&tool, &given(&line)).replacen("cargo benchbook", "cargo-benchbook", 1);
                let parsed = BenchbookTool::command().try_get_matches_from(command.split(' '));
                assert!(parsed.is_ok() && command.contains("--manifest-path mine/Cargo.toml"), "{command}: {parsed:?}");
                let has_suites = !matches!(advised, AdvisedCommand::Replace(_) | AdvisedCommand::Undo(_));
                assert_eq!(command.contains(OF_SUITES), has_suites, "{command}");
            }
        }
    }

    #[test]
    fn a_command_repeats_the_options_that_it_has() {
        let advised = |line: &str, command: AdvisedCommand<'_>| command.with(&BenchbookTool::command(), &given(line));
        let measure = format!("cargo-benchbook measure sort --set size=1k --time 5s {OF_SUITES}");
        assert_eq!(
            advised(&measure, AdvisedCommand::Compare("a,b")),
            format!("cargo benchbook measure --compare a,b --set size=1k --time 5s {OF_SUITES}")
        );
        let check = format!("cargo-benchbook check sort --history results --samples 20 {OF_SUITES}");
        assert_eq!(
            advised(&check, AdvisedCommand::Accept { note: Some("new hash") }),
            format!("cargo benchbook accept --note \"new hash\" --history results {OF_SUITES}")
        );
        assert_eq!(advised("cargo-benchbook --no-open", AdvisedCommand::List), "cargo benchbook list");
        assert_eq!(
            advised("cargo-benchbook doc --open", AdvisedCommand::OpenDocumentation),
            "cargo benchbook doc --open"
        );
    }

    #[test]
    fn arguments_are_quoted_for_a_shell() {
        for (argument, expected) in [
            ("sort::by_key", "sort::by_key"),
            ("wörk/Cargo.toml", "wörk/Cargo.toml"),
            ("a b", "\"a b\""),
            ("", "\"\""),
            ("sum<u32>", "\"sum<u32>\""),
            ("it's $5", r"'it'\''s $5'"),
        ] {
            assert_eq!(quoted(argument), expected);
        }
    }
}
