//! A bench target that measures itself: it starts its own executable as a suite, so that its figures come from the same method as
//! everywhere else.

use std::env;

use anyhow::{Context, Result, anyhow, ensure};
use benchbook_contract::catalog::{Build, Function, Generator, Suite};
use benchbook_contract::compilation::{ALIGNED_LOOPS, lacks_aligned_loops};
use benchbook_contract::parameter::Arguments;
use benchbook_host::child::NativeSuite;
use benchbook_host::quality::Priority;
use benchbook_host::request::{Plan, Request};
use benchbook_host::response::{Failure, FailureKind, Outcome, Point};
use benchbook_notebook::id::Id;

use crate::child_settings::child_settings;
use crate::measurement::{NativeMeasurement, host_name, results_of};
use crate::output::for_standard_output;
use crate::report;

/// The priority: good figures of a function within seconds.
const PRIORITY: u8 = 2;

/// Measures the functions of this executable whose paths are selected, each with its first generator and default arguments, and prints
/// their figures.
///
/// # Errors
/// If the executable cannot be started as a suite, or if a function could not be measured; the others are measured nevertheless.
pub fn measure(selects: impl Fn(&str) -> bool) -> Result<()> {
    let program = env::current_exe().context("failed to look up this executable")?;
    let suite =
        NativeSuite::open_with(&program, child_settings()).context("failed to start this executable as a suite")?;
    let catalog = suite.suite();
    let selected: Vec<&Function> = catalog.functions.iter().filter(|function| selects(&function.path)).collect();
    let machine = host_name();
    println!("\n{}", for_standard_output(&heading(catalog, selected.len(), &machine)));
    let mut failed = Vec::new();
    for (number, function) in (0..).zip(&selected) {
        let result = default_measurement(&suite, function)
            .and_then(|measurement| measurement.run(&machine, Id::from_random(number)));
        match result {
            Ok((response, result)) => {
                print!("\n{}", for_standard_output(&report::brief(&results_of(&result))));
                let is_measured = response.points.iter().any(|point| point.measured().is_some());
                if !is_measured && !response.points.iter().all(is_skipped) {
                    failed.push(function.path.as_str());
                }
            }
            Err(error) => {
                println!("\n{}: {error:#}", function.path);
                failed.push(&function.path);
            }
        }
    }
    ensure!(failed.is_empty(), "no point of {} could be measured", failed.join(", "));
    Ok(())
}

/// Whether a benchmark has decided not to be measured.
fn is_skipped(point: &Point) -> bool {
    matches!(&point.outcome, Outcome::Failed(Failure { kind: FailureKind::Skipped, .. }))
}

/// The measurement of one function with its first generator and default arguments.
fn default_measurement<'s>(suite: &'s NativeSuite, function: &Function) -> Result<NativeMeasurement<'s>> {
    let catalog = suite.suite();
    let generator = function.generators.first().and_then(|path| catalog.generator(path));
    let generator = generator.context("the function has no generator")?;
    let request = Request::new(
        catalog.name.clone(),
        vec![function.path.clone()],
        generator.path.clone(),
        default_arguments(generator),
        Priority::try_from(PRIORITY).map_err(|reason| anyhow!("{reason}"))?,
    );
    let plan = Plan::new(catalog, request)
        .map_err(|problems| anyhow!("{}", problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")))?;
    Ok(NativeMeasurement { suite, generator, plan })
}

fn default_arguments(generator: &Generator) -> Arguments {
    let axis = generator.default_axis().map(|axis| &axis.name);
    let arguments = generator.parameters.iter();
    arguments.map(|one| (one.name.clone(), one.default_argument(axis == Some(&one.name)))).collect()
}

/// The heading: the suite, the number of selected functions, the build and the machine.
fn heading(suite: &Suite, selected: usize, machine: &str) -> String {
    let Suite { name, version, build, functions, .. } = suite;
    // `bench` shares its folder with `release`; `cargo bench` uses `bench` unless another one is chosen.
    let profile = build.profile.as_deref().map(|profile| if profile == "release" { "bench" } else { profile });
    let profile = profile.map_or_else(String::new, |profile| format!("profile `{profile}`, "));
    let Build { opt_level, debug_assertions, .. } = build;
    let compiler = build.compiler();
    let note = note(*debug_assertions);
    format!(
        "{name} {version}: {selected} of {} functions; {profile}opt-level {opt_level}, {compiler}, on {machine}{note}",
        functions.len()
    )
}

/// Why the figures may differ from others, on lines of its own; empty if there is no reason.
fn note(has_debug_assertions: bool) -> String {
    if has_debug_assertions {
        return "\nwarning: debug assertions are enabled, so the figures say little about a release build. Use `cargo bench`"
            .to_owned();
    }
    if !lacks_aligned_loops() {
        return String::new();
    }
    format!(
        "\nnote: `cargo benchbook` aligns loops to cache lines, so its times can differ from these by more than 10%. To align them here, too, \
         start the same command with\n  RUSTFLAGS={ALIGNED_LOOPS}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_without_aligned_loops_states_how_to_align_them() {
        let advice = note(false);
        assert_eq!(
            advice.ends_with(&format!("start the same command with\n  RUSTFLAGS={ALIGNED_LOOPS}")),
            lacks_aligned_loops(),
            "{advice}"
        );
        assert!(note(true).starts_with("\nwarning: debug assertions"));
    }
}
