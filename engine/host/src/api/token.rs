//! The token that grants access to a runner.

use std::fmt;

/// A bearer token (RFC 6750). Its `Debug` form hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// The format of a token, for error messages.
    pub const FORMAT: &'static str = "16 to 512 letters, digits and `-._~+/=`, such as `openssl rand -hex 32` prints";

    /// Parses a token; absent if it does not have the [`FORMAT`](Self::FORMAT).
    pub fn parse(text: &str) -> Option<Self> {
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
        ((16..=512).contains(&text.len()) && text.bytes().all(is_allowed)).then(|| Self(text.to_owned()))
    }

    /// The token itself. Print it only to the user who starts the runner.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_short_tokens_and_characters_that_a_header_cannot_carry() {
        for text in ["", "too-short", "has spaces in between", "sixteen-bytes-ö!", "new\nline-in-the-token"] {
            assert_eq!(Token::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn debug_output_hides_the_token() {
        assert_eq!(format!("{:?}", Token::parse("0123456789abcdef")), "Some(Token(…))");
    }
}
