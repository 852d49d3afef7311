//! Records the compiler and its settings for the build card. They apply to the suite too, since Cargo compiles both in
//! the same run.

#[path = "src/cargo_environment.rs"]
mod cargo_environment;

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/cargo_environment.rs");
    let pass = |name: &str, value: &str| println!("cargo::rustc-env=BENCHBOOK_{name}={value}");
    pass("RUSTC", &compiler());
    pass("TARGET", &variable("TARGET"));
    pass("OPT_LEVEL", &variable("OPT_LEVEL"));
    pass("TARGET_FEATURES", &variable("CARGO_CFG_TARGET_FEATURE"));
    let flags = variable("CARGO_ENCODED_RUSTFLAGS");
    let has_aligned_loops = flags.contains("innermost-loop-alignment");
    pass("ALIGNED_LOOPS", if has_aligned_loops { "true" } else { "false" });
    pass("TARGET_CPU", cargo_environment::target_cpu(&flags).unwrap_or_default());
    // `cargo benchbook` passes what a build script cannot find out: the setting for link-time optimisation, and which of two profiles with
    // the same folder it is.
    for name in ["PROFILE", "LTO"] {
        println!("cargo::rerun-if-env-changed=BENCHBOOK_{name}");
    }
    let out_dir = variable("OUT_DIR");
    let of_folder = cargo_environment::profile_of(Path::new(&out_dir)).unwrap_or_default();
    pass("PROFILE", &env::var("BENCHBOOK_PROFILE").unwrap_or_else(|_| of_folder.to_owned()));
    pass("LTO", &variable("BENCHBOOK_LTO"));
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
