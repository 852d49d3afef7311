//! `cargo benchbook profile`: which part of a function takes it, and how each part grows.

mod native;
mod text;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use benchbook_contract::axis_value::AxisValue;
use benchbook_count::Rounds;
use benchbook_host::request::{Plan, Request};
use benchbook_host::units::{SPACE, axis_value};
use benchbook_profile::{
    FunctionFilter, LibraryFrames, NativeInstructions, Profile, ProfileMetric, ProfilePoint, ProfileRow, callgrind,
    firefox, folded, rows,
};
use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser, TypedValueParser};
use serde::Serialize;

use crate::arguments::{self, SetArgument};
use crate::output::print;
use crate::project::counting_modules::CountingModules;
use crate::project::selection::{SelectedFunction, named, target_of};
use crate::project::suite_options::SuiteOptions;
use native::Profiler;

/// The axis values of a range: growth needs six, and a few more show its curve.
const POINTS: u32 = 9;

/// Show where a function spends its wasm instructions, and how each part grows
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo benchbook profile merge_sort                                wasm instructions, by function
  cargo benchbook profile merge_sort --set size=10..100k --at 10k   shows the profile at 10 000; growth is over the range
  cargo benchbook profile merge_sort --by bytes                     who allocates
  cargo benchbook profile merge_sort --callgrind out.callgrind      for kcachegrind or callgrind_annotate
  cargo benchbook profile merge_sort --with perf                    natively, with an installed profiler

Counts are of the suite's wasm module, and the same on every machine. Instructions that copy or fill memory count as one, whatever the length: `--by copied` counts their bytes.")]
pub(crate) struct ProfileOptions {
    /// The path of the function, or its name if that is unique
    #[arg(value_name = "FUNCTION")]
    function: String,
    /// The generator of the inputs: its path or name [default: the function's first one]
    #[arg(long, short, value_name = "NAME")]
    generator: Option<String>,
    /// Set a parameter of the generator to a value, a range, or several values separated by commas. Repeat the option for others
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<SetArgument>,
    /// The axis value to show [default: the largest one that is counted]
    #[arg(long, value_name = "VALUE")]
    at: Option<String>,
    /// Show only functions whose path contains this string, with all that they call. Can be repeated
    #[arg(long, value_name = "PATH", value_parser = NonEmptyStringValueParser::new())]
    only: Vec<String>,
    /// Fold functions whose path contains this string into their callers. Can be repeated
    #[arg(long, value_name = "PATH", value_parser = NonEmptyStringValueParser::new())]
    exclude: Vec<String>,
    /// Also show the standard library's functions, instead of folding them into their callers
    #[arg(long = "std")]
    shows_library: bool,
    /// What to count; `bytes` are allocated bytes, and `copied` are those that single instructions copy or fill
    #[arg(long, value_name = "METRIC", value_parser = metric(), default_value = "instructions")]
    by: ProfileMetric,
    /// Print the tree of frames with all axis values, and the functions, as JSON; docs/profile.schema.json describes it
    #[arg(long, group = "format")]
    json: bool,
    /// Write a file for kcachegrind and callgrind_annotate
    #[arg(long, value_name = "FILE", group = "format")]
    callgrind: Option<PathBuf>,
    /// Write a file with a stack per line, for viewers of flame graphs
    #[arg(long, value_name = "FILE", group = "format")]
    folded: Option<PathBuf>,
    /// Write a file for Firefox Profiler
    #[arg(long, value_name = "FILE", group = "format")]
    firefox: Option<PathBuf>,
    /// Run a profiler around native calls of the function instead
    #[arg(long, value_enum, value_name = "PROFILER", conflicts_with_all = ["format", "at", "only", "exclude", "shows_library", "by"])]
    with: Option<Profiler>,
    /// How long to call the function for --with, such as 10s
    #[arg(long, value_name = "TIME", value_parser = arguments::time, default_value = "5s", requires = "with")]
    time: Duration,
    #[command(flatten)]
    suites: SuiteOptions,
}

/// The version of the JSON report. It increases with each change that is not an addition.
const VERSION: u32 = 1;

/// A profile as JSON. Amounts are totals of the counted calls of the measured function, by the points of the profile.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "Benchbook profile", extend("$schema" = "https://json-schema.org/draft/2020-12/schema")))]
struct ProfileReport<'p> {
    /// The version of this format.
    #[cfg_attr(test, schemars(extend("const" = VERSION)))]
    benchbook_profile: u32,
    /// The first line of the text: which function takes the largest part itself, and how its total grows.
    answer: String,
    /// What the answer, and the growth and the order of the functions, are about.
    by: ProfileMetric,
    /// The index of the point that the answer is about.
    shown: usize,
    /// What each function executes for all its callers together. The measured function is the first one.
    functions: &'p [ProfileRow],
    /// The frames.
    profile: &'p Profile,
}

