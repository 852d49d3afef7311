//! The arguments of a link, as written.

use benchbook_contract::parameter::{Argument, Arguments, Range};

/// The arguments of a link, not yet checked against a generator.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct LinkArguments {
    /// Parameters with a value or a range.
    pub(crate) single: Vec<(String, String)>,
    /// Parameters with a list of values: a pair for each value.
    pub(crate) values: Vec<(String, String)>,
}

/// The beginning of the keys of values and ranges.
const SINGLE: &str = "arg.";

/// The beginning of the keys of lists.
const VALUES: &str = "args.";

impl LinkArguments {
    /// The arguments of a measurement.
    pub(crate) fn of(arguments: &Arguments) -> Self {
        let mut written = Self::default();
        for (name, argument) in arguments {
            match argument {
                Argument::Range(Range { low, high }) => written.set(name, format!("{low}..{high}")),
                Argument::Values(values) => values.iter().for_each(|value| written.add_value(name, value.to_string())),
                Argument::Number(value) => written.set(name, value.to_string()),
                Argument::Text(text) => written.set(name, text.clone()),
            }
        }
        written
    }

    /// Sets the value or the range of a parameter.
    pub(crate) fn set(&mut self, name: &str, argument: String) {
        self.single.push((name.to_owned(), argument));
    }

    /// Adds a value to the list of a parameter.
    pub(crate) fn add_value(&mut self, name: &str, value: String) {
        self.values.push((name.to_owned(), value));
    }

    /// Adds the argument with this key; `None` if no argument has this key.
    pub(super) fn read(&mut self, key: &str, value: String) -> Option<()> {
        match (key.strip_prefix(SINGLE), key.strip_prefix(VALUES)) {
            (Some(name), _) => self.set(name, value),
            (None, Some(name)) => self.add_value(name, value),
            (None, None) => return None,
        }
        Some(())
    }

    /// The keys and values in a link.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (String, String)> {
        let keyed = |prefix: &'static str, pairs: &[(String, String)]| {
            pairs.iter().map(|(name, value)| (format!("{prefix}{name}"), value.clone())).collect::<Vec<_>>()
        };
        keyed(SINGLE, &self.single).into_iter().chain(keyed(VALUES, &self.values))
    }

    /// The parameters with a list, each with its values.
    pub(crate) fn lists(&self) -> Vec<(&String, Vec<String>)> {
        let mut lists: Vec<(&String, Vec<String>)> = Vec::new();
        for (name, value) in &self.values {
            match lists.iter_mut().find(|(other, _)| *other == name) {
                Some((_, values)) => values.push(value.clone()),
                None => lists.push((name, vec![value.clone()])),
            }
        }
        lists
    }
}
