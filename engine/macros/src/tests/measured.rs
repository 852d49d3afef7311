//! Attributes in their source file, and asynchronous functions.

use super::{errors, expand};
use crate::context::Context;

/// Expands the item of a source file, which starts with the attribute, and compares its errors: the marked source text and the message.
#[track_caller]
fn assert_errors_in(source: &str, item: &str, expected: &[(&str, &str)]) {
    let found = errors(expand(item, &Context::of_source(source)));
    let found: Vec<(&str, &str)> = found.iter().map(|(marked, message)| (marked.as_str(), message.as_str())).collect();
    assert_eq!(found, expected, "{source}");
}

#[test]
fn rejects_associated_functions() {
    let item = "#[measured(generators(keys))]\n/// Sorts.\nfn sort(keys: &mut [u64]) { keys.sort(); }";
    let message = "a measured function cannot be an associated function: move `sort` out of the `impl` or `trait`, or \
                   write a free function that calls it";
    for block in ["impl Keys", "impl Sort for Keys", "impl<T> Keys<T>\nwhere\n    T: Ord,\n", "trait Sort"] {
        assert_errors_in(&format!("struct Keys;\n{block} {{\n{item}\n}}"), item, &[("sort", message)]);
        assert_errors_in(&format!("mod inner {{\n{block} {{\n{item}\n}}\n}}"), item, &[("sort", message)]);
    }
    let qualified = item.replace("#[measured", "#[benchbook::measured");
    assert_errors_in(&format!("impl Keys {{\n{qualified}\n}}"), item, &[("sort", message)]);
}

#[test]
fn accepts_functions_outside_of_impl_blocks() {
    let item = "#[measured(generators(keys))]\n/// Sorts.\nfn sort(keys: &mut [u64]) { keys.sort(); }";
    let other = "fn sort(keys: &mut [u64]) { keys.sort(); }";
    for source in [
        String::new(),
        "not Rust {".to_owned(),
        item.to_owned(),
        format!("mod inner {{\n{item}\n}}"),
        format!("fn main() {{\n{item}\n}}"),
        format!("impl Keys {{\n{other}\n}}\nmod inner {{\n{item}\n}}"),
    ] {
        assert_errors_in(&source, item, &[]);
    }
}

#[test]
fn rejects_associated_generators() {
    let item = "#[generator(name = \"Keys\")]\n/// Keys.\nfn keys(_: &Service) -> Fresh<u64> {}";
    let message = "a generator cannot be an associated function: move `keys` out of the `impl` or `trait`, or write a \
                   free function that calls it";
    assert_errors_in(&format!("impl Keys {{ {item} }}"), item, &[("keys", message)]);
}

#[test]
fn async_functions_have_no_body_in_wasm() {
    let item = "#[measured(executor = a::b)] /// Waits.\n async fn wait() { sleep() }";
    let tokens = expand(item, &Context::of_source("")).to_string();
    assert!(tokens.contains("native : true"), "{tokens}");
    assert!(tokens.contains("async fn wait () { :: benchbook :: __private :: native_only () }"), "{tokens}");
    assert!(tokens.contains("a :: b (wait ())"), "{tokens}");
}
