//! `qualities`: the meaning of each priority, as in `notebook.json`.

use std::ops::Range;

use benchbook_host::quality::{Qualities, Quality};
use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use super::document::ConfigFile;
use super::problem::ConfigProblem;
use super::table::QUALITIES;

const FOUR: &str = "allowed: exactly four complete tables [[qualities]], priority 1 first";

/// Parses all four, or returns the problems of each.
pub(super) fn read(document: &ConfigFile<'_>, value: Spanned<DeValue<'_>>) -> Result<Qualities, Vec<ConfigProblem>> {
    let whole = value.span();
    let four = |_| vec![document.problem(QUALITIES, whole.clone(), FOUR)];
    let DeValue::Array(entries) = value.into_inner() else { return Err(four(())) };
    let mut qualities = Vec::new();
    let mut problems = Vec::new();
    for (index, entry) in entries.into_iter().enumerate() {
        match read_one(document, index + 1, entry) {
            Ok(quality) => qualities.push(quality),
            Err(problem) => problems.push(problem),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let qualities = <[Quality; 4]>::try_from(qualities).map_err(|_| four(()))?;
    Qualities::try_from(qualities).map_err(|advice| vec![document.problem(QUALITIES, whole, advice)])
}

fn read_one(document: &ConfigFile<'_>, priority: usize, entry: Spanned<DeValue<'_>>) -> Result<Quality, ConfigProblem> {
    let key = format!("{QUALITIES}[{priority}]");
    let whole = entry.span();
    let mut fields = Vec::new();
    if let DeValue::Table(table) = entry.get_ref() {
        list_fields("", table, &mut fields);
    }
    Quality::deserialize(ValueDeserializer::from(entry)).map_err(|error| {
        // Range errors start with the field's name; other errors have a span.
        let named = error.message().split_once(": ").and_then(|(name, expected)| {
            let field = fields.iter().find(|field| field.name == name)?;
            Some((field, expected))
        });
        let found = error.span().and_then(|span| fields.iter().find(|field| field.value == span || field.key == span));
        match (named, found) {
            (Some((field, expected)), _) => {
                document.problem(&format!("{key}.{}", field.name), field.value.clone(), expected)
            }
            (None, Some(field)) => {
                document.problem(&format!("{key}.{}", field.name), field.value.clone(), error.message())
            }
            (None, None) => document.problem(&key, whole, error.message()),
        }
    })
}

/// A field of a quality in the file.
struct QualityField {
    /// The dotted name within the quality.
    name: String,
    key: Range<usize>,
    value: Range<usize>,
}

fn list_fields(parent: &str, table: &DeTable<'_>, fields: &mut Vec<QualityField>) {
    for (key, value) in table {
        let name = if parent.is_empty() { key.get_ref().to_string() } else { format!("{parent}.{}", key.get_ref()) };
        fields.push(QualityField { name: name.clone(), key: key.span(), value: value.span() });
        if let DeValue::Table(inner) = value.get_ref() {
            list_fields(&name, inner, fields);
        }
    }
}
