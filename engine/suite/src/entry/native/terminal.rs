//! The output for a user who runs the executable in a terminal.

use super::function_filter::FunctionFilter;
use crate::identity::Identity;
use benchbook_contract::catalog::{Function, Suite};
use benchbook_contract::protocol::PROTOCOL;

/// Prints the options and the functions.
pub(super) fn print_help(identity: Identity, suite: &Suite) {
    println!("{}\n{}", help(identity), table(suite));
}

/// Prints the suite's notes for its author.
pub(super) fn print_notes(suite: &Suite) {
    suite.notes.iter().for_each(|note| eprintln!("note: {note}"));
}

/// Prints the paths of the selected functions, in the format of Rust's test harness.
pub(super) fn print_list(suite: &Suite, filter: &FunctionFilter, is_terse: bool) {
    let selected: Vec<&Function> = suite.functions.iter().filter(|function| filter.selects(&function.path)).collect();
    selected.iter().for_each(|function| println!("{}: benchmark", function.path));
    if !is_terse {
        println!("\n0 tests, {} benchmarks", selected.len());
    }
}

fn help(identity: Identity) -> String {
    let Identity { name, version, .. } = identity;
    format!(
        "{name} {version}, a Benchbook suite.\n\
         \n\
         Usage: {name} [OPTIONS] [FILTER]...\n\
         \n\
         Without --bench, each function whose path contains one of the filters is called once, as a test.\n\
         \n\
         Options:\n    \
         --bench           measure the functions; `cargo bench` adds this option\n    \
         --list            list the functions\n    \
         --exact           select functions whose path equals a filter\n    \
         --skip FILTER     omit functions whose path contains FILTER\n    \
         --help            print this text\n\
         \n\
         To call a function in a loop, for a profiler such as perf, samply or Instruments:\n\
         \n    {name} --profile-time 10s FUNCTION [--generator PATH] [NAME=VALUE]...\n\
         \n\
         To see curves, compare functions and set parameters, use `cargo benchbook measure`, or open the notebook with `cargo benchbook`.\n\
         \n\
         Hosts exchange JSON messages with this program over standard input and output, one per line:\n\
         \n    echo '{{\"type\":\"describe\",\"protocol\":{PROTOCOL}}}' | BENCHBOOK_HOST={PROTOCOL} {name}\n\
         \n\
         Functions:\n"
    )
}

/// Lists the functions, each with its summary and generators below it: paths can be long, and can have wide characters.
fn table(suite: &Suite) -> String {
    let row = |function: &Function| {
        let native = if function.native { " (native only)" } else { "" };
        let from = format!("from {}", function.generators.join(", "));
        let details = function.docs.lines().next().into_iter().chain([from.as_str()]);
        let details: String = details.map(|detail| format!("        {detail}\n")).collect();
        format!("    {}{native}\n{details}", function.path)
    };
    suite.functions.iter().map(row).collect()
}
