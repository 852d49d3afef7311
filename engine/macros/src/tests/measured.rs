//! `#[measured]`

use super::{assert_errors, assert_errors_in};

const NO_GENERATORS: &str =
    "a measured function needs a generator for its input: name one, such as #[measured(generators(keys))]";

#[test]
fn rejects_functions_that_the_harness_cannot_call() {
    let table = [
        (
            "fn sort(&mut self) { self.0.sort(); }",
            "&mut self",
            "a measured function cannot be a method: write a free function that calls it, such as \
             `fn sort(instance: &mut Type) { instance.sort() }`",
        ),
        (
            "fn sort<T: Ord>(keys: &mut [T]) { keys.sort(); }",
            "T: Ord",
            "a measured function with a type parameter needs types: list them, such as #[measured(types(u32, u64), …)]",
        ),
        (
            "fn sum(keys: impl Iterator<Item = u64>) -> u64 { keys.sum() }",
            "impl Iterator<Item = u64>",
            "a measured function cannot take an `impl Trait`: write a wrapper that takes the type that you measure",
        ),
        (
            "async fn sort(keys: &mut [u64]) { keys.sort(); }",
            "async",
            "a measured function cannot be async or unsafe: write a wrapper that is neither, or name an executor, such as \
             #[measured(executor = pollster::block_on, …)]",
        ),
        (
            "unsafe fn sort(keys: &mut [u64]) { keys.sort(); }",
            "unsafe",
            "a measured function cannot be async or unsafe: write a wrapper that is neither",
        ),
        (
            "fn now() {}",
            "keys",
            "a function without parameters needs no generator: remove `generators(…)`, or add a parameter for the \
             generator's input",
        ),
        (
            "fn sum(a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8, h: u8, i: u8) -> u8 { a }",
            "a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8, h: u8, i: u8",
            "a measured function has at most 8 parameters: combine some in a struct",
        ),
    ];
    for (function, marked, message) in table {
        assert_errors(&format!("#[measured(generators(keys))] /// Described.\n {function}"), &[(marked, message)]);
    }
}

#[test]
fn rejects_items_that_are_no_functions() {
    let table = [
        ("struct Keys(Vec<u64>);", "struct", "expected `fn`"),
        ("impl Keys { fn sort(&mut self) {} }", "impl", "expected `fn`"),
        ("mod keys {}", "mod", "expected `fn`"),
        ("fn sort(&mut self);", ";", "expected curly braces"),
    ];
    for (item, marked, reason) in table {
        let message = format!("#[measured] is for free functions with a body: write it above one ({reason})");
        assert_errors(&format!("#[measured(generators(keys))] {item}"), &[(marked, &message)]);
    }
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
fn rejects_invalid_options() {
    let table = [
        ("#[measured]", "", NO_GENERATORS),
        ("#[measured(generators())]", "", NO_GENERATORS),
        (
            "#[measured(generators(\"keys\"))]",
            "\"keys\"",
            "expected names of generators without quotes, such as generators(keys, crate::sorting::nearly_sorted)",
        ),
        (
            "#[measured(generator(keys))]",
            "generator",
            "unknown option: write generators(…), types(…), consts(…), executor = …, threads, native, documents = … or alternatives = \"…\"",
        ),
        ("#[measured(generators(keys, keys))]", "keys", "this generator is listed twice: remove one"),
        ("#[measured(generators(keys::<u8>, keys<u8>))]", "keys<u8>", "this generator is listed twice: remove one"),
        (
            "#[measured(generators(keys), executor = \"block_on\")]",
            "\"block_on\"",
            "expected the path of a function that runs a future, without quotes, such as executor = pollster::block_on",
        ),
        (
            "#[measured(generators(keys), documents = \"sort\")]",
            "\"sort\"",
            "expected the path of the item on whose page the measurement appears, without quotes and type arguments, such as documents = crate::sort",
        ),
        (
            "#[measured(generators(keys), executor = pollster::block_on)]",
            "pollster::block_on",
            "the function is not async: remove `executor`, or write `async fn`",
        ),
        (
            "#[measured(threads, generators(keys))]",
            "keys: &mut [u64]",
            "a function with the option `threads` cannot take `&mut`, since all threads use the input at once: take `&`, such as `&Mutex<…>`",
        ),
    ];
    for (attribute, marked, message) in table {
        assert_errors(&format!("{attribute} /// Sorts.\n fn sort(keys: &mut [u64]) {{}}"), &[(marked, message)]);
    }
}

#[test]
fn rejects_a_function_without_a_description() {
    let message = "`sort` has no description: write a doc comment above it, such as `/// Sorts the keys in place.`";
    assert_errors("#[measured(generators(keys))] fn sort(keys: &mut [u64]) {}", &[("sort", message)]);
    assert_errors("#[measured(generators(keys))] ///\n fn sort(keys: &mut [u64]) {}", &[("sort", message)]);
}

#[test]
fn reports_all_errors_of_a_function() {
    let parameters = "a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8, h: u8, i: u8";
    let expected = [
        ("sum", "`sum` has no description: write a doc comment above it, such as `/// Sorts the keys in place.`"),
        ("", NO_GENERATORS),
        (parameters, "a measured function has at most 8 parameters: combine some in a struct"),
    ];
    assert_errors(&format!("#[measured] fn sum({parameters}) {{}}"), &expected);
}

#[test]
fn accepts_functions_without_parameters() {
    for attribute in ["#[measured]", "#[measured()]", "#[measured(native)]", "#[measured(alternatives = \"now\")]"] {
        assert_errors(&format!("{attribute} /// Does the same work in each call.\n fn now() -> u64 {{ 7 }}"), &[]);
    }
}

#[test]
fn functions_called_from_several_threads_need_an_input() {
    assert_errors("#[measured(threads, generators(locks))] /// Adds one.\n fn add(count: &Mutex<u64>) {}", &[]);
    assert_errors(
        "#[measured(threads)] /// Adds one.\n fn add() {}",
        &[(
            "fn add()",
            "a function with the option `threads` needs a parameter for the input that the threads share: its generator determines their number",
        )],
    );
}

#[test]
fn accepts_async_functions_with_an_executor() {
    assert_errors("#[measured(generators(keys), executor = a::b)] /// Waits.\n async fn wait(keys: &[u64]) {}", &[]);
}

#[test]
fn async_functions_have_no_body_in_wasm() {
    let context = crate::context::Context::of_source("");
    let item = "#[measured(executor = a::b)] /// Waits.\n async fn wait() { sleep() }";
    let tokens = super::expand(item, &context).to_string();
    assert!(tokens.contains("native : true"), "{tokens}");
    assert!(tokens.contains("async fn wait () { :: benchbook :: __private :: native_only () }"), "{tokens}");
    assert!(tokens.contains("a :: b (wait ())"), "{tokens}");
}
