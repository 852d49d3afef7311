//! `cargo benchbook assembly`: the machine code of a measured function, as it was measured.

mod code;

use anyhow::{Context, Result};
use benchbook_assembly::{Difference, Listing, answer, difference_answer, listing_text};
use benchbook_host::units::count;
use serde::Serialize;

use crate::check::measure::BaselineRevision;
use crate::project::suite_options::SuiteOptions;
use code::{FunctionCode, Wanted};

/// Show the machine code of a function in the executable that is measured, or how it differs from other code
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo benchbook assembly sort_stable                         the function, or what it was inlined into
  cargo benchbook assembly sort_stable --with-source           with the lines of the source between its instructions
  cargo benchbook assembly sort_stable --callee drift::sort    a function that it calls
  cargo benchbook assembly sort_stable --wasm                  as browsers get it, in the text format
  cargo benchbook assembly sort_stable --against sort_unstable  what is different in another function
  cargo benchbook assembly sort_stable --baseline main         what has changed since another commit

Differences ignore addresses, and registers where only their choice differs. Native code is shown for x86-64 on Linux.")]
pub(crate) struct AssemblyOptions {
    /// The path of the function, or its name if that is unique
    #[arg(value_name = "FUNCTION")]
    function: String,
    /// The generator of the inputs: its path or name [default: the function's first one]
    #[arg(long, short, value_name = "NAME")]
    generator: Option<String>,
    /// Show the code of a function that it calls, directly or through others: a part of its name
    #[arg(long, value_name = "NAME")]
    callee: Option<String>,
    /// Show the lines of the source between the instructions. It builds the suite again, with line numbers
    #[arg(long, conflicts_with_all = ["against", "baseline"])]
    with_source: bool,
    /// Show the code of the wasm module, before wasm-opt, instead of native code
    #[arg(long)]
    wasm: bool,
    /// Show the difference to another function
    #[arg(long, value_name = "FUNCTION", conflicts_with = "baseline")]
    against: Option<String>,
    /// Show the difference to the same function at another commit, such as main
    #[arg(long, value_name = "REVISION")]
    baseline: Option<String>,
    /// Print the listings, and their difference, as JSON; docs/assembly.schema.json describes it
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    suites: SuiteOptions,
}

/// The version of the JSON report. It increases with each change that is not an addition.
const VERSION: u32 = 1;

/// The code of a function as JSON, or how it differs from other code.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "Benchbook assembly", extend("$schema" = "https://json-schema.org/draft/2020-12/schema")))]
struct AssemblyReport<'l> {
    /// The version of this format.
    #[cfg_attr(test, schemars(extend("const" = VERSION)))]
    benchbook_assembly: u32,
    /// The first line of the text: how much code the function has, or how much differs.
    answer: String,
    /// The code of the function, then that with which it is compared. In the difference, the other one is first.
    listings: Vec<&'l Listing>,
    /// A unified difference; absent if nothing is compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<&'l str>,
}

/// Prints the code, or the difference.
///
/// # Errors
/// If there is no such function, if its code cannot be found, or if a suite cannot be built.
pub(crate) fn run(mut options: AssemblyOptions) -> Result<()> {
    options.suites.has_one_unit = options.baseline.is_some();
    let options = &options;
    let project = options.suites.project()?;
    let revision =
        options.baseline.as_deref().map(|revision| BaselineRevision::find(&project, revision)).transpose()?;
    let wanted = |function: &str| Wanted {
        function: function.to_owned(),
        generator: options.generator.clone(),
        callee: options.callee.clone(),
        is_wasm: options.wasm,
        has_source: options.with_source,
    };
    let code = FunctionCode::find(&project, &wanted(&options.function))?;
    let other = match (&options.against, &revision) {
        (Some(function), _) => Some((function.clone(), FunctionCode::find(&project, &wanted(function))?)),
        (None, Some(revision)) => {
            let (baseline, _lock) = revision.project(&project, &options.suites)?;
            let code = FunctionCode::find(&baseline, &wanted(&options.function));
            let name = options.baseline.clone().context("the baseline has no name (this is a bug)")?;
            let code = code.with_context(|| format!("the baseline `{name}`"))?;
            Some((format!("{} at {name}", options.function), code))
        }
        (None, None) => None,
    };
    let Some((name, other)) = other else {
        let FunctionCode { path, listing } = &code;
        let answer = answer(path, listing, count) + &inlined(&listing.inlined_into(path));
        return options.print(&answer, vec![listing], None, &listing_text(path, listing, count));
    };
    let difference = Difference::new([&other.listing, &code.listing], [&name, &options.function]);
    let answer = difference_answer(difference.as_ref(), [&name, &options.function], count);
    let unified = difference.as_ref().map(|difference| &*difference.unified);
    options.print(&answer, vec![&code.listing, &other.listing], unified, unified.unwrap_or_default())
}

/// At most this many names.
const MAX_NAMES: usize = 6;

/// The functions that were inlined into the function, to follow a sentence.
fn inlined(names: &[&str]) -> String {
    if names.is_empty() {
        return String::new();
    }
    let mut listed: Vec<String> = names.iter().take(MAX_NAMES).map(|name| format!("`{name}`")).collect();
    if names.len() > MAX_NAMES {
        listed.push(format!("and {} more", names.len() - MAX_NAMES));
    }
    format!("; inlined into it: {}", listed.join(", "))
}

impl AssemblyOptions {
    fn print(&self, answer: &str, listings: Vec<&Listing>, difference: Option<&str>, text: &str) -> Result<()> {
        if self.json {
            let report =
                AssemblyReport { benchbook_assembly: VERSION, answer: answer.to_owned(), listings, difference };
            println!("{}", serde_json::to_string_pretty(&report)?);
        } else {
            anstream::println!("{answer}");
            anstream::print!("{}{text}", if text.is_empty() { "" } else { "\n" });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use benchbook_host::schema;

    use super::*;

    /// With `BENCHBOOK_BLESS`, the test writes the schema.
    #[test]
    fn the_published_schema_is_that_of_the_report() {
        let text = serde_json::to_string_pretty(&schema::document::<AssemblyReport<'_>>()).expect("JSON") + "\n";
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/assembly.schema.json");
        if std::env::var_os("BENCHBOOK_BLESS").is_some() {
            fs::write(&file, &text).expect("the folder is writable");
        }
        let published = fs::read_to_string(&file).unwrap_or_default();
        assert!(published == text, "docs/assembly.schema.json differs from the types; BENCHBOOK_BLESS=1 writes it");
    }
}
