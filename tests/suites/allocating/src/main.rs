//! A suite whose functions use a known amount of memory.

mod functions;

benchbook::suite!("allocating");
