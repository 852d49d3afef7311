//! `#[divan::bench]` and `#[divan::bench_group]`

use super::{assert_errors, expand};
use crate::context::Context;

/// The arguments for the calls of a function, in the order of its instances.
fn calls(item: &str, function: &str) -> Vec<String> {
    let tokens = expand(item, &Context::of_source("")).to_string().replace(' ', "");
    let calls = tokens.split("|visit|").skip(1).filter_map(|visit| visit.split(function).nth(1));
    calls.map(|call| call.split(')').next().unwrap_or_default().to_owned() + ")").collect()
}

/// The types of the instances.
fn type_names(item: &str) -> Vec<String> {
    let tokens = expand(item, &Context::of_source("")).to_string();
    tokens.split("type_name : \"").skip(1).map(|rest| rest.split('"').next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_benchmark_takes_a_bencher_an_argument_or_both() {
    for (item, expected) in [
        ("#[divan::bench] fn f() {}", "()"),
        ("#[divan::bench] fn f(bencher: Bencher) {}", "(bencher)"),
        (
            "#[divan::bench(args = [1])] fn f(size: usize) {}",
            "(::divan::__private::black_box(::divan::__private::pass(argument)",
        ),
        (
            "#[divan::bench(args = LIST)] fn f(b: Bencher, size: usize) {}",
            "(bencher,::divan::__private::black_box(::divan::__private::pass(argument)",
        ),
    ] {
        let calls = calls(item, "f");
        assert_eq!(calls.len(), 1, "{item}");
        assert!(expected.starts_with(&calls[0]), "{item}: {calls:?}");
    }
}

#[test]
fn generated_code_uses_the_crate_that_the_option_names() {
    let item = "#[divan::bench(crate = ::sofa)] fn f() {}";
    let tokens = expand(item, &Context::of_source("")).to_string().replace(' ', "");
    assert!(tokens.contains("::sofa::__private::BenchEntry") && !tokens.contains("divan"), "{tokens}");
}

#[test]
fn arguments_of_a_generic_benchmark_are_in_the_order_of_its_parameters() {
    let of = |item: &str| calls(item, "measured");
    assert_eq!(of("#[divan::bench(types = [u8, String])] fn measured<T>() {}"), ["::<u8>()", "::<String>()"]);
    assert_eq!(
        of("#[divan::bench(consts = [1, LEN * 2], types = [u8])] fn measured<'a, const N: usize, T>() {}"),
        ["::<{1},u8>()", "::<{LEN*2},u8>()"]
    );
    assert_eq!(
        of("#[divan::bench(consts = LENGTHS)] fn measured<const N: usize>() {}").len(),
        20,
        "the attribute does not know how many there are"
    );
    assert!(of("#[divan::bench(types = [])] fn measured<T>() {}").is_empty());
}

#[test]
fn types_have_short_names_unless_these_are_equal() {
    let of = |types: &str| type_names(&format!("#[divan::bench(types = [{types}])] fn f<T>() {{}}"));
    assert_eq!(of("&str, std::string::String, Vec<a::Key>"), ["<&str>", "<String>", "<Vec<Key>>"]);
    assert_eq!(of("a::Key, b::Key, u8"), ["<a::Key>", "<b::Key>", "<u8>"]);
    assert_eq!(of("<u8 as Trait>::Output"), ["<<u8 as Trait>::Output>"]);
}

#[test]
fn a_mistake_in_the_options_is_reported() {
    let unknown = "unknown option: write name, args, types, consts, threads, counters, counter, bytes_count, chars_count, \
        items_count, cycles_count, ignore, sample_count, sample_size, min_time, max_time, skip_ext_time or crate";
    assert_errors("#[divan::bench(argument = [1])] fn f(size: usize) {}", &[("argument", unknown)]);
    let of_group = "unknown option of a group: write name, threads, counters, counter, bytes_count, chars_count, items_count, \
        cycles_count, ignore, sample_count, sample_size, min_time, max_time, skip_ext_time or crate";
    assert_errors("#[divan::bench_group(args = [1])] mod m {}", &[("args", of_group)]);
    assert_errors(
        "#[divan::bench(threads = 2, threads)] fn f() {}",
        &[("threads", "this option is set twice: remove one")],
    );
    assert_errors(
        "#[divan::bench(args)] fn f(size: usize) {}",
        &[("args", "this option needs a value: write `option = value`")],
    );
    assert_errors(
        "#[divan::bench(types = TYPES)] fn f<T>() {}",
        &[("TYPES", "expected a list of types in brackets, such as types = [u32, String]")],
    );
    assert_errors(
        "#[divan::bench(counters = 8)] fn f() {}",
        &[(
            "8",
            "expected a list of counters in brackets, such as counters = [ItemsCount::new(8_u32)]. For a single one, write `counter`",
        )],
    );
}

#[test]
fn a_function_that_does_not_fit_its_options_is_reported() {
    for (item, marked, message) in [
        (
            "#[divan::bench] fn f(bencher: Bencher, size: usize) {}",
            "size: usize",
            "a benchmark takes a `Bencher`, an argument of the option `args`, or both in this order: list the arguments, such as \
             args = [1, 2]",
        ),
        (
            "#[divan::bench(args = [1])] fn f() {}",
            "[1]",
            "the option `args` needs a parameter for the argument, such as fn name(argument: usize)",
        ),
        (
            "#[divan::bench(args = [1])] fn f(b: Bencher, x: u8, y: u8) {}",
            "y: u8",
            "a benchmark takes a `Bencher` and one argument: combine several arguments in a tuple",
        ),
        (
            "#[divan::bench] fn f<T>() {}",
            "T",
            "a benchmark with a type parameter needs types: list them, such as types = [u32, String]",
        ),
        (
            "#[divan::bench] fn f<const N: u8>() {}",
            "const N: u8",
            "a benchmark with a constant parameter needs values: list them, such as consts = [1, 8]",
        ),
        (
            "#[divan::bench(types = [u8])] fn f() {}",
            "u8",
            "the function has no type parameter: remove `types`, or add one, such as fn name<T>()",
        ),
        (
            "#[divan::bench(consts = [1])] fn f() {}",
            "[1]",
            "the function has no constant parameter: remove `consts`, or add one, such as fn name<const N: usize>()",
        ),
        (
            "#[divan::bench(types = [u8])] fn f<T, U>() {}",
            "U",
            "a benchmark has at most one type parameter and one constant parameter: write a wrapper with one of each",
        ),
        (
            "#[divan::bench] async fn f() {}",
            "async",
            "a benchmark cannot be async: call an executor in it, such as `bencher.bench_local(|| runtime.block_on(…))`",
        ),
    ] {
        assert_errors(item, &[(marked, message)]);
    }
}

#[test]
fn an_attribute_at_another_item_is_reported() {
    assert_errors(
        "#[divan::bench] struct F;",
        &[("struct", "#[divan::bench] is for free functions with a body: write it above one (expected `fn`)")],
    );
    assert_errors(
        "#[divan::bench_group] fn f() {}",
        &[("fn", "#[divan::bench_group] is for modules: write it above one (expected `mod`)")],
    );
}
