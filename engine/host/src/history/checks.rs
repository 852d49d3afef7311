//! Checks of accepted results that come from elsewhere: a file, or a client of a runner.

use benchbook_contract::catalog::MAX_NAME;
use serde_json::Value;

use super::accepted::{AcceptedResult, Benchmark, VERSION};

/// The maximum length of a text, in characters.
const MAX_TEXT: usize = MAX_NAME;

/// The maximum number of points, and of processes at a point. A check measures three points in at most a hundred processes.
const MAX_VALUES: usize = 5_000;

/// The last second of the year 9999.
const MAX_TIME: f64 = 253_402_300_799.0;

impl AcceptedResult {
    /// Checks everything that its types do not ensure.
    ///
    /// # Errors
    /// The first problem, such as `a mean is negative`.
    pub fn check(&self) -> Result<(), String> {
        let Benchmark { suite, function, .. } = &self.result.benchmark;
        let means = || self.result.points.iter().flat_map(|point| &point.means);
        let kernels = || self.result.points.iter().flat_map(|point| &point.kernel);
        let calls = || self.result.points.iter().filter_map(|point| point.calls);
        let is_count = |count: usize| (1..=MAX_VALUES).contains(&count);
        let value = serde_json::to_value(self).map_err(|error| error.to_string())?;
        match () {
            () if !(1..=VERSION).contains(&self.benchbook_history) => {
                Err(format!("version {} of the format is unknown", self.benchbook_history))
            }
            () if suite.is_empty() || function.is_empty() => {
                Err("the name of the suite or the function is empty".to_owned())
            }
            () if !(0.0..=MAX_TIME).contains(&self.result.measured) => Err("the time is not a date".to_owned()),
            () if !is_count(self.result.points.len()) => Err(format!("expected 1 to {MAX_VALUES} points")),
            () if !self.result.points.iter().all(|point| is_count(point.means.len())) => {
                Err(format!("expected the means of 1 to {MAX_VALUES} processes at each point"))
            }
            () if !means().all(|mean| mean.is_finite() && *mean >= 0.0) => Err("a mean is negative".to_owned()),
            () if self.result.points.iter().any(|point| point.kernel.len() > MAX_VALUES) => {
                Err(format!("expected the reference kernel in at most {MAX_VALUES} processes at each point"))
            }
            () if !kernels().all(|time| time.is_finite() && *time > 0.0) => {
                Err("a time of the reference kernel is not above 0".to_owned())
            }
            () if !calls().all(|calls| calls.is_finite() && calls >= 0.0) => {
                Err("a number of calls is negative".to_owned())
            }
            () => check_texts(&value),
        }
    }
}

/// Checks all texts and names of fields.
fn check_texts(value: &Value) -> Result<(), String> {
    match value {
        Value::String(text) => check_text(text),
        Value::Array(values) => values.iter().try_for_each(check_texts),
        Value::Object(fields) => fields.iter().try_for_each(|(name, value)| {
            check_text(name)?;
            check_texts(value)
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
    }
}

/// Control characters other than ends of lines would change the terminal that prints them.
fn check_text(text: &str) -> Result<(), String> {
    match () {
        () if text.chars().count() > MAX_TEXT => Err(format!("a text has more than {MAX_TEXT} characters")),
        () if text.chars().any(|letter| letter.is_control() && !matches!(letter, '\n' | '\t')) => {
            Err("a text contains control characters".to_owned())
        }
        () => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::examples::accepted_json;

    fn check(change: impl Fn(&mut Value)) -> Result<(), String> {
        let mut value = accepted_json();
        change(&mut value);
        serde_json::from_value::<AcceptedResult>(value).map_err(|error| error.to_string())?.check()
    }

    #[test]
    fn results_from_elsewhere_are_checked() {
        assert_eq!(check(|_| {}), Ok(()));
        let long = "n".repeat(MAX_TEXT + 1);
        for (pointer, value, expected) in [
            ("/benchbook_history", Value::from(2), "version 2"),
            ("/benchmark/suite", Value::from(""), "is empty"),
            ("/measured", Value::from(-1.0), "not a date"),
            ("/measured", Value::from(1e12), "not a date"),
            ("/points", Value::from(Vec::<Value>::new()), "1 to 5000 points"),
            ("/points/0/means", Value::from(Vec::<Value>::new()), "1 to 5000 processes"),
            ("/points/0/means/1", Value::from(-0.5), "negative"),
            ("/points/0/kernel", Value::from(vec![2_000.0, 0.0]), "reference kernel is not above 0"),
            ("/points/0/calls", Value::from(-1), "number of calls is negative"),
            ("/accepted/note", Value::from("\u{1b}[2J"), "control characters"),
            ("/accepted/by", Value::from(long.as_str()), "more than 500 characters"),
            ("/machine/settings", Value::from(vec![long.as_str()]), "more than 500 characters"),
        ] {
            let error =
                check(|result| *result.pointer_mut(pointer).expect("a field") = value.clone()).expect_err(pointer);
            assert!(error.contains(expected), "{pointer}: {error}");
        }
    }
}
