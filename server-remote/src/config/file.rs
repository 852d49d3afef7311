//! Parses the configuration file: TOML, with the line of each value.

use benchbook_host::quality::Qualities;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::document::ConfigFile;
use super::keys;
use super::qualities;
use super::table::QUALITIES;
use super::values::{RawKind, RawValue, RawValues};

/// Adds the values of a file to `values`. Returns its qualities; absent if it has none, or they are invalid.
pub(super) fn read(document: &ConfigFile<'_>, values: &mut RawValues) -> Option<Qualities> {
    let (table, errors) = DeTable::parse_recoverable(document.text);
    if !errors.is_empty() {
        // The recovered values around a syntax error may be wrong, so they are not checked.
        let problem = |error: &toml::de::Error| {
            let start = error.span().map_or(0, |span| span.start);
            let advice = format!("invalid TOML: {}; quote texts, and write tables as [name]", error.message());
            document.problem_in_line(start, advice)
        };
        values.problems.extend(errors.iter().map(problem));
        return None;
    }
    read_table(document, "", table.into_inner(), values)
}

fn read_table(
    document: &ConfigFile<'_>,
    table: &str,
    entries: DeTable<'_>,
    values: &mut RawValues,
) -> Option<Qualities> {
    let mut read = None;
    for (name, value) in entries {
        let key = if table.is_empty() { name.get_ref().to_string() } else { format!("{table}.{}", name.get_ref()) };
        let span = value.span();
        match keys::keys().find(|known| *known == key) {
            Some(QUALITIES) => match qualities::read(document, value) {
                Ok(qualities) => read = Some(qualities),
                Err(problems) => values.problems.extend(problems),
            },
            Some(known) => values.insert(known, raw_value(document, &key, &value)),
            None if keys::is_table(&key) => match value.into_inner() {
                DeValue::Table(entries) => {
                    read_table(document, &key, entries, values);
                }
                _ => values.problems.push(document.problem(&key, span, "allowed: a table of keys")),
            },
            None => values.problems.push(document.problem(&key, span, keys::suggest(&key))),
        }
    }
    read
}

fn raw_value(document: &ConfigFile<'_>, key: &str, value: &Spanned<DeValue<'_>>) -> RawValue {
    let kind = match value.get_ref() {
        DeValue::String(text) => RawKind::Text(text.to_string()),
        DeValue::Integer(number) => {
            u64::from_str_radix(number.as_str(), number.radix()).map_or(RawKind::Other, RawKind::Integer)
        }
        DeValue::Array(entries) => RawKind::List(entries.iter().map(|entry| raw_value(document, key, entry)).collect()),
        _ => RawKind::Other,
    };
    document.value(key, value.span(), kind)
}
