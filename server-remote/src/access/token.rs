//! The token: whoever has it may use the API.

use std::fmt::{self, Write};

use subtle::ConstantTimeEq;

/// What a token may be, for people.
pub const ALLOWED: &str = "16 to 512 letters, digits and `-._~+/=`, such as `openssl rand -hex 32` prints";

/// How many random bytes a new token has: as many as an AES-256 key, so nobody guesses it.
const BYTES: usize = 32;

/// A bearer token (RFC 6750). Its `Debug` form does not tell it.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// Absent where it is not [`ALLOWED`].
    pub fn parse(text: &str) -> Option<Self> {
        let may_hold = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
        ((16..=512).contains(&text.len()) && text.bytes().all(may_hold)).then(|| Self(text.to_owned()))
    }

    /// A new one that nobody can guess.
    ///
    /// # Errors
    /// Where the system has no randomness.
    pub fn random() -> Result<Self, rustls::crypto::GetRandomFailed> {
        let mut bytes = [0; BYTES];
        rustls::crypto::ring::default_provider().secure_random.fill(&mut bytes)?;
        Ok(Self(bytes.iter().fold(String::new(), |mut text, byte| {
            write!(text, "{byte:02x}").expect("a text takes all that is written");
            text
        })))
    }

    /// Whether `told` is this token; takes as long for every wrong one of the same length.
    pub fn is(&self, told: &str) -> bool {
        self.0.as_bytes().ct_eq(told.as_bytes()).into()
    }

    /// The token itself, to be told to the person who starts the runner and to nobody else.
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
    fn a_new_token_is_a_token_and_another_each_time() {
        let token = Token::random().unwrap();
        assert_eq!(Token::parse(token.reveal()), Some(token.clone()));
        assert_ne!(token, Token::random().unwrap());
        assert!(token.is(token.reveal()) && !token.is(&token.reveal()[1..]) && !token.is(""));
    }

    #[test]
    fn a_token_is_long_and_fits_a_header() {
        for text in ["", "too-short", "has spaces in between", "sixteen-bytes-ö!", "new\nline-in-the-token"] {
            assert_eq!(Token::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn it_is_not_told_by_accident() {
        assert_eq!(format!("{:?}", Token::parse("0123456789abcdef").unwrap()), "Token(…)");
    }
}
