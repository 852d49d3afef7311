//! Excerpts of foreign text for messages.

/// The most characters of foreign text that a message repeats.
const MAX_CHARACTERS: usize = 60;

/// The text, truncated with an ellipsis if it is long.
pub(crate) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(MAX_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
