//! The contents of the page: the sidebar on a wide screen, and a sheet on a narrow one.

use anyhow::Result;

use crate::notebook::Notebook;

impl Notebook {
    /// Opens the sheet with the contents if it hides them.
    pub async fn show_contents(&self) -> Result<()> {
        let is_hidden = "document.querySelector('[data-test=contents-sheet]')?.offsetHeight === 0";
        if self.browser.value(is_hidden).await? == true {
            self.click("contents").await?;
        }
        Ok(())
    }
}
