//! The keys of the configuration, and suggestions for unknown ones.

/// All keys of the file, by table. All but `qualities` have a variable: `BENCHBOOK_LIMITS_CLIENTS` for `limits.clients`.
pub(super) const KEYS: &[&str] = &[
    "address",
    "suites",
    "page",
    "notebooks",
    "history",
    "uploads",
    "database",
    "name",
    "core",
    "isolation",
    "origins",
    "hosts",
    "token",
    "token_file",
    QUALITIES,
    "tls.certificate",
    "tls.key",
    "limits.clients",
    "limits.queued_seconds",
    "limits.queued_seconds_per_address",
    "limits.body_bytes",
    "limits.points",
    "limits.point_seconds",
    "limits.streams",
    "limits.streams_per_client",
    "limits.streams_per_address",
    "limits.patience_seconds",
    "limits.uploads",
    "limits.upload_bytes",
    "limits.uploads_bytes",
    "children.memory_bytes",
    "children.cpu_seconds",
    "children.open_files",
    "children.file_bytes",
    "children.processes",
    "children.readable",
    "children.scratch",
    "children.scratch_bytes",
    "children.may_start_processes",
    "children.user",
    "retention.days",
    "retention.max_bytes",
    "log.format",
    "log.level",
];

/// The only key whose value is not a text, a number or a list of texts.
pub(super) const QUALITIES: &str = "qualities";

/// Replaces the port of the address. Not a key of the file, whose `address` includes the port.
pub(super) const PORT: &str = "port";

/// Keys whose values are lists. In a variable, commas separate the entries.
pub(super) const LISTS: &[&str] = &["suites", "origins", "hosts", "children.readable", "children.may_start_processes"];

/// The variable of a key.
pub(super) fn variable(key: &str) -> String {
    format!("BENCHBOOK_{}", key.replace('.', "_").to_uppercase())
}

/// Whether this is a table of keys.
pub(super) fn is_table(key: &str) -> bool {
    KEYS.iter().any(|known| known.strip_prefix(key).is_some_and(|rest| rest.starts_with('.')))
}

/// Whether messages must hide the value: that of `token`, and of keys that may be misspellings of it.
pub(super) fn is_secret(key: &str) -> bool {
    let looks_secret = || ["token", "secret", "password"].iter().any(|word| key.to_lowercase().contains(word));
    key != "token_file" && (looks_secret() || strsim::damerau_levenshtein(key, "token") <= 2)
}

/// Advice for an unknown key.
pub(super) fn suggest(unknown: &str) -> String {
    let tables = KEYS.iter().filter_map(|known| Some(known.split_once('.')?.0));
    let distance = |known: &&str| strsim::damerau_levenshtein(unknown, known);
    match KEYS.iter().copied().chain(tables).min_by_key(distance).filter(|known| distance(known) * 3 <= unknown.len()) {
        Some(nearest) => format!("unknown key; did you mean `{nearest}`?"),
        None => format!("unknown key; allowed: {}", siblings(unknown).join(", ")),
    }
}

/// The keys of the same table, without its name; at the top level, also the tables.
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
