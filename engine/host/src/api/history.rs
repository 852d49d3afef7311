//! `GET history` and `POST history`: the accepted results of a runner's folder. A hosted page has the same lists in static files.

use serde::{Deserialize, Serialize};

use crate::fingerprint::fingerprint;
use crate::history::AcceptedResult;

/// The maximum number of results in a list.
pub const MAX_RESULTS: usize = 5_000;

/// The maximum size of the results in a list, in bytes of JSON: ten thousand results of three points and ten processes have about as much.
pub const MAX_RESULT_BYTES: usize = 16 << 20;

/// The maximum number of warnings in a list: the first ones show what is wrong with its source.
pub const MAX_WARNINGS: usize = 100;

/// The maximum length of a warning from elsewhere, in characters.
const MAX_WARNING: usize = 500;

/// The digits of the hash in the name of a file: enough that no two functions of a page share it.
const FILE_DIGITS: usize = 16;

/// `GET history`: accepted results. Empty if the runner has no folder of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct AcceptedHistory {
    /// The oldest first.
    #[cfg_attr(feature = "schema", schemars(length(max = 5_000)))]
    pub results: Vec<AcceptedResult>,
    /// Why the list may lack results, such as damaged files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(inner(length(min = 1))))]
    pub warnings: Vec<String>,
}

impl AcceptedHistory {
    /// The newest of these results, which are in the order of their times, within the maximum size.
    pub fn newest(results: Vec<AcceptedResult>, limit: usize) -> Vec<AcceptedResult> {
        let mut bytes = 0;
        let fits = |accepted: &AcceptedResult| {
            bytes += serde_json::to_string(accepted).map_or(0, |text| text.len());
            bytes <= MAX_RESULT_BYTES
        };
        let mut newest: Vec<AcceptedResult> = results.into_iter().rev().take(limit).take_while(fits).collect();
        newest.reverse();
        newest
    }

    /// Parses a list from elsewhere, such as a file of a host. An invalid result is a warning, and hides no others. Returns the results in
    /// the order of their times.
    ///
    /// # Errors
    /// If the text is no such list; a clause.
    pub fn read(text: &str) -> Result<Self, String> {
        let list: RawHistory = serde_json::from_str(text).map_err(damaged)?;
        let mut warnings = list.warnings;
        let mut results = Vec::new();
        for (number, value) in (1..).zip(list.results) {
            let parsed = serde_json::from_value::<AcceptedResult>(value).map_err(|error| error.to_string());
            match parsed.and_then(|accepted| accepted.check().map(|()| accepted)) {
                Ok(accepted) => results.push(accepted),
                Err(problem) => warnings.push(format!("result {number} was ignored: {problem}")),
            }
        }
        results.sort_by(|one, other| one.result.measured.total_cmp(&other.result.measured));
        let read = results.len();
        let results = Self::newest(results, MAX_RESULTS);
        if results.len() < read {
            warnings.push(format!("only the newest {} of {read} accepted results are shown", results.len()));
        }
        let warnings = first_warnings(warnings);
        Ok(Self { results, warnings: warnings.iter().map(|warning| cut(warning)).collect() })
    }
}

/// The clause about a text that is no list. The parser may quote any part of the text.
fn damaged(error: serde_json::Error) -> String {
    cut(&format!("it is damaged: {error}"))
}

fn cut(text: &str) -> String {
    text.chars().take(MAX_WARNING).collect()
}

/// A list whose results are not parsed yet.
#[derive(Deserialize)]
struct RawHistory {
    results: Vec<serde_json::Value>,
    #[serde(default)]
    warnings: Vec<String>,
}

/// The first warnings, and how many others there are.
pub fn first_warnings(mut warnings: Vec<String>) -> Vec<String> {
    if warnings.len() > MAX_WARNINGS {
        let more = warnings.len() - MAX_WARNINGS;
        warnings.truncate(MAX_WARNINGS);
        warnings.push(format!("{more} further problems are omitted"));
    }
    warnings
}

/// `POST history`: results that a person accepted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AcceptedResults {
    /// The results, at least one.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 1_000)))]
    pub results: Vec<AcceptedResult>,
}

/// `GET history/functions`: a function with accepted results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct HistoryFunction {
    /// The suite's name.
    pub suite: String,
    /// The function's path.
    pub function: String,
    /// The number of accepted results.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub results: u64,
    /// When the newest was measured, in seconds since 1970.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub newest: f64,
}

impl HistoryFunction {
    /// The name of the file with the list of these functions, in the folder of a hosted page.
    pub const LIST: &str = "functions.json";

    /// The name of the file with the results of a function, in the same folder. It consists of digits, whatever the names are.
    pub fn file(suite: &str, function: &str) -> String {
        let hash = fingerprint(format!("{suite}\0{function}").as_bytes());
        format!("{}.json", &hash[..FILE_DIGITS])
    }

