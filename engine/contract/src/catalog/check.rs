//! Whether a catalog can be what it says: it comes from a file that anybody may have written.

use std::collections::BTreeSet;

use super::{Function, Generator, Suite};
use crate::parameter::{Kind, MAX_INTEGER, Numeric, NumericDefault, Parameter, Range, Scale};

impl Suite {
    /// Holds the catalog against itself: whoever was told `Ok` can choose any function and generator of it, and finds
    /// what is bound, an axis with a range, at least two values of whatever may be the axis, and bounds that hold every
    /// default.
    ///
    /// # Errors
    /// The first thing that cannot be, and where, as part of a sentence.
    pub fn check(&self) -> Result<(), String> {
        if self.functions.is_empty() {
            return Err("it lists no function".to_owned());
        }
        differ("functions", self.functions.iter().map(|function| &function.path))?;
        differ("generators", self.generators.iter().map(|generator| &generator.path))?;
        self.functions.iter().try_for_each(|function| self.check_function(function))?;
        self.generators.iter().try_for_each(|generator| {
            check_generator(generator).map_err(|reason| format!("the generator `{}` {reason}", generator.path))
        })
    }

    fn check_function(&self, function: &Function) -> Result<(), String> {
        let path = &function.path;
        if function.generators.is_empty() {
            return Err(format!("the function `{path}` has no generator"));
        }
        match function.generators.iter().find(|bound| self.generator(bound).is_none()) {
            Some(missing) => Err(format!("the function `{path}` has the generator `{missing}`, which is not listed")),
            None => Ok(()),
        }
    }
}

fn differ<'a>(what: &str, names: impl Iterator<Item = &'a String>) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    for name in names {
        if name.is_empty() {
            return Err(format!("one of its {what} has no name"));
        }
        if !seen.insert(name) {
            return Err(format!("two of its {what} are called `{name}`"));
        }
    }
    Ok(())
}

fn check_generator(generator: &Generator) -> Result<(), String> {
    differ("parameters", generator.parameters.iter().map(|parameter| &parameter.name))
        .map_err(|reason| format!("cannot be: {reason}"))?;
    for parameter in &generator.parameters {
        check_parameter(parameter).map_err(|reason| format!("has a parameter `{}` {reason}", parameter.name))?;
    }
    match generator.default_axis() {
        Some(_) => Ok(()),
        None => Err("has no numeric parameter with a default range: nothing can be varied".to_owned()),
    }
}

fn check_parameter(parameter: &Parameter) -> Result<(), String> {
    match &parameter.kind {
        Kind::Integer(numeric) => check_integer(numeric).and_then(|()| check_numeric(numeric)),
        Kind::Float(numeric) => check_numeric(numeric),
        Kind::Choice { options, default } if options.iter().any(|option| option.name == *default) => {
            differ("options", options.iter().map(|option| &option.name))
                .map_err(|reason| format!("that cannot be: {reason}"))
        }
        Kind::Choice { default, .. } => Err(format!("whose default `{default}` is none of its options")),
        Kind::Text { .. } => Ok(()),
    }
}

fn check_integer(numeric: &Numeric) -> Result<(), String> {
    let (least, most) = match numeric.of.as_str() {
        "u32" => (0.0, f64::from(u32::MAX)),
        "i32" => (f64::from(i32::MIN), f64::from(i32::MAX)),
        "u64" | "usize" => (0.0, MAX_INTEGER),
        _ => (-MAX_INTEGER, MAX_INTEGER),
    };
    let is_whole = |value: f64| value.fract() == 0.0;
    if numeric.min < least || numeric.max > most {
        return Err(format!("whose bounds no {} holds", numeric.of));
    }
    if !is_whole(numeric.min) || !is_whole(numeric.max) || !numeric.step.is_some_and(is_whole) {
        return Err("of whole numbers whose bounds or step are none".to_owned());
    }
    Ok(())
}

