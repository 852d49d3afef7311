//! Measures the method itself on functions whose right figures are known: how exactly ratios are recovered, how often one
//! per cent is found and how often it is found where it is not, and how often nothing is told from 0. `cargo xtask bench
//! method` runs it; the arguments are the number of tries, and the faces: `native`, `wasm`, or both.

mod conditions;
mod print;

use std::env;

use anyhow::{Context, Result, bail};
use benchbook_tests::method::ladder::{self, climb};
use benchbook_tests::method::nothing::EMPTY;
use benchbook_tests::method::percent::{ONE_PER_CENT, THE_SAME};
use benchbook_tests::method::{Face, nothing, percent};
use conditions::Conditions;

/// The time of a point of the ladder in milliseconds.
const RUNG_MS: f64 = 500.0;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let tries: usize = arguments.next().context("how many tries?")?.parse().context("the number of tries")?;
    for face in arguments {
        let (title, face, goal) = match face.as_str() {
            "native" => ("Native", Face::native()?, 0.005),
            "wasm" => ("WebAssembly in Chromium, isolated", Face::chromium().await?, 0.01),
            _ => bail!("there is no face `{face}`: native, wasm"),
        };
        println!("\n## {title}\n");
        bench(face, goal, tries).await?;
    }
    Ok(())
}

/// Measures and prints one face; the ladder is to be recovered within `goal`.
async fn bench(mut face: Face, goal: f64, tries: usize) -> Result<()> {
    let conditions = Conditions::now(&face);
    eprintln!("the ladder: about a minute");
    print::ladder(&climb(&mut face, &ladder::ALL, RUNG_MS).await?, goal);
    eprintln!("one per cent: about {tries} s");
    let different = percent::tries(&mut face, ONE_PER_CENT, tries).await?;
    eprintln!("no difference: about {tries} s");
    let same = percent::tries(&mut face, THE_SAME, tries).await?;
    print::percent(&different, &same);
    print::nothing_header();
    for function in EMPTY {
        // A fifth of the tries for each of six, so that there are somewhat more in all.
        let tries = tries.div_ceil(5);
        eprintln!("{function}: about {} s", tries.div_ceil(5));
        print::nothing(function, &nothing::tries(&mut face, function, tries).await?);
    }
    conditions.print();
    face.close().await
}
