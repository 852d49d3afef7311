//! A suite for benchmarks of the page: it times each call, which yields thousands of samples per second.

use std::hint::black_box;

use benchbook::prelude::*;

/// Takes steps of about a nanosecond each.
#[measured(generators(walks))]
fn walk(steps: &mut u32) -> u32 {
    (0..*steps).fold(1, |product, step| product ^ black_box(step))
}

/// Walks from a quarter to four times the length, so that the samples fill a band of the plot.
#[generator(name = "Walks")]
fn walks(
    _service: &Service,
    /// Number of steps.
    #[parameter(min = 1_000, max = 1_000_000, scale = "log", default = 50_000..=200_000, unit = "steps")]
    length: u32,
) -> Fresh<u32> {
    let steps = move |rng: &mut Rng| f64::from(length) * 2_f64.powf(rng.random_range(-2.0..2.0));
    Fresh::new(move |rng| steps(rng) as u32).one_call_per_batch()
}

benchbook::suite!("plenty");
