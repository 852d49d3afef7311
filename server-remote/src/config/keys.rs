//! The keys of the configuration, and suggestions for unknown ones.

use super::table::settings;

/// Replaces the port of the address. Not a key of the file, whose `address` includes the port.
pub(super) const PORT: &str = "port";

/// All keys of the file, by table. All but `qualities` have a variable: `BENCHBOOK_LIMITS_CLIENTS` for `limits.clients`.
pub(super) fn keys() -> impl Iterator<Item = &'static str> {
    settings().map(|setting| setting.key)
}

/// The variable of a key.
pub(super) fn variable(key: &str) -> String {
    format!("BENCHBOOK_{}", key.replace('.', "_").to_uppercase())
}

/// Whether this is a table of keys.
pub(super) fn is_table(key: &str) -> bool {
    keys().any(|known| known.strip_prefix(key).is_some_and(|rest| rest.starts_with('.')))
}

/// Advice for an unknown key.
pub(super) fn suggest(unknown: &str) -> String {
    let tables = keys().filter_map(|known| Some(known.split_once('.')?.0));
    let distance = |known: &&str| strsim::damerau_levenshtein(unknown, known);
    match keys().chain(tables).min_by_key(distance).filter(|known| distance(known) * 3 <= unknown.len()) {
        Some(nearest) => format!("unknown key; did you mean `{nearest}`?"),
        None => format!("unknown key; allowed: {}", siblings(unknown).join(", ")),
    }
}

/// The keys of the same table, without its name; at the top level, also the tables.
fn siblings(unknown: &str) -> Vec<&'static str> {
    if let Some((table, _)) = unknown.rsplit_once('.')
        && is_table(table)
    {
        return keys().filter_map(|known| known.strip_prefix(table)?.strip_prefix('.')).collect();
    }
    let mut names: Vec<_> = keys().map(|known| known.split('.').next().unwrap_or(known)).collect();
    names.dedup();
    names
}
