//! An accepted result and what it can be compared with.

use std::fmt;

use benchbook_contract::axis_value::AxisValue;
#[cfg(feature = "schema")]
use benchbook_contract::catalog::MAX_NAME;
#[cfg(any(test, feature = "schema"))]
use benchbook_contract::parameter::Range;
use benchbook_contract::parameter::{Argument, Arguments};
use serde::{Deserialize, Serialize};

use super::checked_metric::CheckedMetric;
use super::machine_class::MachineClass;
use crate::fingerprint::fingerprint;

/// The version of the format of accepted results.
pub const VERSION: u32 = 1;

/// The digits of the hash in an identifier.
const HASH_DIGITS: usize = 8;

/// What was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Benchmark {
    /// The name of the suite.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = MAX_NAME)))]
    pub suite: String,
    /// The path of the function.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = MAX_NAME)))]
    pub function: String,
    /// The path of the generator.
    #[cfg_attr(feature = "schema", schemars(length(max = MAX_NAME)))]
    pub generator: String,
    /// The arguments of the generator.
    #[cfg_attr(feature = "schema", schemars(schema_with = "short_arguments"))]
    pub arguments: Arguments,
    /// The hash of the generator's source code: with another one, the inputs may be others. Empty if the suite reports none.
    #[cfg_attr(feature = "schema", schemars(length(max = MAX_NAME)))]
    pub inputs: String,
    /// What was measured about it.
    pub metric: CheckedMetric,
    /// The other harness that measured it, such as `criterion`; absent for Benchbook.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = MAX_NAME)))]
    pub harness: Option<String>,
}

impl Benchmark {
    /// Whether another one has the same arguments, apart from the values of the axis: those that both have can be compared.
    fn has_same_arguments(&self, other: &Self) -> bool {
        let is_same = |(name, argument): (&String, &Argument)| {
            let of_other = other.arguments.get(name);
            of_other.is_some_and(|of_other| argument == of_other || (argument.is_varied() && of_other.is_varied()))
        };
        self.arguments.len() == other.arguments.len() && self.arguments.iter().all(is_same)
    }
}

/// Arguments whose texts are no longer than names.
#[cfg(feature = "schema")]
fn short_arguments(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    let (range, value) = (generator.subschema_for::<Range>(), generator.subschema_for::<AxisValue>());
    schemars::json_schema!({
        "type": "object",
        "propertyNames": { "maxLength": MAX_NAME },
        "additionalProperties": {
            "anyOf": [
                { "type": "number" },
                { "type": "string", "maxLength": MAX_NAME },
                range,
                { "type": "array", "items": value },
            ]
        },
    })
}

/// The build that was measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BuildOrigin {
    /// The fingerprint of the executable.
    #[cfg_attr(feature = "schema", schemars(length(max = MAX_NAME)))]
    pub fingerprint: String,
    /// The commit; absent outside a repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = MAX_NAME)))]
    pub commit: Option<String>,
    /// Whether files differed from the commit.
    pub dirty: bool,
    /// The compiler, such as `rustc 1.95.0`.
    #[cfg_attr(feature = "schema", schemars(length(max = MAX_NAME)))]
    pub compiler: String,
}

/// The means of the processes at one axis value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CheckedPoint {
    /// The axis value; absent without an axis.
    #[serde(default, skip_serializing_if = "AxisValue::is_absent")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<AxisValue>"))]
    pub x: AxisValue,
    /// The mean of each process, in the unit of the metric per call: nanoseconds, allocations, or bytes.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 5_000), inner(range(min = 0.0))))]
    pub means: Vec<f64>,
    /// The number of counted calls, if the metric is exact: other calls may have other inputs, and so other counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub calls: Option<f64>,
    /// The time of a call of the reference kernel in each process, in nanoseconds: it shows whether the machine has changed. Empty if it was
    /// not timed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(length(max = 5_000), inner(range(min = 0.0))))]
    pub kernel: Vec<f64>,
}

/// The figures of a build that can be compared with those of another build.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CheckedResult {
    /// What was measured.
    pub benchmark: Benchmark,
    /// The class of the machine that measured it.
    pub machine: MachineClass,
    /// The build that was measured.
    pub build: BuildOrigin,
    /// When it was measured, in seconds since 1970.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 253_402_300_799_u64)))]
    pub measured: f64,
    /// The points, in the order of the axis.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 5_000)))]
    pub points: Vec<CheckedPoint>,
}

/// Who accepted a result, and why.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(extend("required" = ["by"])))]
pub struct Acceptance {
    /// The name of the person.
    #[cfg_attr(feature = "schema", schemars(length(max = MAX_NAME)))]
    pub by: String,
    /// A note; may be empty.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(length(max = MAX_NAME)))]
    pub note: String,
}

/// A result that a person accepted as normal. Each is a file of its own, so that git merges those of several branches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AcceptedResult {
    /// The version of the format: 1.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = [VERSION])))]
    pub benchbook_history: u32,
    /// Who accepted it, and why.
    pub accepted: Acceptance,
    /// The result.
    #[serde(flatten)]
    pub result: CheckedResult,
}

/// Why two results are not compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// They are of different functions.
    OtherFunction,
    /// The function had other inputs: another generator, or other arguments.
    OtherArguments,
    /// The generator makes other inputs now.
    OtherInputs,
    /// They have different metrics.
    OtherMetric,
    /// Another harness measured one of them.
    OtherHarness,
    /// The machines belong to different classes: the property and both of its values.
    OtherMachine(&'static str, String, String),
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherFunction => write!(f, "another function"),
            Self::OtherArguments => write!(f, "another generator or other arguments"),
            Self::OtherInputs => write!(f, "the source code of the generator has changed"),
            Self::OtherMetric => write!(f, "another metric"),
            Self::OtherHarness => write!(f, "measured by another harness"),
            Self::OtherMachine(property, one, other) => {
                write!(f, "accepted on another class of machine: its {property} is `{one}`, but here `{other}`")
            }
        }
    }
}

