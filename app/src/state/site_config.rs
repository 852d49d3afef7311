//! `notebook.json`: the configuration of a hosted page.

use std::collections::BTreeMap;
use std::fmt;

use benchbook_host::quality::{Qualities, Quality};
use benchbook_host::response::SuiteCard;
use benchbook_report::digest::NotebookDigest;
use serde::de::{Error, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// The contents of `notebook.json`; every field is optional.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct SiteConfig {
    /// The title next to the name of the page.
    #[serde(deserialize_with = "title")]
    pub(crate) title: String,
    /// Addresses of suites, relative to the page.
    #[serde(deserialize_with = "suites")]
    pub(crate) suites: Vec<String>,
    /// The qualities of the four priorities in the browser.
    #[serde(deserialize_with = "qualities")]
    pub(crate) qualities: Qualities,
    /// Measurements that the start offers, the first at the top.
    #[serde(deserialize_with = "examples")]
    pub(crate) examples: Vec<Example>,
    /// The address of a notebook file, relative to the page, which the page shows in place of the start.
    #[serde(deserialize_with = "article")]
    pub(crate) article: Option<String>,
    /// Notebooks that the start offers to read.
    #[serde(deserialize_with = "notebooks")]
    pub(crate) notebooks: Vec<ListedNotebook>,
    /// The address of a file with the digests of these notebooks, by the addresses of their files; `None` once they are added. `cargo xtask
    /// notebooks` writes it.
    #[serde(deserialize_with = "digests")]
    pub(crate) digests: Option<String>,
    /// The command that installs `cargo benchbook`; the start shows it. Absent on a page that this tool serves or has written.
    #[serde(deserialize_with = "install")]
    pub(crate) install: Option<String>,
    /// The address of the folder that the source files of a suite are relative to, by the name of the suite.
    #[serde(deserialize_with = "sources")]
    pub(crate) sources: BTreeMap<String, String>,
    /// The commits that suites were built from, by the fingerprint of their module or executable.
    #[serde(deserialize_with = "commits")]
    pub(crate) commits: BTreeMap<String, String>,
    /// The folder of accepted results, relative to the page, with a trailing slash.
    #[serde(deserialize_with = "history")]
    pub(crate) history: Option<String>,
    /// The address of a runner; `./` is the page's own host.
    #[serde(deserialize_with = "runner")]
    pub(crate) runner: Option<String>,
}

/// A measurement that the start offers.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Example {
    /// The question that it answers.
    pub(crate) question: String,
    /// The fragment of a link to it, without its `#`.
    pub(crate) link: String,
    /// The address of a listed notebook with its result, which the start shows.
    #[serde(default)]
    pub(crate) notebook: Option<String>,
}

/// A notebook that the start offers to read.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListedNotebook {
    /// The title in the list.
    pub(crate) title: String,
    /// The address of its file, relative to the page.
    pub(crate) address: String,
    /// What it says, in short; `None` if the site has no digest of it.
    #[serde(skip)]
    pub(crate) digest: Option<NotebookDigest>,
}

impl Default for SiteConfig {
    fn default() -> Self {
        Self {
            title: String::new(),
            suites: vec!["suites/demo.wasm".to_owned()],
            qualities: Qualities::in_browser(),
            examples: Vec::new(),
            article: None,
            notebooks: Vec::new(),
            digests: None,
            install: None,
            sources: BTreeMap::new(),
            commits: BTreeMap::new(),
            history: None,
            runner: None,
        }
    }
}

impl SiteConfig {
    /// The card of a suite with the commit that it was built from, if the site knows it. A later build has another fingerprint.
    pub(crate) fn with_commit(&self, card: SuiteCard) -> SuiteCard {
        SuiteCard { commit: self.commits.get(&card.fingerprint).cloned(), ..card }
    }

    /// Adds the digests of the listed notebooks: the contents of the file at [`Self::digests`]. Without a valid one, only their titles are shown.
    pub(crate) fn add_digests(&mut self, json: &[u8]) {
        self.digests = None;
        let mut digests: BTreeMap<String, NotebookDigest> = serde_json::from_slice(json).unwrap_or_default();
        for listed in &mut self.notebooks {
            listed.digest = digests.remove(&listed.address);
        }
    }

