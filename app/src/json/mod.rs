//! JSON of any shape, and what this page reads from it field by field.
//!
//! What serde derives takes half a kilobyte of the page for each type that is read. Here a type is a list of its fields;
//! tests hold each against what serde derives.

pub(crate) mod runner;
pub(crate) mod suite;

use std::fmt;

use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    /// Also what is absent.
    Null,
    /// True or false.
    Truth(bool),
    /// A number, with the precision of JavaScript.
    Number(f64),
    /// A text.
    Text(String),
    /// An array.
    List(Vec<Json>),
    /// An object, its fields in their order.
    Object(Vec<(String, Json)>),
}

/// What can be read from a value; absent where the value is something else.
pub(crate) trait Read: Sized {
    fn read(json: &Json) -> Option<Self>;
}

/// Reads a struct, or a variant with fields, from the fields of the same names; one may say what it is where it is left
/// out. Behind a semicolon stands what no suite in a browser says.
macro_rules! read {
    ($json:expr, $($type:ident)::+ { $($field:ident $(or $usual:literal)?),+ $(; $fixed:ident = $value:expr)? }) => {
        Some($($type)::+ {
            $($field: $json.get(stringify!($field))$(.or(Some($usual)))??,)+
            $($fixed: $value,)?
        })
    };
}

/// Says how structs are read: from the fields of the same names.
macro_rules! readable {
    ($($type:ident { $($field:ident $(or $usual:literal)?),+ $(; $fixed:ident = $value:expr)? })+) => {
        $(impl crate::json::Read for $type {
            fn read(json: &crate::json::Json) -> Option<Self> {
                crate::json::read!(json, $type { $($field $(or $usual)?),+ $(; $fixed = $value)? })
            }
        })+
    };
}

/// Says how variants without fields are read: from their names.
macro_rules! named {
    ($($type:ident { $($name:literal => $variant:ident),+ })+) => {
        $(impl crate::json::Read for $type {
            fn read(json: &crate::json::Json) -> Option<Self> {
                match json.text() {
                    $($name => Some(Self::$variant),)+
                    _ => None,
                }
            }
        })+
    };
}

pub(crate) use {named, read, readable};

impl Json {
    /// The fields of an object; none where it is something else.
    pub(crate) fn fields(&self) -> &[(String, Self)] {
        if let Self::Object(fields) = self { fields } else { &[] }
    }

    /// The field of an object; null where there is none.
    pub(crate) fn at(&self, name: &str) -> &Self {
        self.fields().iter().find(|(known, _)| known == name).map_or(&Self::Null, |(_, value)| value)
    }

    /// The field of an object, read; absent where it is something else.
    pub(crate) fn get<T: Read>(&self, name: &str) -> Option<T> {
        T::read(self.at(name))
    }

    /// Empty where it is no text.
    pub(crate) fn text(&self) -> &str {
        if let Self::Text(text) = self { text } else { "" }
    }
}

impl std::str::FromStr for Json {
    type Err = serde_json::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        serde_json::from_str(text)
    }
}

impl Read for f64 {
    fn read(json: &Json) -> Option<Self> {
        if let Json::Number(number) = json { Some(*number) } else { None }
    }
}

impl Read for u32 {
    fn read(json: &Json) -> Option<Self> {
        f64::read(json).map(|number| number as Self)
    }
}

impl Read for u64 {
    fn read(json: &Json) -> Option<Self> {
        f64::read(json).map(|number| number as Self)
    }
}

impl Read for usize {
    fn read(json: &Json) -> Option<Self> {
        f64::read(json).map(|number| number as Self)
    }
}

impl Read for bool {
    /// What is false may be left out.
    fn read(json: &Json) -> Option<Self> {
        match json {
            Json::Truth(truth) => Some(*truth),
            Json::Null => Some(false),
            _ => None,
        }
    }
}

impl Read for String {
    fn read(json: &Json) -> Option<Self> {
        if let Json::Text(text) = json { Some(text.clone()) } else { None }
    }
}

impl<T: Read> Read for Option<T> {
    fn read(json: &Json) -> Option<Self> {
        if *json == Json::Null { Some(None) } else { T::read(json).map(Some) }
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(json: &Json) -> Option<Self> {
        if let Json::List(list) = json { list.iter().map(T::read).collect() } else { None }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Json, E> {
        Ok(Json::Truth(truth))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Json, E> {
        Ok(Json::Number(number as f64))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Json, E> {
        Ok(Json::Number(number as f64))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Json, E> {
        Ok(Json::Number(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Json, A::Error> {
        let mut all = Vec::new();
        while let Some(value) = list.next_element()? {
            all.push(value);
        }
        Ok(Json::List(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Json, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = object.next_entry()? {
            fields.push(field);
        }
        Ok(Json::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As it comes back from its JSON.
    pub(super) fn come_back<T: Read>(value: &impl serde::Serialize) -> Option<T> {
        let text = serde_json::to_string(value).expect("it has a form");
        T::read(&text.parse().expect("it is JSON"))
    }

    #[test]
    fn any_json_is_read_and_what_is_absent_is_null() {
        let json: Json = r#"{"a":[1,-2,0.5],"b":{"c":"text","d":true}}"#.parse().expect("it is JSON");
        assert_eq!(json.get("a"), Some(vec![1.0, -2.0, 0.5]));
        assert_eq!(json.at("b").get("c"), Some("text".to_owned()));
        assert_eq!((json.at("b").get("d"), json.at("b").get("e")), (Some(true), Some(false)));
        assert_eq!((json.get::<Option<f64>>("c"), json.get::<f64>("c")), (Some(None), None));
        assert_eq!(json.get::<Vec<u32>>("b"), None);
        assert!("{".parse::<Json>().is_err());
    }
}
