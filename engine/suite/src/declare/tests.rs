//! A `bool` parameter: in the catalog and in arguments, it is a choice of `false` and `true`.

use benchbook_contract::parameter::Arguments;
use benchbook_macros::generator;
use serde_json::{Value, json};

use crate::collect::inputs::Inputs;
use crate::generator::WorkloadGenerator;
use crate::workload::Workload;
use crate::{Service, Shared};

/// The flags themselves.
#[generator(name = "Flags")]
fn flags(
    _service: &Service,
    /// Number of flags.
    #[parameter(min = 1, max = 9, default = 1..=9)]
    _size: u32,
    /// Whether keys are sorted.
    #[parameter(default = true)]
    sorted: bool,
    /// Whether keys are distinct.
    #[parameter(default = false)]
    distinct: bool,
) -> Shared<(bool, bool)> {
    Shared::new(move |_| (sorted, distinct))
}

fn prepare(sorted: Value, distinct: Value) -> Result<(bool, bool), String> {
    let arguments = json!({"_size": 1, "sorted": sorted, "distinct": distinct});
    let arguments: Arguments = serde_json::from_value(arguments).map_err(|error| error.to_string())?;
    let service = Service { priority: 3, seed: 42, scratch: None };
    let workload = flags::prepare(&service, &arguments)?;
    Ok(Inputs::new(workload.erase(), 42)?.shared(0)[0])
}

#[test]
fn lists_a_bool_as_a_choice() {
    let options = json!([{"name": "false", "description": "No."}, {"name": "true", "description": "Yes."}]);
    let parameters = (flags::SOURCE.parameters)();
    assert_eq!(
        serde_json::to_value(&parameters[1..]).expect("parameters have a JSON form"),
        json!([
            {"name": "sorted", "description": "Whether keys are sorted.", "type": "choice", "default": "true",
                "options": options},
            {"name": "distinct", "description": "Whether keys are distinct.", "type": "choice", "default": "false",
                "options": options},
        ])
    );
}

#[test]
fn reads_a_bool_by_the_name_of_its_option() {
    for (sorted, distinct) in [(false, false), (false, true), (true, false), (true, true)] {
        assert_eq!(prepare(json!(sorted.to_string()), json!(distinct.to_string())), Ok((sorted, distinct)));
    }
}

#[test]
fn rejects_other_values_of_a_bool() {
    let table = [
        (json!("yes"), "arguments.sorted: there is no option `yes`"),
        (json!("True"), "arguments.sorted: there is no option `True`"),
        (json!(""), "arguments.sorted: there is no option ``"),
        (json!(1), "arguments.sorted: expected a text"),
        (json!({"low": 0, "high": 1}), "arguments.sorted: expected a text"),
    ];
    for (value, reason) in table {
        assert_eq!(prepare(value.clone(), json!("true")), Err(reason.to_owned()), "{value}");
    }
}
