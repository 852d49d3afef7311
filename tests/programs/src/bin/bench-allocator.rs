//! Measures the cost of the suite's allocator: of the memory bound, which timed calls include, and of counting memory use,
//! which they don't. Run it with `cargo xtask bench allocator`.
//!
//! Two executables have the same functions: one allocates from the system, the other from the suite's allocator. Their
//! batches alternate, and each ratio is that of two batches of the same round. Counted calls have a process of their own,
//! since they change the heap.

use std::path::Path;

use anyhow::{Result, bail};
use benchbook_contract::parameter::Argument;
use benchbook_contract::protocol::{Collect, HostMessage, LaneTarget, Open, Samples, SuiteMessage};
use benchbook_programs::conditions::Conditions;
use benchbook_tests::native::NativeChild;
use benchbook_tests::suites::native;

/// Functions of the fixture `allocating`, the first of which allocates nothing.
const FUNCTIONS: [&str; 4] = ["copy_number", "box_and_drop", "reserve_and_drop", "push_and_drop"];

/// How often the batches alternate.
const ROUNDS: usize = 500;

/// Calls per batch. A batch of the shortest function takes some microseconds.
const CALLS: u64 = 2_000;

fn main() -> Result<()> {
    let conditions = Conditions::now(None);
    let mut system = AllocatingSuite::start(&native("system-allocator")?)?;
    let [mut bounded, mut counting] = {
        let program = native("allocating")?;
        [AllocatingSuite::start(&program)?, AllocatingSuite::start(&program)?]
    };
    println!("| function | system | bound | counting | bound / system | counting / system |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: |");
    for (index, function) in FUNCTIONS.iter().enumerate() {
        let mut rounds = Vec::new();
        for _ in 0..ROUNDS {
            rounds.push([system.time(index)?, bounded.time(index)?, counting.count(index)?]);
        }
        let median_of = |figure: fn(&[f64; 3]) -> f64| median(rounds.iter().map(figure).collect());
        println!(
            "| `{function}` | {:.2} ns | {:.2} ns | {:.2} ns | {:.3} | {:.3} |",
            median_of(|[plain, ..]| *plain),
            median_of(|[_, bound, _]| *bound),
            median_of(|[.., count]| *count),
            median_of(|[plain, bound, _]| bound / plain),
            median_of(|[plain, _, count]| count / plain),
        );
    }
    conditions.print();
    Ok(())
}

/// A running suite with the functions in one slot.
struct AllocatingSuite {
    child: NativeChild,
}

impl AllocatingSuite {
    fn start(program: &Path) -> Result<Self> {
        let mut suite = Self { child: NativeChild::start(program)? };
        let open = Open {
            slot: 0,
            functions: FUNCTIONS.map(|function| format!("functions::{function}")).to_vec(),
            generator: "functions::number".to_owned(),
            arguments: [("_size".to_owned(), Argument::Number(10.0))].into(),
            seed: 1,
            priority: 1,
        };
        match suite.exchange(&HostMessage::Open(open))? {
            SuiteMessage::Opened(_) => Ok(suite),
            other => bail!("opening the functions failed: {other:?}"),
        }
    }

    /// Returns the nanoseconds per timed call.
    fn time(&mut self, function: usize) -> Result<f64> {
        Ok(self.collect(LaneTarget::Function(function))?.elapsed.iter().sum::<f64>() / CALLS as f64)
    }

    /// Returns the nanoseconds per counted call, with the loop around it.
    fn count(&mut self, function: usize) -> Result<f64> {
        Ok(self.collect(LaneTarget::Count(function))?.preparation / CALLS as f64)
    }

    fn collect(&mut self, target: LaneTarget) -> Result<Samples> {
        let collect = Collect { slot: 0, target, calls: CALLS, batches: 1, input_set: 0 };
        match self.exchange(&HostMessage::Collect(collect))? {
            SuiteMessage::Samples(samples) => Ok(samples),
            other => bail!("the batch failed: {other:?}"),
        }
    }

    fn exchange(&mut self, message: &HostMessage) -> Result<SuiteMessage> {
        self.child.send(&serde_json::to_string(message)?)?;
        Ok(serde_json::from_str(&self.child.receive()?)?)
    }
}

/// The upper median.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
