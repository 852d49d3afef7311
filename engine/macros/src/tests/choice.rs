//! `#[derive(Choice)]`

use super::assert_errors;

#[test]
fn rejects_types_that_are_no_choices() {
    let table = [
        ("struct Spread;", "Spread", "a choice must be an enum: write its options as variants"),
        (
            "enum Spread<const N: usize> { Random }",
            "<const N: usize>",
            "a choice cannot have generic parameters: remove them",
        ),
        (
            "enum Spread { Random, FewDistinct(u32) }",
            "FewDistinct(u32)",
            "an option cannot have fields: remove them, and add a parameter to the generator instead",
        ),
        ("enum Spread {}", "Spread", "a choice needs at least one option: add a variant"),
    ];
    for (item, marked, message) in table {
        assert_errors(&format!("#[derive(Choice)] {item}"), &[(marked, message)]);
    }
}

#[test]
fn accepts_variants_without_descriptions() {
    assert_errors("#[derive(Choice)] enum Spread { Random, /** Sorted. */ Sorted }", &[]);
}
