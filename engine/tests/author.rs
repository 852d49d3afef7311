//! What the compiler tells an author: each file in `author/refused` makes one mistake, and the `.stderr` beside it says
//! what to write instead. What is in `author/accepted` compiles without a warning.
//!
//! `TRYBUILD=overwrite cargo test -p benchbook-host --test author` writes the messages anew.

#[test]
fn mistakes_are_told_and_what_is_right_compiles() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/author/refused/*.rs");
    cases.pass("tests/author/accepted/*.rs");
}
