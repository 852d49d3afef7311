//! `notebook.json`: what a hosted page is told.

use benchbook::quality::Qualities;
use serde::de::Error;
use serde::{Deserialize, Deserializer};

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
    /// What the start offers to be measured with one press, the first at the top.
    pub(crate) examples: Vec<Example>,
    /// The address of a runner, for what a browser cannot measure.
    #[serde(deserialize_with = "address")]
    pub(crate) runner: Option<String>,
}

/// Something that the start offers.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Example {
    /// The question that it answers.
    pub(crate) question: String,
    /// Where it is: the fragment of a link, without its `#`.
    pub(crate) link: String,
}

fn address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let address = Option::<String>::deserialize(deserializer)?;
    match &address {
        Some(text) if !text.starts_with("https://") && !text.starts_with("http://") => {
            Err(D::Error::custom("the runner's address begins with https:// or http://"))
        }
        _ => Ok(address),
    }
}

impl Default for Notebook {
    fn default() -> Self {
        Self {
            title: String::new(),
            suites: vec!["suites/demo.wasm".to_owned()],
            qualities: Qualities::default(),
            examples: Vec::new(),
            runner: None,
        }
    }
}

impl Notebook {
    /// Reads the text of `notebook.json`.
    ///
    /// # Errors
    /// A sentence that names the line and what is wrong there.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        // Some editors begin a file with a byte order mark, which is no JSON.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        serde_json::from_str(text).map_err(|error| format!("notebook.json is not understood: {error}."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::share::link::Link;

    #[test]
    fn an_empty_object_means_the_defaults() {
        assert_eq!(Notebook::read("{}"), Ok(Notebook::default()));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let quality = |points: &str| {
            format!(
                "{{ \"points\": {points}, \"precision\": 0.1, \"point_ms\": 10, \"warm_up\": {{ \"at_least\": 1, \"at_most\": 2, \"ms\": 1 }}, \
                 \"samples\": {{ \"at_least\": 1, \"at_most\": 2 }}, \"processes\": 1 }}"
            )
        };
        let qualities = |points: &str| format!("\"qualities\": [{}]", [points; 4].map(quality).join(","));
        let table = [
            ("\"suites\": 3".to_owned(), "expected a sequence"),
            ("\"suites\": [3]".to_owned(), "expected a string"),
            ("\"runner\": \"reference-01\"".to_owned(), "begins with https://"),
            ("\"examples\": [{ \"question\": \"Which?\" }]".to_owned(), "missing field `link`"),
            ("\"tilte\": \"A\"".to_owned(), "unknown field `tilte`, expected one of `title`"),
            (qualities("1"), "points: expected 2 to 1025"),
            ("\"title\": \"A".to_owned(), "control character"),
        ];
        for (line, expected) in table {
            let told = Notebook::read(&format!("{{\n  {line}\n}}")).expect_err(&line);
            assert!(told.starts_with("notebook.json is not understood") && told.contains(expected), "{told}");
            assert!(told.contains("line 2") || told.contains("line 3"), "{told}");
        }
    }

    #[test]
    fn a_wrong_quality_is_told_with_the_line_where_it_is() {
        let quality = |points: u32| {
            format!(
                "    {{ \"points\": {points}, \"precision\": 0.1, \"point_ms\": 10, \"processes\": 1,\n      \
                 \"warm_up\": {{ \"at_least\": 1, \"at_most\": 2, \"ms\": 1 }},\n      \
                 \"samples\": {{ \"at_least\": 1, \"at_most\": 2 }} }}"
            )
        };
        for wrong in 0..4 {
            let qualities: Vec<String> = (0..4).map(|place| quality(if place == wrong { 1 } else { 5 })).collect();
            let text = format!("{{\n  \"qualities\": [\n{}\n  ],\n  \"title\": \"A\"\n}}", qualities.join(",\n"));
            let told = Notebook::read(&text).expect_err("a curve has two points");
            // Each quality has three lines, from the third on, and is looked at where it ends.
            let expected = format!("points: expected 2 to 1025 at line {} column", 5 + 3 * wrong);
            assert!(told.contains(&expected), "{told}, not {expected}");
        }
    }

    #[test]
    fn a_byte_order_mark_is_no_matter() {
        assert_eq!(Notebook::read("\u{feff}{}"), Ok(Notebook::default()));
    }

    #[test]
    fn the_notebooks_of_the_manual_and_of_the_page_are_understood() {
        let manual = include_str!("../../../docs/notebook.md");
        let example = manual.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
        let notebook = Notebook::read(example).expect("the example is right");
        assert!(notebook.runner.is_some() && !notebook.examples.is_empty() && !notebook.title.is_empty());
        assert_eq!(notebook.qualities, Qualities::default(), "the manual tells the defaults");
        let shipped = Notebook::read(include_str!("../../../static/notebook.json")).expect("it is right");
        for example in notebook.examples.iter().chain(&shipped.examples) {
            let link = Link::read(&example.link).expect("a link");
            assert_eq!(link.problems, [""; 0]);
            assert!(!link.suite.is_empty() && !link.function.is_empty(), "{link:?}");
        }
    }
}
