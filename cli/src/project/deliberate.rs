//! Regressions that are accepted in advance: in `benchbook.toml`, or by the commits that cause them.

use std::path::Path;

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::catalog::name_of;
use serde::Deserialize;

use crate::project::commit::git;

/// The trailer of a commit message: `Benchbook-Accept: parse at 1000: it validates its input now`.
const TRAILER: &str = "Benchbook-Accept";

/// A regression that is no failure: `[[accepted]]` in `benchbook.toml`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Deliberate {
    /// The path of the function, or its name.
    pub(crate) function: String,
    /// The axis value; absent for all.
    #[serde(default)]
    pub(crate) at: Option<AxisValue>,
    /// Why it is accepted.
    pub(crate) reason: String,
    /// The last day on which it is accepted, such as `2027-01-31`; absent for ever.
    #[serde(default)]
    pub(crate) until: Option<String>,
}

impl Deliberate {
    /// Those that the messages of commits contain: of the commits since a baseline, or of the last one.
    pub(crate) fn in_commits(folder: &Path, baseline: Option<&str>) -> Vec<Self> {
        let commits = match baseline {
            Some(hash) => vec![format!("{hash}..HEAD")],
            None => vec!["-1".to_owned(), "HEAD".to_owned()],
        };
        let format = format!("--format=%(trailers:key={TRAILER},valueonly,unfold)");
        let arguments: Vec<&str> = ["log", &format].into_iter().chain(commits.iter().map(String::as_str)).collect();
        let messages = git(folder, &arguments).unwrap_or_default();
        messages.lines().filter_map(Self::of_trailer).collect()
    }

    /// The value of a trailer: a function, perhaps `at` an axis value, and a reason; `None` for other texts.
    fn of_trailer(text: &str) -> Option<Self> {
        let (place, reason) = text.trim().split_once(": ")?;
        let (function, at) = match place.split_once(" at ") {
            Some((function, at)) => (function, Some(at.trim())),
            None => (place, None),
        };
        let value = |text: &str| text.parse().map_or_else(|_| AxisValue::Text(text.to_owned()), AxisValue::Number);
        let (function, reason) = (function.trim().to_owned(), reason.trim().to_owned());
        Some(Self { function, at: at.map(value), reason, until: None })
    }

    /// Whether it accepts a regression of a function at an axis value. `today`: such as `2026-12-03`.
    pub(crate) fn accepts(&self, function: &str, x: &AxisValue, today: &str) -> bool {
        let is_of = self.function == function || self.function == name_of(function);
        let is_ended = self.until.as_ref().is_some_and(|until| until.as_str() < today);
        is_of && !is_ended && self.at.as_ref().is_none_or(|at| at == x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trailer_names_a_function_a_value_and_a_reason() {
        let parsed = |text| Deliberate::of_trailer(text).map(|one| (one.function, one.at, one.reason));
        let all = |function: &str, at, reason: &str| Some((function.to_owned(), at, reason.to_owned()));
        assert_eq!(parsed("parse: it validates"), all("parse", None, "it validates"));
        assert_eq!(parsed("a::parse at 1000: more"), all("a::parse", Some(AxisValue::Number(1e3)), "more"));
        let sorted = Some(AxisValue::Text("Sorted".to_owned()));
        assert_eq!(parsed("parse at Sorted: a: b"), all("parse", sorted, "a: b"));
        assert_eq!(parsed("parse"), None);
    }

    #[test]
    fn a_regression_is_accepted_where_and_as_long_as_it_says() {
        let one: Deliberate =
            toml::from_str("function = \"parse\"\nat = 1000\nreason = \"checks\"\nuntil = \"2026-12-31\"").unwrap();
        let accepts = |function, x: f64, today| one.accepts(function, &AxisValue::Number(x), today);
        assert!(accepts("text::parse", 1e3, "2026-12-31"));
        assert!(!accepts("text::parse", 1e3, "2027-01-01") && !accepts("parse", 10.0, "2026-12-03"));
        assert!(!accepts("text::parser", 1e3, "2026-12-03"));
        assert!(toml::from_str::<Deliberate>("function = \"parse\"").is_err(), "it needs a reason");
    }
}
