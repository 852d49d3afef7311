//! Whether the times of a function reached a constant level.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

/// Whether the times of a function reached a constant level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = with_flags))]
#[serde(rename_all = "snake_case")]
pub enum Stability {
    /// They did: enough was observed to rule out a change of a tenth.
    Settled,
    /// They did not: they varied until the warm-up ended, or changed afterwards.
    NotSettled,
    /// Too little was observed: too few samples, too noisy ones, or batches too short for the clock.
    Unknown,
}

/// Stored responses of method 2 and earlier have flags.
#[cfg(feature = "schema")]
fn with_flags(schema: &mut schemars::Schema) {
    schema.insert("enum".to_owned(), serde_json::json!(["settled", "not_settled", "unknown", true, false]));
    schema.remove("type");
    schema.remove("oneOf");
}

impl<'de> Deserialize<'de> for Stability {
    /// Also accepts the form of method 2 and earlier: `true` if settled, and `false` in both other cases.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "`settled`, `not_settled` or `unknown`")]
        enum Form {
            Flag(bool),
            Name(String),
        }
        match Form::deserialize(deserializer)? {
            Form::Flag(true) => Ok(Self::Settled),
            Form::Flag(false) => Ok(Self::Unknown),
            Form::Name(name) => match name.as_str() {
                "settled" => Ok(Self::Settled),
                "not_settled" => Ok(Self::NotSettled),
                "unknown" => Ok(Self::Unknown),
                other => Err(D::Error::unknown_variant(other, &["settled", "not_settled", "unknown"])),
            },
        }
    }
}
