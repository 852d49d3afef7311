//! The arguments of a benchmark as text.

use benchbook_contract::parameter::{Argument, Arguments};
use benchbook_host::units::number;

/// The name and the argument of the varied parameter; `None` without an axis.
pub(super) fn axis(arguments: &Arguments) -> Option<(&str, &Argument)> {
    let axis = arguments.iter().find(|(_, argument)| fixed_value(argument).is_none());
    axis.map(|(name, argument)| (name.as_str(), argument))
}

/// An argument as text; `None` for that of the varied parameter.
pub(super) fn fixed_value(argument: &Argument) -> Option<String> {
    match argument {
        Argument::Number(value) => Some(number(*value)),
        Argument::Text(text) => Some(text.clone()),
        Argument::Range(_) | Argument::Values(_) => None,
    }
}
