//! The effect of waiting clients on a measurement: the median of a kernel without clients and with many.

use anyhow::Result;

use crate::cores::Cores;
use crate::crowd::{Crowd, JobSharing};
use crate::extent::Extent;
use crate::kernel::Kernel;
use crate::rounds::Ratio;

/// The largest relative shift of the median, in either direction.
const GOAL: f64 = 0.01;

/// The time of a kernel's process, in milliseconds.
const POINT_MS: f64 = 300.0;

/// The orders of no, some and many clients: each is first, second and third equally often.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [2, 1, 0], [1, 2, 0], [0, 2, 1], [2, 0, 1], [1, 0, 2]];

/// Measures and prints, and returns the missed goals.
pub(crate) async fn bench(extent: &Extent, cores: &Cores) -> Result<Vec<String>> {
    let clients = [0, extent.clients / 10, extent.clients];
    let kernel = Kernel::open(cores, false)?;
    let mut crowd = Crowd::start(JobSharing::Separate, cores).await?;
    // This process leaves the kernel's core.
    cores.use_serving()?;
    let mut medians = [const { Vec::new() }; 3];
    for round in 0..extent.kernels {
        for index in ORDERS[round % ORDERS.len()] {
            crowd.resize(clients[index]).await?;
            medians[index].push(kernel.median(POINT_MS)?);
        }
    }
    println!("\n## Shift of a kernel's median\n");
    println!("| waiting clients | median of medians, ns | shift | 95% |");
    println!("| ---: | ---: | ---: | ---: |");
    let mut missed = Vec::new();
    let [alone, ..] = &medians;
    for (clients, medians) in clients.iter().zip(&medians) {
        let figures: benchbook_programs::figures::Figures = medians.iter().copied().collect();
        if *clients == 0 {
            println!("| {clients} | {:.1} | | |", figures.quantile(0.5));
            continue;
        }
        let ratios: Vec<f64> = medians.iter().zip(alone).map(|(with, without)| with / without).collect();
        let Ratio { value, interval } = Ratio::of(&ratios)?;
        let percent = |ratio: f64| format!("{:+.2}", 100.0 * (ratio - 1.0));
        println!(
            "| {clients} | {:.1} | {}% | {} to {}% |",
            figures.quantile(0.5),
            percent(value),
            percent(interval.low),
            percent(interval.high)
        );
        if interval.low < 1.0 - GOAL || interval.high > 1.0 + GOAL {
            missed.push(format!("the interval of the shift with {clients} clients within 1%"));
        }
    }
    println!("\n{} rounds. Goal: less than {}% in either direction.", extent.kernels, 100.0 * GOAL);
    Ok(missed)
}
