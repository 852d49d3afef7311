//! The build card of the program that links this crate. The build script records it.

use crate::catalog::Build;

/// The compiler, such as `rustc 1.95.0 (59807616e 2026-04-14)`.
pub const RUSTC: &str = env!("BENCHBOOK_RUSTC");

/// The compiler's flag with which `cargo benchbook` aligns innermost loops to cache lines, on x86-64. A loop of a few instructions can take a few
/// cycles more per iteration at one address than at another.
pub const ALIGNED_LOOPS: &str = "-Cllvm-args=-x86-experimental-pref-innermost-loop-alignment=6";

/// Whether this program was compiled without [`ALIGNED_LOOPS`] for a processor that has the flag.
pub fn lacks_aligned_loops() -> bool {
    cfg!(target_arch = "x86_64") && env!("BENCHBOOK_ALIGNED_LOOPS") == "false"
}

/// Returns the build card of the suite that links this crate.
pub fn build_card() -> Build {
    Build {
        rustc: RUSTC.to_owned(),
        target: env!("BENCHBOOK_TARGET").to_owned(),
        opt_level: env!("BENCHBOOK_OPT_LEVEL").to_owned(),
        debug_assertions: cfg!(debug_assertions),
        target_features: env!("BENCHBOOK_TARGET_FEATURES")
            .split(',')
            .filter(|feature| !feature.is_empty())
            .map(str::to_owned)
            .collect(),
        profile: known(env!("BENCHBOOK_PROFILE")),
        lto: known(env!("BENCHBOOK_LTO")),
        target_cpu: known(env!("BENCHBOOK_TARGET_CPU")),
    }
}

/// The build script passes what is unknown as an empty string.
fn known(value: &str) -> Option<String> {
    (!value.is_empty()).then(|| value.to_owned())
}
