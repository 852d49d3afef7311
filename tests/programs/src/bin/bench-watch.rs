//! Benchmarks the watch loop of `cargo benchbook`: the time from saving a source file to the first point of the new build. Run it with
//! `cargo xtask bench watch`.

use std::time::Instant;

use anyhow::{Context, Result};
use benchbook_tests::own_crate::{LIBRARY, OwnCrate, SLOW_LIBRARY};

/// The number of saves.
const SAVES: u64 = 6;

/// The target time, in seconds.
const TARGET: f64 = 3.0;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let own = OwnCrate::new("watch_bench")?;
    own.optimise_dependencies()?;
    let mut served = own.serve(&[])?;
    served.until_printed("The build took")?;
    let page = served.open().await?;
    page.choose("mix").await?;
    // Short points: the benchmark waits for the end of the first measurement.
    page.set_target("point-time", "0.02").await?;
    page.measure().await?;
    let mut times = Vec::new();
    for save in 1..=SAVES {
        let source = if save % 2 == 1 { SLOW_LIBRARY } else { LIBRARY };
        let start = Instant::now();
        // A comment makes each version differ from all others.
        own.write("src/lib.rs", &format!("{source}\n// Version {save}.\n"))?;
        let revision = format!("document.querySelector('[data-test=builds]')?.dataset.revision === '{}'", save + 1);
        page.browser.until(&revision).await?;
        let progress = "document.querySelector('[data-test=progress]').dataset";
        page.browser.until(&format!("{progress}.state === 'measuring' && Number({progress}.points) > 0")).await?;
        let seconds = start.elapsed().as_secs_f64();
        println!("save {save}: first point after {seconds:.2} s");
        times.push(seconds);
        page.click("stop").await?;
        page.until_state("stopped").await?;
    }
    times.sort_by(f64::total_cmp);
    let (least, median, most) = (times.first(), times.get(times.len() / 2), times.last());
    let (least, median, most) = (least.context("times")?, median.context("times")?, most.context("times")?);
    println!("from a save to the first point: {least:.2} to {most:.2} s, median {median:.2} s (target: {TARGET} s)");
    page.close().await
}
