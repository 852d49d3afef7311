//! The file: TOML, each value with its line.

use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::keys::{self, KEYS, QUALITIES};
use super::values::{Value, Values, Written};
use super::{ConfigProblem, Place, qualities};
use benchbook_host::quality::Qualities;

/// A file while it is read.
pub(super) struct Document<'a> {
    path: &'a Path,
    text: &'a str,
}

impl<'a> Document<'a> {
    pub(super) fn new(path: &'a Path, text: &'a str) -> Self {
        Self { path, text }
    }

    /// Adds what it says to `values`. Absent are qualities that it does not have, or that will not do.
    pub(super) fn read(&self, values: &mut Values) -> Option<Qualities> {
        let (table, errors) = DeTable::parse_recoverable(self.text);
        if !errors.is_empty() {
            // What stands around a mistake may be understood wrongly, so nothing is said of it.
            let problem = |error: &toml::de::Error| {
                let start = error.span().map_or(0, |span| span.start);
                let advice = format!("this is no TOML: {}; texts stand in quotes, tables as [name]", error.message());
                self.problem_in_line(start, advice)
            };
            values.problems.extend(errors.iter().map(problem));
            return None;
        }
        self.read_table("", table.into_inner(), values)
    }

    fn read_table(&self, table: &str, entries: DeTable<'a>, values: &mut Values) -> Option<Qualities> {
        let mut read = None;
        for (name, value) in entries {
            let key = if table.is_empty() { name.get_ref().to_string() } else { format!("{table}.{}", name.get_ref()) };
            let span = value.span();
            match KEYS.iter().find(|known| **known == key) {
                Some(&QUALITIES) => match qualities::read(self, value) {
                    Ok(qualities) => read = Some(qualities),
                    Err(problems) => values.problems.extend(problems),
                },
                Some(known) => values.take(known, self.written(&key, &value)),
                None if keys::is_table(&key) => match value.into_inner() {
                    DeValue::Table(entries) => {
                        self.read_table(&key, entries, values);
                    }
                    _ => values.problems.push(self.problem(&key, span, "allowed: a table of keys")),
                },
                None => values.problems.push(self.problem(&key, span, keys::advice(&key))),
            }
        }
        read
    }

    fn written(&self, key: &str, value: &Spanned<DeValue<'_>>) -> Written {
        let kind = match value.get_ref() {
            DeValue::String(text) => Value::Text(text.to_string()),
            DeValue::Integer(number) => {
                u64::from_str_radix(number.as_str(), number.radix()).map_or(Value::Other, Value::Integer)
            }
            DeValue::Array(entries) => Value::List(entries.iter().map(|entry| self.written(key, entry)).collect()),
            _ => Value::Other,
        };
        self.at(key, value.span(), kind)
    }

    /// A problem with what stands at `span`.
    pub(super) fn problem(&self, key: &str, span: Range<usize>, advice: impl Into<String>) -> ConfigProblem {
        self.at(key, span, Value::Other).problem(advice)
    }

    /// A problem with the line in which `at` is.
    fn problem_in_line(&self, at: usize, advice: String) -> ConfigProblem {
        let start = self.text[..at].rfind('\n').map_or(0, |end| end + 1);
        let end = self.text[start..].find('\n').map_or(self.text.len(), |length| start + length);
        match self.text[start..end].split_once('=') {
            Some((key, value)) => self.problem(key.trim(), end - value.trim_start().len()..end, advice),
            None => self.problem("", start..end, advice),
        }
    }

    fn at(&self, key: &str, span: Range<usize>, value: Value) -> Written {
        let line = 1 + self.text[..span.start].matches('\n').count();
        let place = Place::File { path: self.path.to_owned(), line, key: key.to_owned() };
        Written::new(place, key, self.text[span].to_owned(), value)
    }
}