/// Counts, and prints or writes the profile.
///
/// # Errors
/// If the function or an argument does not exist, or if it cannot be counted at any axis value.
pub(crate) fn run(options: &ProfileOptions) -> Result<()> {
    let project = options.suites.project()?;
    if let Some(profiler) = options.with {
        return native::run(profiler, options, &project);
    }
    let suites = project.open()?;
    let selected = named(&suites, &options.function)?;
    let target = target_of(&suites, selected.suite).context("the function has no suite (this is a bug)")?;
    let at = options.at.as_deref().map(arguments::axis_value);
    let plan = options.plan(&selected, at.as_ref())?;
    if let Some(reason) = plan.native_reason(0) {
        bail!("`{}` can't run in wasm: {}. `--with perf` profiles it natively", options.function, reason.text());
    }
    let xs = plan.axis_values(POINTS);
    if let Some(at) = &at {
        ensure_is_one_of(at, &xs)?;
    }
    let (map, counts) = CountingModules::build(&project)?.count_contexts(target, &plan, &xs, Rounds::Usual)?;
    let profile = Profile::new(&map, &selected.function.path, plan.axis_name(), &counts);
    let filter = FunctionFilter {
        only: options.only.clone(),
        exclude: options.exclude.clone(),
        library: if options.shows_library { LibraryFrames::All } else { LibraryFrames::Folded },
    };
    if let Some(part) = filter.without_match(&profile.root) {
        bail!("no function's path contains `{part}`. Without --only and --exclude, --std lists all functions");
    }
    let profile = profile.filtered(&filter);
    let point = point(&profile, at.as_ref())?;
    let native = if options.shows_native() {
        let ProfilePoint { x, calls, .. } = &profile.points[point];
        native::instructions(selected.suite, &plan, x, *calls, &project.environment_of(target)).unwrap_or_else(
            |error| {
                anstream::eprintln!("note: native instructions are not shown: {error:#}");
                None
            },
        )
    } else {
        None
    };
    options.show(&profile, point, native)
}

fn ensure_is_one_of(at: &AxisValue, counted: &[AxisValue]) -> Result<()> {
    // As they are typed.
    let typed = |x: &AxisValue| axis_value(x).replace(SPACE, "");
    let values: Vec<String> = counted.iter().map(typed).collect();
    ensure!(counted.contains(at), "--at: {} is not counted. Choose one of {}", typed(at), values.join(", "));
    Ok(())
}

/// The index of the point to show.
fn point(profile: &Profile, at: Option<&AxisValue>) -> Result<usize> {
    let Some(at) = at else { return Ok(profile.points.len() - 1) };
    let counted: Vec<AxisValue> = profile.points.iter().map(|point| point.x.clone()).collect();
    ensure_is_one_of(at, &counted)?;
    counted.iter().position(|x| x == at).context("the point has no index (this is a bug)")
}

impl ProfileOptions {
    fn plan(&self, selected: &SelectedFunction<'_>, at: Option<&AxisValue>) -> Result<Plan> {
        let request = selected.request(self.generator.as_deref(), &self.set)?;
        selected.plan(Request { also_at: at.iter().filter_map(|at| at.number()).collect(), ..request })
    }

    /// Whether there is a column for native instructions, if they can be counted.
    fn shows_native(&self) -> bool {
        let is_file = self.callgrind.is_some() || self.folded.is_some() || self.firefox.is_some();
        // Shares are those of the whole function.
        self.by == ProfileMetric::Instructions && self.only.is_empty() && !is_file
    }

    fn show(&self, profile: &Profile, point: usize, native: Option<NativeInstructions>) -> Result<()> {
        let mut rows = rows(profile, self.by, point);
        if let Some(native) = native {
            native.add_to(&mut rows, profile);
        }
        let write = |path: &Path, text: String| {
            fs::write(path, text).with_context(|| format!("failed to write {}", path.display()))?;
            print(&format!("{}\n", text::first_line(profile, &rows, self.by, point)));
            anstream::println!("written to {}", path.display());
            Ok(())
        };
        if let Some(path) = &self.callgrind {
            return write(path, callgrind(profile, point));
        }
        if let Some(path) = &self.folded {
            return write(path, folded(profile, self.by, point));
        }
        if let Some(path) = &self.firefox {
            return write(path, firefox(profile, self.by, point)?);
        }
        if self.json {
            let answer = text::first_line(profile, &rows, self.by, point);
            let report = ProfileReport {
                benchbook_profile: VERSION,
                answer,
                by: self.by,
                shown: point,
                functions: &rows,
                profile,
            };
            println!("{}", serde_json::to_string_pretty(&report)?);
            return Ok(());
        }
        print(&text::text(profile, &rows, self.by, point));
        Ok(())
    }
}

fn metric() -> impl TypedValueParser<Value = ProfileMetric> {
    let of_name = |name: String| ProfileMetric::ALL.into_iter().find(|metric| metric.name() == name);
    PossibleValuesParser::new(ProfileMetric::ALL.map(ProfileMetric::name))
        .map(move |name| of_name(name).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use benchbook_host::schema;

    use super::*;

    /// With `BENCHBOOK_BLESS`, the test writes the schema.
    #[test]
    fn the_published_schema_is_that_of_the_report() {
        let text = serde_json::to_string_pretty(&schema::document::<ProfileReport<'_>>()).expect("JSON") + "\n";
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/profile.schema.json");
        if std::env::var_os("BENCHBOOK_BLESS").is_some() {
            fs::write(&file, &text).expect("the folder is writable");
        }
        let published = fs::read_to_string(&file).unwrap_or_default();
        assert!(published == text, "docs/profile.schema.json differs from the types; BENCHBOOK_BLESS=1 writes it");
    }
}
