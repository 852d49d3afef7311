//! The tests of this crate from outside. They are one program, since each program is linked by itself.

mod analysis;
mod messages;
mod simulated;
