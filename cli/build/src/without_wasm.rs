//! The advice for a suite that does not compile for wasm.

use std::path::Path;

use crate::failed_build::FailedBuild;

/// States why the wasm build failed, what works without it, and how to get one.
pub(crate) fn advice(package: &str, suite: &str, failed: &FailedBuild, log: &Path) -> String {
    let dependency = failed.package().filter(|culprit| *culprit != package);
    let at = dependency.map_or_else(String::new, |dependency| format!(": its dependency `{dependency}` fails"));
    let remedy = match dependency {
        Some(dependency) => format!(
            "mark the functions that need `{dependency}` as native, as in `#[measured(native, generators(…))]`,\n  \
             put `#[cfg(not(target_family = \"wasm\"))]` on their `use` lines, and move the dependency in Cargo.toml under\n  \
             [target.'cfg(not(target_family = \"wasm\"))'.dependencies]"
        ),
        None => "mark the functions that need the operating system as native, as in `#[measured(native, generators(…))]`,\n  \
             and put `#[cfg(not(target_family = \"wasm\"))]` on the code that they use"
            .to_owned(),
    };
    format!(
        "`{suite}` does not compile for wasm{at}.\n  \
         {failed}\n  \
         The build continues for the native target: a runner can measure the suite, but the page cannot show it.\n  \
         To show it, {remedy}.\n  \
         Cargo's complete output is in {}",
        log.display()
    )
}
