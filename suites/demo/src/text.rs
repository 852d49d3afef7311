//! Text: finding things in it, and turning bytes and numbers into it and back.

use benchbook::prelude::*;
use memchr::memmem;

/// The first place of the needle in the haystack.
///
/// Is the standard library's way to find a text the fastest? Compare with `find_memmem`, and type your own needle. The
/// two-way algorithm of Crochemore and Perrin: `O(n)` without allocation.
#[measured(generators(haystack), alternatives = "first place of the needle")]
pub fn find(haystack: &str, needle: &str) -> Option<usize> {
    haystack.find(needle)
}

/// The first place of the needle in the haystack, by SIMD where there is some.
///
/// When is the crate [memchr](https://docs.rs/memchr) worth a dependency? Compare with `find`: it looks for two rare
/// bytes of the needle, many places at once, so type a needle of rare letters and one of common letters. `O(n)`.
#[measured(generators(haystack), alternatives = "first place of the needle")]
pub fn find_memmem(haystack: &str, needle: &str) -> Option<usize> {
    memmem::find(haystack.as_bytes(), needle.as_bytes())
}

/// The first place of the needle in the haystack, by comparing it at each place.
///
/// Are the clever ways better than what anyone would write, in a text that does not provoke it? Compare with `find`.
/// `O(n m)` at worst: type `no no no no no` as needle, and lengthen it.
#[measured(generators(haystack), alternatives = "first place of the needle")]
pub fn find_naive(haystack: &str, needle: &str) -> Option<usize> {
    if needle.is_empty() {
        return Some(0);
    }
    haystack.as_bytes().windows(needle.len()).position(|window| window == needle.as_bytes())
}

/// Where the needle is put.
#[derive(Clone, Copy, Choice)]
pub enum Place {
    /// Nowhere.
    Absent,
    /// Last of all.
    AtTheEnd,
    /// Anywhere, another place in each text.
    Anywhere,
}

/// Words in random order, the needle not among them unless it is put there or is a piece of them.
#[generator(name = "Haystack")]
fn haystack(
    _service: &Service,
    /// Length of the text.
    #[parameter(min = 64, max = 1_048_576, scale = "log", default = 256..=65_536, unit = "bytes")]
    length: usize,
    /// Where the needle is put.
    #[parameter(default = "Absent")]
    place: Place,
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
    })
}

/// Whether the bytes are UTF-8, as the standard library sees it.
///
/// What does `String::from_utf8` cost beside reading the bytes? ASCII goes by two words at once, all else character by
/// character: vary the script. Compare with `is_utf8_simd`. `O(n)`.
#[measured(generators(encoded), alternatives = "whether bytes are UTF-8")]
pub fn is_utf8(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok()
}

/// Whether the bytes are UTF-8, by SIMD.
///
/// Is validation worth a dependency, and for which script? Compare with `is_utf8`. `O(n)`, the same for all but ASCII.
///
/// Keiser and Lemire, [Validating UTF-8 in less than one instruction per byte](https://arxiv.org/abs/2010.03090), 2021,
/// in the crate [simdutf8](https://docs.rs/simdutf8).
#[measured(generators(encoded), alternatives = "whether bytes are UTF-8")]
pub fn is_utf8_simd(bytes: &[u8]) -> bool {
    simdutf8::basic::from_utf8(bytes).is_ok()
}

/// What a text is written in.
#[derive(Clone, Copy, Choice)]
pub enum Script {
    /// English: a byte a character.
    English,
    /// Czech: one character in five has two bytes.
    Czech,
    /// Greek: most characters have two bytes.
    Greek,
    /// Japanese: three bytes a character.
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

/// Words of a script, in random order.
#[generator(name = "Encoded text")]
fn encoded(
    _service: &Service,
    /// Length of the text.
    #[parameter(min = 1, max = 10_000_000, scale = "log", default = 16..=65_536, unit = "bytes")]
    length: usize,
    /// What it is written in.
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
}

/// The number that the digits mean, by `str::parse`.
///
/// Is there anything to be gained on `parse`? Compare with `parse_by_eight`, with numbers of equal and of mixed
/// lengths. Up to 16 digits it knows that nothing can overflow; what does the check cost from 17 on? In a browser most:
/// WebAssembly does not tell when a product overflows.
#[measured(generators(digits), alternatives = "number of digits")]
pub fn parse(text: &str) -> Option<u64> {
    text.parse().ok()
}

/// The number that the digits mean, digit by digit, with every check.
///
/// Does a loop of your own beat `parse`, if it checks as much? Compare with `parse` at few digits and at many: this one
/// checks for overflow at each digit, however few there are.
#[measured(generators(digits), alternatives = "number of digits")]
pub fn parse_by_digit(text: &str) -> Option<u64> {
    let next = |number: u64, byte| number.checked_mul(10)?.checked_add(digit(byte)?);
    if text.is_empty() { None } else { text.bytes().try_fold(0, next) }
}

fn digit(byte: u8) -> Option<u64> {
    let digit = byte.wrapping_sub(b'0');
    (digit < 10).then_some(u64::from(digit))
}

/// The number that the digits mean, eight digits at once in one word.
///
/// From how many digits on do three multiplications beat eight? Compare with `parse` at 8 digits, at 7 and at 15. What
/// may overflow is left to `parse` itself.
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
    // A byte is a digit if its high half is 3, and is so still with 6 more.
    let high = 0xf0f0_f0f0_f0f0_f0f0;
    if word & high != ZEROS || word.wrapping_add(0x0606_0606_0606_0606) & high != ZEROS {
        return None;
    }
    // Neighbours are joined three times: to four numbers of two digits, two of four, one of eight.
    let pairs = (word - ZEROS).wrapping_mul(1 + (10 << 8)) >> 8 & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(1 + (100 << 16)) >> 16 & 0x0000_ffff_0000_ffff;
    Some(fours.wrapping_mul(1 + (10_000 << 32)) >> 32)
}

