//! Records the compiler and its settings for the build card. They apply to the suite too, since Cargo compiles both in
//! the same run.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let pass = |name: &str, value: &str| println!("cargo::rustc-env=BENCHBOOK_{name}={value}");
    pass("RUSTC", &compiler());
    pass("TARGET", &variable("TARGET"));
    pass("OPT_LEVEL", &variable("OPT_LEVEL"));
    pass("TARGET_FEATURES", &variable("CARGO_CFG_TARGET_FEATURE"));
    let has_aligned_loops = variable("CARGO_ENCODED_RUSTFLAGS").contains("innermost-loop-alignment");
    pass("ALIGNED_LOOPS", if has_aligned_loops { "true" } else { "false" });
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

/// The output of `rustc --version`; empty if it cannot be run.
fn compiler() -> String {
    let output = Command::new(variable("RUSTC")).arg("--version").output();
    output
        .ok()
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .map_or_else(String::new, |text| text.trim().to_owned())
}
