//! Values as they were written, before their keys' formats are checked.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::problem::ConfigProblem;
use super::value_source::ValueSource;

/// A value with its source.
#[derive(Clone, Debug)]
pub(super) struct RawValue {
    pub(super) source: ValueSource,
    /// The text as written, unless it is secret.
    shown: String,
    kind: RawKind,
}

/// The kind of a value.
#[derive(Clone, Debug)]
pub(super) enum RawKind {
    /// Text of the command line or the environment, which may stand for any kind.
    Untyped(String),
    Text(String),
    Integer(u64),
    List(Vec<RawValue>),
    /// A kind that no key allows.
    Other,
}

/// The effective values by key, and the problems so far.
#[derive(Debug, Default)]
pub(super) struct RawValues {
    by_key: BTreeMap<&'static str, RawValue>,
    pub(super) problems: Vec<ConfigProblem>,
}

/// The maximum number of characters of a value in a message.
const MAX_SHOWN: usize = 60;

impl RawValue {
    pub(super) fn new(source: ValueSource, key: &str, text: String, kind: RawKind) -> Self {
        Self { source, shown: if is_secret(key) { "…".to_owned() } else { text }, kind }
    }

    /// A value of the command line or the environment.
    pub(super) fn untyped(source: ValueSource, key: &str, text: String) -> Self {
        Self::new(source, key, text.clone(), RawKind::Untyped(text))
    }

    /// A list of the command line or the environment.
    pub(super) fn untyped_list(source: ValueSource, key: &str, texts: Vec<String>) -> Self {
        let text = texts.join(",");
        let entries = texts.into_iter().map(|text| Self::untyped(source.clone(), key, text)).collect();
        Self::new(source, key, text, RawKind::List(entries))
    }

    /// The value as text; absent if it is of another kind.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.kind {
            RawKind::Untyped(text) | RawKind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The value as an integer; absent if it is of another kind.
    pub(super) fn integer(&self) -> Option<u64> {
        match &self.kind {
            RawKind::Untyped(text) => text.parse().ok(),
            RawKind::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// The value as an integer from `least` to `most`.
    pub(super) fn integer_between(&self, least: u64, most: u64) -> Result<u64, String> {
        let number = self.integer().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| format!("allowed: an integer from {least} to {most}"))
    }

    /// The value as a path. A path in a file is relative to that file's folder.
    pub(super) fn path(&self) -> Option<PathBuf> {
        let path = self.text().filter(|text| !text.is_empty()).map(PathBuf::from)?;
        Some(match &self.source {
            ValueSource::File { path: file, .. } => {
                file.parent().map_or_else(|| path.clone(), |folder| folder.join(&path))
            }
            _ => path,
        })
    }

    pub(super) fn problem(&self, advice: impl Into<String>) -> ConfigProblem {
        let line = self.shown.lines().next().unwrap_or_default();
        let mut shown: String = line.chars().take(MAX_SHOWN).collect();
        if shown != self.shown {
            shown.push('…');
        }
        ConfigProblem { source: Some(self.source.clone()), value: Some(shown), advice: advice.into() }
    }
}

impl RawValues {
    /// Adds a value, unless its key has one already: sources are read in order of precedence.
    pub(super) fn insert(&mut self, key: &'static str, value: RawValue) {
        self.by_key.entry(key).or_insert(value);
    }

    pub(super) fn get(&self, key: &str) -> Option<&RawValue> {
        self.by_key.get(key)
    }

    /// Parses the value of a key; absent if there is none, or it is invalid. The error of `parse` states the allowed values.
    pub(super) fn read<T, E: Into<String>>(
        &mut self,
        key: &str,
        parse: impl FnOnce(&RawValue) -> Result<T, E>,
    ) -> Option<T> {
        let value = self.by_key.get(key)?;
        match parse(value) {
            Ok(parsed) => Some(parsed),
            Err(advice) => {
                self.problems.push(value.problem(advice));
                None
            }
        }
    }

    /// Parses each entry of a list, and returns the valid ones.
    pub(super) fn read_each<T, E: Into<String>>(
        &mut self,
        key: &str,
        parse: impl Fn(&RawValue) -> Result<T, E>,
    ) -> Vec<T> {
        let Some(value) = self.by_key.get(key) else { return Vec::new() };
        let RawKind::List(entries) = &value.kind else {
            self.problems.push(value.problem("allowed: a list of texts, such as [\"one\", \"another\"]"));
            return Vec::new();
        };
        let mut parsed = Vec::new();
        for entry in entries {
            match parse(entry) {
                Ok(one) => parsed.push(one),
                Err(advice) => self.problems.push(entry.problem(advice)),
            }
        }
        parsed
    }
}

/// Whether messages must hide the value: that of `token`, and of keys that may be misspellings of it.
fn is_secret(key: &str) -> bool {
    let looks_secret = || ["token", "secret", "password"].iter().any(|word| key.to_lowercase().contains(word));
    key != "token_file" && (looks_secret() || strsim::damerau_levenshtein(key, "token") <= 2)
}