/// How many digits a number has.
#[derive(Clone, Copy, Choice)]
pub enum Lengths {
    /// All as many.
    Equal,
    /// From one on, each count as likely as any other.
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

/// Different numbers in decimal digits, to be read one by one.
#[generator(name = "Digits")]
fn digits(
    _service: &Service,
    /// The most digits that a number has.
    #[parameter(min = 1, max = 19, default = 1..=19, unit = "digits")]
    most: u32,
    /// How many digits the others have.
    #[parameter(default = "Equal")]
    lengths: Lengths,
) -> Calls<String> {
    Calls::new(move |rng| (0..256).map(|_| lengths.number(rng, most).to_string()).collect())
}

/// The number in decimal digits, by `to_string`.
///
/// Is `to_string` slower than it need be? Compare with `format_macro`, which says the same by other means, and with
/// `format_itoa`.
#[measured(generators(numbers), alternatives = "decimal digits")]
pub fn format_to_string(number: u64) -> String {
    number.to_string()
}

/// The number in decimal digits, by `format!`.
///
/// What does the machinery of `format!` cost, where `to_string` would do? Compare with `format_to_string`.
#[measured(generators(numbers), alternatives = "decimal digits")]
pub fn format_macro(number: u64) -> String {
    format!("{number}")
}

/// The number in decimal digits, by way of a buffer on the stack.
///
/// Is the crate [itoa](https://docs.rs/itoa) still worth a dependency? Compare with `format_to_string` of the Rust that
/// compiled this suite. All three make a `String`, so that a part of each figure is its allocation.
#[measured(generators(numbers), alternatives = "decimal digits")]
pub fn format_itoa(number: u64) -> String {
    itoa::Buffer::new().format(number).to_owned()
}

/// Different numbers, to be written one by one.
#[generator(name = "Numbers")]
fn numbers(
    _service: &Service,
    /// The most digits that a number has.
    #[parameter(min = 1, max = 19, default = 1..=19, unit = "digits")]
    most: u32,
    /// How many digits the others have.
    #[parameter(default = "Equal")]
    lengths: Lengths,
) -> Calls<u64> {
    Calls::new(move |rng| (0..256).map(|_| lengths.number(rng, most)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ways_find_the_first_place() {
        let table = [("", ""), ("", "a"), ("a", ""), ("aab", "ab"), ("abab", "ab"), ("ab", "abc"), ("čas", "as")];
        for (haystack, needle) in table {
            let place = find(haystack, needle);
            assert_eq!(find_memmem(haystack, needle), place, "`{needle}` in `{haystack}`");
            assert_eq!(find_naive(haystack, needle), place, "`{needle}` in `{haystack}`");
        }
    }

    #[test]
    fn all_ways_read_the_same_number_or_none() {
        let max = u64::MAX.to_string();
        let texts = ["0", "7", "00", "1234567", "12345678", "123456789", "9999999999999999999", &max];
        for text in texts {
            assert!(parse(text).is_some());
            assert_eq!(parse_by_digit(text), parse(text), "{text}");
            assert_eq!(parse_by_eight(text), parse(text), "{text}");
        }
        // The last one is a number too great.
        for text in ["", "x", "1234567/", ":2345678", "12345678x", "1\u{301}2345678", "18446744073709551616"] {
            assert_eq!((parse(text), parse_by_digit(text), parse_by_eight(text)), (None, None, None), "{text}");
        }
    }

    #[test]
    fn what_is_no_utf_8_is_told_alike() {
        let text = "測定".as_bytes();
        for bytes in [&b""[..], b"a", text, &text[1..], b"\xc0\x80", b"\xed\xa0\x80", b"\xff"] {
            assert_eq!(is_utf8_simd(bytes), is_utf8(bytes), "{bytes:?}");
        }
    }
}
