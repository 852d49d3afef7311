//! A suite whose functions use a known amount of memory. `../system-allocator` has the same functions.

mod functions;

benchbook::suite!("allocating");
