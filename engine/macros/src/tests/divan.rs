//! `#[divan::bench]` and `#[divan::bench_group]`

use super::expand;
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
