//! Text search, UTF-8 validation, and conversions between numbers and text.

use benchbook::prelude::*;
use memchr::memmem;

/// Returns the first position of the needle in the haystack.
///
/// Is the standard library's text search the fastest? Compare with `find_memmem`, and enter your own needle. The
/// algorithm is Crochemore and Perrin's two-way search: `O(n)` without allocation.
#[measured(generators(haystack), alternatives = "first position of the needle")]
pub fn find(haystack: &str, needle: &str) -> Option<usize> {
    haystack.find(needle)
}

/// Returns the first position of the needle in the haystack, using SIMD if available.
///
/// When is the crate [memchr](https://docs.rs/memchr) worth a dependency? Compare with `find`: it searches for two rare
/// bytes of the needle at many positions at once, so try a needle of rare letters and one of common letters. `O(n)`.
#[measured(generators(haystack), alternatives = "first position of the needle")]
pub fn find_memmem(haystack: &str, needle: &str) -> Option<usize> {
    memmem::find(haystack.as_bytes(), needle.as_bytes())
}

/// Returns the first position of the needle in the haystack, by comparing it at each position.
///
/// If the text is harmless, do clever algorithms beat the obvious one? Compare with `find`. `O(n m)` at worst: enter
/// `no no no no no` as the needle, and lengthen it.
#[measured(generators(haystack), alternatives = "first position of the needle")]
pub fn find_naive(haystack: &str, needle: &str) -> Option<usize> {
    if needle.is_empty() {
        return Some(0);
    }
    haystack.as_bytes().windows(needle.len()).position(|window| window == needle.as_bytes())
}

/// The position of the needle.
#[derive(Clone, Copy, Choice)]
pub enum Place {
    /// Not in the text.
    Absent,
    /// At the end.
    AtTheEnd,
    /// At a random position in each text.
    Anywhere,
}

/// Words in random order. The needle does not occur unless it is inserted or is a part of the words.
#[generator(name = "Haystack")]
fn haystack(
    _service: &Service,
    /// Length of the text.
    #[parameter(min = 64, max = 1_048_576, scale = "log", default = 256..=65_536, unit = "bytes")]
    length: usize,
    /// Place of the needle.
    #[parameter(default = "Absent")]
    place: Place,
    /// Text to search for.
    #[parameter(default = "benchbook")]
    needle: String,
) -> Shared<(String, String)> {
    const WORDS: [&str; 8] = ["bench ", "book ", "beat ", "born ", "oak ", "ochre ", "kin ", "no "];
    let texts = Shared::new(move |rng: &mut Rng| {
        let mut text = String::with_capacity(length);
        while text.len() < length {
            text.push_str(WORDS.choose(rng).copied().unwrap_or("bench "));
        }
        text.truncate(length);
        if let Some(last) = length.checked_sub(needle.len()) {
            match place {
                Place::Absent => {}
                Place::AtTheEnd => text.replace_range(last.., &needle),
                Place::Anywhere => {
                    let start = rng.random_range(0..=last);
                    text.replace_range(start..start + needle.len(), &needle);
                }
            }
        }
        (text, needle.clone())
    });
    match place {
        Place::Absent | Place::AtTheEnd => texts.bytes(length as u64),
        // The search reads only the text before the needle.
        Place::Anywhere => texts,
    }
}

/// Tests whether bytes are UTF-8, with the standard library.
///
/// What does `String::from_utf8` cost in addition to reading the bytes? It tests ASCII two words at a time, and
/// everything else character by character: vary the script. Compare with `is_utf8_simd`. `O(n)`.
#[measured(generators(encoded), alternatives = "whether bytes are UTF-8")]
pub fn is_utf8(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok()
}

/// Tests whether bytes are UTF-8, with SIMD.
///
/// Is faster validation worth a dependency, and for which script? Compare with `is_utf8`. `O(n)`; only ASCII is faster.
///
/// Keiser and Lemire, [Validating UTF-8 in less than one instruction per byte](https://arxiv.org/abs/2010.03090), 2021,
/// in the crate [simdutf8](https://docs.rs/simdutf8).
#[measured(generators(encoded), alternatives = "whether bytes are UTF-8")]
pub fn is_utf8_simd(bytes: &[u8]) -> bool {
    simdutf8::basic::from_utf8(bytes).is_ok()
}

