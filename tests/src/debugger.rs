//! Attaches a debugger to a worker, as opening the developer tools does.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::browser::Browser;

/// Attaches a debugger to the current workers, for as long as they live. V8 then runs their wasm in its baseline code,
/// regardless of when the module is compiled.
///
/// chromedriver connects only to the page, so messages to a worker go through the page (non-flat sessions) and their
/// replies are lost. The debugger may become active after this function returns.
pub async fn attach_to_worker(browser: &Browser) -> Result<()> {
    let targets = browser.devtools("Target.getTargets", json!({})).await?;
    let targets = targets["targetInfos"].as_array().context("targetInfos is a list")?;
    let workers: Vec<&Value> = targets.iter().filter(|target| target["type"] == "worker").collect();
    ensure!(!workers.is_empty(), "the page has no worker");
    for worker in workers {
        let attach = json!({"targetId": worker["targetId"], "flatten": false});
        let session = browser.devtools("Target.attachToTarget", attach).await?;
        let enable = json!({"id": 1, "method": "Debugger.enable"}).to_string();
        let message = json!({"sessionId": session["sessionId"], "message": enable});
        browser.devtools("Target.sendMessageToTarget", message).await?;
    }
    Ok(())
}
