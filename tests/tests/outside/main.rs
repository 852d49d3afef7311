//! Our packages, with which a reader follows the tutorial; README's suite; and crates outside of the workspace. One program: compiling the packages
//! takes minutes, and the other tests run in the meantime. Tests start in the order of their names, so the packages come first.

mod packages;
mod readme;
mod real_crates;
mod tool_bad_input;
mod tutorial;
mod unedited_benches;
