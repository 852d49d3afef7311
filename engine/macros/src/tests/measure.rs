//! `measure!`

use proc_macro2::TokenStream;

use super::{Expected, assert_errors_among};
use crate::context::Context;

fn expand(entries: &str) -> TokenStream {
    crate::measure::expand(entries.parse().expect("the entries are tokens"), &Context::of_source(""))
}

#[track_caller]
fn assert_measure_errors(entries: &str, expected: &[Expected<'_>]) {
    assert_errors_among(expand(entries), entries, expected);
}

#[test]
fn each_entry_is_a_measured_function_that_calls_the_path() {
    let entries = "
        /// Finds a byte.
        fn memchr(needle: u8, haystack: &[u8]) -> Option<usize> = memchr::memchr, generators(bytes, ..texts), native;
        /// Sorts.
        pub(crate) fn sort<T: Ord>(keys: &mut [T]) = <[T]>::sort, types(u32), generators(keys::<T>);
        /// Takes nothing.
        async fn now() -> u64 = clock::now, executor = block_on";
    assert_measure_errors(entries, &[]);
    let text = expand(entries).to_string();
    for part in [
        "texts :: __list ! { (texts) (bytes ,) () (native , __line = 3u32 ,)",
        "fn memchr (needle : u8 , haystack : & [u8]) -> Option < usize > { memchr :: memchr (needle , haystack) }",
        "pub (crate) fn sort < T : Ord > (keys : & mut [T]) { < [T] > :: sort (keys) }",
        "\"sort<u32>\"",
        "async fn now () -> u64 { clock :: now () . await }",
        "line : 7u32",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn accepts_an_empty_list() {
    assert_measure_errors("", &[]);
}

#[test]
fn rejects_entries_in_another_form() {
    let no_path = "expected the path of the function to measure: write `= path::to::function`";
    let table = [
        ("fn sort(keys: &mut [u64]);", ";", no_path),
        ("fn sort(keys: &mut [u64]) { keys.sort() }", "{", no_path),
        (
            "fn sort(keys: &mut [u64]) = |keys| keys.sort(), generators(keys);",
            "|",
            "expected the path of a function, such as `= memchr::memchr` or `= <[u64]>::sort`",
        ),
        (
            "fn sort(keys: &mut [u64]) = sort generators(keys);",
            "generators",
            "expected `,` and the options of #[measured], or `;` and the next function",
        ),
        ("fn now() = now, native fn other() = other;", "fn", "expected `;` between two functions: add it"),
        (
            "fn sort(&mut self) = Vec::sort;",
            "&mut self",
            "expected a name and a type instead of `self`: write `name: &Type`, and `= Type::method`",
        ),
        (
            "fn sum((a, b): (u64, u64)) -> u64 = add, generators(pairs);",
            "(a, b)",
            "expected a plain name for the parameter: write `name: Type`",
        ),
    ];
    for (entry, marked, message) in table {
        assert_measure_errors(&format!("/// Described.\n {entry}"), &[(marked, message)]);
    }
}

#[test]
fn errors_about_the_options_mark_the_name() {
    assert_measure_errors(
        "fn sort(keys: &mut [u64]) = sort; /// Described.\n fn other(keys: &mut [u64]) = sort, generators(keys)",
        &[
            ("sort", "`sort` has no description: write a doc comment above it, such as `/// Sorts the keys in place.`"),
            (
                "sort",
                "a measured function needs a generator for its input: name one, such as #[measured(generators(keys))]",
            ),
        ],
    );
}
