//! `types(…)` and `consts(…)` in `#[measured]`

use super::expand;
use crate::context::Context;

/// The path of a function, and the arguments of its generators.
type Instance = (String, Vec<String>);

fn instances(item: &str) -> Vec<Instance> {
    let tokens = expand(item, &Context::of_source("")).to_string();
    let texts = |text: &str, before: &str| {
        let parts = text.split(before).skip(1).map(|part| part.split('"').next().unwrap_or_default().to_owned());
        parts.collect::<Vec<String>>()
    };
    let registrations = tokens.split("static BINDINGS").skip(1);
    let instance = |text: &str| {
        let path = texts(text, "\"::\" , \"").remove(0);
        let bindings = text.split("Binding :: of :: <").skip(1);
        (path, bindings.filter_map(|binding| binding.split('"').nth(1)).map(str::to_owned).collect())
    };
    registrations.map(instance).collect()
}

/// The names of the types that time a function, by which `cargo benchbook check` finds its native code.
#[test]
fn types_are_named_after_function_and_generator() {
    let item = "#[measured(types(u32, Vec<u8>), generators(keys::<T>, inputs::numbers))] /// Sorts.\n fn sort<T: Ord>(keys: &mut [T]) {}";
    let tokens = expand(item, &Context::of_source("")).to_string();
    let names: Vec<&str> = tokens.split("struct ").skip(1).filter_map(|part| part.split(' ').next()).collect();
    assert_eq!(names, ["sortu32__keysu32", "sortu32__numbers", "sortVecu8__keysVecu8", "sortVecu8__numbers"]);
}

#[test]
fn each_type_is_a_function_of_its_own() {
    let item = "#[measured(types(u32, std::string::String, Vec<a::B<::c::D>>, (u8, u16), &'static str, [u8; 4], Vec::<u8>), \
                generators(keys::<T>, numbers, pairs::<T, 2>, nested::<Option<T>>))] \
                /// Sorts.\n fn sort<T: Ord>(keys: &mut [T]) {}";
    let of = |name: &str| {
        let generators = [format!("<{name}>"), String::new(), format!("<{name}, 2>"), format!("<Option<{name}>>")];
        (format!("sort<{name}>"), generators.to_vec())
    };
    let names = ["u32", "String", "Vec<B<D>>", "(u8, u16)", "&'static str", "[u8; 4]", "Vec<u8>"];
    assert_eq!(instances(item), names.map(of));
}

#[test]
fn constants_are_named_as_written() {
    let item = "#[measured(consts(1, -8, true, MOST, a::LEAST), generators(keys::<N>))] /// Sums.\n \
                fn sum<const N: i64>(keys: &[u64]) {}";
    let of = |name: &str| (format!("sum<{name}>"), vec![format!("<{name}>")]);
    assert_eq!(instances(item), ["1", "-8", "true", "MOST", "LEAST"].map(of));
}

#[test]
fn types_and_constants_are_combined_in_the_order_of_the_parameters() {
    let item = |parameters: &str| {
        format!("#[measured(types(u8, u16), consts(1, 2))] /// Does nothing.\n fn nothing<{parameters}>() {{}}")
    };
    let of = |paths: [&str; 4]| paths.map(|path| (path.to_owned(), vec![String::new()]));
    assert_eq!(
        instances(&item("T, const N: usize")),
        of(["nothing<u8, 1>", "nothing<u8, 2>", "nothing<u16, 1>", "nothing<u16, 2>"])
    );
    assert_eq!(
        instances(&item("'t, const N: usize, T: 't")),
        of(["nothing<1, u8>", "nothing<2, u8>", "nothing<1, u16>", "nothing<2, u16>"])
    );
}

#[test]
fn functions_without_parameters_have_a_single_instance() {
    let item = "#[measured(generators(keys, other::<a::B>))] /// Sums.\n fn sum<'t>(keys: &'t [u64]) {}";
    assert_eq!(instances(item), [("sum".to_owned(), vec![String::new(), "<B>".to_owned()])]);
}
