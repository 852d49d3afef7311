//! Developer tools attached to a worker, as when a person opens them.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::browser::Browser;

/// Attaches a debugger to the workers that run now, and stays attached as long as they live. V8 then runs their wasm in its
/// quick code, whether the module was compiled before or is compiled later.
///
/// chromedriver speaks to the page alone, so messages for a worker go through the page (sessions that are not "flat"),
/// and their answers are lost: nobody tells when the debugger is on, which may be after this returns.
///
/// # Errors
/// Where there is no worker, or the browser lets nobody attach to it.
pub async fn attach_to_worker(browser: &Browser) -> Result<()> {
    let targets = browser.ask("Target.getTargets", json!({})).await?;
    let targets = targets["targetInfos"].as_array().context("a list of targets")?;
    let workers: Vec<&Value> = targets.iter().filter(|target| target["type"] == "worker").collect();
    ensure!(!workers.is_empty(), "the page has no worker now");
    for worker in workers {
        let attach = json!({"targetId": worker["targetId"], "flatten": false});
        let session = browser.ask("Target.attachToTarget", attach).await?;
        let enable = json!({"id": 1, "method": "Debugger.enable"}).to_string();
        let message = json!({"sessionId": session["sessionId"], "message": enable});
        browser.ask("Target.sendMessageToTarget", message).await?;
    }
    Ok(())
}
