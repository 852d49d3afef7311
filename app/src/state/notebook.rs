//! `notebook.json`: what a hosted page is told.

use benchbook_host::quality::{Bounds, Counts, Qualities, Quality};

use crate::json::{Json, Read, readable};

/// What `notebook.json` may say; all of it is optional.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Notebook {
    /// The title beside the name of the page.
    pub(crate) title: String,
    /// Addresses of suites, relative to the page.
    pub(crate) suites: Vec<String>,
    /// What each priority means in the browser.
    pub(crate) qualities: Qualities,
    /// What the start offers to be measured with one press, the first at the top.
    pub(crate) examples: Vec<Example>,
    /// The address of a runner: `./` where it is the page's own host.
    pub(crate) runner: Option<String>,
}

/// Something that the start offers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Example {
    /// The question that it answers.
    pub(crate) question: String,
    /// Where it is: the fragment of a link, without its `#`.
    pub(crate) link: String,
}

readable! {
    Example { question, link }
    Quality { points, precision, point_ms, warm_up, samples, processes, timeout_ms }
    Bounds { at_least, at_most, ms }
    Counts { at_least, at_most }
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
        let wrong = |told: String| format!("notebook.json is not understood: {told}.");
        let json: Json = text.parse().map_err(|error: serde_json::Error| wrong(error.to_string()))?;
        let mut notebook = Self::default();
        for (name, value) in json.fields() {
            if let Err(expected) = notebook.take(name, value) {
                let quoted = format!("\"{name}\"");
                let line = text.lines().position(|line| line.contains(&quoted)).unwrap_or(0) + 1;
                return Err(wrong(format!("{name}: expected {expected} at line {line}")));
            }
        }
        Ok(notebook)
    }

    /// Takes a field.
    ///
    /// # Errors
    /// What is expected.
    fn take(&mut self, name: &str, value: &Json) -> Result<(), String> {
        let understood = match name {
            "title" => put(&mut self.title, value).ok_or("a text"),
            "suites" => put(&mut self.suites, value).ok_or("a list of addresses"),
            "examples" => put(&mut self.examples, value).ok_or("a list of objects with question and link"),
            "runner" => {
                let is_address =
                    |runner: &&String| ["https://", "http://", "./"].iter().any(|start| runner.starts_with(start));
                put(&mut self.runner, value)
                    .filter(|()| self.runner.iter().all(|runner| is_address(&runner)))
                    .ok_or("an address that begins with https:// or http://, or is ./")
            }
            "qualities" => {
                let four = Vec::read(value).and_then(|all: Vec<Quality>| <[Quality; 4]>::try_from(all).ok());
                self.qualities = Qualities::try_from(four.ok_or("exactly four, all of them complete")?)?;
                Ok(())
            }
            _ => Err("title, suites, examples, runner or qualities"),
        };
        understood.map_err(str::to_owned)
    }
}

/// Absent where it is something else.
fn put<T: Read>(field: &mut T, value: &Json) -> Option<()> {
    *field = T::read(value)?;
    Some(())
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
            ("\"suites\": 3".to_owned(), "suites: expected a list of addresses"),
            ("\"suites\": [3]".to_owned(), "suites: expected a list of addresses"),
            ("\"runner\": \"reference-01\"".to_owned(), "begins with https://"),
            ("\"examples\": [{ \"question\": \"Which?\" }]".to_owned(), "with question and link"),
            ("\"tilte\": \"A\"".to_owned(), "tilte: expected title, suites"),
            (qualities("1"), "priority 1: points: expected 2 to 1025"),
            ("\"qualities\": []".to_owned(), "exactly four, all of them complete"),
            ("\"title\": \"A".to_owned(), "control character"),
        ];
        for (line, expected) in table {
            let told = Notebook::read(&format!("{{\n  {line}\n}}")).expect_err(&line);
            assert!(told.starts_with("notebook.json is not understood") && told.contains(expected), "{told}");
            assert!(told.contains("line 2") || told.contains("line 3"), "{told}");
        }
    }

    #[test]
    fn the_runner_may_be_the_host_of_the_page() {
        let runner = |text: &str| Notebook::read(text).map(|notebook| notebook.runner);
        assert_eq!(runner(r#"{"runner":"./"}"#), Ok(Some("./".to_owned())));
        assert_eq!(runner(r#"{"runner":null}"#), Ok(None));
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
