//! The time from the start of a child process to its first reply.

use anyhow::Result;
use benchbook_tests::figures::Figures;

use crate::cores::Cores;
use crate::extent::Extent;
use crate::kernel::Kernel;

/// Measures and prints. This part has no goal.
pub(crate) fn bench(extent: &Extent, cores: &Cores) -> Result<Vec<String>> {
    let kernel = Kernel::open(cores)?;
    cores.use_serving()?;
    let times: Vec<f64> =
        (0..extent.children).map(|_| Ok(1e3 * kernel.first_reply()?.as_secs_f64())).collect::<Result<_>>()?;
    let figures: Figures = times.into_iter().collect();
    println!("\n## Start of a child process\n");
    println!("| children | median, ms | p99 |");
    println!("| ---: | ---: | ---: |");
    println!("| {} | {:.2} | {:.2} |", extent.children, figures.quantile(0.5), figures.quantile(0.99));
    Ok(Vec::new())
}
