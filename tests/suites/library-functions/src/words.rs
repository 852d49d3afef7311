//! Words.

use benchbook::prelude::*;

/// How many words there are.
#[measured(generators(text))]
pub fn count(text: &str) -> usize {
    text.split_whitespace().count()
}

/// One word, several times.
#[generator(name = "Text")]
pub fn text(
    _service: &Service,
    /// How many words.
    #[parameter(min = 0, max = 1_000, default = 0..=100)]
    size: usize,
    /// Which word.
    #[parameter(default = "bench")]
    word: String,
) -> Shared<String> {
    Shared::new(move |_| vec![word.as_str(); size].join(" "))
}
