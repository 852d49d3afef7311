//! What a person aims at in the last priority, instead of what its quality says.

use benchbook_host::quality::Priority;
use benchbook_host::request::{Problem, Request};

use super::typed::decimal;

/// Precision and time as they were typed; empty: as the quality says.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Aim {
    /// The half-width of the mean's interval in percent of the mean.
    pub(crate) precision: String,
    /// The time of a point in seconds.
    pub(crate) time: String,
}

/// The most percent, and the most seconds: what the engine takes.
const MOST: (f64, f64) = (100.0, 3_600.0);

impl Aim {
    /// The precision as a part of the mean.
    ///
    /// # Errors
    /// What is expected.
    pub(crate) fn precision(&self) -> Result<Option<f64>, &'static str> {
        value(&self.precision, MOST.0, "expected above 0 to 100 %")
            .map(|percent| percent.map(|percent| percent / 100.0))
    }

    /// The time of a point in milliseconds.
    ///
    /// # Errors
    /// What is expected.
    pub(crate) fn point_ms(&self) -> Result<Option<f64>, &'static str> {
        value(&self.time, MOST.1, "expected above 0 to 3600 s").map(|seconds| seconds.map(|seconds| seconds * 1_000.0))
    }

    /// What is wrong with it, with the fields' places in a request.
    pub(super) fn problems(&self) -> Vec<Problem> {
        let problem = |place: &str, wrong: Option<&str>| {
            wrong.map(|message| Problem { place: place.to_owned(), message: message.to_owned() })
        };
        let precision = problem("precision", self.precision().err());
        precision.into_iter().chain(problem("point_ms", self.point_ms().err())).collect()
    }

    /// The request at another priority, with what is aimed at where that is the last.
    pub(crate) fn at(&self, priority: Priority, request: &Request) -> Request {
        let is_last = priority == Priority::LAST;
        let own = |value: Result<Option<f64>, &str>| value.ok().flatten().filter(|_| is_last);
        Request { priority, precision: own(self.precision()), point_ms: own(self.point_ms()), ..request.clone() }
    }
}

fn value(text: &str, most: f64, expected: &'static str) -> Result<Option<f64>, &'static str> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    decimal(text).filter(|value| *value > 0.0 && *value <= most).map(Some).ok_or(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aim(precision: &str, time: &str) -> Aim {
        Aim { precision: precision.to_owned(), time: time.to_owned() }
    }

    #[test]
    fn what_is_aimed_at_is_read_in_percent_and_seconds() {
        let table = [
            ("", "", Ok(None), Ok(None)),
            (" 0.5 ", "2.5", Ok(Some(0.005)), Ok(Some(2_500.0))),
            ("100", "3600", Ok(Some(1.0)), Ok(Some(3_600_000.0))),
            ("0", "0", Err("expected above 0 to 100 %"), Err("expected above 0 to 3600 s")),
            ("101", "3601", Err("expected above 0 to 100 %"), Err("expected above 0 to 3600 s")),
            ("1e999", "soon", Err("expected above 0 to 100 %"), Err("expected above 0 to 3600 s")),
        ];
        for (precision, time, part, ms) in table {
            let aim = aim(precision, time);
            assert_eq!((aim.precision(), aim.point_ms()), (part, ms), "{aim:?}");
        }
    }

    #[test]
    fn it_counts_in_the_last_priority_alone() {
        let request: Request = serde_json::from_str(
            r#"{"suite":"demo","functions":["sort"],"generator":"keys","arguments":{},"priority":1,"client":"me"}"#,
        )
        .expect("a request");
        for priority in Priority::all() {
            let asked = aim("0.5", "2").at(priority, &request);
            let own = if priority == Priority::LAST { (Some(0.005), Some(2_000.0)) } else { (None, None) };
            assert_eq!((asked.priority, (asked.precision, asked.point_ms)), (priority, own));
        }
    }
}
