//! Reads a runner's metrics.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};

use crate::ready_runner::ReadyRunner;

/// The metrics of a runner by name, without the buckets of its histograms.
pub async fn metrics(ready: &ReadyRunner) -> Result<BTreeMap<String, f64>> {
    let response = reqwest::get(format!("{}/metrics", ready.runner.url())).await?.error_for_status()?;
    let kind = &response.headers()["content-type"];
    ensure!(kind == "application/openmetrics-text; version=1.0.0; charset=utf-8", "{kind:?}");
    let text = response.text().await?;
    ensure!(text.ends_with("\n# EOF\n"), "{text}");
    let is_value = |line: &&str| !line.starts_with('#') && !line.contains('{');
    let parse = |line: &str| -> Result<(String, f64)> {
        let (name, value) = line.split_once(' ').context("a line has a name and a value")?;
        Ok((name.to_owned(), value.parse()?))
    };
    text.lines().filter(is_value).map(parse).collect()
}
