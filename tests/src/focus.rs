//! The keyboard focus.

use anyhow::{Context, Result};

use crate::notebook::Notebook;

impl Notebook {
    /// Returns the start of the focused element's HTML, and whether the element or its label has a visible outline.
    pub async fn focused(&self) -> Result<(String, bool)> {
        const FOCUSED: &str = "(focused => {
            const isOutlined = (element) => {
                const { outlineStyle, outlineWidth } = element ? getComputedStyle(element) : {};
                return element !== null && outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
            };
            return [focused.outerHTML.slice(0, 120), isOutlined(focused) || isOutlined(focused.closest('label'))];
        })(document.activeElement)";
        serde_json::from_value(self.browser.value(FOCUSED).await?).context("parsing the focused element")
    }
}
