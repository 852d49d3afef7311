//! How a cell is measured, apart from its arguments.

use benchbook_host::quality::Priority;
use benchbook_host::request::{Problem, Request};
use serde::{Deserialize, Serialize};

use crate::view::known;

/// The options of a measurement. Precision and time are as typed; an empty string stands for the value of the last priority.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MeasuringOptions {
    /// The half-width of the mean's 95% interval at which a point is complete, in percent of the mean. Applies to the last priority.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub precision: String,
    /// The time per point, in seconds. Applies to the last priority.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub time: String,
    /// Whether to also measure first calls. Applies to all priorities.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub first_calls: bool,
    /// The machines that measure. An unknown one, such as that of a newer version, is ignored.
    #[serde(default, deserialize_with = "known", skip_serializing_if = "RunOn::is_default")]
    pub run_on: RunOn,
}

/// The machines that measure all priorities, if a runner is connected. The browser always measures the first, quick curve of
/// functions that it can run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunOn {
    /// The runner.
    #[default]
    #[serde(rename = "")]
    Runner,
    /// The browser.
    Browser,
    /// The runner, then the browser.
    Both,
}

/// The engine's upper bounds, in percent and in seconds.
const MAX_PERCENT: f64 = 100.0;
const MAX_SECONDS: f64 = 3_600.0;

impl RunOn {
    const NAMES: [(Self, &str); 2] = [(Self::Browser, "browser"), (Self::Both, "both")];

    /// Its name in links and notebooks; `None` for the default.
    pub fn name(self) -> Option<&'static str> {
        Self::NAMES.iter().find(|(run_on, _)| *run_on == self).map(|(_, name)| *name)
    }

    /// The machines with this name; `None` if the name is unknown.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(_, known)| *known == name).map(|(run_on, _)| *run_on)
    }

    /// After the user checked or unchecked the runner. One machine remains.
    pub fn toggle_runner(self) -> Self {
        match self {
            Self::Runner | Self::Both => Self::Browser,
            Self::Browser => Self::Both,
        }
    }

    /// After the user checked or unchecked the browser. One machine remains.
    pub fn toggle_browser(self) -> Self {
        match self {
            Self::Browser | Self::Both => Self::Runner,
            Self::Runner => Self::Both,
        }
    }

    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl MeasuringOptions {
    /// The precision relative to the mean.
    ///
    /// # Errors
    /// The expected format.
    pub fn precision(&self) -> Result<Option<f64>, &'static str> {
        value(&self.precision, MAX_PERCENT, "expected a number above 0, at most 100")
            .map(|percent| percent.map(|percent| percent / 100.0))
    }

    /// The time per point, in milliseconds.
    ///
    /// # Errors
    /// The expected format.
    pub fn point_ms(&self) -> Result<Option<f64>, &'static str> {
        value(&self.time, MAX_SECONDS, "expected a number above 0, at most 3600")
            .map(|seconds| seconds.map(|seconds| seconds * 1_000.0))
    }

    /// The invalid fields, by their names in a request.
    pub fn problems(&self) -> Vec<Problem> {
        let problem = |field: &str, error: Option<&str>| {
            error.map(|message| Problem { location: field.to_owned(), message: message.to_owned() })
        };
        let precision = problem("precision", self.precision().err());
        precision.into_iter().chain(problem("point_ms", self.point_ms().err())).collect()
    }

    /// The request at another priority; precision and time apply to the last priority only.
    pub fn request_at(&self, priority: Priority, request: &Request) -> Request {
        let is_last = priority == Priority::LAST;
        let own = |value: Result<Option<f64>, &str>| value.ok().flatten().filter(|_| is_last);
        Request { priority, precision: own(self.precision()), point_ms: own(self.point_ms()), ..request.clone() }
    }
}

fn value(text: &str, max: f64, expected: &'static str) -> Result<Option<f64>, &'static str> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    text.parse::<f64>().ok().filter(|value| *value > 0.0 && *value <= max).map(Some).ok_or(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(precision: &str, time: &str) -> MeasuringOptions {
        MeasuringOptions { precision: precision.to_owned(), time: time.to_owned(), ..MeasuringOptions::default() }
    }

    #[test]
    fn parses_percent_and_seconds() {
        let invalid = (Err("expected a number above 0, at most 100"), Err("expected a number above 0, at most 3600"));
        let table = [
            ("", "", (Ok(None), Ok(None))),
            (" 0.5 ", "2.5", (Ok(Some(0.005)), Ok(Some(2_500.0)))),
            ("100", "3600", (Ok(Some(1.0)), Ok(Some(3_600_000.0)))),
            ("0", "0", invalid),
            ("101", "3601", invalid),
            ("1e999", "soon", invalid),
        ];
        for (precision, time, expected) in table {
            let target = target(precision, time);
            assert_eq!((target.precision(), target.point_ms()), expected, "{target:?}");
        }
    }

    #[test]
    fn one_machine_always_remains() {
        let table = [
            (RunOn::Runner, RunOn::Browser, RunOn::Both),
            (RunOn::Browser, RunOn::Both, RunOn::Runner),
            (RunOn::Both, RunOn::Browser, RunOn::Runner),
        ];
        for (run_on, after_runner, after_browser) in table {
            assert_eq!((run_on.toggle_runner(), run_on.toggle_browser()), (after_runner, after_browser), "{run_on:?}");
            assert_eq!(run_on.name().map_or(Some(RunOn::Runner), RunOn::from_name), Some(run_on));
        }
        assert_eq!(RunOn::from_name("runner"), None);
    }

    #[test]
    fn applies_to_the_last_priority_only() {
        let request: Request = serde_json::from_str(
            r#"{"suite":"demo","functions":["sort"],"generator":"keys","arguments":{},"priority":1,"client":"me"}"#,
        )
        .expect("a request");
        for priority in Priority::all() {
            let request = target("0.5", "2").request_at(priority, &request);
            let own = if priority == Priority::LAST { (Some(0.005), Some(2_000.0)) } else { (None, None) };
            assert_eq!((request.priority, (request.precision, request.point_ms)), (priority, own));
        }
    }
}
