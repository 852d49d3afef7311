//! A description of a parameter for results whose suite is unknown.

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::parameter::{Argument, Kind, Numeric, NumericDefault, Parameter, Range, Scale};

/// Describes a parameter by its name and by the values of an argument.
pub(super) fn undescribed(name: &str, argument: &Argument) -> Parameter {
    let numbers: Option<Vec<f64>> = match argument {
        Argument::Range(Range { low, high }) => Some(vec![*low, *high]),
        Argument::Values(values) => values.iter().map(AxisValue::number).collect(),
        Argument::Number(value) => Some(vec![*value]),
        Argument::Text(_) => None,
    };
    let kind = match numbers {
        Some(numbers) => {
            let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
            let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            Kind::Float(Numeric {
                of: "f64".to_owned(),
                min: low,
                max: high,
                step: None,
                values: Vec::new(),
                default: NumericDefault::Value(low),
                unit: None,
                scale: Scale::Linear,
                axis: true,
            })
        }
        None => Kind::Text { default: String::new() },
    };
    Parameter { name: name.to_owned(), description: name.to_owned(), kind }
}
