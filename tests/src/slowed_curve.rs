//! Results of a slower machine, made from those of this one.

use anyhow::{Context, Result};
use serde_json::{Value, json};

/// The figures of a summary that are times.
const TIMES: [&str; 7] = ["mean", "sd", "min", "max", "median", "q1", "q3"];

/// Multiplies the times of a curve in a notebook file by a hundred.
pub fn slow_down(points: &mut Value) -> Result<()> {
    for point in points.as_array_mut().context("points")? {
        let point = &mut point["measured"]["point"];
        for run in point["runs"].as_array_mut().context("runs")? {
            for sample in run["samples"].as_array_mut().context("samples")? {
                sample["elapsed"] = json!(100.0 * sample["elapsed"].as_f64().context("a time")?);
            }
        }
        for (name, value) in point["summary"].as_object_mut().context("figures")? {
            if let (Some(time), true) = (value.as_f64(), TIMES.contains(&name.as_str())) {
                *value = json!(100.0 * time);
            }
        }
    }
    Ok(())
}
