//! A suite for a stored result whose own suite is not loaded.

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::catalog::{Build, Function, Generator, Mode, Suite};
use benchbook_contract::parameter::{Argument, Arguments, Kind, Numeric, NumericDefault, Parameter, Range, Scale};
use benchbook_host::response::SuiteCard;

/// The parts of a suite that a result contains, for a suite that is not loaded.
pub(super) fn placeholder(card: &SuiteCard, functions: &[String], generator: &str, arguments: &Arguments) -> Suite {
    let function = |path: &String| Function {
        path: path.clone(),
        signature: String::new(),
        docs: String::new(),
        file: String::new(),
        line: 0,
        generators: vec![generator.to_owned()],
        native: false,
        alternatives: None,
    };
    let generator = Generator {
        path: generator.to_owned(),
        name: generator.to_owned(),
        docs: String::new(),
        mode: Mode::Fresh,
        parameters: arguments.iter().map(placeholder_parameter).collect(),
        native: false,
    };
    Suite {
        name: card.name.clone(),
        version: card.version.clone(),
        build: Build::clone(&card.build),
        functions: functions.iter().map(function).collect(),
        generators: vec![generator],
    }
}

/// A parameter that accepts the argument of a result.
fn placeholder_parameter((name, argument): (&String, &Argument)) -> Parameter {
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
                default: NumericDefault::Value(low),
                unit: None,
                scale: Scale::Linear,
                axis: true,
            })
        }
        None => Kind::Text { default: String::new() },
    };
    Parameter { name: name.clone(), description: name.clone(), kind }
}
