//! Compiles the crate again after the page was built. Unoptimised programs read the folder of the page when they start.

use std::env;

fn main() {
    let is_unoptimised = env::var("PROFILE").is_ok_and(|profile| profile == "debug");
    println!("cargo::rerun-if-changed={}", if is_unoptimised { "build.rs" } else { "files" });
}
