//! The valid names in messages about invalid ones.

/// A sentence that lists the valid names; empty without any.
pub(crate) fn available<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    if names.is_empty() { String::new() } else { format!(" Available: {}.", names.join(", ")) }
}
