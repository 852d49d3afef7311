//! `GET history` and `POST history`: the accepted results of a runner's folder.

use serde::{Deserialize, Serialize};

use crate::history::AcceptedResult;

/// `GET history`: accepted results. Empty if the runner has no folder of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AcceptedHistory {
    /// The oldest first.
    pub results: Vec<AcceptedResult>,
    /// Why the list may lack results, such as damaged files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// `POST history`: results that a person accepted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AcceptedResults {
    /// The results, at least one.
    pub results: Vec<AcceptedResult>,
}

/// `GET history/functions`: a function with accepted results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HistoryFunction {
    /// The suite's name.
    pub suite: String,
    /// The function's path.
    pub function: String,
    /// The number of accepted results.
    pub results: u64,
    /// When the newest was measured, in seconds since 1970.
    pub newest: f64,
}

impl HistoryFunction {
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
