//! Tests the measurement method on functions with known results: the error of ratios, how often a difference of 1% is
//! detected or invented, and how often an empty function differs from zero. Run it with `cargo xtask bench method`. The
//! arguments are the number of tries, and the targets: `native`, `wasm`, or both. It fails if a result misses its goal.
//!
//! With `same` and a number of axis values instead of the tries, it compares equal functions.

mod nothing;
mod percent;
mod print;
mod same;

use std::env;

use anyhow::{Context, Result, bail, ensure};
use benchbook_host::analyze::interval::Interval;
use benchbook_host::self_test::checks::at_most;
use benchbook_host::self_test::rungs;
use benchbook_host::self_test::steps::EMPTY;
use benchbook_programs::conditions::Conditions;
use benchbook_tests::method::LadderSuite;
use benchbook_tests::method::ladder::measure_ratios;
use percent::{IDENTICAL, ONE_PER_CENT};

/// The maximum share of equal functions that are reported as different.
const MAX_FALSE_DIFFERENCES: f64 = 0.06;

/// The minimum share of true ratios that their intervals contain.
const LADDER_COVERAGE: f64 = 46.0 / 48.0;

/// The time of a point of the ladder in milliseconds.
const RUNG_MS: f64 = 500.0;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let first = arguments.next().context("the number of tries is missing")?;
    if first == "same" {
        let points = arguments.next().context("the number of axis values is missing")?;
        return same::bench(arguments, points.parse().context("failed to parse the number of axis values")?).await;
    }
    let tries: usize = first.parse().context("failed to parse the number of tries")?;
    let mut missed = Vec::new();
    for target in arguments {
        let (title, suite, goal) = open(&target).await?;
        println!("\n## {title}\n");
        missed.extend(bench(suite, goal, tries).await?.into_iter().map(|goal| format!("{title}: {goal}")));
    }
    ensure!(missed.is_empty(), "goals missed (close other programs, then repeat):\n{}", missed.join("\n"));
    Ok(())
}

/// Opens the suite of a target; also returns a title and the largest permitted error of a ratio.
async fn open(target: &str) -> Result<(&'static str, LadderSuite, f64)> {
    match target {
        "native" => Ok(("Native", LadderSuite::native()?, 0.005)),
        "wasm" => Ok(("WebAssembly in Chromium, isolated", LadderSuite::chromium().await?, 0.01)),
        _ => bail!("unknown target `{target}`; expected native or wasm"),
    }
}

/// Measures and prints one target, and returns the missed goals. `goal` is the largest error of a ratio.
async fn bench(mut suite: LadderSuite, goal: f64, tries: usize) -> Result<Vec<&'static str>> {
    let conditions = Conditions::now(suite.browser());
    eprintln!("the ladder: about a minute");
    let ladder = measure_ratios(&mut suite, &rungs::ALL, RUNG_MS).await?;
    print::ladder(&ladder, goal);
    eprintln!("one per cent: about {tries} s");
    let different = percent::tries(&mut suite, ONE_PER_CENT, tries).await?;
    eprintln!("no difference: about {tries} s");
    let same = percent::tries(&mut suite, IDENTICAL, tries).await?;
    print::percent(&different, &same);
    print::nothing_header();
    let mut nothing = Vec::new();
    for function in EMPTY {
        // A fifth of the tries for each of six functions: slightly more in total.
        let tries = tries.div_ceil(5);
        eprintln!("{function}: about {} s", tries.div_ceil(5));
        let intervals = nothing::tries(&mut suite, function, tries).await?;
        print::nothing(function, &intervals);
        nothing.extend(intervals);
    }
    conditions.print();
    suite.close().await?;
    let part = |intervals: &[Interval], is: fn(&Interval) -> bool| {
        intervals.iter().filter(|interval| is(interval)).count() as f64 / intervals.len() as f64
    };
    Ok([
        ("every ratio of the ladder within its bound", ladder.iter().all(|one| one.error().abs() <= goal)),
        ("a difference of 1% detected in 95 of 100 tries", part(&different, |interval| interval.low > 1.0) >= 0.95),
        (
            "detected with the wrong sign in at most 5 of 100 tries",
            part(&different, |interval| interval.high < 1.0) <= 0.05,
        ),
        (
            "equal functions reported as different in at most 6 of 100 tries, apart from chance",
            part(&same, |interval| !interval.contains(1.0)) <= at_most(MAX_FALSE_DIFFERENCES, same.len()),
        ),
        ("46 of 48 true ratios inside their intervals", {
            let inside = ladder.iter().filter(|one| one.interval.contains(one.truth)).count();
            inside as f64 >= LADDER_COVERAGE * ladder.len() as f64
        }),
        (
            "an empty function indistinguishable from zero in 90 of 100 tries",
            part(&nothing, |interval| interval.contains(0.0)) >= 0.9,
        ),
    ]
    .into_iter()
    .filter_map(|(goal, is_reached)| (!is_reached).then_some(goal))
    .collect())
}
