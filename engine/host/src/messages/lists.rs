//! Parts of sentences: lists, and values with their unit.

/// `a`, `a and b`, or `a, b and c`.
pub(super) fn listed(mut texts: Vec<String>) -> String {
    match texts.pop() {
        Some(last) if texts.is_empty() => last,
        Some(last) => format!("{} and {last}", texts.join(", ")),
        None => String::new(),
    }
}

/// A value with its unit, which may be empty: `100 keys`.
pub fn with_unit(text: &str, unit: &str) -> String {
    format!("{text} {unit}").trim_end().to_owned()
}
