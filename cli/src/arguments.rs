//! Values that users type: arguments of parameters, ranges, targets and times.

use std::time::Duration;

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::catalog::Generator;
use benchbook_contract::parameter::{Argument, Arguments, Parameter, Range};

/// An argument of a parameter: `name=value`, `name=one,other` or `name=low..high`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SetArgument {
    name: String,
    value: String,
}

impl std::str::FromStr for SetArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE, such as size=1k or size=100..1M")?;
        Ok(Self { name: name.trim().to_owned(), value: value.trim().to_owned() })
    }
}

/// Names of functions, separated by commas. The name of an instance contains commas too: `sum<u32, 8>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FunctionNames(pub(crate) Vec<String>);

impl std::str::FromStr for FunctionNames {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (mut names, mut depth, mut before) = (vec![String::new()], 0_usize, ' ');
        for letter in text.chars() {
            match letter {
                '<' => depth += 1,
                // The arrow of a function type closes no bracket.
                '>' if before != '-' => depth = depth.saturating_sub(1),
                _ => {}
            }
            before = letter;
            match (letter, names.last_mut()) {
                (',', _) if depth == 0 => names.push(String::new()),
                (letter, Some(name)) => name.push(letter),
                (_, None) => {}
            }
        }
        Ok(Self(names.into_iter().map(|name| name.trim().to_owned()).collect()))
    }
}

/// The arguments for a generator: the defaults, replaced by those that the user set. Only one parameter varies: the one that the user
/// gave several values, or else the default axis.
///
/// # Errors
/// If a parameter does not exist or a value has the wrong type. Bounds are checked later, with the whole request.
pub(crate) fn arguments(generator: &Generator, set: &[SetArgument]) -> Result<Arguments, String> {
    let mut typed = Arguments::new();
    for SetArgument { name, value } in set {
        let parameter = generator.parameter(name).ok_or_else(|| unknown(generator, name))?;
        typed.insert(name.clone(), argument(parameter, value).map_err(|reason| format!("{name}: {reason}"))?);
    }
    let default_axis = generator.default_axis().map(|axis| &axis.name);
    let has_axis = typed.values().any(Argument::is_varied);
    for parameter in &generator.parameters {
        let is_axis = !has_axis && default_axis == Some(&parameter.name);
        typed.entry(parameter.name.clone()).or_insert_with(|| parameter.default_argument(is_axis));
    }
    Ok(typed)
}

fn unknown(generator: &Generator, name: &str) -> String {
    let names: Vec<&str> = generator.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    match names.is_empty() {
        true => format!("the generator `{}` takes no parameters. Remove `{name}`", generator.path),
        false => {
            format!(
                "the generator `{}` has no parameter `{name}`. Its parameters are {}",
                generator.path,
                names.join(", ")
            )
        }
    }
}

