//! Generators and hooks that fail, and the function that consumes their inputs.

use benchbook::prelude::*;

use crate::BAD;

/// The size itself.
#[generator(name = "Sizes")]
pub(crate) fn sizes(
    _service: &Service,
    /// Severity.
    #[parameter(min = 0, max = 20, default = 0..=20)]
    size: u32,
) -> Fresh<u32> {
    Fresh::new(move |_| size)
}

/// Consumes an input.
#[measured(generators(panics_at_once, panics_later, panics_after_a_call, panics_after_all, prepares_nothing))]
fn takes(size: u32) -> u32 {
    size
}

/// Panics when the workload is created.
#[generator(name = "Panics at once")]
fn panics_at_once(
    _service: &Service,
    /// Severity.
    #[parameter(min = 0, max = 20, default = 0..=20)]
    size: u32,
) -> Fresh<u32> {
    assert!(size < BAD, "no workload of size {size}");
    Fresh::new(move |_| size)
}

/// Panics when an input is created.
#[generator(name = "Panics later")]
fn panics_later(
    _service: &Service,
    /// Severity.
    #[parameter(min = 0, max = 20, default = 0..=20)]
    size: u32,
) -> Fresh<u32> {
    Fresh::new(move |_| {
        assert!(size < BAD, "no input of size {size}");
        size
    })
}

/// Panics in the hook after a call.
#[generator(name = "Panics after a call")]
fn panics_after_a_call(
    _service: &Service,
    /// Severity.
    #[parameter(min = 0, max = 20, default = 0..=20)]
    size: u32,
) -> Fresh<u32> {
    Fresh::new(move |_| size).after_call(|size| assert!(*size < BAD, "no call of size {size}"))
}

/// Panics in the hook after all calls.
#[generator(name = "Panics after all")]
fn panics_after_all(
    _service: &Service,
    /// Severity.
    #[parameter(min = 0, max = 20, default = 0..=20)]
    size: u32,
) -> Fresh<u32> {
    Fresh::new(move |_| size).after_all(move || assert!(size < BAD, "no end of size {size}"))
}

/// Prepares no calls.
#[generator(name = "Prepares nothing")]
fn prepares_nothing(
    _service: &Service,
    /// Severity.
    #[parameter(min = 0, max = 20, default = 0..=20)]
    size: u32,
) -> Calls<u32> {
    Calls::new(move |_| if size >= BAD { Vec::new() } else { vec![size] })
}
