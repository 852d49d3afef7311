//! The alternatives of a request: functions of the current build of a suite, and of kept builds.

use benchbook_contract::catalog::Suite;

/// The separator between the path of a function and its build. Neither paths nor builds contain it.
const SEPARATOR: char = '@';

/// The number of hexadecimal digits of a fingerprint that identify a build.
const BUILD_DIGITS: usize = 12;

/// An entry of a request's functions: `sorting::sort` for the current build, `sorting::sort@77c0a41f0b12` for a kept one. The
/// points and comparisons of a response contain the same text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alternative<'a> {
    /// The path of the function.
    pub path: &'a str,
    /// The kept build, as [`build_id`] identifies it; `None` for the current build.
    pub build: Option<&'a str>,
}

impl<'a> Alternative<'a> {
    /// Splits the text of a request.
    pub fn parse(text: &'a str) -> Self {
        match text.split_once(SEPARATOR) {
            Some((path, build)) => Self { path, build: Some(build) },
            None => Self { path: text, build: None },
        }
    }

    /// The text of an alternative in a kept build.
    pub fn in_build(path: &str, build: &str) -> String {
        format!("{path}{SEPARATOR}{build}")
    }
}

/// The identifier of a build in requests: the first 12 digits of the fingerprint of its binary.
pub fn build_id(fingerprint: &str) -> &str {
    fingerprint.get(..BUILD_DIGITS).unwrap_or(fingerprint)
}

/// A kept build of a suite.
#[derive(Clone, Copy, Debug)]
pub struct RetainedCatalog<'a> {
    /// Its identifier; see [`build_id`].
    pub build: &'a str,
    /// Its catalog.
    pub suite: &'a Suite,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_build_follows_the_path() {
        assert_eq!(Alternative::parse("sorting::sort"), Alternative { path: "sorting::sort", build: None });
        let text = Alternative::in_build("sorting::sort", build_id("77c0a41f0b12ffffffff"));
        assert_eq!(text, "sorting::sort@77c0a41f0b12");
        let parsed = Alternative::parse(&text);
        assert_eq!(parsed, Alternative { path: "sorting::sort", build: Some("77c0a41f0b12") });
        assert_eq!(build_id("77c0"), "77c0");
    }
}
