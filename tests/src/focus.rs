//! Where the focus is, as whoever moves it by keys sees it.

use anyhow::{Context, Result};

use crate::notebook::Notebook;

impl Notebook {
    /// What has the focus, as the start of its HTML, and whether an outline around it or its label shows so.
    ///
    /// # Errors
    /// Where the page cannot be asked.
    pub async fn focused(&self) -> Result<(String, bool)> {
        const FOCUSED: &str = "(focused => {
            const isOutlined = (element) => {
                const { outlineStyle, outlineWidth } = element ? getComputedStyle(element) : {};
                return element !== null && outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
            };
            return [focused.outerHTML.slice(0, 120), isOutlined(focused) || isOutlined(focused.closest('label'))];
        })(document.activeElement)";
        serde_json::from_value(self.browser.value(FOCUSED).await?).context("reading what has the focus")
    }
}