    /// The digest of the notebook with the result of an example.
    pub(crate) fn result_of(&self, example: &Example) -> Option<&NotebookDigest> {
        let listed = self.notebooks.iter().find(|listed| Some(&listed.address) == example.notebook.as_ref());
        listed.and_then(|listed| listed.digest.as_ref())
    }

    /// Parses the text of `notebook.json`.
    ///
    /// # Errors
    /// A sentence with the field, the expected value and the line.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        // Some editors write a byte order mark, which JSON does not allow.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        serde_json::from_str(text).map_err(|error| format!("notebook.json is invalid: {error}."))
    }
}

/// Deserializes a field and, if that fails, reports its name and the expected value. The parser adds the line.
fn field<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D, expected: &str) -> Result<T, D::Error> {
    T::deserialize(deserializer).map_err(|_| D::Error::custom(expected))
}

fn title<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    field(deserializer, "title: expected a text")
}

fn suites<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    field(deserializer, "suites: expected a list of addresses")
}

fn examples<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Example>, D::Error> {
    field(deserializer, "examples: expected a list of objects with question and link")
}

fn article<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    field(deserializer, "article: expected the address of a notebook file")
}

fn notebooks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<ListedNotebook>, D::Error> {
    field(deserializer, "notebooks: expected a list of objects with title and address")
}

fn digests<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    field(deserializer, "digests: expected the address of a file, such as notebooks/digests.json")
}

fn install<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    field(deserializer, "install: expected a command")
}

fn sources<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, String>, D::Error> {
    const EXPECTED: &str = "sources: expected addresses that begin with https://, by the name of the suite";
    let sources: BTreeMap<String, String> = field(deserializer, EXPECTED)?;
    if sources.values().all(|address| address.starts_with("https://")) {
        Ok(sources)
    } else {
        Err(D::Error::custom(EXPECTED))
    }
}

fn commits<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, String>, D::Error> {
    field(deserializer, "commits: expected commits, by the fingerprint of the suite's file")
}

fn history<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let folder: Option<String> = field(deserializer, "history: expected the address of a folder, such as history/")?;
    Ok(folder.map(|folder| if folder.ends_with('/') { folder } else { format!("{folder}/") }))
}

fn runner<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    const EXPECTED: &str = "runner: expected an address that begins with https:// or http://, or is ./";
    let is_address = |runner: &String| ["https://", "http://", "./"].iter().any(|start| runner.starts_with(start));
    let runner: Option<String> = field(deserializer, EXPECTED)?;
    if runner.as_ref().is_none_or(is_address) { Ok(runner) } else { Err(D::Error::custom(EXPECTED)) }
}

fn qualities<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Qualities, D::Error> {
    deserializer.deserialize_seq(QualitiesVisitor)
}

/// Reads the qualities one by one, so that an error names the priority.
struct QualitiesVisitor;

