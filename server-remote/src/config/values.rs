//! Values as they were written, and how each kind is read.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::{ConfigProblem, Place, keys};

/// A value with its place.
#[derive(Clone, Debug)]
pub(super) struct Written {
    pub(super) place: Place,
    /// As it stands there, unless it is secret.
    shown: String,
    pub(super) value: Value,
}

/// What kind of value was written.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// On the command line or in the environment, where kinds are not told apart.
    Word(String),
    Text(String),
    Integer(u64),
    List(Vec<Written>),
    /// None that any key allows.
    Other,
}

/// The values that count, by key, and what is wrong with them.
#[derive(Debug, Default)]
pub(super) struct Values {
    by_key: BTreeMap<&'static str, Written>,
    pub(super) problems: Vec<ConfigProblem>,
}

/// The most of a value that is told again.
const SHOWN: usize = 60;

impl Written {
    pub(super) fn new(place: Place, key: &str, text: String, value: Value) -> Self {
        Self { place, shown: if keys::is_secret(key) { "…".to_owned() } else { text }, value }
    }

    /// Its text.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Word(text) | Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Its whole number.
    pub(super) fn integer(&self) -> Option<u64> {
        match &self.value {
            Value::Word(word) => word.parse().ok(),
            Value::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// The path that it is; one in a file is relative to that file's folder.
    pub(super) fn path(&self) -> Option<PathBuf> {
        let path = self.text().filter(|text| !text.is_empty()).map(PathBuf::from)?;
        Some(match &self.place {
            Place::File { path: file, .. } => file.parent().map_or_else(|| path.clone(), |folder| folder.join(&path)),
            _ => path,
        })
    }

    pub(super) fn problem(&self, advice: impl Into<String>) -> ConfigProblem {
        let line = self.shown.lines().next().unwrap_or_default();
        let mut shown: String = line.chars().take(SHOWN).collect();
        if shown != self.shown {
            shown.push('…');
        }
        ConfigProblem { place: Some(self.place.clone()), value: Some(shown), advice: advice.into() }
    }
}

impl Values {
    /// Takes a value, unless there is one of the same key already: what has precedence comes first.
    pub(super) fn take(&mut self, key: &'static str, written: Written) {
        self.by_key.entry(key).or_insert(written);
    }

    pub(super) fn get(&self, key: &str) -> Option<&Written> {
        self.by_key.get(key)
    }

    /// The value of a key, read by `read`, whose error says what is allowed; absent where there is none that will do.
    pub(super) fn read<T, E: Into<String>>(
        &mut self,
        key: &str,
        read: impl FnOnce(&Written) -> Result<T, E>,
    ) -> Option<T> {
        let written = self.by_key.get(key)?;
        match read(written) {
            Ok(value) => Some(value),
            Err(advice) => {
                self.problems.push(written.problem(advice));
                None
            }
        }
    }

    /// The values of a list that will do, read one by one.
    pub(super) fn read_each<T, E: Into<String>>(
        &mut self,
        key: &str,
        read: impl Fn(&Written) -> Result<T, E>,
    ) -> Vec<T> {
        let Some(written) = self.by_key.get(key) else { return Vec::new() };
        let Value::List(entries) = &written.value else {
            self.problems.push(written.problem("allowed: a list of texts, such as [\"one\", \"another\"]"));
            return Vec::new();
        };
        let mut values = Vec::new();
        for entry in entries {
            match read(entry) {
                Ok(value) => values.push(value),
                Err(advice) => self.problems.push(entry.problem(advice)),
            }
        }
        values
    }
}
