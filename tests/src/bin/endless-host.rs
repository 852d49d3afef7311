//! A host that measures an endless function until it is killed. It prints a line when the measurement starts. Its arguments
//! are the suite, the function, and optionally `reaped`, which starts a reaper.

use std::path::Path;

use anyhow::{Result, bail};
use benchbook_contract::guard::Guard;
use benchbook_contract::parameter::Range;
use benchbook_host::child::{MeasurementTask, NativeSuite, Reaper, run_reaper_if_requested};
use benchbook_host::quality::Quality;
use benchbook_host::request::Plan;
use benchbook_tests::requests::{quick, request};

fn main() -> Result<()> {
    if run_reaper_if_requested() {
        return Ok(());
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (program, function, reaper) = match arguments[..] {
        [program, function] => (program, function, None),
        [program, function, "reaped"] => (program, function, Some(Reaper::start()?)),
        _ => bail!("expected a suite and one of its functions"),
    };
    let suite = NativeSuite::open_guarded(Path::new(program), Guard::default(), reaper.as_ref())?;
    let generator = suite.suite().generator("generators::sizes").expect("the misbehaving suite has this generator");
    let request = request(suite.suite(), &[function], generator, Range { low: 10.0, high: 20.0 });
    let plan = Plan::new(suite.suite(), request).expect("the request is valid");
    let quality = Quality { timeout_ms: Some(3_600_000.0), ..quick(2) };
    suite.measure(&MeasurementTask::new(&plan, &quality, "this machine"), |_| println!("measuring"))?;
    Ok(())
}
