//! Strings from literals: functions that take no input.

use benchbook::prelude::*;

/// The text to copy.
const LITERAL: &str = "The quick brown fox jumps over the lazy dog.";

/// Copies a literal with `String::from`.
///
/// What does it cost to own a string instead of borrowing it? One allocation, and a copy of 44 bytes. Compare with
/// `string_from_characters`. `O(n)`.
#[measured(alternatives = "a string of 44 bytes")]
pub fn string_from_literal() -> String {
    String::from(LITERAL)
}

/// Collects the characters of a literal.
///
/// How much slower is it to decode and encode each character? The string also grows as needed, since an iterator over
/// characters knows only the bounds of its length. Compare with `string_from_literal`. `O(n)`.
#[measured(alternatives = "a string of 44 bytes")]
pub fn string_from_characters() -> String {
    LITERAL.chars().collect()
}
