//! `qualities`: what each priority means, as in `notebook.json`.

use std::ops::Range;

use benchbook_host::quality::{Qualities, Quality};
use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use super::ConfigProblem;
use super::file::Document;
use super::keys::QUALITIES;

const FOUR: &str = "allowed: exactly four tables [[qualities]], priority 1 first, each complete";

/// Reads all four, or says what is wrong with each.
pub(super) fn read(file: &Document<'_>, value: Spanned<DeValue<'_>>) -> Result<Qualities, Vec<ConfigProblem>> {
    let whole = value.span();
    let four = |_| vec![file.problem(QUALITIES, whole.clone(), FOUR)];
    let DeValue::Array(entries) = value.into_inner() else { return Err(four(())) };
    let mut qualities = Vec::new();
    let mut problems = Vec::new();
    for (index, entry) in entries.into_iter().enumerate() {
        match read_one(file, index + 1, entry) {
            Ok(quality) => qualities.push(quality),
            Err(problem) => problems.push(problem),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let qualities = <[Quality; 4]>::try_from(qualities).map_err(|_| four(()))?;
    Qualities::try_from(qualities).map_err(|advice| vec![file.problem(QUALITIES, whole, advice)])
}

fn read_one(file: &Document<'_>, priority: usize, entry: Spanned<DeValue<'_>>) -> Result<Quality, ConfigProblem> {
    let key = format!("{QUALITIES}[{priority}]");
    let whole = entry.span();
    let mut fields = Vec::new();
    if let DeValue::Table(table) = entry.get_ref() {
        list_fields("", table, &mut fields);
    }
    Quality::deserialize(ValueDeserializer::from(entry)).map_err(|error| {
        // What is wrong with a number is told with the field's name in front; else the reader knows where it was.
        let named = error.message().split_once(": ").and_then(|(name, expected)| {
            let field = fields.iter().find(|field| field.name == name)?;
            Some((field, expected))
        });
        let found = error.span().and_then(|span| fields.iter().find(|field| field.value == span || field.key == span));
        match (named, found) {
            (Some((field, expected)), _) => {
                file.problem(&format!("{key}.{}", field.name), field.value.clone(), expected)
            }
            (None, Some(field)) => file.problem(&format!("{key}.{}", field.name), field.value.clone(), error.message()),
            (None, None) => file.problem(&key, whole, error.message()),
        }
    })
}

/// A number of a quality in the file.
struct Field {
    /// Dotted, within the quality.
    name: String,
    key: Range<usize>,
    value: Range<usize>,
}

fn list_fields(parent: &str, table: &DeTable<'_>, fields: &mut Vec<Field>) {
    for (key, value) in table {
        let name = if parent.is_empty() { key.get_ref().to_string() } else { format!("{parent}.{}", key.get_ref()) };
        fields.push(Field { name: name.clone(), key: key.span(), value: value.span() });
        if let DeValue::Table(inner) = value.get_ref() {
            list_fields(&name, inner, fields);
        }
    }
}
