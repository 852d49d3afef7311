//! Identifiers of notebooks, cells and results.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The maximum length of an identifier in characters.
const MAX_LENGTH: usize = 64;

/// An identifier that is unique without a central authority: two tabs can add cells to one notebook at the same time. It
/// consists of 1 to 64 ASCII letters, digits, `-` and `_`, so it needs no escaping in an address.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Id(String);

impl Id {
    /// Creates an identifier from a random number.
    pub fn from_random(random: u64) -> Self {
        Self(format!("{random:016x}"))
    }

    /// The identifier as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Id {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        if (1..=MAX_LENGTH).contains(&text.len()) && text.bytes().all(is_allowed) {
            Ok(Self(text))
        } else {
            Err("expected an identifier: 1 to 64 ASCII letters, digits, `-` and `_`")
        }
    }
}

impl From<Id> for String {
    fn from(id: Id) -> Self {
        id.0
    }
}

impl fmt::Display for Id {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
