//! Numbers as users type them.

use benchbook_host::units;

/// Parses a number with digit groups (`10 000`, `10_000`, `10,000`), an exponent (`1e6`) or a suffix (k, M, G, Ki, Mi, Gi,
/// optionally followed by `B`).
///
/// # Errors
/// The expected format.
pub(crate) fn parse_number(text: &str) -> Result<f64, String> {
    let plain = text.trim().replace('_', "").replace('\u{2212}', "-");
    let (digits, factor) = split_suffix(&plain);
    match parse_finite(&without_groups(digits)?).map(|value| value * factor) {
        Some(value) if value.is_finite() => Ok(value),
        _ => Err("expected a number: 1000, 10k, 64 KiB, 1e6".to_owned()),
    }
}

/// Parses a number in Rust's format; `None` also for infinities and NaN.
pub(crate) fn parse_finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

/// The values as the user types them. The separator differs from that between groups of digits.
pub(super) fn written(values: &[f64]) -> String {
    values.iter().map(|value| units::number(*value)).collect::<Vec<_>>().join("; ")
}

fn split_suffix(text: &str) -> (&str, f64) {
    const SUFFIXES: [(&str, f64); 7] =
        [("Ki", 1024.0), ("Mi", 1_048_576.0), ("Gi", 1_073_741_824.0), ("k", 1e3), ("K", 1e3), ("M", 1e6), ("G", 1e9)];
    let text = text.strip_suffix('B').unwrap_or(text);
    let found = SUFFIXES.iter().find_map(|(suffix, factor)| Some((text.strip_suffix(suffix)?, *factor)));
    let (digits, factor) = found.unwrap_or((text, 1.0));
    (digits.trim_end(), factor)
}

/// Removes commas and spaces between groups of three digits. Elsewhere they are ambiguous: in many countries, `2,5` is two
/// and a half.
fn without_groups(digits: &str) -> Result<String, String> {
    let is_separator = |letter: char| letter == ',' || letter.is_whitespace();
    let (whole, rest) = digits.split_at(digits.find(['.', 'e', 'E']).unwrap_or(digits.len()));
    let mut groups = whole.split(is_separator);
    let first = groups.next().unwrap_or_default().trim_start_matches(['-', '+']);
    let is_first_short = !whole.contains(is_separator) || (1..=3).contains(&first.len());
    match is_first_short && groups.all(|group| group.len() == 3) && !rest.contains(is_separator) {
        true => Ok(digits.replace(is_separator, "")),
        false => {
            Err("use a point for decimals (2.5), and commas or spaces only between groups of three digits (1,000)"
                .to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_numbers_as_users_type_them() {
        let table = [
            ("1000", 1000.0),
            (" 10 000 ", 10_000.0),
            ("10\u{202f}000", 10_000.0),
            ("10_000", 10_000.0),
            ("1,000,000", 1e6),
            ("-1,000.5", -1000.5),
            ("1 000 k", 1e6),
            ("10k", 10_000.0),
            ("64 KiB", 65_536.0),
            ("2M", 2e6),
            ("1MiB", 1_048_576.0),
            ("1e6", 1e6),
            ("-5", -5.0),
            ("\u{2212}5", -5.0),
            ("0.25", 0.25),
            ("+.5", 0.5),
            ("5.", 5.0),
            ("007", 7.0),
            ("1.5e-3", 0.0015),
        ];
        for (text, value) in table {
            assert_eq!(parse_number(text), Ok(value), "{text}");
        }
    }

    #[test]
    fn rejects_other_text() {
        for text in ["", "ten", "1e999", "1e308k", "NaN", "inf", "5 keys", "--5", "-", ".", "e5", "1e", "1.2.3"] {
            assert!(parse_number(text).is_err(), "{text}");
        }
    }

    #[test]
    fn rejects_separators_outside_groups_of_three() {
        for text in ["2,5", "0,25", "1,00,000", "1000,000", ",500", "10,00", "1.5,000", "2 5", "2,5k", "1,0000"] {
            let error = parse_number(text).expect_err(text);
            assert!(error.contains("use a point for decimals"), "{text}: {error}");
        }
    }
}