impl AcceptedResult {
    /// Identifies the result in the names of files and in links: when it was measured, and a hash of it. A later note does not change it.
    pub fn id(&self) -> String {
        let text = serde_json::to_string(&self.result).expect("a result serializes to JSON");
        format!("{:.0}-{}", self.result.measured, &fingerprint(text.as_bytes())[..HASH_DIGITS])
    }

    /// Checks whether a result of this benchmark on this machine can be compared with the accepted one.
    ///
    /// # Errors
    /// Returns the first reason against it.
    pub fn check_comparable(&self, benchmark: &Benchmark, machine: &MachineClass) -> Result<(), Mismatch> {
        let CheckedResult { benchmark: own, machine: own_machine, .. } = &self.result;
        let functions = |benchmark: &Benchmark| (benchmark.suite.clone(), benchmark.function.clone());
        match () {
            () if functions(own) != functions(benchmark) => Err(Mismatch::OtherFunction),
            () if own.harness != benchmark.harness => Err(Mismatch::OtherHarness),
            () if own.generator != benchmark.generator || !own.has_same_arguments(benchmark) => {
                Err(Mismatch::OtherArguments)
            }
            () if own.metric != benchmark.metric => Err(Mismatch::OtherMetric),
            () if own.inputs != benchmark.inputs => Err(Mismatch::OtherInputs),
            () => match own_machine.difference_from(machine) {
                Some((property, one, other)) => Err(Mismatch::OtherMachine(property, one, other)),
                None => Ok(()),
            },
        }
    }
}

/// The axis values of several results, in the order of their first occurrence.
pub fn axis_values<'r>(results: impl IntoIterator<Item = &'r CheckedResult>) -> Vec<&'r AxisValue> {
    let mut values: Vec<&AxisValue> = Vec::new();
    for x in results.into_iter().flat_map(|result| &result.points).map(|point| &point.x) {
        if !values.contains(&x) {
            values.push(x);
        }
    }
    values
}

impl CheckedResult {
    /// The means of the processes at an axis value.
    pub fn means_at(&self, x: &AxisValue) -> Option<&[f64]> {
        self.point_at(x).map(|point| point.means.as_slice())
    }

    /// The point at an axis value.
    pub fn point_at(&self, x: &AxisValue) -> Option<&CheckedPoint> {
        self.points.iter().find(|point| point.x == *x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::examples::accepted;

    #[test]
    fn an_identifier_depends_on_the_result_only() {
        let id = accepted().id();
        assert!(id.starts_with("1795600000-") && id.len() == 19, "{id}");
        let accepted_again = Acceptance { by: "Grace".to_owned(), note: "again".to_owned() };
        assert_eq!(AcceptedResult { accepted: accepted_again, ..accepted() }.id(), id);
        let mut other = accepted();
        other.result.points[0].means[0] = 10.000_000_000_000_002;
        assert_ne!(other.id(), id);
        // A file that is read again has the same identifier.
        let text = serde_json::to_string_pretty(&other).expect("it is written");
        assert_eq!(serde_json::from_str::<AcceptedResult>(&text).expect("it is read").id(), other.id());
    }

    #[test]
    fn a_result_round_trips() {
        let text = serde_json::to_string(&accepted()).expect("it is written");
        assert_eq!(serde_json::from_str::<AcceptedResult>(&text).expect("it is read"), accepted());
        assert_eq!(accepted().result.means_at(&AxisValue::Absent), Some([10.0, 10.5].as_slice()));
        assert_eq!(accepted().result.means_at(&AxisValue::Number(1.0)), None);
    }

    #[test]
    fn only_the_same_measurement_on_the_same_class_of_machine_is_comparable() {
        let benchmark = || accepted().result.benchmark;
        let machine = || accepted().result.machine;
        assert_eq!(accepted().check_comparable(&benchmark(), &machine()), Ok(()));
        let check = |benchmark: Benchmark, machine: MachineClass| {
            accepted().check_comparable(&benchmark, &machine).map_err(|mismatch| mismatch.to_string())
        };
        let refused = |reason: &str| Err(reason.to_owned());
        let other = Benchmark { arguments: Arguments::new(), ..benchmark() };
        assert_eq!(check(other, machine()), refused("another generator or other arguments"));
        let at = |argument: Argument| Benchmark {
            arguments: Arguments::from([("size".to_owned(), argument)]),
            ..benchmark()
        };
        let (range, list) = (Argument::Range(Range { low: 1.0, high: 9.0 }), Argument::Values(vec![1.0.into()]));
        assert!(at(range.clone()).has_same_arguments(&at(list)), "an input was added");
        assert!(!at(range).has_same_arguments(&at(Argument::Number(1.0))));
        assert!(!at(Argument::Number(2.0)).has_same_arguments(&at(Argument::Number(1.0))));
        let other = Benchmark { inputs: "ef".to_owned(), ..benchmark() };
        assert_eq!(check(other, machine()), refused("the source code of the generator has changed"));
        let other = Benchmark { metric: CheckedMetric::FirstCall, ..benchmark() };
        assert_eq!(check(other, machine()), refused("another metric"));
        let other = Benchmark { harness: Some("criterion".to_owned()), ..benchmark() };
        assert_eq!(check(other, machine()), refused("measured by another harness"));
        let other = MachineClass { cpu: Some("AMD EPYC 9R14".to_owned()), ..machine() };
        let reason = "accepted on another class of machine: its processor is `unknown`, but here `AMD EPYC 9R14`";
        assert_eq!(check(benchmark(), other), refused(reason));
    }
}
