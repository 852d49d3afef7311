//! Words.

use benchbook::prelude::*;

/// Counts the words.
#[measured(generators(text))]
pub fn count(text: &str) -> usize {
    text.split_whitespace().count()
}

/// A repeated word.
#[generator(name = "Text")]
pub fn text(
    _service: &Service,
    /// Number of words.
    #[parameter(min = 0, max = 1_000, default = 0..=100)]
    size: usize,
    /// The word to repeat.
    #[parameter(default = "bench")]
    word: String,
) -> Shared<String> {
    Shared::new(move |_| vec![word.as_str(); size].join(" "))
}
