//! Types that are neither parameters nor workloads.

use benchbook::prelude::*;

enum Spread {
    Random,
}

/// A parameter's type is no choice.
#[generator(name = "Keys")]
fn without_a_choice(
    _service: &Service,
    /// How they are spread.
    #[parameter(default = "Random")]
    _spread: Spread, //~ `unfit_types::Spread` cannot be a parameter
    //~^ use u32, u64, i32, i64, usize, f32, f64, bool, String, or an enum with #[derive(Choice)]
) -> Fresh<u64> {
    Fresh::new(|rng| rng.random())
}

/// The result is no workload.
#[generator(name = "Keys")] //~ a generator cannot return `Vec<u64>`
fn without_a_workload(_service: &Service) -> Vec<u64> { //~ a generator cannot return `Vec<u64>`
    //~^ return `Fresh<I>`, `Owned<I>`, `Shared<I>`, `Calls<I>` or `Contended<I>`, where `I` is the input of one call
    //~^^ `Fresh` makes an input for each call, `Owned` passes it by value, `Shared` reuses a few, `Calls` holds several prepared calls, threads share that of `Contended`
    Vec::new()
}
