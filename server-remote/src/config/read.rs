//! Reading the three places.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use benchbook_host::quality::Qualities;

use super::configure::configure;
use super::file::Document;
use super::keys::{KEYS, LISTS, PORT, QUALITIES, variable};
use super::values::{Value, Values, Written};
use super::{Config, ConfigProblem, Forget, Place, ReadError, Surroundings, arguments};

impl Config {
    /// Reads the configuration: `arguments` begin with the program's name, `environment` knows the value of a variable.
    /// Files that it names are looked at, and a token is made where one is needed.
    ///
    /// # Errors
    /// All that is wrong; help, where that was asked for.
    pub fn read(
        arguments: impl IntoIterator<Item = OsString>,
        environment: impl Fn(&str) -> Option<OsString>,
        here: &Surroundings,
    ) -> Result<Self, ReadError> {
        let told = arguments::read(arguments).map_err(ReadError::CommandLine)?;
        let mut values = Values::default();
        for (key, option, text) in told.values {
            values.take(key, word(Place::Option(option), key, text));
        }
        for (key, option, texts) in told.lists {
            values.take(key, list(Place::Option(option), key, texts));
        }
        for key in KEYS.iter().chain([&PORT]).filter(|key| **key != QUALITIES) {
            if let Some((place, text)) = variable_text(&environment, key, &mut values.problems) {
                let written = if LISTS.contains(key) {
                    list(place, key, text.split(',').map(|entry| entry.trim().to_owned()).collect())
                } else {
                    word(place, key, text)
                };
                values.take(key, written);
            }
        }
        let file = match told.config {
            Some(path) => Some((Place::Option("--config"), path)),
            None => variable_text(&environment, "config", &mut values.problems),
        };
        let qualities = file.and_then(|(place, path)| read_file(place, &path, &mut values));
        let forget = told.empty.then_some(if told.yes { Forget::AtOnce } else { Forget::AfterAsking });
        configure(&mut values, qualities.unwrap_or_default(), forget, here).ok_or_else(|| {
            // A file is mended from its beginning to its end.
            values.problems.sort_by_key(|problem| problem.place.as_ref().and_then(Place::line));
            ReadError::Problems(values.problems)
        })
    }
}

fn word(place: Place, key: &str, text: String) -> Written {
    Written::new(place, key, text.clone(), Value::Word(text))
}

fn list(place: Place, key: &str, texts: Vec<String>) -> Written {
    let text = texts.join(",");
    let entries = texts.into_iter().map(|text| word(place.clone(), key, text)).collect();
    Written::new(place, key, text, Value::List(entries))
}

/// The text of a key's variable.
fn variable_text(
    environment: impl Fn(&str) -> Option<OsString>,
    key: &str,
    problems: &mut Vec<ConfigProblem>,
) -> Option<(Place, String)> {
    let place = Place::Variable(variable(key));
    // Set to nothing is how many tools write that it is not set.
    let text = environment(&variable(key)).filter(|text| !text.is_empty())?;
    match text.into_string() {
        Ok(text) => Some((place, text)),
        Err(text) => {
            problems.push(word(place, key, text.to_string_lossy().into_owned()).problem("allowed: a text in UTF-8"));
            None
        }
    }
}

fn read_file(place: Place, path: &str, values: &mut Values) -> Option<Qualities> {
    match fs::read_to_string(path) {
        Ok(text) => Document::new(Path::new(path), &text).read(values),
        Err(error) => {
            values.problems.push(word(place, "config", path.to_owned()).problem(format!("it cannot be read: {error}")));
            None
        }
    }
}