/// An argument as it is typed: `10..1000`, `10,20`, `Random`.
pub(crate) fn typed(argument: &Argument) -> String {
    match argument {
        Argument::Range(Range { low, high }) => format!("{low}..{high}"),
        Argument::Values(values) => values.iter().map(ToString::to_string).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

fn argument(parameter: &Parameter, text: &str) -> Result<Argument, String> {
    if parameter.numeric().is_none() {
        let values: Vec<AxisValue> = text.split(',').map(|value| AxisValue::Text(value.trim().to_owned())).collect();
        let is_choice = matches!(parameter.kind, benchbook_contract::parameter::Kind::Choice { .. });
        // A text may contain commas.
        return Ok(if is_choice && values.len() > 1 {
            Argument::Values(values)
        } else {
            Argument::Text(text.to_owned())
        });
    }
    if let Some((low, high)) = text.split_once("..") {
        let high = high.strip_prefix('=').unwrap_or(high);
        return Ok(Argument::Range(Range { low: number(low)?, high: number(high)? }));
    }
    match text.split(',').map(number).collect::<Result<Vec<f64>, String>>()?.as_slice() {
        [one] => Ok(Argument::Number(*one)),
        several => Ok(Argument::Values(several.iter().copied().map(AxisValue::Number).collect())),
    }
}

/// A number, with an optional suffix: `k` for thousands, `M` for millions, `G` for billions. Underscores are ignored.
fn number(text: &str) -> Result<f64, String> {
    let text = text.trim().replace('_', "");
    let (digits, factor) = match text.char_indices().next_back() {
        Some((end, 'k' | 'K')) => (&text[..end], 1e3),
        Some((end, 'M')) => (&text[..end], 1e6),
        Some((end, 'G')) => (&text[..end], 1e9),
        _ => (text.as_str(), 1.0),
    };
    let number = digits.parse::<f64>().ok().filter(|number| number.is_finite());
    number
        .map(|number| number * factor)
        .ok_or_else(|| format!("expected a number such as 1000 or 1k, or a range such as 100..1M, not `{text}`"))
}

/// A value of the varied parameter: a number such as `10k`, or else a text.
pub(crate) fn axis_value(text: &str) -> AxisValue {
    number(text).map_or_else(|_| AxisValue::Text(text.to_owned()), AxisValue::Number)
}

/// A precision target such as `1%`. Returns the ratio.
///
/// # Errors
/// If it is not a percentage.
pub(crate) fn precision(text: &str) -> Result<f64, String> {
    let percent = text.strip_suffix('%').ok_or("expected a percentage such as 1%")?;
    number(percent).map(|percent| percent / 100.0)
}

/// The smallest change that counts, such as `1%`. Returns the ratio.
///
/// # Errors
/// If it is not a percentage below 100.
pub(crate) fn minimum_effect(text: &str) -> Result<f64, String> {
    let ratio = precision(text)?;
    if (0.0..1.0).contains(&ratio) { Ok(ratio) } else { Err("expected 0% to below 100%".to_owned()) }
}

/// The numbers of processes that a check allows.
pub(crate) const SAMPLES: std::ops::RangeInclusive<u32> = 2..=100;

/// The confidence of a check, such as `99%`. Returns the ratio.
///
/// # Errors
/// If it is not a percentage from 90 to 99.9.
pub(crate) fn confidence(text: &str) -> Result<f64, String> {
    let ratio = precision(text)?;
    // 99.9 / 100 is greater than 0.999.
    let is_valid = (0.9..0.999 + f64::EPSILON).contains(&ratio);
    if is_valid { Ok(ratio) } else { Err("expected 90% to 99.9%".to_owned()) }
}

/// A time: `5s`, `200ms` or `1min`.
///
/// # Errors
/// If it has another form.
pub(crate) fn time(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|reason| format!("expected a time such as 5s or 200ms: {reason}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn confidences_are_percentages() {
        assert_eq!(["90%", "99%"].map(|text| confidence(text).ok()), [Some(0.9), Some(0.99)]);
        assert!(confidence("99.9%").is_ok());
        assert!(["89%", "99.95%", "99"].iter().all(|text| confidence(text).is_err()));
    }

    fn generator() -> Generator {
        let numeric = |name: &str, default: serde_json::Value| {
            json!({"name": name, "description": "", "type": "integer", "of": "u32", "min": 1, "max": 1e9, "step": 1,
                "default": default, "scale": "log", "axis": true})
        };
        let parameters = json!([
            numeric("size", json!({"low": 10, "high": 1_000})),
            numeric("depth", json!(3)),
            {"name": "spread", "description": "", "type": "choice", "default": "Random",
                "options": [{"name": "Random"}, {"name": "Sorted"}]},
        ]);
        serde_json::from_value(json!({
            "path": "keys", "name": "Keys", "docs": "", "mode": "fresh", "parameters": parameters,
        }))
        .unwrap()
    }

    fn with(set: &[&str]) -> Result<String, String> {
        let set: Vec<SetArgument> = set.iter().map(|text| text.parse().unwrap()).collect();
        let arguments = arguments(&generator(), &set)?;
        Ok(arguments.iter().map(|(name, argument)| format!("{name}={argument}")).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn a_minimum_effect_is_a_percentage_below_100() {
        assert_eq!(["0%", "40%"].map(|text| minimum_effect(text).ok()), [Some(0.0), Some(0.4)]);
        assert!(["-1%", "100%", "1"].iter().all(|text| minimum_effect(text).is_err()));
    }

    #[test]
    fn commas_separate_functions_but_not_the_types_of_an_instance() {
        for (text, expected) in [
            ("sort_stable,sort_unstable", &["sort_stable", "sort_unstable"][..]),
            ("sum<u32, 8>, sum<Vec<u8>, 4>", &["sum<u32, 8>", "sum<Vec<u8>, 4>"]),
            ("map<fn(u8) -> u8, u8>,sort", &["map<fn(u8) -> u8, u8>", "sort"]),
            ("sort", &["sort"]),
        ] {
            assert_eq!(text.parse::<FunctionNames>().unwrap().0, expected);
        }
    }

    #[test]
    fn arguments_replace_defaults_and_only_one_parameter_varies() {
        for (set, expected) in [
            (&[][..], "depth=3 size=10..=1000 spread=Random"),
            (&["size=1k..1M"], "depth=3 size=1000..=1000000 spread=Random"),
            (&["size=1_000"], "depth=3 size=1000 spread=Random"),
            (&["spread=Random,Sorted"], "depth=3 size=10 spread=[Random, Sorted]"),
            (&["depth=1,2,5", "spread=Sorted"], "depth=[1, 2, 5] size=10 spread=Sorted"),
        ] {
            assert_eq!(with(set).as_deref(), Ok(expected), "{set:?}");
        }
    }

    #[test]
    fn errors_name_the_parameter_and_the_expected_value() {
        for (set, expected) in [
            ("length=3", "the generator `keys` has no parameter `length`. Its parameters are size, depth, spread"),
            ("size=many", "size: expected a number such as 1000 or 1k, or a range such as 100..1M, not `many`"),
            ("size=1..", "size: expected a number such as 1000 or 1k, or a range such as 100..1M, not ``"),
        ] {
            assert_eq!(with(&[set]).unwrap_err(), expected);
        }
        assert!("size".parse::<SetArgument>().is_err());
    }

    #[test]
    fn targets_are_percentages_and_times_have_units() {
        assert_eq!(precision("1%"), Ok(0.01));
        assert_eq!((time("5s"), time("200ms")), (Ok(Duration::from_secs(5)), Ok(Duration::from_millis(200))));
        assert!(precision("1").is_err() && precision("good%").is_err() && time("5").is_err());
    }
}
