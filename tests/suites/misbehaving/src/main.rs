//! A suite whose functions and generators succeed for sizes up to 5 and fail from [`BAD`] on.

mod functions;
mod generators;
mod hostile;
mod processes;

/// The size from which on functions and generators fail.
const BAD: u32 = 10;

benchbook::suite!("misbehaving", memory_bound = 64 << 20);
