//! The inputs of benchmarks as parameters: numbers if all of them are, otherwise a choice.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use benchbook_contract::catalog::{Generator, Mode, listed_name};
use benchbook_contract::number::MAX_INTEGER;
use benchbook_contract::parameter::{Argument, ChoiceOption, Kind, Numeric, NumericDefault, Parameter, Range, Scale};

/// The ratio of the largest and the smallest number from which on they are on a logarithmic scale.
const LOG_RANGE: f64 = 20.0;

/// The most inputs of a choice that are all measured by default: more bars are illegible.
const MAX_VARIED: usize = 100;

/// The generators of benchmarks, by path.
#[derive(Default)]
pub struct BenchmarkGenerators(BTreeMap<String, Generator>);

impl BenchmarkGenerators {
    /// Returns the path of a generator with these parameters, after adding it if necessary: functions of a group with the same inputs share
    /// one. The path is `base`, or `base#2` if the group has others.
    pub fn path(&mut self, base: &str, name: &str, mode: Mode, parameters: &[Parameter]) -> String {
        let mut number = 1;
        loop {
            let path = if number == 1 { base.to_owned() } else { format!("{base}#{number}") };
            match self.0.entry(listed_name(&path)) {
                Entry::Occupied(entry) if entry.get().parameters == parameters && entry.get().mode == mode => {
                    return entry.key().clone();
                }
                Entry::Occupied(_) => number += 1,
                Entry::Vacant(entry) => {
                    let path = entry.key().clone();
                    entry.insert(Generator {
                        path: path.clone(),
                        name: name.to_owned(),
                        docs: String::new(),
                        mode,
                        parameters: parameters.to_vec(),
                        native: false,
                        source_hash: String::new(),
                    });
                    return path;
                }
            }
        }
    }

    /// Returns the generators, sorted by path.
    pub fn into_sorted(self) -> Vec<Generator> {
        self.0.into_values().collect()
    }
}

/// Whether an input is a number, so that several of them can be a curve.
pub fn is_number(input: &str) -> bool {
    number(input).is_some()
}

/// Returns the parameter with these values; absent without any.
pub fn input_parameter(name: &str, description: &str, inputs: &[&str]) -> Option<Parameter> {
    let (first, _) = inputs.split_first()?;
    let kind = numbers(inputs).unwrap_or_else(|| {
        let option = |name: &&str| ChoiceOption { name: (*name).to_owned(), description: String::new() };
        Kind::Choice {
            options: inputs.iter().map(option).collect(),
            default: (*first).to_owned(),
            varied: inputs.len() <= MAX_VARIED,
        }
    });
    Some(Parameter { name: name.to_owned(), description: description.to_owned(), kind })
}

/// The parameter with these numbers; `None` if an input is not a number, or if two are equal.
fn numbers(inputs: &[&str]) -> Option<Kind> {
    let mut values: Vec<f64> = inputs.iter().map(|input| number(input)).collect::<Option<_>>()?;
    values.sort_unstable_by(f64::total_cmp);
    let (min, max) = (*values.first()?, *values.last()?);
    if values.windows(2).any(|pair| pair[0] == pair[1]) {
        return None;
    }
    let are_integers = values.iter().all(|value| value.fract() == 0.0 && value.abs() <= MAX_INTEGER);
    let of = match (are_integers, min < 0.0) {
        (true, false) => "u64",
        (true, true) => "i64",
        (false, _) => "f64",
    };
    let numeric = Numeric {
        of: of.to_owned(),
        min,
        max,
        step: are_integers.then_some(1.0),
        values,
        default: NumericDefault::Range(Range { low: min, high: max }),
        unit: None,
        scale: if min > 0.0 && max / min >= LOG_RANGE { Scale::Log } else { Scale::Linear },
        axis: true,
    };
    Some(if are_integers { Kind::Integer(numeric) } else { Kind::Float(numeric) })
}

/// Whether the argument of a request stands for this input.
pub fn is_input(argument: &Argument, input: &str) -> bool {
    match argument {
        Argument::Number(value) => number(input) == Some(*value),
        Argument::Text(text) => text == input,
        Argument::Range(_) | Argument::Values(_) => false,
    }
}

/// The number that an input is; `None` for other texts.
fn number(input: &str) -> Option<f64> {
    input.parse().ok().filter(|value: &f64| value.is_finite())
}
