//! Names that a program chooses freely, such as those of benches for criterion, in the form that every tool can show and store.

use super::MAX_NAME;

/// Stands for an empty name.
const EMPTY: &str = "(empty)";

/// The number of hexadecimal digits that keep shortened names distinct.
const HASH_DIGITS: usize = 8;

/// The form of a name in a catalog, and so in tables, links, requests and histories: not empty, without control characters, and at
/// most [`MAX_NAME`] characters long. Other names stay as they are. The form of a listed name is the name itself.
pub fn listed_name(name: &str) -> String {
    if name.is_empty() {
        return EMPTY.to_owned();
    }
    let mut escaped = String::with_capacity(name.len());
    for letter in name.chars() {
        match letter.is_control() {
            true => escaped.extend(letter.escape_default()),
            false => escaped.push(letter),
        }
    }
    // The rest of the name, the ellipsis and the digits.
    match escaped.char_indices().nth(MAX_NAME) {
        None => escaped,
        Some(_) => {
            let rest: String = escaped.chars().take(MAX_NAME - HASH_DIGITS - 1).collect();
            format!("{rest}…{:0HASH_DIGITS$x}", hash(&escaped))
        }
    }
}

/// FNV-1a with 32 bits (<http://www.isthe.com/chongo/tech/comp/fnv/>): the same in all builds.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_readable_distinct_and_stable() {
        for (name, expected) in [
            ("", "(empty)"),
            (" ", " "),
            ("a::b<Vec<u8>>", "a::b<Vec<u8>>"),
            ("Größe 日本語 🦀", "Größe 日本語 🦀"),
            ("\u{1b}[2J\r\n\t\0", "\\u{1b}[2J\\r\\n\\t\\u{0}"),
            ("\u{9b}2J", "\\u{9b}2J"),
        ] {
            assert_eq!(listed_name(name), expected);
        }
        let long = |end: &str| listed_name(&format!("{}{end}", "é".repeat(MAX_NAME)));
        assert_eq!(long(""), "é".repeat(MAX_NAME));
        let (fast, slow) = (long("_fast"), long("_slow"));
        assert!(fast.starts_with("éé") && fast.ends_with("…709c5294"), "{fast}");
        assert_ne!(fast, slow);
        for name in [&fast, &slow] {
            assert_eq!((name.chars().count(), listed_name(name)), (MAX_NAME, name.clone()));
        }
    }
}
