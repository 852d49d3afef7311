//! `cargo benchbook list`: the functions of the suites.

use anyhow::Result;
use unicode_width::UnicodeWidthStr;

use crate::selection::matching;
use crate::suite_options::SuiteOptions;

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
    #[command(flatten)]
    suites: SuiteOptions,
}

pub(crate) fn run(options: &ListOptions) -> Result<()> {
    let suites = options.suites.open()?;
    let functions = matching(&suites, &options.filters)?;
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
            ("Sorts keys. Retains\nthe order.", "Sorts keys."),
            (" Sorts\n keys.\n\nMore.", "Sorts keys."),
            ("Sorts keys", "Sorts keys"),
            ("", ""),
        ] {
            assert_eq!(first_sentence(docs), expected);
        }
    }
}
