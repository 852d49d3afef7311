//! Every type of parameter, with all its options.

use benchbook::prelude::*;

/// How keys are spread.
#[derive(Clone, Copy, Choice)]
enum Spread {
    /// Each as likely as any other.
    Random,
    Sorted,
}

/// The sum of the parameters.
#[measured(generators(everything, least), alternatives = "sum")]
fn sum(numbers: &[f64]) -> f64 {
    numbers.iter().sum()
}

/// A number of each type.
#[generator(name = "Everything")]
fn everything(
    service: &Service,
    /// An u32.
    #[parameter(min = 100, max = 1_000_000, step = 100, scale = "log", default = 1_000..=100_000, unit = "keys")]
    a: u32,
    /// An u64.
    #[parameter(min = 0, max = 9_007_199_254_740_992, default = 0)]
    b: u64,
    /// An i32.
    #[parameter(min = -2_147_483_648, max = 2_147_483_647, default = -1, unit = "K")]
    c: i32,
    /// An i64.
    #[parameter(min = -9_007_199_254_740_992, max = 0, default = -10..=-1, axis = true)]
    d: i64,
    /// An usize.
    #[parameter(min = 1, max = 4_294_967_295, default = 1..=4_294_967_295, scale = "log", unit = "bytes")]
    mut e: usize,
    /// A f32.
    #[parameter(min = -0.5, max = 0.5, default = -0.5..=0.5)]
    f: f32,
    /// A f64.
    #[parameter(min = 1e-9, max = 1e9, default = 1e-9..=1, scale = "log", unit = "%")]
    g: f64,
    /// On a grid of tenths.
    #[parameter(min = 0.1, max = 1, step = 0.1, default = 0.3, scale = "linear", axis = false, unit = "s")]
    #[allow(unused)]
    /// Its doc comment has two parts.
    h: f64,
    /// A text.
    #[parameter(default = "needle")]
    i: String,
    /// A choice.
    #[parameter(default = "Sorted")]
    j: Spread,
    /// Whether it is true.
    #[parameter(default = true)]
    k: bool,
    /// Whether it is false.
    #[parameter(default = false)]
    l: bool,
) -> Shared<Vec<f64>> {
    e += matches!(j, Spread::Random) as usize + i.len() + service.priority() as usize;
    e += k as usize + l as usize;
    Shared::new(move |_| vec![f64::from(a), b as f64, f64::from(c), d as f64, e as f64, f64::from(f), g, h])
}

/// The fewest parameters.
#[generator(name = "Least")]
fn least(_service: &Service) -> Calls<Vec<f64>> {
    Calls::new(|rng| vec![vec![rng.random()]])
}
