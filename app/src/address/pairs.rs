//! The `key=value` pairs of a fragment.

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

use super::excerpt::excerpt;

/// Characters encoded in keys and values: the separators, and those that browsers and chat programs alter.
const ENCODED: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'%').add(b'&').add(b'+').add(b'<').add(b'>').add(b'=').add(b'`');

/// The parts of a fragment, and which of them were read.
pub(super) struct Pairs(Vec<Part>);

struct Part {
    text: String,
    /// The decoded key and value; `None` if the part is not a `key=value` pair.
    pair: Option<(String, String)>,
    is_read: bool,
}

impl Pairs {
    /// The pairs of a fragment without its `#`.
    pub(super) fn of(fragment: &str) -> Self {
        let pair = |part: &str| {
            let (key, value) = part.split_once('=')?;
            Some((decode(key)?, decode(value)?))
        };
        let parts = fragment.split('&').filter(|part| !part.is_empty());
        Self(parts.map(|part| Part { text: part.to_owned(), pair: pair(part), is_read: false }).collect())
    }

    /// Reads the first pair with this key whose value can be parsed. The others remain, and are problems at the end.
    pub(super) fn parse<T>(&mut self, key: &str, parse: impl Fn(&str) -> Option<T>) -> Option<T> {
        self.0.iter_mut().find_map(|part| part.parse(|name, value| (name == key).then(|| parse(value)).flatten()))
    }

    /// Whether a pair with this key was not read yet.
    pub(super) fn contains(&self, key: &str) -> bool {
        self.0.iter().any(|part| !part.is_read && part.pair.as_ref().is_some_and(|(name, _)| name == key))
    }

    /// Reads the value with this key.
    pub(super) fn take(&mut self, key: &str) -> Option<String> {
        self.parse(key, |value| Some(value.to_owned()))
    }

    /// Reads all values with this key.
    pub(super) fn take_all(&mut self, key: &str) -> Vec<String> {
        let value = |part: &mut Part| part.parse(|name, value| (name == key).then(|| value.to_owned()));
        self.0.iter_mut().filter_map(value).collect()
    }

    /// Reads all pairs whose keys begin with `prefix`: the rest of the key, and the value.
    pub(super) fn take_prefixed(&mut self, prefix: &str) -> Vec<(String, String)> {
        let pair =
            |part: &mut Part| part.parse(|name, value| Some((name.strip_prefix(prefix)?.to_owned(), value.to_owned())));
        self.0.iter_mut().filter_map(pair).collect()
    }

    /// Whether there is this pair, which is read.
    pub(super) fn has(&mut self, key: &str, value: &str) -> bool {
        self.parse(key, |other| (other == value).then_some(())).is_some()
    }

    /// A sentence for each part that was not read.
    pub(super) fn problems(self) -> Vec<String> {
        let unknown = self.0.into_iter().filter(|part| !part.is_read);
        unknown.map(|part| format!("The link contains an unknown part: “{}”.", excerpt(&part.text))).collect()
    }
}

impl Part {
    fn parse<T>(&mut self, parse: impl Fn(&str, &str) -> Option<T>) -> Option<T> {
        let (key, value) = self.pair.as_ref().filter(|_| !self.is_read)?;
        let parsed = parse(key, value)?;
        self.is_read = true;
        Some(parsed)
    }
}

/// A fragment that is being written.
#[derive(Default)]
pub(super) struct Fragment(String);

impl Fragment {
    /// Adds a pair.
    pub(super) fn add(&mut self, key: &str, value: impl AsRef<str>) {
        let separator = if self.0.is_empty() { "" } else { "&" };
        self.0 += &format!("{separator}{}={}", encode(key), encode(value.as_ref()));
    }

    /// Adds a pair for each value.
    pub(super) fn add_all(&mut self, key: &str, values: impl IntoIterator<Item: AsRef<str>>) {
        values.into_iter().for_each(|value| self.add(key, value));
    }

    /// Its text, without the `#`.
    pub(super) fn text(self) -> String {
        self.0
    }
}

/// Percent-encodes a text for a URL.
pub(crate) fn encode(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

/// Decodes percent-encoded text; `None` if it is not UTF-8.
pub(super) fn decode(text: &str) -> Option<String> {
    percent_decode_str(text).decode_utf8().ok().map(Into::into)
}
