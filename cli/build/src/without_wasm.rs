//! The advice for a suite that browsers cannot measure completely: it does not compile for wasm, or its module is rejected or partial.

use std::path::Path;

use anyhow::Error;

use crate::dependents;
use crate::failed_build::FailedBuild;
use crate::suite_target::{SuiteHarness, SuiteTarget};
use crate::wasm::ForeignImports;

/// The crate that imports the functions of browsers.
const WASM_BINDGEN: &str = "wasm-bindgen";

/// Says why the wasm build failed, what works without it, and how to get one.
pub(crate) fn advice(suite: &SuiteTarget, failed: &FailedBuild, log: &Path) -> String {
    let dependency = failed.package().filter(|culprit| *culprit != suite.package);
    let table = if suite.kind.has_dev_dependencies() { "dev-dependencies" } else { "dependencies" };
    let at = dependency.map_or_else(String::new, |dependency| format!(": its dependency `{dependency}` fails"));
    let fix = match (suite.harness, dependency) {
        (SuiteHarness::Other, Some(dependency)) => format!(
            "move the benchmarks that need `{dependency}` to a separate target, and list the dependency in Cargo.toml under\n  \
             [target.'cfg(not(target_family = \"wasm\"))'.{table}]"
        ),
        (SuiteHarness::Other, None) => {
            "move the benchmarks that need the operating system to a separate target".to_owned()
        }
        (SuiteHarness::Benchbook, Some(dependency)) => format!(
            "mark the functions that need `{dependency}` as native, as in `#[measured(native, generators(…))]`,\n  \
             put `#[cfg(not(target_family = \"wasm\"))]` on their `use` lines, and move the dependency in Cargo.toml under\n  \
             [target.'cfg(not(target_family = \"wasm\"))'.{table}]"
        ),
        (SuiteHarness::Benchbook, None) => "mark the functions that need the operating system as native, as in `#[measured(native, generators(…))]`,\n  \
             and put `#[cfg(not(target_family = \"wasm\"))]` on the code that they use"
            .to_owned(),
    };
    format!(
        "`{suite}` does not compile for wasm{at}.\n  \
         {failed}\n  \
         The build continues for the native target: a runner can measure the suite, but browsers cannot.\n  \
         To measure it in browsers, {fix}.\n  \
         Cargo's complete output is in {}",
        log.display()
    )
}

/// Says what the module of a suite leaves out.
pub(crate) fn partial(suite: &SuiteTarget, left_out: &str) -> String {
    format!("browsers cannot measure all of `{suite}`\n{left_out}\nA runner measures all of it.")
}

/// Says why the module of a suite is not used, although it compiles. `root` is the folder of the workspace.
pub(crate) fn rejection(root: &Path, suite: &SuiteTarget, reason: &Error) -> String {
    let is_foreign = reason.downcast_ref::<ForeignImports>().is_some_and(ForeignImports::has_wasm_bindgen);
    let path = is_foreign.then(|| dependents::path_to(root, suite, WASM_BINDGEN).ok()).flatten();
    let culprit = path.as_deref().and_then(culprit).unwrap_or_default();
    let fix = match (suite.harness, reason.downcast_ref::<ForeignImports>()) {
        (_, None) => "",
        (SuiteHarness::Benchbook, Some(_)) => {
            ", or mark the functions that need it as native, as in `#[measured(native, generators(…))]`"
        }
        (SuiteHarness::Other, Some(_)) => ", or move the benchmarks that need it to a separate target",
    };
    format!(
        "browsers cannot measure `{suite}`{culprit}\n{reason:#}{fix}\nThe native build works: a runner measures the suite."
    )
}

/// Says which direct dependency of a suite requires wasm-bindgen; `path` begins with wasm-bindgen and ends with the suite.
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
        let advice = |kind, harness| {
            let suite =
                SuiteTarget { package: "mine".to_owned(), kind, name: "mine".to_owned(), harness, is_qualified: false };
            advice(&suite, &failed, Path::new("mine.log"))
        };
        let bench = advice(SuiteTargetKind::Bench, SuiteHarness::Benchbook);
        assert!(
            bench.contains("its dependency `openssl-sys` fails") && bench.contains("'.dev-dependencies]"),
            "{bench}"
        );
        let bin = advice(SuiteTargetKind::Bin, SuiteHarness::Benchbook);
        assert!(bin.contains("'.dependencies]"), "{bin}");
        // Benches of another harness have no attribute for it.
        let other = advice(SuiteTargetKind::Bench, SuiteHarness::Other);
        assert!(
            other.contains("need `openssl-sys` to a separate target") && other.contains("'.dev-dependencies]"),
            "{other}"
        );
        assert!(!other.contains("#[measured"), "{other}");
    }

    #[test]
    fn the_fix_for_a_rejected_module_depends_on_the_harness() {
        let rejection = |harness| {
            let (package, name) = ("mine".to_owned(), "mine".to_owned());
            let suite = SuiteTarget { package, kind: SuiteTargetKind::Bench, name, harness, is_qualified: false };
            rejection(Path::new(""), &suite, &ForeignImports(vec!["  env log".to_owned()]).into())
        };
        assert!(
            rejection(SuiteHarness::Benchbook)
                .contains("Disable that feature, or mark the functions that need it as native")
        );
        assert!(
            rejection(SuiteHarness::Other)
                .contains("Disable that feature, or move the benchmarks that need it to a separate target")
        );
    }
}
