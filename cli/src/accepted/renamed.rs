//! Accepted results of suites and functions that have other names now, or are gone.

use std::collections::BTreeSet;

use benchbook_build::suite_target::{SuiteHarness, SuiteTarget};
use benchbook_contract::catalog::Suite;
use benchbook_host::history::AcceptedResult;

/// A warning for each suite that got another name because a second package has a target of the same name, and whose accepted results have its earlier name: otherwise they would silently be missing.
pub(crate) fn warnings<'r>(suites: impl Iterator<Item = &'r SuiteTarget>, accepted: &[&AcceptedResult]) -> Vec<String> {
    let has_results = |name: &str| accepted.iter().any(|one| one.result.benchmark.suite == name);
    let warning = |suite: &SuiteTarget| {
        // A name in `suite!` stays.
        let is_renamed = suite.is_qualified && suite.harness == SuiteHarness::Other;
        let earlier = suite.crate_name();
        let now = format!("{}/{earlier}", suite.package);
        (is_renamed && has_results(&earlier) && !has_results(&now)).then(|| {
            format!(
                "the accepted results of the suite `{earlier}` aren't compared: the suite is now called `{now}`, because another package also has a \
                 target `{}`. Rename one of the targets to continue the history, or accept the next results",
                suite.name
            )
        })
    };
    suites.filter_map(warning).collect()
}

/// The functions of which there are accepted results of these suites, but which these no longer have: their paths.
pub(crate) fn removed_functions<'s>(
    suites: impl Iterator<Item = &'s Suite>,
    accepted: &[&AcceptedResult],
) -> Vec<String> {
    let mut removed = BTreeSet::new();
    for suite in suites {
        let benchmarks = accepted.iter().map(|one| &one.result.benchmark);
        let of_suite = benchmarks.filter(|benchmark| benchmark.suite == suite.name && benchmark.harness.is_none());
        let gone = of_suite.filter(|benchmark| suite.function(&benchmark.function).is_none());
        removed.extend(gone.map(|benchmark| benchmark.function.clone()));
    }
    removed.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use benchbook_build::suite_target::SuiteTargetKind;
    use benchbook_contract::catalog::Build;

    use super::*;
    use crate::accepted::fixtures::{accepted, sized_result};

    fn suite(is_qualified: bool) -> SuiteTarget {
        let (package, name) = ("encode".to_owned(), "all-sizes".to_owned());
        SuiteTarget { package, kind: SuiteTargetKind::Bench, name, harness: SuiteHarness::Other, is_qualified }
    }

    /// Results of suites with these names.
    fn results(suites: &[&str]) -> Vec<AcceptedResult> {
        let result = |suite: &&str| {
            let mut result = sized_result("encode", 100.0, 200.0);
            result.benchmark.suite = (*suite).to_owned();
            accepted(result)
        };
        suites.iter().map(result).collect()
    }

    #[test]
    fn results_under_the_earlier_name_are_named() {
        let of = |suite: SuiteTarget, names: &[&str]| {
            warnings([&suite].into_iter(), &results(names).iter().collect::<Vec<_>>())
        };
        let [warning] = &of(suite(true), &["all_sizes"])[..] else { panic!("one warning") };
        assert!(warning.starts_with(
            "the accepted results of the suite `all_sizes` aren't compared: the suite is now called `encode/all_sizes`"
        ));
        assert!(warning.contains("because another package also has a target `all-sizes`. Rename one"));
        assert_eq!(of(suite(false), &["all_sizes"]), [""; 0]);
        let with_own_name = SuiteTarget { harness: SuiteHarness::Benchbook, ..suite(true) };
        assert_eq!(of(with_own_name, &["all_sizes"]), [""; 0]);
        assert_eq!(of(suite(true), &["all_sizes", "encode/all_sizes"]), [""; 0]);
        assert_eq!(of(suite(true), &["sorting"]), [""; 0]);
    }

    #[test]
    fn functions_that_are_gone_are_named() {
        let suite = Suite {
            name: "encode".to_owned(),
            version: String::new(),
            build: Build::default(),
            functions: Vec::new(),
            generators: Vec::new(),
            notes: Vec::new(),
        };
        let of = |names: &[&str]| {
            let accepted = results(names);
            removed_functions([&suite].into_iter(), &accepted.iter().collect::<Vec<_>>())
        };
        assert_eq!(of(&["encode", "encode", "other"]), ["encode"], "each once");
        assert_eq!(of(&["other"]), [""; 0]);
    }
}
