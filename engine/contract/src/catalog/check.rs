//! Validates a catalog, since any program can claim to be a suite.

use std::collections::BTreeSet;

use super::{Function, Generator, MAX_NAME, Suite};
use crate::number::MAX_INTEGER;
use crate::parameter::{Kind, Numeric, NumericDefault, Parameter, Range, Scale};

impl Suite {
    /// Checks the catalog for consistency. In a valid catalog every function has generators that are listed, every
    /// numeric parameter that can be the axis has at least two values, and every default is within its bounds.
    ///
    /// # Errors
    /// Returns the first inconsistency and its location, for use after "invalid catalog: ".
    pub fn check(&self) -> Result<(), String> {
        if self.functions.is_empty() {
            return Err("it lists no functions".to_owned());
        }
        check_names("function", self.functions.iter().map(|function| &function.path))?;
        check_names("generator", self.generators.iter().map(|generator| &generator.path))?;
        self.functions.iter().try_for_each(|function| self.check_function(function))?;
        self.generators.iter().try_for_each(|generator| {
            check_generator(generator).map_err(|reason| format!("generator `{}`: {reason}", generator.path))
        })
    }

    fn check_function(&self, function: &Function) -> Result<(), String> {
        let path = &function.path;
        if function.generators.is_empty() {
            return Err(format!("function `{path}` has no generator"));
        }
        match function.generators.iter().find(|bound| self.generator(bound).is_none()) {
            Some(missing) => Err(format!("function `{path}` has the generator `{missing}`, which is not listed")),
            None => Ok(()),
        }
    }
}

/// Checks that all names are unique, and that none is empty or too long.
fn check_names<'a>(noun: &str, names: impl Iterator<Item = &'a String>) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    for name in names {
        if name.is_empty() {
            return Err(format!("one of the {noun}s has no name"));
        }
        if name.chars().count() > MAX_NAME {
            return Err(format!("the name of a {noun} has more than {MAX_NAME} characters"));
        }
        if !seen.insert(name) {
            return Err(format!("two {noun}s are named `{name}`"));
        }
    }
    Ok(())
}

fn check_generator(generator: &Generator) -> Result<(), String> {
    check_names("parameter", generator.parameters.iter().map(|parameter| &parameter.name))?;
    for parameter in &generator.parameters {
        check_parameter(parameter).map_err(|reason| format!("parameter `{}`: {reason}", parameter.name))?;
    }
    Ok(())
}

fn check_parameter(parameter: &Parameter) -> Result<(), String> {
    match &parameter.kind {
        Kind::Integer(numeric) => check_integer(numeric).and_then(|()| check_numeric(numeric)),
        Kind::Float(numeric) => check_numeric(numeric),
        Kind::Choice { options, default, .. } if options.iter().any(|option| option.name == *default) => {
            check_names("option", options.iter().map(|option| &option.name))
        }
        Kind::Choice { default, .. } => Err(format!("the default `{default}` is not one of the options")),
        Kind::Text { .. } => Ok(()),
    }
}

fn check_integer(numeric: &Numeric) -> Result<(), String> {
    let (min, max) = match numeric.of.as_str() {
        "u32" => (0.0, f64::from(u32::MAX)),
        "i32" => (f64::from(i32::MIN), f64::from(i32::MAX)),
        "u64" | "usize" => (0.0, MAX_INTEGER),
        _ => (-MAX_INTEGER, MAX_INTEGER),
    };
    let is_whole = |value: f64| value.fract() == 0.0;
    if numeric.min < min || numeric.max > max {
        return Err(format!("a bound does not fit into {}", numeric.of));
    }
    if !is_whole(numeric.min) || !is_whole(numeric.max) || !numeric.step.is_some_and(is_whole) {
        return Err("an integer parameter has a fractional bound or step".to_owned());
    }
    Ok(())
}

fn check_numeric(numeric: &Numeric) -> Result<(), String> {
    let Numeric { min, max, step, .. } = *numeric;
    if !min.is_finite() || !max.is_finite() || min > max {
        return Err(format!("invalid bounds {min} and {max}"));
    }
    if step.is_some_and(|step| step <= 0.0 || !step.is_finite()) {
        return Err("the step is not above 0".to_owned());
    }
    check_values(numeric)?;
    if numeric.scale == Scale::Log && min <= 0.0 {
        return Err(format!("a log scale needs a minimum above 0, not {min}"));
    }
    if numeric.axis && numeric.snap(max) <= min {
        return Err(format!("it can be the axis, but has no value other than {min}"));
    }
    let is_default_valid = match numeric.default {
        NumericDefault::Value(value) => numeric.contains(value),
        NumericDefault::Range(Range { low, high }) => numeric.contains(low) && numeric.contains(high) && low < high,
    };
    if is_default_valid {
        Ok(())
    } else {
        Err("the default is not a valid value: outside the bounds, off the grid or not listed".to_owned())
    }
}

