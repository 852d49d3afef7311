//! The keys of the configuration, and what to say to one that is none.

/// All keys of the file, by table. Each is also a variable: `limits.clients` is `BENCHBOOK_LIMITS_CLIENTS`. Only
/// `qualities` needs the file.
pub(super) const KEYS: &[&str] = &[
    "address",
    "suites",
    "page",
    "database",
    "name",
    "core",
    "origins",
    "hosts",
    "token",
    "token_file",
    QUALITIES,
    "tls.certificate",
    "tls.key",
    "limits.clients",
    "limits.queued_seconds",
    "limits.body_bytes",
    "limits.points",
    "limits.streams",
    "limits.patience_seconds",
    "children.memory_bytes",
    "children.cpu_seconds",
    "children.open_files",
    "children.file_bytes",
    "children.processes",
    "log.format",
    "log.level",
];

/// The only key whose value is neither a text nor a number nor a list of texts.
pub(super) const QUALITIES: &str = "qualities";

/// Replaces the port of the address. No key of the file, which says the whole address.
pub(super) const PORT: &str = "port";

/// Keys whose values are lists; in a variable they are parted by commas.
pub(super) const LISTS: &[&str] = &["suites", "origins", "hosts"];

/// The variable of a key.
pub(super) fn variable(key: &str) -> String {
    format!("BENCHBOOK_{}", key.replace('.', "_").to_uppercase())
}

/// Whether keys of the file begin with this one.
pub(super) fn is_table(key: &str) -> bool {
    KEYS.iter().any(|known| known.strip_prefix(key).is_some_and(|rest| rest.starts_with('.')))
}

/// Whether the value must not be told again: that of `token`, and of keys that may have been meant to be it.
pub(super) fn is_secret(key: &str) -> bool {
    let looks_secret = || ["token", "secret", "password"].iter().any(|word| key.to_lowercase().contains(word));
    key != "token_file" && (looks_secret() || strsim::damerau_levenshtein(key, "token") <= 2)
}

/// What to write instead of an unknown key.
pub(super) fn advice(unknown: &str) -> String {
    let tables = KEYS.iter().filter_map(|known| Some(known.split_once('.')?.0));
    let likeness = |known: &&str| strsim::damerau_levenshtein(unknown, known);
    match KEYS.iter().copied().chain(tables).min_by_key(likeness).filter(|known| likeness(known) * 3 <= unknown.len()) {
        Some(nearest) => format!("there is no such key: did you mean `{nearest}`?"),
        None => format!("there is no such key; allowed: {}", siblings(unknown).join(", ")),
    }
}

/// The keys of the same table, without its name, or those of no table and the tables.
fn siblings(unknown: &str) -> Vec<&'static str> {
    if let Some((table, _)) = unknown.rsplit_once('.')
        && is_table(table)
    {
        return KEYS.iter().filter_map(|known| known.strip_prefix(table)?.strip_prefix('.')).collect();
    }
    let mut names: Vec<_> = KEYS.iter().map(|known| known.split('.').next().unwrap_or(known)).collect();
    names.dedup();
    names
}
