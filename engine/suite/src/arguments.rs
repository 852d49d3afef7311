//! How the code that `#[generator]` writes reads its arguments.

use benchbook_contract::parameter::{Argument, Arguments};

use crate::choice::Choice;

/// Reads a number, as the generators' macro does it.
pub fn number_argument(arguments: &Arguments, name: &str) -> Result<f64, String> {
    match arguments.get(name) {
        Some(Argument::Number(value)) => Ok(*value),
        _ => Err(format!("arguments.{name}: expected a number")),
    }
}

/// Reads a text, as the generators' macro does it.
pub fn text_argument<'a>(arguments: &'a Arguments, name: &str) -> Result<&'a str, String> {
    match arguments.get(name) {
        Some(Argument::Text(text)) => Ok(text),
        _ => Err(format!("arguments.{name}: expected a text")),
    }
}

/// Reads a choice, as the generators' macro does it.
pub fn choice_argument<C: Choice>(arguments: &Arguments, name: &str) -> Result<C, String> {
    let text = text_argument(arguments, name)?;
    C::from_name(text).ok_or_else(|| format!("arguments.{name}: there is no option `{text}`"))
}
