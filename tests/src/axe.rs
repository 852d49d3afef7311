//! What keeps people from using the page, as [axe](https://github.com/dequelabs/axe-core) finds it.

use std::collections::BTreeMap;
use std::{env, fmt, fs};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::looks::Looks;
use crate::notebook::Notebook;

/// Names axe's script, as `cargo xtask test` does.
const AXE: &str = "AXE";

/// A rule that elements break.
#[derive(Deserialize)]
struct Violation {
    id: String,
    help: String,
    nodes: Vec<Node>,
}

/// One of those elements.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Node {
    html: String,
    /// What can be done about it.
    failure_summary: String,
}

impl Notebook {
    /// Makes sure that axe finds nothing in what is shown, however the system wants it to look. `view` names what is
    /// shown.
    ///
    /// # Errors
    /// Where it finds something: the rules, the elements and the advice.
    pub async fn assert_accessible(&self, view: &str) -> Result<()> {
        let mut found: BTreeMap<String, Vec<Looks>> = BTreeMap::new();
        for looks in Looks::ALL {
            self.browser.look(looks).await?;
            for violation in self.violations().await.with_context(|| format!("running axe on {view}"))? {
                found.entry(violation.to_string()).or_default().push(looks);
            }
        }
        self.browser.look(Looks::Light).await?;
        let told: String = found.iter().map(|(violation, looks)| format!("\n{looks:?}: {violation}")).collect();
        ensure!(found.is_empty(), "not everybody can use {view}:\n{told}");
        Ok(())
    }

    async fn violations(&self) -> Result<Vec<Violation>> {
        // Those of the size of targets are not among axe's defaults yet.
        const RUN: &str = "
            const done = arguments[0];
            const options = { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } };
            axe.run(document, options).then(({ violations }) => done(violations), (error) => done(String(error)));";
        if self.browser.value("typeof axe").await? != "object" {
            let script =
                env::var(AXE).context("AXE is not set: `cargo xtask test --only browser` installs axe and sets it")?;
            let script = fs::read_to_string(&script).with_context(|| format!("reading {script}"))?;
            self.browser.client.execute(&script, Vec::new()).await?;
        }
        let violations = self.browser.client.execute_async(RUN, Vec::new()).await?;
        serde_json::from_value(violations.clone()).with_context(|| format!("reading what axe found: {violations}"))
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} ({})", self.help, self.id)?;
        for node in &self.nodes {
            writeln!(f, "  {}", node.html)?;
            node.failure_summary.lines().try_for_each(|line| writeln!(f, "    {line}"))?;
        }
        Ok(())
    }
}
