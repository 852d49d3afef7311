//! The kernel's lists of processors.

/// Parses a list such as `0-3,8,10-11`; empty if the text is empty or invalid.
pub fn parse(text: &str) -> Vec<u32> {
    let range = |part: &str| match part.split_once('-') {
        Some((first, last)) => Some(first.parse().ok()?..=last.parse().ok()?),
        None => part.parse().ok().map(|only| only..=only),
    };
    let ranges: Option<Vec<_>> = text.trim().split(',').map(range).collect();
    ranges.into_iter().flatten().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn parses_lists_of_processors() {
        assert_eq!(parse("0-3,8,10-11\n"), [0, 1, 2, 3, 8, 10, 11]);
        assert_eq!(parse("5"), [5]);
        assert!(parse("\n").is_empty() && parse("0-x").is_empty());
    }
}
