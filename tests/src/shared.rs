//! Sharing a notebook, and opening shared ones, on the page.

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::notebook::Notebook;

/// Records what the page copies and downloads.
const INTERCEPT: &str = "delete window.copied; delete window.file; delete window.binary;
    navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); };
    const create = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (blob) => {
        // The script of a worker, which the page may only load now.
        if (blob.type === 'text/javascript') return create(blob);
        blob.text().then((text) => { window.file = text; });
        const reader = new FileReader();
        reader.onload = () => { window.binary = reader.result.split(',')[1]; };
        reader.readAsDataURL(blob);
        return 'blob:intercepted';
    };";

impl Notebook {
    /// Stores the texts that the page copies and downloads in its variables `copied` and `file`, and the latter as
    /// base64 in `binary`, in place of the clipboard and the disk.
    pub async fn intercept(&self) -> Result<()> {
        self.browser.client.execute(INTERCEPT, Vec::new()).await?;
        Ok(())
    }

    /// The value of a variable of the page, once it has one; see [`Self::intercept`].
    pub async fn intercepted(&self, variable: &str) -> Result<String> {
        self.browser.until(&format!("window.{variable}")).await?;
        let value = self.browser.value(&format!("window.{variable}")).await?;
        Ok(value.as_str().context("not a text")?.to_owned())
    }

    /// Chooses an entry of the Share menu, which is behind *More* on a telephone.
    pub async fn share(&self, entry: &str) -> Result<()> {
        let is_hidden = "document.querySelector('[data-test=share-menu]').checkVisibility() === false";
        if self.browser.value(is_hidden).await? == json!(true) {
            self.click("more").await?;
        }
        let is_open = "document.querySelector('[data-test=share-menu]').open";
        if self.browser.value(is_open).await? == json!(false) {
            self.browser.click("[data-test=share-menu] summary").await?;
        }
        self.click(entry).await
    }

    /// Drops a file on the page.
    pub async fn drop_file(&self, name: &str, content: &str) -> Result<()> {
        const DROP: &str = "const data = new DataTransfer();
            data.items.add(new File([arguments[1]], arguments[0]));
            for (const type of ['dragover', 'drop']) {
                window.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
            }";
        self.browser.client.execute(DROP, vec![json!(name), json!(content)]).await?;
        Ok(())
    }

    /// Drops a binary on the page.
    pub async fn drop_binary(&self, name: &str, content: &[u8]) -> Result<()> {
        const DROP: &str = "const data = new DataTransfer();
            data.items.add(new File([new Uint8Array(arguments[1])], arguments[0]));
            window.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));";
        self.browser.client.execute(DROP, vec![json!(name), json!(content)]).await?;
        Ok(())
    }

    /// Evaluates a script with the page's storage as `database`, until it calls the function `end` with its value.
    pub async fn with_database(&self, script: &str) -> Result<Value> {
        let script = format!(
            "const done = arguments[0];
            const opening = indexedDB.open('benchbook');
            opening.onsuccess = () => {{
                const database = opening.result;
                const end = (value) => {{ database.close(); done(value); }};
                {script}
            }};"
        );
        Ok(self.browser.client.execute_async(&script, Vec::new()).await?)
    }

    /// Opens a file from its address, on the start view.
    pub async fn open_address(&self, address: &str) -> Result<()> {
        let field = self.until_present("[data-test=file-address]").await?;
        field.clear().await?;
        field.send_keys(address).await?;
        self.click("open-address").await
    }

    /// Waits until a problem above the notebook contains this text.
    pub async fn until_problem(&self, text: &str) -> Result<()> {
        let shown =
            "[...document.querySelectorAll('main > [data-test=problem]')].map((problem) => problem.textContent).join()";
        self.browser.until(&format!("{shown}.includes({})", json!(text))).await
    }

    /// Waits until all edits are stored.
    pub async fn until_saved(&self) -> Result<()> {
        self.browser.until("document.querySelector('[data-test=saved]').dataset.state === 'saved'").await
    }
}