/// The script of a text.
#[derive(Clone, Copy, Choice)]
pub enum Script {
    /// English: one byte per character.
    English,
    /// Czech: one in five characters has two bytes.
    Czech,
    /// Greek: most characters have two bytes.
    Greek,
    /// Japanese: three bytes per character.
    Japanese,
}

impl Script {
    fn words(self) -> &'static [&'static str] {
        match self {
            Self::English => &["bench ", "book ", "measure ", "an ", "hour "],
            Self::Czech => &["měření ", "kniha ", "lavička ", "čas ", "údaj "],
            Self::Greek => &["βιβλίο ", "μέτρο ", "ώρα ", "πάγκος ", "και "],
            Self::Japanese => &["測定", "ノート", "時間", "ベンチ", "の"],
        }
    }
}

/// Words of a script in random order.
#[generator(name = "Encoded text")]
fn encoded(
    _service: &Service,
    /// Length of the text.
    #[parameter(min = 1, max = 10_000_000, scale = "log", default = 16..=65_536, unit = "bytes")]
    length: usize,
    /// Script of the text.
    #[parameter(default = "English")]
    script: Script,
) -> Shared<Vec<u8>> {
    Shared::new(move |rng| {
        let mut text = String::with_capacity(length);
        while let Some(word) = script.words().choose(rng)
            && text.len() + word.len() <= length
        {
            text.push_str(word);
        }
        let mut bytes = text.into_bytes();
        bytes.resize(length, b' ');
        bytes
    })
    .bytes(length as u64)
}

/// Parses decimal digits with `str::parse`.
///
/// Can `parse` be improved? Compare with `parse_by_eight`, with numbers of equal and of mixed lengths. Up to 16 digits,
/// `parse` needs no overflow checks; what do they cost from 17 digits on? They are most expensive in a browser, since
/// WebAssembly has no overflow flag.
#[measured(generators(digits), alternatives = "number of digits")]
pub fn parse(text: &str) -> Option<u64> {
    text.parse().ok()
}

/// Parses decimal digits one by one, with all checks.
///
/// Can a hand-written loop with the same checks beat `parse`? Compare with `parse` for few and for many digits: this
/// loop checks each digit for overflow, however few there are.
#[measured(generators(digits), alternatives = "number of digits")]
pub fn parse_by_digit(text: &str) -> Option<u64> {
    let next = |number: u64, byte| number.checked_mul(10)?.checked_add(digit(byte)?);
    if text.is_empty() { None } else { text.bytes().try_fold(0, next) }
}

fn digit(byte: u8) -> Option<u64> {
    let digit = byte.wrapping_sub(b'0');
    (digit < 10).then_some(u64::from(digit))
}

/// Parses decimal digits eight at a time, in one word.
///
/// At how many digits do three multiplications beat eight? Compare with `parse` at 7, 8 and 15 digits. Numbers that may
/// overflow are passed to `parse`.
///
/// Lemire,
/// [SWAR explained: parsing eight digits](https://lemire.me/blog/2022/01/21/swar-explained-parsing-eight-digits/),
/// 2022.
#[measured(generators(digits), alternatives = "number of digits")]
pub fn parse_by_eight(text: &str) -> Option<u64> {
    // 10¹⁹ is below 2⁶⁴.
    if text.is_empty() || text.len() > 19 {
        return text.parse().ok();
    }
    let (eights, rest) = text.as_bytes().as_chunks();
    let number = eights.iter().try_fold(0, |number, eight| Some(100_000_000 * number + eight_digits(*eight)?))?;
    rest.iter().try_fold(number, |number, byte| Some(10 * number + digit(*byte)?))
}

/// The number of eight digits, the first one in the lowest byte.
fn eight_digits(digits: [u8; 8]) -> Option<u64> {
    const ZEROS: u64 = u64::from_le_bytes([b'0'; 8]);
    let word = u64::from_le_bytes(digits);
    // A byte is a digit if its high half is 3, and still is after adding 6.
    let high = 0xf0f0_f0f0_f0f0_f0f0;
    if word & high != ZEROS || word.wrapping_add(0x0606_0606_0606_0606) & high != ZEROS {
        return None;
    }
    // Adjacent numbers are combined three times: to four of two digits, two of four, one of eight.
    let pairs = (word - ZEROS).wrapping_mul(1 + (10 << 8)) >> 8 & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(1 + (100 << 16)) >> 16 & 0x0000_ffff_0000_ffff;
    Some(fours.wrapping_mul(1 + (10_000 << 32)) >> 32)
}

