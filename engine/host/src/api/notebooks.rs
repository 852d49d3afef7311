//! `GET notebooks`: the notebooks of a runner's folder.

use serde::{Deserialize, Serialize};

/// The notebooks that a runner offers. Empty if it has no folder of notebooks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct NotebookList {
    /// Ordered by path.
    #[cfg_attr(feature = "schema", schemars(length(max = 1_000)))]
    pub notebooks: Vec<NotebookCard>,
    /// Why the list may lack notebooks, each with what to do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(inner(length(min = 1))))]
    pub warnings: Vec<String>,
}

/// A notebook file of a runner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct NotebookCard {
    /// The path in the runner's folder, with `/` between its parts. `GET notebooks/file?path=…` returns the file.
    #[cfg_attr(feature = "schema", schemars(length(max = 1_000)))]
    pub path: String,
    /// The title, or the reason why there is none: a field `title` or `error`.
    #[serde(flatten)]
    pub title: NotebookTitle,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// When the file was last changed, in milliseconds since 1970.
    pub modified: u64,
}

/// The title of a notebook file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum NotebookTitle {
    /// The title in the file; may be empty.
    Title(String),
    /// Why the runner cannot read the file as a notebook, and how to fix it.
    Error(#[cfg_attr(feature = "schema", schemars(length(min = 1)))] String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_has_a_title_or_an_error() {
        let card = |title| NotebookCard { path: "maps.benchbook.json".to_owned(), title, bytes: 2, modified: 3 };
        for (title, expected) in [
            (
                NotebookTitle::Title("Maps".to_owned()),
                r#"{"path":"maps.benchbook.json","title":"Maps","bytes":2,"modified":3}"#,
            ),
            (
                NotebookTitle::Error("Damaged.".to_owned()),
                r#"{"path":"maps.benchbook.json","error":"Damaged.","bytes":2,"modified":3}"#,
            ),
        ] {
            let text = serde_json::to_string(&card(title.clone())).expect("it serializes");
            assert_eq!(text, expected);
            assert_eq!(serde_json::from_str::<NotebookCard>(&text).expect("it can be read"), card(title));
        }
    }
}
