//! Declarations with mistakes and without, and the error for each mistake: `errors.txt`.

use std::fs;
use std::path::Path;

use super::{errors, expand};
use crate::context::Context;

/// Starts the line of an expected error.
const ERROR: &str = "! ";

/// A generator with a parameter after one that is the axis.
fn generator(parameter: &str) -> String {
    let axis = "/// The axis.\n#[parameter(min = 1, max = 9, default = 1..=9)]\naxis: u32";
    format!(
        "#[generator(name = \"Keys\")]\n/// Keys.\nfn keys(_service: &Service, {axis}, {parameter}) -> Fresh<u64> {{}}"
    )
}

/// Expands a case: a declaration, and a line for each of its errors. Returns it with the errors that were found. A parameter is that of a
/// generator. After `parameter!`, it has no description.
fn checked(case: &str) -> String {
    let item: Vec<&str> = case.lines().filter(|line| !line.starts_with(ERROR)).collect();
    let text = |lines: &[&str]| lines.join("\n");
    let expand = |item: &str| expand(item, &Context::of_source(""));
    let tokens = match &item[..] {
        ["measure!", entries @ ..] => super::measure::expand(&text(entries)),
        ["generators!", list @ ..] => super::generator_list::expand_list(&text(list)),
        ["parameter!", parameter @ ..] => expand(&generator(&text(parameter))),
        [option, ..] if option.starts_with("#[parameter") => {
            expand(&generator(&format!("/// Number of keys.\n{}", text(&item))))
        }
        _ => expand(&text(&item)),
    };
    let error = |(marked, message): (String, String)| match marked.as_str() {
        "" => format!("\n{ERROR}{message}"),
        _ => format!("\n{ERROR}`{marked}`: {message}"),
    };
    text(&item) + &errors(tokens).into_iter().map(error).collect::<String>()
}

/// Lines that start with `##` are headings. `BENCHBOOK_BLESS=1` rewrites the errors.
#[test]
fn each_mistake_has_its_error() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tests/errors.txt");
    let golden = fs::read_to_string(&path).expect("the file is next to the test");
    let cases: Vec<&str> = golden.trim_end().split("\n\n").collect();
    let checked = |case: &&str| {
        if case.starts_with("##") { (*case).to_owned() } else { checked(case) }
    };
    let found: Vec<String> = cases.iter().map(checked).collect();
    if std::env::var_os("BENCHBOOK_BLESS").is_some() {
        fs::write(&path, found.join("\n\n") + "\n").expect("the folder is writable");
    }
    for (found, expected) in found.iter().zip(cases) {
        assert_eq!(found, expected);
    }
}
