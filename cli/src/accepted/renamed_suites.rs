//! Suites that got another name because a second package has a target of the same name.

use benchbook_build::suite_target::{SuiteHarness, SuiteTarget};
use benchbook_host::history::AcceptedResult;

/// A warning for each suite whose accepted results have its earlier name: otherwise they would silently be missing.
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

#[cfg(test)]
mod tests {
    use benchbook_build::suite_target::SuiteTargetKind;

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
}
