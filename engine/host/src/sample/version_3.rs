//! The message `open` for suites of version 3 of the contract: the argument of the axis is a range, and the axis value has a
//! field of its own. Such suites always have an axis.

use benchbook_contract::parameter::{Argument, Range};
use benchbook_contract::protocol::Open;

/// Converts a message of the current version. The axis is the parameter `axis` if its value is a number; otherwise any
/// numeric parameter, since its value stays the same.
pub(super) fn open(mut open: Open, axis: &str) -> Open {
    let number = |argument: &Argument| match argument {
        Argument::Number(value) => Some(*value),
        Argument::Range(_) | Argument::Values(_) | Argument::Text(_) => None,
    };
    let requested = open.arguments.get(axis).and_then(number).map(|value| (axis.to_owned(), value));
    let any = || open.arguments.iter().find_map(|(name, argument)| Some((name.clone(), number(argument)?)));
    if let Some((name, value)) = requested.or_else(any) {
        open.arguments.insert(name, Argument::Range(Range { low: value, high: value }));
        open.axis = Some(value);
    }
    open
}

#[cfg(test)]
mod tests {
    use benchbook_contract::parameter::Arguments;

    use super::*;

    fn opened(axis: &str) -> (Arguments, Option<f64>) {
        let arguments = [
            ("length", Argument::Number(7.0)),
            ("size", Argument::Number(100.0)),
            ("spread", Argument::Text("A".to_owned())),
        ];
        let arguments = arguments.map(|(name, argument)| (name.to_owned(), argument)).into();
        let (functions, generator) = (vec!["sort".to_owned()], "keys".to_owned());
        let message = Open { slot: 1, functions, generator, arguments, axis: None, seed: 1, priority: 1 };
        let Open { arguments, axis, .. } = open(message, axis);
        (arguments, axis)
    }

    #[test]
    fn the_axis_becomes_a_range() {
        let (arguments, axis) = opened("size");
        assert_eq!(arguments["size"], Argument::Range(Range { low: 100.0, high: 100.0 }));
        assert_eq!((&arguments["length"], axis), (&Argument::Number(7.0), Some(100.0)));
    }

    #[test]
    fn without_a_numeric_axis_another_number_is_sent_as_a_range() {
        for axis in ["spread", ""] {
            let (arguments, x) = opened(axis);
            assert_eq!(arguments["length"], Argument::Range(Range { low: 7.0, high: 7.0 }));
            assert_eq!((&arguments["spread"], x), (&Argument::Text("A".to_owned()), Some(7.0)));
        }
    }
}
