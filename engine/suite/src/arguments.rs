//! Argument readers for the code that `#[generator]` generates.

use benchbook_contract::parameter::{Argument, Arguments};

use crate::choice::Choice;

/// Returns the number given for the parameter `name`.
///
/// # Errors
/// Returns an error if the argument is missing or not a number.
pub fn number_argument(arguments: &Arguments, name: &str) -> Result<f64, String> {
    match arguments.get(name) {
        Some(Argument::Number(value)) => Ok(*value),
        _ => Err(format!("arguments.{name}: expected a number")),
    }
}

/// Returns the text given for the parameter `name`.
///
/// # Errors
/// Returns an error if the argument is missing or not a text.
pub fn text_argument<'a>(arguments: &'a Arguments, name: &str) -> Result<&'a str, String> {
    match arguments.get(name) {
        Some(Argument::Text(text)) => Ok(text),
        _ => Err(format!("arguments.{name}: expected a text")),
    }
}

/// Returns the option given for the parameter `name`.
///
/// # Errors
/// Returns an error if the argument is missing, is not a text, or names no option.
pub fn choice_argument<C: Choice>(arguments: &Arguments, name: &str) -> Result<C, String> {
    let text = text_argument(arguments, name)?;
    C::from_name(text).ok_or_else(|| format!("arguments.{name}: there is no option `{text}`"))
}
