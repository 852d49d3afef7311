//! Kills a browser with a notebook repeatedly. Run it with `cargo xtask soak browser`. The arguments are the number of kills and the
//! seed.

use std::env;

use anyhow::{Context, Result};
use benchbook_tests::crashes::kill_repeatedly;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let cycles = arguments.next().context("the number of kills is missing")?.parse()?;
    let seed = arguments.next().context("the seed is missing")?.parse()?;
    kill_repeatedly(cycles, seed).await?;
    println!("{cycles} kills: nothing was lost that was shown as saved.");
    Ok(())
}
