//! Looking for text in text.

use benchbook::prelude::*;

/// The first place of the needle in the haystack.
///
/// The two-way algorithm of Crochemore and Perrin: `O(n)` without allocation.
#[measured(generators(haystack))]
pub fn find(haystack: &str, needle: &str) -> Option<usize> {
    haystack.find(needle)
}

/// Words in random order, the needle not among them.
#[generator(name = "Haystack")]
fn haystack(
    _service: &Service,
    /// Length of the text.
    #[parameter(min = 64, max = 1_048_576, scale = "log", default = 256..=65_536, unit = "bytes")]
    length: usize,
    /// What to look for.
    #[parameter(default = "benchbook")]
    needle: String,
) -> Shared<(String, String)> {
    const WORDS: [&str; 8] = ["bench ", "book ", "beat ", "born ", "oak ", "ochre ", "kin ", "no "];
    Shared::new(move |rng| {
        let mut text = String::with_capacity(length);
        while text.len() < length {
            text.push_str(WORDS.choose(rng).copied().unwrap_or("bench "));
        }
        text.truncate(length);
        (text, needle.clone())
    })
}
