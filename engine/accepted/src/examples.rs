//! Accepted results for the tests of this crate and of the runner.

use benchbook_host::history::AcceptedResult;
use serde_json::json;

/// A result of this function of the suite `demo`, measured at this time.
///
/// # Panics
/// If the format requires a field that is missing here.
pub fn accepted(function: &str, measured: f64) -> AcceptedResult {
    let result = json!({
        "benchbook_history": 1, "accepted": { "by": "Ada" },
        "benchmark": {
            "suite": "demo", "function": function, "generator": "keys", "arguments": {}, "inputs": "ab", "metric": "time"
        },
        "machine": { "settings": [], "target": "x86_64-unknown-linux-gnu" },
        "build": { "fingerprint": "cd", "dirty": false, "compiler": "rustc 1.95.0" },
        "measured": measured, "points": [{ "means": [1.0, 2.0] }]
    });
    serde_json::from_value(result).expect("it is valid")
}
