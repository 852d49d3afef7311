//! `cargo benchbook list`: the functions of the suites.

use anyhow::Result;
use benchbook_contract::catalog::{Function, Generator, Suite};
use unicode_width::UnicodeWidthStr;

use crate::project::selection::{SelectedFunction, matching};
use crate::project::suite_options::SuiteOptions;

/// List the functions of the suites, each with the first sentence of its documentation
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo benchbook list                                    every function of the workspace's suites
  cargo benchbook list sort                               the functions whose path contains \"sort\"
  cargo benchbook list --bench sorting --bench maps       those of two bench targets")]
pub(crate) struct ListOptions {
    /// Only functions whose path contains one of these strings
    #[arg(value_name = "FILTER")]
    filters: Vec<String>,
    /// Print the suites with these functions and their generators as JSON; docs/list.schema.json describes it
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    suites: SuiteOptions,
}

pub(crate) fn run(options: &ListOptions) -> Result<()> {
    let suites = options.suites.open()?;
    let functions = matching(&suites, &options.filters)?;
    if options.json {
        let catalogs: Vec<Suite> = suites.iter().filter_map(|one| part_of(one.suite.suite(), &functions)).collect();
        println!("{}", serde_json::to_string_pretty(&catalogs)?);
        return Ok(());
    }
    let width = functions.iter().map(|one| one.function.path.width()).max().unwrap_or_default();
    let mut last = "";
    for one in &functions {
        let suite = one.suite.suite();
        if suite.name != last {
            anstream::println!("{} {}", suite.name, suite.version);
            last = &suite.name;
        }
        let path = &one.function.path;
        let gap = " ".repeat(width - path.width());
        anstream::println!("{}", format!("  {path}{gap}  {}", first_sentence(&one.function.docs)).trim_end());
    }
    Ok(())
}

/// A suite with only those of its functions that are listed, and their generators; `None` without any.
fn part_of(suite: &Suite, listed: &[SelectedFunction<'_>]) -> Option<Suite> {
    let of_suite = listed.iter().filter(|one| std::ptr::eq(one.suite.suite(), suite));
    let functions: Vec<Function> = of_suite.map(|one| one.function.clone()).collect();
    let is_used =
        |generator: &&Generator| functions.iter().any(|function| function.generators.contains(&generator.path));
    let generators = suite.generators.iter().filter(is_used).cloned().collect();
    (!functions.is_empty()).then(|| Suite { functions, generators, ..suite.clone() })
}

/// The first sentence of a doc comment, on one line.
fn first_sentence(docs: &str) -> String {
    let paragraph = docs.split("\n\n").next().unwrap_or_default();
    let paragraph = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    paragraph.split_once(". ").map_or(paragraph.clone(), |(first, _)| format!("{first}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_ends_at_a_full_stop_or_a_paragraph() {
        for (docs, expected) in [
            ("Sorts keys. Keeps\nthe order.", "Sorts keys."),
            (" Sorts\n keys.\n\nMore.", "Sorts keys."),
            ("Sorts keys", "Sorts keys"),
            ("", ""),
        ] {
            assert_eq!(first_sentence(docs), expected);
        }
    }
}
