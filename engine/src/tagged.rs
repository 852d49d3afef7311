//! JSON objects whose field `type` says what else is in them, read in two passes over their text.
//!
//! What serde derives for such enums keeps every value in a buffer and reads each type from there, with code of its own
//! for all of them: 6 KB more of the page as it is sent. Writing is left to what serde derives.

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// An object, of which only `type` was looked at.
pub(crate) struct Tagged {
    kind: String,
    text: Box<RawValue>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object with a field `type`")]
struct Tag {
    #[serde(rename = "type")]
    kind: String,
}

impl<'de> Deserialize<'de> for Tagged {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Box::<RawValue>::deserialize(deserializer)?;
        let Tag { kind } = serde_json::from_str(text.get()).map_err(Error::custom)?;
        Ok(Self { kind, text })
    }
}

impl Tagged {
    /// What `type` says.
    pub(crate) fn kind(&self) -> &str {
        &self.kind
    }

    /// The other fields.
    ///
    /// # Errors
    /// What is missing or wrong.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        serde_json::from_str(self.text.get())
    }

    /// The error where `type` says none of `known`.
    pub(crate) fn unknown(&self, known: &'static [&'static str]) -> serde_json::Error {
        Error::unknown_variant(&self.kind, known)
    }
}

/// Reads the fields of a variant that has no struct of its own.
macro_rules! fields {
    ($tagged:ident, $variant:ident { $($field:ident: $type:ty),+ }) => {{
        #[derive(serde::Deserialize)]
        struct Fields {
            $($field: $type),+
        }
        let Fields { $($field),+ } = $tagged.read()?;
        Self::$variant { $($field),+ }
    }};
}

pub(crate) use fields;
