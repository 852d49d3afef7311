//! New tokens, and the comparison with those of requests.

use std::fmt::Write;

use benchbook_host::api::Token;
use subtle::ConstantTimeEq;

/// The number of random bytes in a new token: as many as in an AES-256 key.
const BYTES: usize = 32;

/// Generates a random token.
///
/// # Errors
/// If the system's random number generator fails.
pub(crate) fn random_token() -> Result<Token, rustls::crypto::GetRandomFailed> {
    let mut bytes = [0; BYTES];
    rustls::crypto::ring::default_provider().secure_random.fill(&mut bytes)?;
    let text = bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a string cannot fail");
        text
    });
    Ok(Token::parse(&text).expect("hexadecimal digits are allowed"))
}

/// Compares a token with `text`, in constant time for texts of its length.
pub(super) fn matches_token(token: &Token, text: &str) -> bool {
    token.reveal().as_bytes().ct_eq(text.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generates_a_valid_and_different_token_each_time() {
        let token = random_token().unwrap();
        assert_ne!(token, random_token().unwrap());
        assert!(
            matches_token(&token, token.reveal())
                && !matches_token(&token, &token.reveal()[1..])
                && !matches_token(&token, "")
        );
    }
}
