//! Compares equal functions at many axis values, on a quiet and on a loaded machine.

use anyhow::{Context, Result, ensure};
use benchbook_contract::parameter::Range;
use benchbook_host::analyze::interval::Interval;
use benchbook_host::quality::{Priority, Qualities, Quality};
use benchbook_host::response::RatioAt;
use benchbook_host::self_test::checks::at_most;
use benchbook_host::self_test::rungs::{paired, ratios, single_ratios};
use benchbook_programs::conditions::Conditions;
use benchbook_tests::interference::busy_threads;
use benchbook_tests::method::LadderSuite;

use crate::percent::IDENTICAL;
use crate::{MAX_FALSE_DIFFERENCES, open};

/// The difference up to which functions count as the same.
const MARGIN: f64 = 0.01;

/// The range of the axis. 257 values are so far apart that each is on the parameter's grid.
const RANGE: Range = Range { low: 13_000.0, high: 100_000.0 };

/// The ratios of two equal functions.
struct Sameness {
    /// The 95% interval of each ratio.
    intervals: Vec<Interval>,
    /// The narrower interval that decides whether both are the same within a margin.
    equivalences: Vec<Interval>,
    /// The number of ratios whose interval does not contain 1 if all intervals together are to contain their ratios in 95%
    /// of cases.
    different_together: usize,
}

/// Measures and prints all targets at `points` axis values.
pub(crate) async fn bench(targets: impl Iterator<Item = String>, points: u32) -> Result<()> {
    let mut missed = Vec::new();
    for target in targets {
        let (title, mut suite, _) = open(&target).await?;
        println!("\n## {title}\n");
        println!("| machine | priority | different | different (adjusted) | same within 1% | half-width: median |");
        println!("| --- | ---: | ---: | ---: | ---: | ---: |");
        let conditions = Conditions::now(suite.browser());
        for is_loaded in [false, true] {
            let machine = if is_loaded { "one core loaded" } else { "quiet" };
            for priority in Priority::all().skip(1) {
                let _load = is_loaded.then(|| busy_threads(1));
                let sameness = measure(&mut suite, priority, points).await?;
                print(machine, priority, &sameness);
                let (different, count) = (different(&sameness), sameness.intervals.len());
                if different as f64 > at_most(MAX_FALSE_DIFFERENCES, count) * count as f64 {
                    missed.push(format!("{title}, {machine}, priority {}: {different} of {count}", priority.number()));
                }
            }
        }
        println!();
        conditions.print();
        suite.close().await?;
    }
    ensure!(missed.is_empty(), "too many equal functions were reported as different:\n{}", missed.join("\n"));
    Ok(())
}

/// Measures two equal functions at up to `points` axis values, with the default quality of a priority.
async fn measure(suite: &mut LadderSuite, priority: Priority, points: u32) -> Result<Sameness> {
    let quality = Quality { points, ..Qualities::default().of(priority).clone() };
    let response = suite.measure_over(&IDENTICAL, RANGE, priority, quality).await?;
    let interval = |at: &RatioAt| at.interval.with_context(|| format!("{}: {:?}", at.x, at.withheld));
    let pairs = paired(&response.points, IDENTICAL);
    let single = single_ratios(&pairs);
    let together = ratios(&pairs);
    let different_together = together.iter().filter_map(|at| at.interval).filter(|interval| !interval.contains(1.0));
    Ok(Sameness {
        intervals: single.iter().map(interval).collect::<Result<_>>()?,
        equivalences: single.iter().filter_map(|at| at.equivalence).collect(),
        different_together: different_together.count(),
    })
}

/// The number of intervals that do not contain 1.
fn different(sameness: &Sameness) -> usize {
    sameness.intervals.iter().filter(|interval| !interval.contains(1.0)).count()
}

fn print(machine: &str, priority: Priority, sameness: &Sameness) {
    let Sameness { intervals, equivalences, different_together } = sameness;
    let of = intervals.len();
    let is_same = |interval: &&Interval| interval.low > 1.0 / (1.0 + MARGIN) && interval.high < 1.0 + MARGIN;
    let same = equivalences.iter().filter(is_same).count();
    let mut widths: Vec<f64> = intervals.iter().map(|interval| 50.0 * (interval.high - interval.low)).collect();
    widths.sort_by(f64::total_cmp);
    println!(
        "| {machine} | {} | {} of {of} | {different_together} | {same} | {:.2}% |",
        priority.number(),
        different(sameness),
        widths[of / 2]
    );
}