fn check_numeric(numeric: &Numeric) -> Result<(), String> {
    let Numeric { min, max, step, .. } = *numeric;
    if !min.is_finite() || !max.is_finite() || min > max {
        return Err(format!("whose bounds are {min} and {max}"));
    }
    if step.is_some_and(|step| step <= 0.0 || !step.is_finite()) {
        return Err("whose step is not above 0".to_owned());
    }
    if numeric.scale == Scale::Log && min <= 0.0 {
        return Err(format!("on a log scale whose least value is {min}"));
    }
    if numeric.axis && numeric.snap(max) <= min {
        return Err(format!("that may be the axis, and has no value but {min}"));
    }
    let holds = match numeric.default {
        NumericDefault::Value(value) => numeric.holds(value),
        NumericDefault::Range(Range { low, high }) => numeric.holds(low) && numeric.holds(high) && low < high,
    };
    if holds { Ok(()) } else { Err("whose default lies outside its bounds or off its steps".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{Build, Mode};
    use crate::parameter::ChoiceOption;

    fn numeric() -> Numeric {
        Numeric {
            of: "u32".to_owned(),
            min: 1.0,
            max: 1_000.0,
            step: Some(1.0),
            default: NumericDefault::Range(Range { low: 10.0, high: 100.0 }),
            unit: None,
            scale: Scale::Log,
            axis: true,
        }
    }

    fn parameter(name: &str, kind: Kind) -> Parameter {
        Parameter { name: name.to_owned(), description: String::new(), kind }
    }

    fn suite() -> Suite {
        let option = ChoiceOption { name: "A".to_owned(), description: String::new() };
        let function = Function {
            path: "sort".to_owned(),
            signature: String::new(),
            docs: String::new(),
            file: String::new(),
            line: 1,
            generators: vec!["keys".to_owned()],
            native: false,
            alternatives: None,
        };
        let generator = Generator {
            path: "keys".to_owned(),
            name: "Keys".to_owned(),
            docs: String::new(),
            mode: Mode::Fresh,
            parameters: vec![
                parameter("size", Kind::Integer(numeric())),
                parameter("spread", Kind::Choice { options: vec![option], default: "A".to_owned() }),
            ],
            native: false,
        };
        let build = Build {
            rustc: String::new(),
            target: String::new(),
            opt_level: String::new(),
            debug_assertions: false,
            target_features: Vec::new(),
        };
        Suite {
            name: "s".to_owned(),
            version: "1".to_owned(),
            build,
            functions: vec![function],
            generators: vec![generator],
        }
    }

    #[test]
    fn an_honest_catalog_passes() {
        assert_eq!(suite().check(), Ok(()));
    }

    #[test]
    fn each_lie_is_told_with_its_place() {
        type Lie = fn(&mut Suite);
        fn size(suite: &mut Suite) -> &mut Numeric {
            match &mut suite.generators[0].parameters[0].kind {
                Kind::Integer(numeric) => numeric,
                _ => unreachable!("the size is a whole number"),
            }
        }
        fn options(suite: &mut Suite) -> &mut Vec<ChoiceOption> {
            match &mut suite.generators[0].parameters[1].kind {
                Kind::Choice { options, .. } => options,
                _ => unreachable!("the spread is a choice"),
            }
        }
        let lies: [(Lie, &str); 23] = [
            (|suite| suite.functions.clear(), "no function"),
            (|suite| suite.functions[0].path.clear(), "has no name"),
            (|suite| suite.functions.push(suite.functions[0].clone()), "two of its functions are called `sort`"),
            (|suite| suite.generators.push(suite.generators[0].clone()), "two of its generators are called `keys`"),
            (|suite| suite.functions[0].generators.clear(), "`sort` has no generator"),
            (|suite| suite.generators.clear(), "has the generator `keys`, which is not listed"),
            (|suite| suite.generators[0].parameters.clear(), "nothing can be varied"),
            (|suite| suite.generators[0].parameters[1].name = "size".to_owned(), "two of its parameters"),
            (|suite| size(suite).axis = false, "nothing can be varied"),
            (|suite| size(suite).min = f64::NAN, "whole numbers"),
            (|suite| (size(suite).min, size(suite).max) = (9.0, 2.0), "whose bounds are 9 and 2"),
            (|suite| size(suite).max = 1e10, "no u32 holds"),
            (|suite| size(suite).min = -1.0, "no u32 holds"),
            (|suite| size(suite).min = 0.5, "whole numbers"),
            (|suite| size(suite).step = Some(0.0), "step is not above 0"),
            (|suite| size(suite).min = 0.0, "log scale"),
            (|suite| size(suite).step = Some(1_000.0), "no value but 1"),
            (|suite| (size(suite).min, size(suite).max) = (5.0, 5.0), "no value but 5"),
            (|suite| size(suite).default = NumericDefault::Value(5_000.0), "default lies outside"),
            (
                |suite| size(suite).default = NumericDefault::Range(Range { low: 50.0, high: 50.0 }),
                "default lies outside",
            ),
            (
                |suite| {
                    suite.generators[0].parameters[1].kind =
                        Kind::Choice { options: Vec::new(), default: "A".to_owned() };
                },
                "none of its options",
            ),
            (
                |suite| {
                    let again = options(suite)[0].clone();
                    options(suite).push(again);
                },
                "two of its options are called `A`",
            ),
            (
                |suite| options(suite).push(ChoiceOption { name: String::new(), description: String::new() }),
                "one of its options has no name",
            ),
        ];
        for (lie, expected) in lies {
            let mut suite = suite();
            lie(&mut suite);
            let told = suite.check().expect_err(expected);
            assert!(told.contains(expected), "{told}, not {expected}");
        }
    }
}
