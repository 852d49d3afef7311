//! Accessibility checks with [axe](https://github.com/dequelabs/axe-core).

use std::collections::BTreeMap;
use std::{env, fmt, fs};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::appearance::Appearance;
use crate::browser::Browser;
use crate::notebook::Notebook;

/// The environment variable with the path of axe's script, set by `cargo xtask test`.
const AXE: &str = "AXE";

/// The environment variable with which axe runs under all appearances, everywhere. Without it, most views are checked in light colours, and
/// `app/src/components/widgets/theme/tests.rs` computes the contrast of the others.
const ALL_APPEARANCES: &str = "BENCHBOOK_ALL_APPEARANCES";

/// A rule that some elements violate.
#[derive(Deserialize)]
struct Violation {
    id: String,
    help: String,
    nodes: Vec<Node>,
}

/// An element that violates a rule.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Node {
    html: String,
    /// Axe's advice.
    failure_summary: String,
}

/// Which of axe's rules to run.
#[derive(Clone, Copy)]
enum Rules {
    All,
    /// Only those whose result depends on colours.
    Colours,
}

impl Notebook {
    /// As [`Browser::assert_accessible`].
    pub async fn assert_accessible(&self, view: &str) -> Result<()> {
        self.browser.assert_accessible(view).await
    }
}

impl Browser {
    /// Runs axe on the current page in the light scheme. `view` names the page's state in the error, which lists the rules, the
    /// elements and the advice.
    pub async fn assert_accessible(&self, view: &str) -> Result<()> {
        self.assert_accessible_in(&[Appearance::Light], view).await
    }

    /// As [`Self::assert_accessible`], under each of these system appearances; under all of them if `BENCHBOOK_ALL_APPEARANCES` is set. A dark scheme and
    /// increased contrast differ from the light scheme in colours only, so only the rules about colours run in them.
    pub async fn assert_accessible_in(&self, appearances: &[Appearance], view: &str) -> Result<()> {
        let appearances = if env::var_os(ALL_APPEARANCES).is_some() { &Appearance::ALL } else { appearances };
        let mut found: BTreeMap<String, Vec<Appearance>> = BTreeMap::new();
        for &appearance in appearances {
            self.emulate(appearance).await?;
            let rules = match appearance {
                Appearance::Dark | Appearance::Contrast | Appearance::DarkContrast => Rules::Colours,
                Appearance::Light | Appearance::Forced => Rules::All,
            };
            for violation in
                self.violations(None, rules).await.with_context(|| format!("failed to run axe on {view}"))?
            {
                found.entry(violation.to_string()).or_default().push(appearance);
            }
        }
        self.emulate(Appearance::Light).await?;
        let report: String =
            found.iter().map(|(violation, appearance)| format!("\n{appearance:?}: {violation}")).collect();
        ensure!(found.is_empty(), "{view} is not accessible:\n{report}");
        Ok(())
    }

    /// Runs axe on the first element that a selector matches, without the frames inside, in the appearance of the browser: only Chromium can
    /// emulate others. `view` names it in errors.
    pub async fn assert_part_accessible(&self, selector: &str, view: &str) -> Result<()> {
        let violations = self
            .violations(Some(selector), Rules::All)
            .await
            .with_context(|| format!("failed to run axe on {view}"))?;
        let report: String = violations.iter().map(|violation| format!("\n{violation}")).collect();
        ensure!(violations.is_empty(), "{view} is not accessible:\n{report}");
        Ok(())
    }

    /// The violations in the first element that a selector matches; without a selector, in the document and its frames.
    async fn violations(&self, selector: Option<&str>, rules: Rules) -> Result<Vec<Violation>> {
        const RUN: &str = "
            const [selector, rules, done] = arguments;
            const options = { resultTypes: ['violations'], iframes: selector === null, ...rules };
            const context = selector === null ? document : document.querySelector(selector);
            axe.run(context, options).then(({ violations }) => done(violations), (error) => done(String(error)));";
        if self.value("typeof axe").await? != "object" {
            let script =
                env::var(AXE).context("AXE is not set: `cargo xtask test --only browser` installs axe and sets it")?;
            let script = fs::read_to_string(&script).with_context(|| format!("failed to read {script}"))?;
            self.client.execute(&script, Vec::new()).await?;
        }
        let violations = self.client.execute_async(RUN, vec![json!(selector), rules.options()]).await?;
        serde_json::from_value(violations.clone())
            .with_context(|| format!("failed to parse axe's violations: {violations}"))
    }
}

impl Rules {
    /// Axe's options that select these rules.
    fn options(self) -> Value {
        match self {
            // `target-size` is not among axe's default rules.
            Self::All => json!({ "rules": { "target-size": { "enabled": true } } }),
            Self::Colours => json!({ "runOnly": ["color-contrast", "link-in-text-block"] }),
        }
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