impl<'de> Visitor<'de> for QualitiesVisitor {
    type Value = Qualities;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("exactly four qualities")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Qualities, A::Error> {
        let wrong_count = || A::Error::custom("qualities: expected exactly four");
        let mut qualities = Vec::new();
        for priority in 1..=4 {
            let quality = list.next_element::<Quality>();
            let quality =
                quality.map_err(|error| A::Error::custom(format!("qualities: priority {priority}: {error}")))?;
            qualities.push(quality.ok_or_else(wrong_count)?);
        }
        if list.next_element::<IgnoredAny>()?.is_some() {
            return Err(wrong_count());
        }
        let qualities = <[Quality; 4]>::try_from(qualities).map_err(|_| wrong_count())?;
        Qualities::try_from(qualities).map_err(A::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::link::Link;

    #[test]
    fn reads_the_fields_and_their_defaults() {
        let text = |text: &str| Some(text.to_owned());
        let history = || SiteConfig { history: text("history/"), ..SiteConfig::default() };
        let table = [
            ("{}", SiteConfig::default()),
            // A byte order mark.
            ("\u{feff}{}", SiteConfig::default()),
            (r#"{"runner":"./"}"#, SiteConfig { runner: text("./"), ..SiteConfig::default() }),
            (r#"{"runner":null}"#, SiteConfig::default()),
            (r#"{"history":"history"}"#, history()),
            (r#"{"history":"history/"}"#, history()),
        ];
        for (json, expected) in table {
            assert_eq!(SiteConfig::read(json), Ok(expected), "{json}");
        }
    }

    #[test]
    fn errors_name_field_and_line() {
        let quality = |points: &str| {
            format!(
                "{{ \"points\": {points}, \"precision\": 0.1, \"point_ms\": 10, \"warm_up\": {{ \"at_least\": 1, \"at_most\": 2, \"ms\": 1 }}, \
                 \"samples\": {{ \"at_least\": 1, \"at_most\": 2 }}, \"processes\": 1 }}"
            )
        };
        let qualities = |points: &str| format!("\"qualities\": [{}]", [points; 4].map(quality).join(","));
        let five = format!("\"qualities\": [{}]", ["5"; 5].map(quality).join(","));
        let table = [
            ("\"title\": 3".to_owned(), "title: expected a text"),
            ("\"suites\": 3".to_owned(), "suites: expected a list of addresses"),
            ("\"suites\": [3]".to_owned(), "suites: expected a list of addresses"),
            ("\"article\": [3]".to_owned(), "article: expected the address of a notebook file"),
            (
                "\"sources\": { \"demo\": \"javascript:alert()\" }".to_owned(),
                "begin with https://, by the name of the suite",
            ),
            ("\"commits\": [3]".to_owned(), "commits: expected commits, by the fingerprint"),
            ("\"history\": [3]".to_owned(), "history: expected the address of a folder"),
            ("\"runner\": \"reference-01\"".to_owned(), "begins with https://"),
            ("\"runner\": 3".to_owned(), "begins with https://"),
            ("\"examples\": [{ \"question\": \"Which?\" }]".to_owned(), "with question and link"),
            ("\"notebooks\": [\"maps.benchbook.json\"]".to_owned(), "with title and address"),
            ("\"tilte\": \"A\"".to_owned(), "unknown field `tilte`, expected one of `title`, `suites`"),
            (qualities("1"), "qualities: priority 1: points: expected 2 to 1025"),
            ("\"qualities\": []".to_owned(), "qualities: expected exactly four"),
            (five, "qualities: expected exactly four"),
            ("\"qualities\": [{}]".to_owned(), "qualities: priority 1: missing field `points`"),
            ("\"title\": \"A".to_owned(), "title: expected a text"),
            ("\"title\"".to_owned(), "expected `:`"),
        ];
        for (line, expected) in table {
            let error = SiteConfig::read(&format!("{{\n  {line}\n}}")).expect_err(&line);
            assert!(error.starts_with("notebook.json is invalid") && error.contains(expected), "{error}");
            assert!(error.contains("line 2") || error.contains("line 3"), "{error}");
            assert_eq!(error.matches("line").count(), 1, "{error}");
        }
    }

    #[test]
    fn the_manual_and_the_page_have_valid_configurations() {
        let manual = include_str!("../../../docs/notebook.md");
        let example = manual.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
        let config = SiteConfig::read(example).expect("the example is valid");
        assert!(config.runner.is_some() && !config.examples.is_empty() && !config.title.is_empty());
        assert_eq!(config.qualities, Qualities::in_browser(), "the manual lists the defaults");
        let shipped = SiteConfig::read(include_str!("../../../static/notebook.json")).expect("it is valid");
        assert!(!config.notebooks.is_empty(), "the manual has an example");
        let digests = include_str!("../../../docs/notebooks/digests.json");
        let mut with_digests = shipped.clone();
        with_digests.add_digests(digests.as_bytes());
        assert!(with_digests.notebooks.iter().all(|listed| listed.digest.is_some()), "{:?}", with_digests.notebooks);
        let first = with_digests.result_of(&with_digests.examples[0]).expect("the first example has a result");
        assert!(!first.answer.is_empty() && first.thumbnail.is_some());
        for example in config.examples.iter().chain(&shipped.examples) {
            let link = Link::read(&example.link).expect("a link");
            assert_eq!(link.problems, [""; 0]);
            let setup = link.address.setup().expect("a cell");
            assert!(
                !setup.suite.is_empty() && setup.functions.iter().any(|function| !function.is_empty()),
                "{setup:?}"
            );
        }
    }
}
