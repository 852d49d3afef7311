//! An accepted result for tests.

use serde_json::{Value, json};

use super::AcceptedResult;

pub(crate) fn accepted_json() -> Value {
    json!({
        "benchbook_history": 1,
        "accepted": { "by": "Ada", "note": "first\nresult" },
        "benchmark": {
            "suite": "demo", "function": "sorting::sort", "generator": "sorting::keys", "arguments": { "size": 1000 },
            "inputs": "ab", "metric": "time"
        },
        "machine": { "settings": [], "target": "x86_64-unknown-linux-gnu" },
        "build": { "fingerprint": "cd", "commit": "77c0", "dirty": false, "compiler": "rustc 1.95.0" },
        "measured": 1_795_600_000.0,
        "points": [{ "means": [10.0, 10.5], "calls": null, "kernel": [2000.0, 2010.0] }]
    })
}

pub(crate) fn accepted() -> AcceptedResult {
    serde_json::from_value(accepted_json()).expect("it is valid")
}
