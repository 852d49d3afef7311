//! Our packages, with which a reader follows the tutorial; README's suite; and crates outside of the workspace. No browser. One program: compiling the packages takes
//! minutes, and tests that wait for a tool or a change of a file run in the meantime. Tests start in the order of their names, so the packages come first.

mod packages;
mod readme;
mod tool_bad_input;
mod tutorial;
mod unedited_benches;
