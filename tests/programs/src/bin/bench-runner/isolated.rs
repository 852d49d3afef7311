//! The effect of isolation on a measurement: the median of a kernel in isolated processes and in others.

use anyhow::Result;
use benchbook_programs::figures::Figures;

use crate::cores::Cores;
use crate::extent::Extent;
use crate::kernel::Kernel;
use crate::rounds::Ratio;

/// The largest relative shift of the median, in either direction.
const GOAL: f64 = 0.002;

/// The time of a kernel's process, in milliseconds.
const POINT_MS: f64 = 300.0;

/// Measures and prints, and returns the missed goals.
pub(crate) fn bench(extent: &Extent, cores: &Cores) -> Result<Vec<String>> {
    let [plain, isolated] = [Kernel::open(cores, false)?, Kernel::open(cores, true)?];
    cores.use_serving()?;
    let (mut ratios, mut medians) = (Vec::new(), Vec::new());
    for round in 0..extent.kernels {
        // Each is first equally often.
        let (plain, isolated) = if round % 2 == 0 {
            let plain = plain.median(POINT_MS)?;
            (plain, isolated.median(POINT_MS)?)
        } else {
            let isolated = isolated.median(POINT_MS)?;
            (plain.median(POINT_MS)?, isolated)
        };
        ratios.push(isolated / plain);
        medians.push(isolated);
    }
    let figures: Figures = medians.into_iter().collect();
    let Ratio { value, interval } = Ratio::of(&ratios)?;
    let percent = |ratio: f64| format!("{:+.3}%", 100.0 * (ratio - 1.0));
    println!("\n## Shift of a kernel's median by isolation\n");
    println!("| median of medians, ns | shift | 95% |");
    println!("| ---: | ---: | ---: |");
    let (low, high) = (percent(interval.low), percent(interval.high));
    println!("| {:.1} | {} | {low} to {high} |", figures.quantile(0.5), percent(value));
    println!("\n{} rounds. Goal: less than {}% in either direction.", extent.kernels, 100.0 * GOAL);
    let is_within = interval.low > 1.0 - GOAL && interval.high < 1.0 + GOAL;
    Ok(if is_within { Vec::new() } else { vec!["the interval of the shift by isolation within 0.2%".to_owned()] })
}
