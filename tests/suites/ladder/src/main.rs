//! A suite whose right figures are known beside each other, for tests of the method.
//!
//! A step is a xorshift, as in the reference kernel: six operations, each of which waits for the one before it. So time
//! is in proportion to steps, on any machine and either face. 4 000 of them take some 8 µs at 3 GHz.
//!
//! - [`rungs`]: `one`, `two`, `four` … `thousand_24` take so many times the steps of `one`, and `percent_101` one per
//!   cent more than `percent_100`, which `percent_100_again` equals.
//! - [`nothing`]: `empty_shared`, `empty_value`, `empty_mut` and more do nothing, at 0 ns.
//! - [`alternatives`]: `agree_a` and `agree_b` put out the same, `differ_a` and `differ_b` do not.
//! - `rungs::varies` takes a number of steps that lies in its input.

mod alternatives;
mod nothing;
mod rungs;
mod walks;

benchbook::suite!("ladder");
