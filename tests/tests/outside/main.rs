//! Our packages, with which a reader follows the tutorial; README's suite; and crates outside of the workspace. No browser. One program: compiling the packages takes
//! over five minutes, and tests that wait for a tool or a change of a file run in the meantime.

mod criterion_crates;
mod packages;
mod readme;
mod tool_bad_input;
mod tutorial;
