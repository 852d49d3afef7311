//! Reads the three sources in order of precedence.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use benchbook_host::quality::Qualities;

use super::command_line::OtherCommand;
use super::configure::{configure, configure_maintenance, configure_profiling};
use super::document::ConfigFile;
use super::environment::Environment;
use super::keys::{PORT, variable};
use super::problem::{ConfigProblem, ReadError};
use super::settings::Invocation;
use super::table::{QUALITIES, settings};
use super::value_source::ValueSource;
use super::values::{RawValue, RawValues};
use super::{command_line, file};

impl Invocation {
    /// Reads the command line and the configuration. `arguments` start with the program's name; `variables` returns the value of an environment
    /// variable. Checks the files that the configuration names, and generates a token if one is needed.
    ///
    /// # Errors
    /// Returns all problems, or the help text if it was requested.
    pub fn read(
        arguments: impl IntoIterator<Item = OsString>,
        variables: impl Fn(&str) -> Option<OsString>,
        environment: &Environment,
    ) -> Result<Self, ReadError> {
        let given = command_line::read(arguments).map_err(ReadError::CommandLine)?;
        let mut values = RawValues::default();
        for (key, option, text) in given.values {
            values.insert(key, RawValue::untyped(ValueSource::Option(option), key, text));
        }
        for (key, option, texts) in given.lists {
            values.insert(key, RawValue::untyped_list(ValueSource::Option(option), key, texts));
        }
        read_variables(&variables, &mut values);
        let path = match given.config {
            Some(path) => Some((ValueSource::Option("--config"), path)),
            None => variable_text(&variables, "config", &mut values.problems),
        };
        let qualities = path.and_then(|(source, path)| read_file(source, &path, &mut values));
        let invocation = match given.command {
            Some(OtherCommand::Database(command)) => {
                configure_maintenance(&mut values, command, environment).map(Self::Maintain)
            }
            Some(OtherCommand::Profile(command)) => {
                configure_profiling(&mut values, command, environment).map(Self::Profile)
            }
            Some(OtherCommand::Setup(command)) => Some(Self::SetUp(command)),
            None => configure(&mut values, qualities.unwrap_or_default(), given.clear, environment)
                .map(|config| Self::Serve(Box::new(config))),
        };
        invocation.ok_or_else(|| {
            // In the order of lines, since that is the order of editing.
            values.problems.sort_by_key(|problem| problem.source.as_ref().and_then(ValueSource::line));
            ReadError::Problems(values.problems)
        })
    }
}

fn read_variables(variables: &impl Fn(&str) -> Option<OsString>, values: &mut RawValues) {
    let keys = settings().map(|setting| (setting.key, setting.is_list)).chain([(PORT, false)]);
    for (key, is_list) in keys.filter(|(key, _)| *key != QUALITIES) {
        if let Some((source, text)) = variable_text(variables, key, &mut values.problems) {
            let value = if is_list {
                let entries = text.split(',').map(|entry| entry.trim().to_owned()).collect();
                RawValue::untyped_list(source, key, entries)
            } else {
                RawValue::untyped(source, key, text)
            };
            values.insert(key, value);
        }
    }
}

/// The text of a key's variable.
fn variable_text(
    variables: &impl Fn(&str) -> Option<OsString>,
    key: &str,
    problems: &mut Vec<ConfigProblem>,
) -> Option<(ValueSource, String)> {
    let source = ValueSource::Variable(variable(key));
    // Many tools set a variable to nothing to unset it.
    let text = variables(&variable(key)).filter(|text| !text.is_empty())?;
    match text.into_string() {
        Ok(text) => Some((source, text)),
        Err(text) => {
            let value = RawValue::untyped(source, key, text.to_string_lossy().into_owned());
            problems.push(value.problem("allowed: text in UTF-8"));
            None
        }
    }
}

fn read_file(source: ValueSource, path: &str, values: &mut RawValues) -> Option<Qualities> {
    match fs::read_to_string(path) {
        Ok(text) => file::read(&ConfigFile::new(Path::new(path), &text), values),
        Err(error) => {
            let value = RawValue::untyped(source, "config", path.to_owned());
            values.problems.push(value.problem(format!("cannot read the file: {error}")));
            None
        }
    }
}
