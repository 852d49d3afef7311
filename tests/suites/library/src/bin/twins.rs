//! Two functions with the same path: functions in a block get the path of its module.

use benchbook::prelude::*;

const _: () = {
    /// Returns the number.
    #[measured(generators(numbers))]
    fn same(number: u32) -> u32 {
        number
    }
};

const _: () = {
    /// Returns the number plus one.
    #[measured(generators(numbers))]
    fn same(number: u32) -> u32 {
        number + 1
    }
};

/// One number.
#[generator(name = "Numbers")]
fn numbers(
    _service: &Service,
    /// The number.
    #[parameter(min = 0, max = 20, default = 0..=20)]
    size: u32,
) -> Fresh<u32> {
    Fresh::new(move |_| size)
}

benchbook::suite!("twins");
