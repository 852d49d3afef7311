//! The text of the configuration file, for values and problems with their lines.

use std::ops::Range;
use std::path::Path;

use super::problem::ConfigProblem;
use super::value_source::ValueSource;
use super::values::{RawKind, RawValue};

/// The configuration file.
pub(super) struct ConfigFile<'a> {
    path: &'a Path,
    pub(super) text: &'a str,
}

impl<'a> ConfigFile<'a> {
    pub(super) fn new(path: &'a Path, text: &'a str) -> Self {
        Self { path, text }
    }

    /// The value at `span`.
    pub(super) fn value(&self, key: &str, span: Range<usize>, kind: RawKind) -> RawValue {
        let line = 1 + self.text[..span.start].matches('\n').count();
        let source = ValueSource::File { path: self.path.to_owned(), line, key: key.to_owned() };
        RawValue::new(source, key, self.text[span].to_owned(), kind)
    }

    /// A problem with the text at `span`.
    pub(super) fn problem(&self, key: &str, span: Range<usize>, advice: impl Into<String>) -> ConfigProblem {
        self.value(key, span, RawKind::Other).problem(advice)
    }

    /// A problem with the line that contains `offset`.
    pub(super) fn problem_in_line(&self, offset: usize, advice: String) -> ConfigProblem {
        let start = self.text[..offset].rfind('\n').map_or(0, |end| end + 1);
        let end = self.text[start..].find('\n').map_or(self.text.len(), |length| start + length);
        match self.text[start..end].split_once('=') {
            Some((key, value)) => self.problem(key.trim(), end - value.trim_start().len()..end, advice),
            None => self.problem("", start..end, advice),
        }
    }
}
