//! Counts what modules execute twice: with a counting module, and as the fuel that wasmtime consumes for the module without counters.
//!
//! ```text
//! peer-wasmtime suite MODULE       a suite's module as the compiler wrote it: prints a line of JSON for each point, five sizes of each
//!                                  function's first generator
//! peer-wasmtime random NUMBER      so many random modules: prints a sentence
//! ```

mod counted;
mod instance;
mod point;
mod random;
#[path = "../../../../engine/instrument/tests/counts/random_module.rs"]
mod random_module;

use std::env;
use std::fs;

use anyhow::{Context, Result, anyhow, bail};
use benchbook_contract::catalog::{Function, Suite};
use benchbook_contract::parameter::Arguments;
use benchbook_contract::protocol::{HostMessage, SuiteMessage};
use benchbook_count::{Clock, Step, StepOutcome};
use benchbook_host::quality::Priority;
use benchbook_host::request::{Plan, Request};
use benchbook_host::units::axis_value;
use benchbook_instrument::{Instrumented, Options, instrument, without_debug_information};
use serde_json::json;

use instance::{Meter, SuiteModule};
use point::compare;

/// The sizes of each function.
const SIZES: u32 = 5;

/// The slot of each workload: each instance has one.
const SLOT: u32 = 1;

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["suite", module] => count_suite(module),
        ["random", number] => random::count(number.parse().context("expected a number of modules")?),
        _ => bail!("expected `suite MODULE` or `random NUMBER`"),
    }
}

fn count_suite(path: &str) -> Result<()> {
    let compiled = fs::read(path).with_context(|| format!("failed to read {path}"))?;
    let Instrumented { module, map } = instrument(&compiled, &Options::default())?;
    let plain = SuiteModule::new(&without_debug_information(&compiled)?, Meter::Fuel)?;
    let counting = SuiteModule::new(&module, Meter::Counters(map.exports().collect()))?;

    let suite = describe(&plain)?;
    for function in &suite.functions {
        let plan = plan(&suite, function)?;
        if let Some(reason) = plan.native_reason(0) {
            println!("{}", json!({"function": function.path, "failure": reason.text()}));
            continue;
        }
        for x in plan.axis_values(SIZES) {
            let open = plan.open(SLOT, vec![function.path.clone()], &x);
            let mut line = compare(&plain, &counting, &map, &open)?;
            line["function"] = json!(function.path);
            line["x"] = json!(axis_value(&x));
            println!("{line}");
        }
    }
    Ok(())
}

/// Requests the catalog.
fn describe(module: &SuiteModule) -> Result<Suite> {
    let step = Step { message: HostMessage::describe(&[]), clock: Clock::default() };
    match module.start()?.handle(&step)?.outcome {
        StepOutcome::Replied(reply, _) => match *reply {
            SuiteMessage::Catalog { suite, .. } => Ok(suite),
            other => bail!("not a catalog: {other:?}"),
        },
        StepOutcome::Ended(reason) => bail!(reason),
    }
}

/// A request for one function with default arguments, and the default range of its axis.
fn plan(suite: &Suite, function: &Function) -> Result<Plan> {
    let path = function.generators.first().with_context(|| format!("`{}` has no generator", function.path))?;
    let generator = suite.generator(path).with_context(|| format!("the catalog has no generator `{path}`"))?;
    let axis = generator.default_axis().map(|parameter| parameter.name.as_str());
    let parameters = generator.parameters.iter();
    let arguments: Arguments = parameters
        .map(|parameter| (parameter.name.clone(), parameter.default_argument(axis == Some(parameter.name.as_str()))))
        .collect();
    let functions = vec![function.path.clone()];
    let request = Request::new(suite.name.clone(), functions, path.clone(), arguments, Priority::FIRST);
    Plan::new(suite, request).map_err(|problems| anyhow!("{problems:?}"))
}
