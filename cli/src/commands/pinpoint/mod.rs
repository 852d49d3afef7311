//! `cargo benchbook pinpoint`: the call that makes a function slower than at another commit.

pub(crate) mod bisect;
mod counted;
mod page;
mod report;
mod text;
mod time;

use anyhow::Result;
use clap::builder::NonEmptyStringValueParser;

use self::bisect::counts::CountedEnds;
use self::bisect::search::Commits;
use crate::arguments::SetArgument;
use crate::check::measure::BaselineRevision;
use crate::commands::served::ServingOptions;
use crate::output::print;
use crate::project::selection::named;
use crate::project::suite_options::SuiteOptions;
use counted::{Target, count_both};
use report::of_counts;

/// Find the call that makes a function slower than at another commit
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo benchbook pinpoint parse_log --baseline main                     what has changed since the branch main
  cargo benchbook pinpoint parse_log --baseline v1.2 --set lines=1k..10k  with these inputs; growth is over the range
  cargo benchbook pinpoint parse_log --baseline main --inside normalise   compare one inner function only
  cargo benchbook pinpoint parse_log --baseline v1.2 --bisect            which commit since v1.2 made the difference
  cargo benchbook pinpoint parse_log --baseline main --markdown          for a pull request
  cargo benchbook pinpoint parse_log --baseline main --open              as a page, which also searches by time

Counts are of wasm instructions, and exact. The time is measured natively, with both builds in turn.")]
pub(crate) struct PinpointOptions {
    /// The path of the function, or its name if that is unique
    #[arg(value_name = "FUNCTION")]
    function: String,
    /// The commit to compare with, such as `main`
    #[arg(long, value_name = "REVISION")]
    baseline: String,
    /// The generator of the inputs: its path or name [default: the function's first one]
    #[arg(long, short, value_name = "NAME")]
    generator: Option<String>,
    /// Set a parameter of the generator to a value, a range, or several values separated by commas. Repeat the option for others
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<SetArgument>,
    /// Compare only functions whose path contains this string, each as a whole. Can be repeated
    #[arg(long, value_name = "PATH", value_parser = NonEmptyStringValueParser::new())]
    inside: Vec<String>,
    /// Follow calls down to this depth: 1 for those that the function makes itself
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Fold functions whose path contains this string into their callers. Can be repeated
    #[arg(long, value_name = "PATH", value_parser = NonEmptyStringValueParser::new())]
    exclude: Vec<String>,
    /// Find the commit since the baseline that made the difference, by counts, and compare it with its parent
    #[arg(long)]
    bisect: bool,
    /// Only count, and do not measure the time
    #[arg(long, conflicts_with = "bisect")]
    no_time: bool,
    /// Print the answer, all contributors and the chain of calls as JSON; docs/pinpoint.schema.json describes it
    #[arg(long, group = "format")]
    json: bool,
    /// Print the answer as Markdown, for a pull request
    #[arg(long, group = "format")]
    markdown: bool,
    #[command(flatten)]
    serving: ServingOptions,
    #[command(flatten)]
    suites: SuiteOptions,
}

/// Counts and measures both builds, and prints the cause of the difference.
///
/// # Errors
/// If there is no such function in both builds, if one of them cannot be counted, or if they have other inputs.
pub(crate) fn run(mut options: PinpointOptions) -> Result<()> {
    options.suites.has_one_unit = true;
    let options = &options;
    let project = options.suites.project()?;
    let revision = BaselineRevision::find(&project, &options.baseline)?;
    let suites = project.open()?;
    let selected = named(&suites, &options.function)?;
    let request = selected.request(options.generator.as_deref(), &options.set)?;
    let target = Target::of(&suites, &selected, request, options.serving.is_wanted())?;
    let (found, builds) = if options.bisect {
        let commits = Commits::since(revision.hash(), &project)?;
        let ends = CountedEnds::count(&revision, &project, &options.suites, &target)?;
        let (found, builds) = ends.search(&commits, ["the baseline", "the current code"])?;
        (Some(commits.found(found)), builds)
    } else {
        let (baseline, _lock) = revision.project(&project, &options.suites)?;
        (None, count_both([&baseline, &project], &target)?)
    };
    let report = of_counts(options, &builds, &target)?;
    let report = match found {
        Some(found) => report.with_commit(found),
        None => report,
    };
    // It checks the baseline out again.
    let report = match options.no_time || options.bisect {
        true => report,
        false => {
            let native = time::measure(&project, &suites, options, revision, &target, report.x());
            report.with_native(native.time, native.different_code)
        }
    };
    let report = report.finished();
    if options.serving.is_wanted() {
        print(&text::text(&report));
        return page::serve_report(&project, options, &target, report, builds);
    }
    match () {
        () if options.json => println!("{}", serde_json::to_string_pretty(&report)?),
        () if options.markdown => print(&report.markdown()),
        () => print(&text::text(&report)),
    }
    Ok(())
}
