//! Measures the method itself on functions whose right figures are known: how exactly ratios are recovered, how often one
//! per cent is found and how often it is found where it is not, and how often nothing is told from 0. `cargo xtask bench
//! method` runs it; the arguments are the number of tries, and the faces: `native`, `wasm`, or both. It fails where a
//! figure is not what the method is to reach.

mod print;

use std::env;

use anyhow::{Context, Result, bail, ensure};
use benchbook::analyze::statistics::Interval;
use benchbook_tests::conditions::Conditions;
use benchbook_tests::method::ladder::{self, measure_ratios};
use benchbook_tests::method::nothing::EMPTY;
use benchbook_tests::method::percent::{IDENTICAL, ONE_PER_CENT};
use benchbook_tests::method::{LadderSuite, nothing, percent};

/// The time of a point of the ladder in milliseconds.
const RUNG_MS: f64 = 500.0;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let tries: usize = arguments.next().context("how many tries?")?.parse().context("the number of tries")?;
    let mut missed = Vec::new();
    for face in arguments {
        let (title, face, goal) = match face.as_str() {
            "native" => ("Native", LadderSuite::native()?, 0.005),
            "wasm" => ("WebAssembly in Chromium, isolated", LadderSuite::chromium().await?, 0.01),
            _ => bail!("there is no face `{face}`: native, wasm"),
        };
        println!("\n## {title}\n");
        missed.extend(bench(face, goal, tries).await?.into_iter().map(|what| format!("{title}: {what}")));
    }
    ensure!(missed.is_empty(), "not reached, is the machine busy?\n{}", missed.join("\n"));
    Ok(())
}

/// Measures and prints one face; the ladder is to be recovered within `goal`. What it does not reach.
async fn bench(mut face: LadderSuite, goal: f64, tries: usize) -> Result<Vec<&'static str>> {
    let conditions = Conditions::now(face.browser());
    eprintln!("the ladder: about a minute");
    let ladder = measure_ratios(&mut face, &ladder::ALL, RUNG_MS).await?;
    print::ladder(&ladder, goal);
    eprintln!("one per cent: about {tries} s");
    let different = percent::tries(&mut face, ONE_PER_CENT, tries).await?;
    eprintln!("no difference: about {tries} s");
    let same = percent::tries(&mut face, IDENTICAL, tries).await?;
    print::percent(&different, &same);
    print::nothing_header();
    let mut nothing = Vec::new();
    for function in EMPTY {
        // A fifth of the tries for each of six, so that there are somewhat more in all.
        let tries = tries.div_ceil(5);
        eprintln!("{function}: about {} s", tries.div_ceil(5));
        let intervals = nothing::tries(&mut face, function, tries).await?;
        print::nothing(function, &intervals);
        nothing.extend(intervals);
    }
    conditions.print();
    face.close().await?;
    let part = |intervals: &[Interval], is: fn(&Interval) -> bool| {
        intervals.iter().filter(|interval| is(interval)).count() as f64 / intervals.len() as f64
    };
    Ok([
        ("every ratio of the ladder within its bound", ladder.iter().all(|one| one.error().abs() <= goal)),
        ("one per cent told in 95 of 100 tries", part(&different, |interval| interval.low > 1.0) >= 0.95),
        ("told the wrong way in 5 of 100 at most", part(&different, |interval| interval.high < 1.0) <= 0.05),
        ("nothing held to be 0 in 90 of 100 tries", part(&nothing, |interval| interval.holds(0.0)) >= 0.9),
    ]
    .into_iter()
    .filter_map(|(what, is_reached)| (!is_reached).then_some(what))
    .collect())
}
