//! A suite whose true ratios are known, for the self-test of a machine and for tests of the method.
//!
//! A step is a xorshift, as in the reference kernel: six operations, each of which waits for the one before it. So
//! times are proportional to steps on any machine, natively and in wasm. 4 000 steps take about 8 µs at 3 GHz.
//!
//! - `rungs`: `one`, `two`, `four` … `thousand_24` take so many times the steps of `one`; `percent_101` takes one per
//!   cent more than `percent_100`, and `percent_100_again` as many.
//! - `nothing`: `empty_shared`, `empty_value`, `empty_mut` and others do nothing and take 0 ns.
//! - `alternatives`: the outputs of `agree_a` and `agree_b` agree, those of `differ_a` and `differ_b` don't.
//! - `rungs::varies`: the number of steps varies with the input.

mod alternatives;
mod nothing;
mod rungs;
mod walks;

/// That of suites which set no other, in bytes.
#[cfg(not(target_family = "wasm"))]
const MEMORY_BOUND: u64 = 1 << 30;

/// The allocator of suites, which a program that is this suite needs, too: from the memory that inputs hold, the host derives the size of batches.
#[cfg(not(target_family = "wasm"))]
pub use benchbook::__private::BoundedAllocator as SuiteAllocator;

/// Serves the host that has started this program. So a program can be this suite, too.
#[cfg(not(target_family = "wasm"))]
pub fn serve_host() {
    use benchbook::__private::{Identity, native};

    let identity = Identity { name: "ladder", version: env!("CARGO_PKG_VERSION"), crate_name: module_path!() };
    native::run(identity, MEMORY_BOUND, None);
}