/// Checks that listed values lead from the minimum to the maximum, on the grid.
fn check_values(numeric: &Numeric) -> Result<(), String> {
    let Numeric { values, min, max, .. } = numeric;
    if values.is_empty() {
        return Ok(());
    }
    let is_ascending = values.windows(2).all(|pair| pair[0] < pair[1]);
    if !is_ascending || values.first() != Some(min) || values.last() != Some(max) {
        return Err(format!("the listed values are not in ascending order from {min} to {max}"));
    }
    let grid = Numeric { values: Vec::new(), ..numeric.clone() };
    match values.iter().find(|value| !grid.contains(**value)) {
        Some(value) => Err(format!("the listed value {value} is off the grid")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::parameter::ChoiceOption;

    fn suite() -> Suite {
        serde_json::from_value(json!({
            "name": "s", "version": "1",
            "build": {"rustc": "", "target": "", "opt_level": "", "debug_assertions": false, "target_features": []},
            "functions": [
                {"path": "sort", "signature": "", "docs": "", "source": "", "file": "", "line": 1, "generators": ["keys"]}
            ],
            "generators": [{"path": "keys", "name": "Keys", "docs": "", "mode": "fresh", "parameters": [
                {"name": "size", "description": "", "type": "integer", "of": "u32", "min": 1, "max": 1000, "step": 1,
                    "default": {"low": 10, "high": 100}, "scale": "log", "axis": true},
                {"name": "spread", "description": "", "type": "choice", "options": [{"name": "A"}], "default": "A"},
            ]}],
        }))
        .expect("it is a catalog")
    }

    #[test]
    fn accepts_a_valid_catalog_and_generators_without_parameters() {
        let mut suite = suite();
        assert_eq!(suite.check(), Ok(()));
        suite.generators[0].parameters.clear();
        assert_eq!(suite.check(), Ok(()));
    }

    #[test]
    fn reports_each_inconsistency_and_its_location() {
        type Edit = fn(&mut Suite);
        fn parameters(suite: &mut Suite) -> &mut [Parameter] {
            &mut suite.generators[0].parameters
        }
        fn size(suite: &mut Suite) -> &mut Numeric {
            match &mut parameters(suite)[0].kind {
                Kind::Integer(numeric) => numeric,
                _ => unreachable!("the size is an integer"),
            }
        }
        fn options(suite: &mut Suite) -> &mut Vec<ChoiceOption> {
            match &mut parameters(suite)[1].kind {
                Kind::Choice { options, .. } => options,
                _ => unreachable!("the spread is a choice"),
            }
        }
        fn option(name: &str) -> ChoiceOption {
            ChoiceOption { name: name.to_owned(), description: String::new() }
        }
        let edits: [(Edit, &str); 26] = [
            (|suite| suite.functions.clear(), "no function"),
            (|suite| suite.functions[0].path.clear(), "one of the functions has no name"),
            (
                |suite| suite.functions[0].path = "n".repeat(MAX_NAME + 1),
                "the name of a function has more than 500 characters",
            ),
            (|suite| suite.functions.push(suite.functions[0].clone()), "two functions are named `sort`"),
            (|suite| suite.generators.push(suite.generators[0].clone()), "two generators are named `keys`"),
            (|suite| suite.functions[0].generators.clear(), "`sort` has no generator"),
            (|suite| suite.generators.clear(), "has the generator `keys`, which is not listed"),
            (|suite| parameters(suite)[1].name = "size".to_owned(), "`keys`: two parameters are named `size`"),
            (|suite| size(suite).min = f64::NAN, "fractional bound or step"),
            (
                |suite| (size(suite).min, size(suite).max) = (9.0, 2.0),
                "`keys`: parameter `size`: invalid bounds 9 and 2",
            ),
            (|suite| size(suite).max = 1e10, "does not fit into u32"),
            (|suite| size(suite).min = -1.0, "does not fit into u32"),
            (|suite| size(suite).min = 0.5, "fractional bound or step"),
            (|suite| size(suite).step = Some(0.0), "step is not above 0"),
            (|suite| size(suite).values = vec![1.0, 100.0], "not in ascending order from 1 to 1000"),
            (|suite| size(suite).values = vec![1.0, 5.0, 5.0, 1_000.0], "not in ascending order from 1 to 1000"),
            (|suite| size(suite).values = vec![1.0, 10.5, 1_000.0], "the listed value 10.5 is off the grid"),
            (|suite| size(suite).values = vec![1.0, 10.0, 1_000.0], "the default is not a valid value"),
            (|suite| size(suite).min = 0.0, "log scale"),
            (|suite| size(suite).step = Some(1_000.0), "no value other than 1"),
            (|suite| (size(suite).min, size(suite).max) = (5.0, 5.0), "no value other than 5"),
            (|suite| size(suite).default = NumericDefault::Value(5_000.0), "the default is not a valid value"),
            (
                |suite| size(suite).default = NumericDefault::Range(Range { low: 50.0, high: 50.0 }),
                "the default is not a valid value",
            ),
            (|suite| options(suite).clear(), "default `A` is not one of the options"),
            (|suite| options(suite).push(option("A")), "two options are named `A`"),
            (|suite| options(suite).push(option("")), "one of the options has no name"),
        ];
        for (edit, expected) in edits {
            let mut suite = suite();
            edit(&mut suite);
            let reason = suite.check().expect_err(expected);
            assert!(reason.contains(expected), "{reason}, not {expected}");
        }
    }
}
