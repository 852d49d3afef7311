//! A suite whose functions use a known amount of memory.
//!
//! The executable `system-allocator` has the same functions, but allocates from the system's allocator directly, so it counts
//! nothing and has no bound. `cargo xtask bench allocator` compares the two.

mod functions;

benchbook::suite!("allocating");
