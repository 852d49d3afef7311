//! The token that grants access to the API.

use std::fmt::{self, Write};

use subtle::ConstantTimeEq;

/// The format of a token, for error messages.
pub const ALLOWED: &str = "16 to 512 letters, digits and `-._~+/=`, such as `openssl rand -hex 32` prints";

/// The number of random bytes in a new token: as many as in an AES-256 key.
const BYTES: usize = 32;

/// A bearer token (RFC 6750). Its `Debug` form hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// Parses a token; absent if it is not [`ALLOWED`].
    pub fn parse(text: &str) -> Option<Self> {
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
        ((16..=512).contains(&text.len()) && text.bytes().all(is_allowed)).then(|| Self(text.to_owned()))
    }

    /// Generates a random token.
    ///
    /// # Errors
    /// If the system's random number generator fails.
    pub fn random() -> Result<Self, rustls::crypto::GetRandomFailed> {
        let mut bytes = [0; BYTES];
        rustls::crypto::ring::default_provider().secure_random.fill(&mut bytes)?;
        Ok(Self(bytes.iter().fold(String::new(), |mut text, byte| {
            write!(text, "{byte:02x}").expect("writing to a string cannot fail");
            text
        })))
    }

    /// Compares the token with `text`, in constant time for texts of its length.
    pub fn matches(&self, text: &str) -> bool {
        self.0.as_bytes().ct_eq(text.as_bytes()).into()
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
    fn generates_a_valid_and_different_token_each_time() {
        let token = Token::random().unwrap();
        assert_eq!(Token::parse(token.reveal()), Some(token.clone()));
        assert_ne!(token, Token::random().unwrap());
        assert!(token.matches(token.reveal()) && !token.matches(&token.reveal()[1..]) && !token.matches(""));
    }

    #[test]
    fn rejects_short_tokens_and_characters_that_a_header_cannot_carry() {
        for text in ["", "too-short", "has spaces in between", "sixteen-bytes-ö!", "new\nline-in-the-token"] {
            assert_eq!(Token::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn debug_output_hides_the_token() {
        assert_eq!(format!("{:?}", Token::parse("0123456789abcdef").unwrap()), "Token(…)");
    }
}
