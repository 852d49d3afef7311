//! A host that measures a function which never ends, until it is killed: says so once it has begun.

use std::path::Path;

use anyhow::{Context, Result};
use benchbook::child::{NativeSuite, Order};
use benchbook::parameter::Range;
use benchbook::quality::Quality;
use benchbook::request::Plan;
use benchbook_tests::requests::{quick, request};

fn main() -> Result<()> {
    let program = std::env::args().nth(1).context("expected an executable")?;
    let suite = NativeSuite::open(Path::new(&program))?;
    let generator = suite.suite().generator("generators::sizes").context("the suite that misbehaves has one")?;
    let request = request(suite.suite(), &["functions::hangs"], generator, Range { low: 10.0, high: 20.0 });
    let plan = Plan::new(suite.suite(), request).expect("the request fits");
    let quality = Quality { timeout_ms: Some(3_600_000.0), ..quick(2) };
    suite.measure(&Order::new(&plan, &quality, "this machine"), |_| println!("measuring"))?;
    Ok(())
}
