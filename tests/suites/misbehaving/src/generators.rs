//! Generators and hooks that misbehave, and the function that takes what they prepare.

use benchbook::prelude::*;

use crate::BAD;

/// The size itself.
#[generator(name = "Sizes")]
pub(crate) fn sizes(
    _service: &Service,
    /// How badly.
    #[parameter(min = 0, max = 20, default = 0..=20)]
    size: u32,
) -> Fresh<u32> {
    Fresh::new(move |_| size)
}

/// Takes whatever was prepared.
#[measured(generators(panics_at_once, panics_later, panics_after_a_call, panics_after_all, prepares_nothing))]
fn takes(size: u32) -> u32 {
    size
}

/// Panics when it is called.
#[generator(name = "Panics at once")]
fn panics_at_once(
    _service: &Service,
    /// How badly.
    #[parameter(min = 0, max = 20, default = 0..=20)]
    size: u32,
) -> Fresh<u32> {
    assert!(size < BAD, "no workload of size {size}");
    Fresh::new(move |_| size)
}

/// Panics when it makes an input.
#[generator(name = "Panics later")]
fn panics_later(
    _service: &Service,
    /// How badly.
    #[parameter(min = 0, max = 20, default = 0..=20)]
    size: u32,
) -> Fresh<u32> {
    Fresh::new(move |_| {
        assert!(size < BAD, "no input of size {size}");
        size
    })
}

/// Its hook for calls panics.
#[generator(name = "Panics after a call")]
fn panics_after_a_call(
    _service: &Service,
    /// How badly.
    #[parameter(min = 0, max = 20, default = 0..=20)]
    size: u32,
) -> Fresh<u32> {
    Fresh::new(move |_| size).after_call(|size| assert!(*size < BAD, "no call of size {size}"))
}

/// Its last hook panics.
#[generator(name = "Panics after all")]
fn panics_after_all(
    _service: &Service,
    /// How badly.
    #[parameter(min = 0, max = 20, default = 0..=20)]
    size: u32,
) -> Fresh<u32> {
    Fresh::new(move |_| size).after_all(move || assert!(size < BAD, "no end of size {size}"))
}

/// Prepares no call.
#[generator(name = "Prepares nothing")]
fn prepares_nothing(
    _service: &Service,
    /// How badly.
    #[parameter(min = 0, max = 20, default = 0..=20)]
    size: u32,
) -> Calls<u32> {
    Calls::new(move |_| if size >= BAD { Vec::new() } else { vec![size] })
}
