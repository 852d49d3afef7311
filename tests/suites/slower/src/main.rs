//! `run` calls `ok` 15 times, and `bridge`. `bridge` calls `foo`, which takes long, and `Failure::run`, which asks a buffer for its size. With the feature `slow`, the
//! buffer counts its items.

#[cfg_attr(feature = "slow", path = "slow_buf.rs")]
mod buf;

use std::hint::black_box;

use benchbook::prelude::*;
use buf::Buf;

struct Failure<'b> {
    buf: &'b Buf,
}

impl Failure<'_> {
    #[inline(never)]
    fn run(&self) -> u64 {
        self.buf.size() as u64 + 1
    }
}

#[inline(never)]
fn ok(buf: &Buf) -> u64 {
    black_box(buf).items.len() as u64
}

#[inline(never)]
fn foo(work: u64) -> u64 {
    (0..work).fold(1, |mixed, number| black_box(mixed ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

#[inline(never)]
fn bridge(buf: &Buf, work: u64) -> u64 {
    let mixed = foo(work);
    mixed ^ Failure { buf }.run()
}

/// Became slower.
#[measured(generators(buffers))]
fn run((buf, work): &(Buf, u64)) -> u64 {
    (0..15).fold(0, |all, number| all ^ (ok(buf) + number)) ^ bridge(buf, *work)
}

/// A buffer.
#[generator(name = "Buffers")]
fn buffers(
    _service: &Service,
    /// Number of items.
    #[parameter(min = 1, max = 100_000_000, scale = "log", default = 1_000..=1_000_000)]
    size: usize,
    /// Number of iterations of `foo`.
    #[parameter(min = 1, max = 100_000_000, scale = "log", default = 1_000)]
    work: u64,
) -> Shared<(Buf, u64)> {
    Shared::new(move |_| (Buf::new(vec![1; size]), work)).one()
}

benchbook::suite!("slower");
