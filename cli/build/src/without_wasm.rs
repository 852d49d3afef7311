//! The advice for a suite that browsers cannot measure: it does not compile for wasm, or its module is rejected.

use std::path::Path;

use anyhow::Error;

use crate::dependents;
use crate::failed_build::FailedBuild;
use crate::suite_target::SuiteTarget;
use crate::wasm::ForeignImports;

/// The crate that imports the functions of browsers.
const WASM_BINDGEN: &str = "wasm-bindgen";

/// States why the wasm build failed, what works without it, and how to get one.
pub(crate) fn advice(suite: &SuiteTarget, failed: &FailedBuild, log: &Path) -> String {
    let dependency = failed.package().filter(|culprit| *culprit != suite.package);
    let table = if suite.kind.has_dev_dependencies() { "dev-dependencies" } else { "dependencies" };
    let at = dependency.map_or_else(String::new, |dependency| format!(": its dependency `{dependency}` fails"));
    let remedy = match dependency {
        Some(dependency) => format!(
            "mark the functions that need `{dependency}` as native, as in `#[measured(native, generators(…))]`,\n  \
             put `#[cfg(not(target_family = \"wasm\"))]` on their `use` lines, and move the dependency in Cargo.toml under\n  \
             [target.'cfg(not(target_family = \"wasm\"))'.{table}]"
        ),
        None => "mark the functions that need the operating system as native, as in `#[measured(native, generators(…))]`,\n  \
             and put `#[cfg(not(target_family = \"wasm\"))]` on the code that they use"
            .to_owned(),
    };
    format!(
        "`{}` does not compile for wasm{at}.\n  \
         {failed}\n  \
         The build continues for the native target: a runner can measure the suite, but browsers cannot.\n  \
         To measure it in browsers, {remedy}.\n  \
         Cargo's complete output is in {}",
        suite.name,
        log.display()
    )
}

/// States why the module of a suite is not used, although it compiles. `root` is the folder of the workspace.
pub(crate) fn rejection(root: &Path, suite: &SuiteTarget, reason: &Error) -> String {
    let name = &suite.name;
    let is_foreign = reason.downcast_ref::<ForeignImports>().is_some_and(ForeignImports::has_wasm_bindgen);
    let path = is_foreign.then(|| dependents::path_to(root, suite, WASM_BINDGEN).ok()).flatten();
    let culprit = path.as_deref().and_then(culprit).unwrap_or_default();
    format!(
        "browsers cannot measure `{name}`{culprit}\n{reason:#}\nThe native build is not affected: a runner measures the suite."
    )
}

/// States which direct dependency of a suite requires wasm-bindgen; `path` begins with wasm-bindgen and ends with the suite.
fn culprit(path: &[String]) -> Option<String> {
    let [.., dependency, _] = path else { return None };
    let chain = path.iter().rev().map(String::as_str).collect::<Vec<_>>().join(" → ");
    Some(format!(": its dependency `{dependency}` requires `{WASM_BINDGEN}` ({chain})"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite_target::SuiteTargetKind;

    #[test]
    fn the_culprit_is_the_direct_dependency_of_the_suite() {
        let path = ["wasm-bindgen", "js-sys", "chrono", "my-suite"].map(str::to_owned);
        assert_eq!(
            culprit(&path).unwrap(),
            ": its dependency `chrono` requires `wasm-bindgen` (my-suite → chrono → js-sys → wasm-bindgen)"
        );
        assert_eq!(culprit(&path[..1]), None);
    }

    #[test]
    fn the_advice_names_the_table_of_the_dependency() {
        let failed =
            FailedBuild::new("error: could not compile `openssl-sys` (lib) due to 1 previous error".to_owned());
        let advice = |kind| {
            let suite = SuiteTarget { package: "mine".to_owned(), kind, name: "mine".to_owned() };
            advice(&suite, &failed, Path::new("mine.log"))
        };
        let bench = advice(SuiteTargetKind::Bench);
        assert!(
            bench.contains("its dependency `openssl-sys` fails") && bench.contains("'.dev-dependencies]"),
            "{bench}"
        );
        let bin = advice(SuiteTargetKind::Bin);
        assert!(bin.contains("'.dependencies]"), "{bin}");
    }
}
