//! A host that measures an endless function until it is killed. It prints a line when the measurement starts. Its arguments
//! are the suite, the function, and optionally `reaped`, which starts a reaper. It is also the launcher of tests; with the
//! argument `supported`, it prints the protections that this system supports, and those that it does not with reasons.

use std::path::Path;

use anyhow::{Result, bail};
use benchbook_contract::parameter::Range;
use benchbook_host::child::{ChildSettings, MeasurementTask, NativeSuite, Reaper, run_helper_if_requested};
use benchbook_host::quality::Quality;
use benchbook_host::request::Plan;
use benchbook_isolate::{Isolation, Launcher, Protection};
use benchbook_tests::requests::{quick, request};

fn main() -> Result<()> {
    if run_helper_if_requested() {
        return Ok(());
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (program, function, reaper) = match arguments[..] {
        ["supported"] => return print_supported(),
        [program, function] => (program, function, None),
        [program, function, "reaped"] => (program, function, Some(Reaper::start()?)),
        _ => bail!("expected a suite and one of its functions"),
    };
    let settings = ChildSettings { launcher: Some(Launcher::own_program()?), reaper, ..ChildSettings::default() };
    let suite = NativeSuite::open_with(Path::new(program), settings)?;
    let generator = suite.suite().generator("generators::sizes").expect("the misbehaving suite has this generator");
    let request = request(suite.suite(), &[function], generator, Range { low: 10.0, high: 20.0 });
    let plan = Plan::new(suite.suite(), request).expect("the request is valid");
    let quality = Quality { timeout_ms: Some(3_600_000.0), ..quick(2) };
    suite.measure(&MeasurementTask::new(&plan, &quality, "this machine"), |_| println!("measuring"))?;
    Ok(())
}

fn print_supported() -> Result<()> {
    let (supported, missing) = Launcher::own_program()?.supported(&Isolation::full())?;
    let names: Vec<_> =
        Protection::ALL.into_iter().filter(|protection| supported.has(*protection)).map(Protection::name).collect();
    println!("{}", names.join(" "));
    missing.iter().for_each(|(protection, reason)| println!("{protection}: {reason}"));
    Ok(())
}
