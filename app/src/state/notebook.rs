//! `notebook.json`: what a hosted page is told.

use benchbook::quality::Qualities;
use serde::Deserialize;

/// What `notebook.json` may say; all of it is optional.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Notebook {
    /// The title beside the name of the page.
    pub(crate) title: String,
    /// Addresses of suites, relative to the page.
    pub(crate) suites: Vec<String>,
    /// What each priority means in the browser.
    pub(crate) qualities: Qualities,
}

impl Default for Notebook {
    fn default() -> Self {
        Self { title: String::new(), suites: vec!["suites/demo.wasm".to_owned()], qualities: Qualities::default() }
    }
}

impl Notebook {
    /// Reads the text of `notebook.json`.
    ///
    /// # Errors
    /// A sentence that names the line and what is wrong there.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| format!("notebook.json is not understood: {error}."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_object_means_the_defaults() {
        assert_eq!(Notebook::read("{}"), Ok(Notebook::default()));
    }

    #[test]
    fn a_broken_file_is_told_with_its_line() {
        let problem = Notebook::read("{\n  \"title\": \"A\",\n  \"suites\": 3\n}").expect_err("suites is a list");
        assert!(problem.contains("line 3"), "{problem}");
    }

    #[test]
    fn an_unknown_key_is_told() {
        let problem = Notebook::read("{\"tilte\": \"A\"}").expect_err("there is no such key");
        assert!(problem.contains("tilte"), "{problem}");
    }
}