    /// Parses a list of functions from elsewhere.
    ///
    /// # Errors
    /// If the text is no such list; a clause.
    pub fn read(text: &str) -> Result<Vec<Self>, String> {
        serde_json::from_str(text).map_err(damaged)
    }

    /// Whether a file is one of those that [`Self::file`] names, or the list.
    pub fn is_file(name: &str) -> bool {
        let is_hash = |stem: &str| stem.len() == FILE_DIGITS && stem.bytes().all(|digit| digit.is_ascii_hexdigit());
        name == Self::LIST || name.strip_suffix(".json").is_some_and(is_hash)
    }

    /// The functions of accepted results, by suite and path.
    pub fn all<'a>(results: impl IntoIterator<Item = &'a AcceptedResult>) -> Vec<Self> {
        let mut functions: Vec<Self> = Vec::new();
        for AcceptedResult { result, .. } in results {
            let (suite, function) = (&result.benchmark.suite, &result.benchmark.function);
            match functions.iter_mut().find(|known| known.suite == *suite && known.function == *function) {
                Some(known) => {
                    known.results += 1;
                    known.newest = known.newest.max(result.measured);
                }
                None => functions.push(Self {
                    suite: suite.clone(),
                    function: function.clone(),
                    results: 1,
                    newest: result.measured,
                }),
            }
        }
        functions.sort_by(|one, other| (&one.suite, &one.function).cmp(&(&other.suite, &other.function)));
        functions
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::history::examples::accepted_json;

    fn accepted(measured: f64) -> Value {
        let mut accepted = accepted_json();
        accepted["measured"] = json!(measured);
        accepted
    }

    fn read(results: &[Value]) -> AcceptedHistory {
        AcceptedHistory::read(&json!({ "results": results }).to_string()).expect("it is a list")
    }

    #[test]
    fn results_from_elsewhere_are_sorted_and_checked_one_by_one() {
        let mut hostile = accepted(3.0);
        hostile["accepted"]["note"] = json!("\u{1b}[2J");
        let history = read(&[accepted(2.0), hostile, json!({ "benchbook_history": 9 }), json!(1), accepted(1.0)]);
        let times: Vec<f64> = history.results.iter().map(|accepted| accepted.result.measured).collect();
        assert_eq!(times, [1.0, 2.0]);
        let [control, missing, number] = &history.warnings[..] else { panic!("{:?}", history.warnings) };
        assert_eq!(control, "result 2 was ignored: a text contains control characters");
        assert!(missing.starts_with("result 3 was ignored: ") && number.starts_with("result 4 was ignored: "));
        for text in ["", "[]", "{}", "<!doctype html>", "{\"results\": 1}", &"[".repeat(100_000)] {
            let error = AcceptedHistory::read(text).expect_err("it is no list");
            assert!(error.starts_with("it is damaged: "), "{error}");
        }
    }

    #[test]
    fn a_list_has_the_newest_results_and_the_first_warnings() {
        let all: Vec<Value> = (0..MAX_RESULTS + 2).map(|time| accepted(time as f64)).collect();
        let history = read(&all);
        assert_eq!((history.results.len(), history.results[0].result.measured), (MAX_RESULTS, 2.0));
        assert_eq!(history.warnings, ["only the newest 5000 of 5002 accepted results are shown"]);
        let warnings = read(&vec![json!(1); MAX_WARNINGS + 50]).warnings;
        assert_eq!((warnings.len(), warnings[MAX_WARNINGS].as_str()), (101, "50 further problems are omitted"));
    }

    #[test]
    fn long_texts_are_cut() {
        let long = "w".repeat(MAX_WARNING + 1);
        let text = json!({ "results": [], "warnings": [long] }).to_string();
        assert_eq!(AcceptedHistory::read(&text).expect("it is a list").warnings, ["w".repeat(MAX_WARNING)]);
        let error = HistoryFunction::read(&json!([long]).to_string()).expect_err("it is no list of functions");
        assert!(error.starts_with("it is damaged: ") && error.chars().count() == MAX_WARNING, "{error}");
    }

    #[test]
    fn a_file_is_named_by_the_suite_and_the_function() {
        let file = HistoryFunction::file("demo", "../sort<u32>");
        assert!(HistoryFunction::is_file(&file) && HistoryFunction::is_file(HistoryFunction::LIST), "{file}");
        assert_ne!(file, HistoryFunction::file("demo", "sort"));
        assert_ne!(HistoryFunction::file("a", "b::c"), HistoryFunction::file("a::b", "c"));
        for name in ["notes.json", "0123456789abcdef", "0123456789abcdeg.json", ""] {
            assert!(!HistoryFunction::is_file(name), "{name}");
        }
    }
}
