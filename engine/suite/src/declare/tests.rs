//! A `bool` parameter: in the catalog and in arguments, it is a choice of `false` and `true`. Instances of generic functions and
//! generators in the catalog.

use benchbook_contract::parameter::Arguments;
use benchbook_macros::{generator, measured};
use serde_json::{Value, json};

use super::{Declarations, FunctionEntry};
use crate::collect::binding::Binding;
use crate::collect::inputs::Inputs;
use crate::generator::WorkloadGenerator;
use crate::identity::Identity;
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

/// Sums.
#[measured(types(u32, u64), consts(1, 8), generators(numbers::<T>, chunks::<T, N>), alternatives = "sum")]
fn sum<T: Copy + Default + Into<u64> + 'static, const N: usize>(numbers: &[T]) -> u64 {
    numbers.chunks(N).map(|chunk| chunk.iter().map(|&number| number.into()).sum::<u64>()).sum()
}

/// Names a generator twice, as a list may do.
#[measured(generators(numbers::<u64>, self::numbers::<u64>))]
fn first(numbers: &[u64]) -> u64 {
    numbers[0]
}

/// Numbers.
#[generator(name = "Numbers")]
fn numbers<T: Copy + Default + 'static>(_service: &Service) -> Shared<Vec<T>> {
    Shared::new(|_| vec![T::default(); 3])
}

/// Numbers of a chunk.
#[generator(name = "Chunks")]
fn chunks<T: Copy + Default + 'static, const N: usize>(
    _service: &Service,
    /// Number of chunks.
    #[parameter(min = 1, max = 9, default = 1..=9)]
    count: usize,
) -> Shared<Vec<T>> {
    Shared::new(move |_| vec![T::default(); count * N])
}

const IDENTITY: Identity = Identity { name: "declared", version: "0.1.0", crate_name: module_path!() };

#[test]
fn each_instance_of_a_generic_function_is_a_function_with_instances_of_its_generators() {
    let catalog = Declarations::registered(IDENTITY)
        .expect("the declarations are valid")
        .catalog(&[])
        .expect("it has no benchmarks");
    let of = |path: &str| {
        let function = catalog.function(path).unwrap_or_else(|| panic!("{path}: {catalog:#?}"));
        assert_eq!(
            function.signature,
            "fn sum<T: Copy + Default + Into<u64> + 'static, const N: usize>(numbers: &[T]) -> u64"
        );
        assert_eq!((function.name(), function.alternatives.as_deref()), (path, Some("sum")));
        function.generators.clone()
    };
    assert_eq!(of("sum<u32, 1>"), ["numbers<u32>", "chunks<u32, 1>"]);
    assert_eq!(of("sum<u32, 8>"), ["numbers<u32>", "chunks<u32, 8>"]);
    assert_eq!(of("sum<u64, 8>"), ["numbers<u64>", "chunks<u64, 8>"]);
    assert_eq!(catalog.function("first").expect("it is listed").generators, ["numbers<u64>"]);
    let generator = catalog.generator("chunks<u64, 1>").expect("each instance of a generator is listed");
    assert_eq!((generator.name.as_str(), generator.parameters.len()), ("Chunks", 1));
}

#[test]
fn types_with_the_same_name_are_rejected() {
    static ONE: [Binding; 1] = [Binding::native_only::<numbers<u8>>("<Key>")];
    static OTHER: [Binding; 1] = [Binding::native_only::<numbers<u16>>("<Key>")];
    const fn entry(path: &'static str, bindings: &'static [Binding]) -> FunctionEntry {
        let (signature, docs, file) = ("", "", "");
        FunctionEntry { path, signature, docs, source: "", file, line: 1, native: false, alternatives: None, bindings }
    }
    static ENTRIES: [FunctionEntry; 3] = [entry("a", &ONE), entry("b", &ONE), entry("c", &OTHER)];
    assert!(Declarations::new(IDENTITY, &ENTRIES[..2], None).is_ok());
    let error = Declarations::new(IDENTITY, &ENTRIES, None).err().expect("the types differ");
    assert!(error.starts_with("two generators have the path `numbers<Key>`: "), "{error}");
    assert!(error.contains("numbers<u8>") && error.contains("numbers<u16>") && error.contains("type Name"), "{error}");
}
