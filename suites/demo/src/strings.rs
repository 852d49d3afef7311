//! Strings from literals: functions that take no input.

use benchbook::prelude::*;

/// The text to copy, short enough for one allocation of any allocator's smaller sizes.
const LITERAL: &str = "The quick brown fox jumps over the lazy dog.";

/// Copies a literal with `String::from`: one allocation and one copy of 44 bytes.
#[measured(alternatives = "a string of 44 bytes")]
pub fn string_from_literal() -> String {
    String::from(LITERAL)
}

/// Collects the characters of a literal: decodes and encodes each of them, and grows the string as needed.
#[measured(alternatives = "a string of 44 bytes")]
pub fn string_from_characters() -> String {
    LITERAL.chars().collect()
}
