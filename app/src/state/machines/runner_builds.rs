//! The builds of a suite that a runner can measure together, and the links that compare two of them.

use benchbook_host::alternative::{Alternative, build_id};
use benchbook_host::history::{AcceptedResult, Benchmark, CheckedMetric};
use benchbook_notebook::setup::CellSetup;
use benchbook_report::build_names::short_builds;
use benchbook_report::history::build_label;

use crate::address::{Address, arguments_as_text};

/// The builds of a suite that a runner can measure together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RunnerBuilds {
    /// The identifiers of all builds: the current one, then the earlier ones, latest first.
    all: Vec<String>,
}

/// Whether two accepted results can be measured again, with the builds that they were measured with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BuildOffer {
    /// The fragment of a link to a measurement of both builds, and the builds in words.
    Compared(String, String),
    /// A sentence with the reason why not.
    Unavailable(String),
}

impl RunnerBuilds {
    pub(crate) fn new(current_fingerprint: &str, earlier: &[String]) -> Self {
        let current = build_id(current_fingerprint).to_owned();
        let others = earlier.iter().filter(|build| **build != current).cloned().collect::<Vec<_>>();
        Self { all: [vec![current], others].concat() }
    }

    /// Whether there are two.
    pub(crate) fn has_pair(&self) -> bool {
        self.all.len() > 1
    }

    /// The identifiers, the current build first.
    pub(crate) fn ids(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(String::as_str)
    }

    /// The first digits of the builds, in the same order.
    fn short(&self) -> Vec<&str> {
        short_builds(&self.ids().collect::<Vec<_>>())
    }

    /// The builds in words, in the same order: `a41f (current)`.
    pub(crate) fn labels(&self) -> impl Iterator<Item = String> {
        let short = self.short().into_iter();
        short.enumerate().map(|(index, build)| if index == 0 { format!("{build} (current)") } else { build.to_owned() })
    }

    /// The text of a function in one of the builds, as requests and links name it. That of the current build follows later builds.
    pub(crate) fn function(&self, path: &str, build: &str) -> String {
        let path = Alternative::parse(path).path;
        if self.all.first().is_some_and(|current| current == build) {
            path.to_owned()
        } else {
            Alternative::in_build(path, build)
        }
    }

    /// The position of the build of an accepted result.
    fn position(&self, accepted: &AcceptedResult) -> Option<usize> {
        let build = build_id(&accepted.result.build.fingerprint);
        self.all.iter().position(|known| known == build)
    }

    /// The comparison of an accepted result's build with the current one; `None` for the current one.
    pub(crate) fn offer_with_current(&self, accepted: &AcceptedResult) -> Option<BuildOffer> {
        let build = match self.position(accepted) {
            Some(0) => return None,
            Some(position) => self.compared(&accepted.result.benchmark, [0, position]),
            None => BuildOffer::Unavailable("not kept".to_owned()),
        };
        Some(build)
    }

    /// The comparison of the builds on both sides of a step.
    pub(crate) fn offer(&self, before: &AcceptedResult, after: &AcceptedResult) -> BuildOffer {
        let name = |accepted: &AcceptedResult| build_label(&accepted.result.build);
        let lost = match (self.position(before), self.position(after)) {
            (Some(before), Some(after)) if before == after => {
                return BuildOffer::Unavailable("Both results have the same build.".to_owned());
            }
            (Some(before), Some(position)) => return self.compared(&after.result.benchmark, [position, before]),
            (None, Some(_)) => format!("build {}", name(before)),
            (Some(_), None) => format!("build {}", name(after)),
            (None, None) => format!("builds {} and {}", name(before), name(after)),
        };
        BuildOffer::Unavailable(format!(
            "The runner no longer keeps {lost}, so the measurements of the builds cannot be interleaved."
        ))
    }

    fn compared(&self, benchmark: &Benchmark, positions: [usize; 2]) -> BuildOffer {
        if benchmark.metric != CheckedMetric::Time {
            return BuildOffer::Unavailable("Only measurements of times are interleaved.".to_owned());
        }
        let [first, second] = positions.map(|position| self.function(&benchmark.function, &self.all[position]));
        let setup = CellSetup {
            suite: benchmark.suite.clone(),
            functions: vec![first, second],
            generator: Some(benchmark.generator.clone()),
            arguments: arguments_as_text(&benchmark.arguments),
            ..CellSetup::default()
        };
        let short = self.short();
        let [first, second] = positions.map(|position| short[position]);
        BuildOffer::Compared(Address::of_setup(setup).link(), format!("build {first} against {second}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::tests::function_history;

    fn accepted(fingerprint: &str, metric: CheckedMetric) -> AcceptedResult {
        let mut accepted = function_history::accepted(1, metric);
        accepted.result.build.fingerprint = fingerprint.to_owned();
        accepted
    }

    fn time(fingerprint: &str) -> AcceptedResult {
        accepted(fingerprint, CheckedMetric::Time)
    }

    /// The runner has the builds `a41f…`, `77c0…` and `0123…`.
    fn builds() -> RunnerBuilds {
        let earlier = ["77c0a41f0b12", "0123456789ab", "a41f00000000"].map(str::to_owned);
        RunnerBuilds::new("a41f00000000ffffffff", &earlier)
    }

    fn unavailable(reason: &str) -> BuildOffer {
        BuildOffer::Unavailable(reason.to_owned())
    }

    #[test]
    fn a_step_between_retained_builds_has_a_link() {
        let offer = |before: &str, after: &str| builds().offer(&time(before), &time(after));
        let link = "suite=demo&function=sort@77c0a41f0b12&generator=keys&with=sort@0123456789ab&arg.size=10..1000";
        let expected = BuildOffer::Compared(link.to_owned(), "build 77c0 against 0123".to_owned());
        assert_eq!(offer("0123456789abcdef", "77c0a41f0b12cdef"), expected);
        let BuildOffer::Compared(link, builds) = offer("77c0a41f0b12cdef", "a41f00000000ffff") else {
            panic!("both are there")
        };
        assert!(link.contains("function=sort&") && link.contains("with=sort@77c0a41f0b12"), "{link}");
        assert_eq!(builds, "build a41f against 77c0");
    }

    #[test]
    fn builds_that_are_not_retained_are_stated() {
        let offer = |before: &str, after: &str| builds().offer(&time(before), &time(after));
        let lost = |builds: &str| {
            unavailable(&format!(
                "The runner no longer keeps {builds}, so the measurements of the builds cannot be interleaved."
            ))
        };
        assert_eq!(offer("beef", "77c0a41f0b12"), lost("build beef"));
        assert_eq!(offer("77c0a41f0b12", "beef"), lost("build beef"));
        assert_eq!(offer("cafe", "beef"), lost("builds cafe and beef"));
        assert_eq!(offer("77c0a41f0b12", "77c0a41f0b12"), unavailable("Both results have the same build."));
        let first_call = |fingerprint| accepted(fingerprint, CheckedMetric::FirstCall);
        let offer = builds().offer(&first_call("77c0a41f0b12"), &first_call("a41f00000000"));
        assert_eq!(offer, unavailable("Only measurements of times are interleaved."));
    }

    #[test]
    fn a_result_is_compared_with_the_current_build() {
        assert_eq!(builds().offer_with_current(&time("a41f00000000ffff")), None);
        assert_eq!(builds().offer_with_current(&time("beef")), Some(unavailable("not kept")));
        let Some(BuildOffer::Compared(_, builds)) = builds().offer_with_current(&time("0123456789ab")) else {
            panic!("it is kept")
        };
        assert_eq!(builds, "build a41f against 0123");
    }
}
