//! What the project's commands share with the tests of whole programs: where things are, how a suite is compiled, and
//! what a visitor downloads. The commands themselves are in `main.rs`.

pub mod compile;
pub mod sizes;
pub mod workspace;
