//! A suite whose parts fail: each behaves well up to a size of 5, and badly from [`BAD`] on.

mod functions;
mod generators;
mod processes;

/// The size from which on a part misbehaves.
const BAD: u32 = 10;

benchbook::suite!("misbehaving", memory_bound = 64 << 20);
