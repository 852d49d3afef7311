//! `#[generator]`

use super::{assert_errors, assert_errors_in};

const NO_NAME: &str = "the generator has no name for the page: write one, such as #[generator(name = \"Keys\")]";
const NO_SERVICE: &str = "the first parameter of a generator must be `service: &Service`: add it";

const SIZE: &str = "/// Number of keys.\n #[parameter(min = 1, max = 9, default = 1..=9)] size: u32";

#[test]
fn rejects_functions_that_are_no_generators() {
    let table = [
        (
            format!("async fn keys(_service: &Service, {SIZE}) -> Fresh<u64> {{}}"),
            "async",
            "a generator cannot be async or unsafe: write a wrapper that is neither",
        ),
        (
            format!("fn keys(&self, service: &Service, {SIZE}) -> Fresh<u64> {{}}"),
            "&self",
            "a generator cannot be a method: write a free function that calls it, such as \
             `fn keys(instance: &mut Type) { instance.keys() }`",
        ),
        (
            format!("fn keys(_service: &Service, {SIZE}) {{}}"),
            "keys",
            "a generator must return a workload: write -> Fresh<I>, -> Owned<I>, -> Shared<I> or -> Calls<I>",
        ),
        ("fn keys() -> Fresh<u64> {}".to_owned(), "keys", NO_SERVICE),
        (format!("fn keys({SIZE}) -> Fresh<u64> {{}}"), "keys", NO_SERVICE),
        (
            "struct Keys;".to_owned(),
            "struct",
            "#[generator] is for free functions with a body: write it above one (expected `fn`)",
        ),
    ];
    for (item, marked, message) in table {
        assert_errors(&format!("#[generator(name = \"Keys\")] /// Keys.\n {item}"), &[(marked, message)]);
    }
}

#[test]
fn accepts_generic_generators() {
    for parameters in ["T", "T: Default", "T, const N: usize", "const N: usize", "'t, T: 't"] {
        let item = format!("fn keys<{parameters}>(_service: &Service, {SIZE}) -> Fresh<T> {{}}");
        assert_errors(&format!("#[generator(name = \"Keys\")] /// Keys.\n {item}"), &[]);
    }
}

#[test]
fn accepts_generators_without_an_axis() {
    for parameters in ["", ", /** Keys. */ #[parameter(min = 1, max = 9, default = 1)] size: u32"] {
        let item = format!("fn keys(_service: &Service{parameters}) -> Fresh<u64> {{}}");
        assert_errors(&format!("#[generator(name = \"Keys\")] /// Keys.\n {item}"), &[]);
    }
}

#[test]
fn rejects_associated_functions() {
    let item = format!("#[generator(name = \"Keys\")]\n/// Keys.\nfn keys(_: &Service, {SIZE}) -> Fresh<u64> {{}}");
    let message = "a generator cannot be an associated function: move `keys` out of the `impl` or `trait`, or write a \
                   free function that calls it";
    assert_errors_in(&format!("impl Keys {{ {item} }}"), &item, &[("keys", message)]);
}

#[test]
fn rejects_invalid_options() {
    let table = [
        ("#[generator]", "", NO_NAME),
        (
            "#[generator(name = \"Keys\", docs = \"Keys.\")]",
            "docs",
            "unknown option: write name = \"…\" or native; the description is the doc comment",
        ),
    ];
    for (attribute, marked, message) in table {
        let item = format!("{attribute} /// Keys.\n fn keys(_service: &Service, {SIZE}) -> Fresh<u64> {{}}");
        assert_errors(&item, &[(marked, message)]);
    }
}

#[test]
fn rejects_a_generator_without_a_description() {
    let item = format!("#[generator(name = \"Keys\")] fn keys(_service: &Service, {SIZE}) -> Fresh<u64> {{}}");
    let message = "`keys` has no description: write a doc comment above it, such as `/// Random keys.`";
    assert_errors(&item, &[("keys", message)]);
}

#[test]
fn reports_all_errors_of_a_generator() {
    let item = "#[generator]
        /// Keys.
        fn keys(
            _service: &Service,
            #[parameter(min = 1, max = 9, default = 1..=9)]
            size: u32,
            /// How large they are.
            #[parameter(min = 1, default = 1)]
            scale: f64,
        ) -> Fresh<Vec<u64>> {}";
    let expected = [
        ("", NO_NAME),
        ("size", "`size` has no description: write a doc comment above it, such as `/// Number of keys.`"),
        ("scale", "`scale` has no upper bound: write max = …"),
    ];
    assert_errors(item, &expected);
}