/// The number of digits of the numbers.
#[derive(Clone, Copy, Choice)]
pub enum Lengths {
    /// All numbers have the maximum.
    Equal,
    /// All numbers of digits up to the maximum are equally likely.
    Mixed,
}

impl Lengths {
    fn number(self, rng: &mut Rng, most: u32) -> u64 {
        let digits = match self {
            Self::Equal => most,
            Self::Mixed => rng.random_range(1..=most),
        };
        let least = 10_u64.pow(digits - 1);
        rng.random_range(least..10 * least)
    }
}

/// Different numbers in decimal digits, to be parsed.
#[generator(name = "Digits")]
fn digits(
    _service: &Service,
    /// Maximum number of digits.
    #[parameter(min = 1, max = 19, default = 1..=19, unit = "digits")]
    most: u32,
    /// Distribution of the number of digits.
    #[parameter(default = "Equal")]
    lengths: Lengths,
) -> Calls<String> {
    Calls::new(move |rng| (0..256).map(|_| lengths.number(rng, most).to_string()).collect())
}

/// Formats a number with `to_string`.
///
/// Could `to_string` be faster? Compare with `format_macro`, which produces the same text, and with `format_itoa`.
#[measured(generators(numbers), alternatives = "decimal digits")]
pub fn format_to_string(number: u64) -> String {
    number.to_string()
}

/// Formats a number with `format!`.
///
/// What does the machinery of `format!` cost if `to_string` is sufficient? Compare with `format_to_string`.
#[measured(generators(numbers), alternatives = "decimal digits")]
pub fn format_macro(number: u64) -> String {
    format!("{number}")
}

/// Formats a number in a buffer on the stack.
///
/// Is the crate [itoa](https://docs.rs/itoa) still worth a dependency? Compare with `format_to_string` of the Rust
/// version that compiled this suite. All three functions return a `String`, so each figure includes its allocation.
#[measured(generators(numbers), alternatives = "decimal digits")]
pub fn format_itoa(number: u64) -> String {
    itoa::Buffer::new().format(number).to_owned()
}

/// Different numbers to be formatted.
#[generator(name = "Numbers")]
fn numbers(
    _service: &Service,
    /// Maximum number of digits.
    #[parameter(min = 1, max = 19, default = 1..=19, unit = "digits")]
    most: u32,
    /// Distribution of the number of digits.
    #[parameter(default = "Equal")]
    lengths: Lengths,
) -> Calls<u64> {
    Calls::new(move |rng| (0..256).map(|_| lengths.number(rng, most)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_agree() {
        let table = [("", ""), ("", "a"), ("a", ""), ("aab", "ab"), ("abab", "ab"), ("ab", "abc"), ("čas", "as")];
        for (haystack, needle) in table {
            let position = find(haystack, needle);
            assert_eq!(find_memmem(haystack, needle), position, "`{needle}` in `{haystack}`");
            assert_eq!(find_naive(haystack, needle), position, "`{needle}` in `{haystack}`");
        }
    }

    #[test]
    fn parsers_agree() {
        let max = u64::MAX.to_string();
        let texts = ["0", "7", "00", "1234567", "12345678", "123456789", "9999999999999999999", &max];
        for text in texts {
            assert!(parse(text).is_some());
            assert_eq!(parse_by_digit(text), parse(text), "{text}");
            assert_eq!(parse_by_eight(text), parse(text), "{text}");
        }
        // The last number overflows.
        for text in ["", "x", "1234567/", ":2345678", "12345678x", "1\u{301}2345678", "18446744073709551616"] {
            assert_eq!((parse(text), parse_by_digit(text), parse_by_eight(text)), (None, None, None), "{text}");
        }
    }

    #[test]
    fn utf8_validations_agree() {
        let text = "測定".as_bytes();
        for bytes in [&b""[..], b"a", text, &text[1..], b"\xc0\x80", b"\xed\xa0\x80", b"\xff"] {
            assert_eq!(is_utf8_simd(bytes), is_utf8(bytes), "{bytes:?}");
        }
    }
}
