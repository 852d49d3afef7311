//! The time from the start of a child process to its first reply, isolated and not.

use anyhow::Result;
use benchbook_tests::figures::Figures;

use crate::cores::Cores;
use crate::extent::Extent;
use crate::kernel::Kernel;

/// The longest median of an isolated process, in milliseconds.
const GOAL_MS: f64 = 6.0;

/// Measures and prints, and returns the missed goals.
pub(crate) fn bench(extent: &Extent, cores: &Cores) -> Result<Vec<String>> {
    let kernels = [false, true].map(|is_isolated| Kernel::open(cores, is_isolated));
    cores.use_serving()?;
    println!("\n## Start of a child process\n");
    println!("| children | isolated | median, ms | p99 |");
    println!("| ---: | --- | ---: | ---: |");
    let mut missed = Vec::new();
    for (kernel, is_isolated) in kernels.into_iter().zip([false, true]) {
        let kernel = kernel?;
        let times: Vec<f64> =
            (0..extent.children).map(|_| Ok(1e3 * kernel.first_reply()?.as_secs_f64())).collect::<Result<_>>()?;
        let figures: Figures = times.into_iter().collect();
        let (median, isolated) = (figures.quantile(0.5), if is_isolated { "yes" } else { "no" });
        println!("| {} | {isolated} | {median:.2} | {:.2} |", extent.children, figures.quantile(0.99));
        if is_isolated && median > GOAL_MS {
            missed.push(format!("the start of an isolated process within {GOAL_MS} ms"));
        }
    }
    println!("\nGoal: a median of at most {GOAL_MS} ms for an isolated process.");
    Ok(missed)
}
