//! `#[parameter]`

use super::assert_errors;

const TYPES: &str = "u32, u64, i32, i64, usize, f32, f64, bool, String, or an enum with #[derive(Choice)]";
const ONLY_NUMBERS: &str = "only numbers have min, max, step, values, unit, scale and axis: use u32, u64, i32, i64, usize, f32 \
                            or f64, not an alias, or write only a default";
const TEXT_DEFAULT: &str = "the default of a text or a choice must be a string: write one, such as \"Random\"";
const BOOL_DEFAULT: &str = "the default of a bool must be true or false: write one, without quotes";
const NUMBER_DEFAULT: &str =
    "the default of a number must be a number or a range: write one without quotes, such as 1_000..=100_000";

/// A generator with the parameter, after one that is the axis.
fn generator(parameter: &str) -> String {
    format!(
        "#[generator(name = \"Keys\")]
        /// Keys.
        fn keys(
            _service: &Service,
            /// The axis.
            #[parameter(min = 1, max = 9, default = 1..=9)]
            axis: u32,
            {parameter},
        ) -> Fresh<u64> {{}}"
    )
}

/// Compares the error about a described parameter with these options.
#[track_caller]
fn assert_error(options: &str, parameter: &str, marked: &str, message: &str) {
    let item = generator(&format!("/// Number of keys.\n #[parameter({options})] {parameter}"));
    assert_errors(&item, &[(marked, message)]);
}

#[test]
fn rejects_invalid_options_of_a_number() {
    let table = [
        (
            "from = 1, max = 9, default = 1..=9",
            "from",
            "unknown option: write min, max, step, values, default, unit, scale or axis",
        ),
        ("min = 1, min = 2, max = 9, default = 2..=9", "min = 2", "min is set twice: remove one"),
        (
            "min = 1, max = 9",
            "size",
            "`size` has no default: write default = … (a number, or a range such as 1_000..=100_000)",
        ),
        ("default = 1", "size", "`size` has no bounds: write min = … and max = …"),
        ("max = 9, default = 1..=9", "size", "`size` has no lower bound: write min = …"),
        ("min = 1, default = 1..=9", "size", "`size` has no upper bound: write max = …"),
        (
            "min = 9, max = 1, default = 1..=9",
            "size",
            "min is above max: write min = 1, max = 9, or correct one of them",
        ),
        (
            "values = 10, default = 10",
            "10",
            "values must be a list: write numbers in brackets, such as [10, 100, 1_000]",
        ),
        (
            "values = [10], default = 10",
            "[10]",
            "values needs at least two numbers: write more, or use a constant instead of a parameter",
        ),
        (
            "values = [10, 10], default = 10",
            "[10, 10]",
            "values must be in ascending order: sort them, and remove duplicates",
        ),
        (
            "values = [10, 100], min = 1, default = 10",
            "#[parameter(values = [10, 100], min = 1, default = 10)]",
            "values replaces min, max and step: remove these",
        ),
        ("values = [1.5, 2], default = 2", "size", "`size` is an integer: write values without a fraction"),
        (
            "values = [10, 100], default = 10..=50",
            "10..=50",
            "the default 50 is not one of the values: write one of them, or add it",
        ),
        (
            "min = 9, max = 9, default = 9",
            "size",
            "min equals max: write a max above min, or use a constant instead of a parameter",
        ),
        (
            "min = -1, max = 9, default = 1..=9",
            "size",
            "u32 ranges from 0 to 4294967295 here (integers are exact up to 2^53): write min and max within that range",
        ),
        (
            "min = 0.5, max = 9, default = 1..=9",
            "size",
            "`size` is an integer: write min, max and step without a fraction",
        ),
        (
            "min = 1, max = 9, step = 10, default = 1..=9",
            "size",
            "step must be above 0 and at most max - min: write one up to 8",
        ),
        (
            "min = 0, max = 9, default = 1..=9, scale = \"log\"",
            "size",
            "a log scale needs a min above 0: write one, or scale = \"linear\"",
        ),
        (
            "min = 1, max = 9, default = 1..=9, scale = \"logarithmic\"",
            "\"logarithmic\"",
            "unknown scale: write \"linear\" or \"log\"",
        ),
        (
            "min = 1, max = 9, default = 1..=9, unit = keys",
            "keys",
            "a unit must be a string: write it in quotes, such as \"keys\"",
        ),
        (
            "min = 1, max = 9, default = 1..=9, axis = \"yes\"",
            "\"yes\"",
            "axis must be true or false: write axis = false if this parameter cannot be the axis",
        ),
        (
            "min = 1, max = NINE, default = 1..=9",
            "NINE",
            "expected a literal number, since attributes cannot read constants: write one, such as 1_000",
        ),
    ];
    for (options, marked, message) in table {
        assert_error(options, "size: u32", marked, message);
    }
}

#[test]
fn rejects_invalid_defaults_of_a_number() {
    let table = [
        (
            "min = 1, max = 9, default = NINE",
            "NINE",
            "expected a literal, since attributes cannot read constants: write a number, such as 1_000, or the name of an \
             option in quotes, such as \"Random\"",
        ),
        (
            "min = 0, max = 90, step = 10, default = 10..=45",
            "10..=45",
            "the default 45 is not 0 plus a multiple of the step 10: write 40 or 50",
        ),
        (
            "min = 1, max = 9, default = 1..=10",
            "1..=10",
            "the default 10 is outside 1 to 9: write 9, or move the bound",
        ),
        ("min = 1, max = 9, default = 10", "10", "the default 10 is outside 1 to 9: write 9, or move the bound"),
        ("min = 1, max = 9, default = 9..=1", "9..=1", "the default range is empty: write 1..=9"),
        (
            "min = 1, max = 9, default = 5..=5",
            "5..=5",
            "the default range has a single value: write 5, or a higher upper end",
        ),
        ("min = 1, max = 9, default = 1..9", "1..9", "a default range includes both ends: write low..=high"),
        (
            "min = 1, max = 9, default = 1..=9, axis = false",
            "1..=9",
            "a default range needs the axis: remove axis = false, or write a single value",
        ),
        ("min = 1, max = 9, default = \"9\"", "\"9\"", NUMBER_DEFAULT),
        ("min = 1, max = 9, default = true", "true", NUMBER_DEFAULT),
    ];
    for (options, marked, message) in table {
        assert_error(options, "size: u32", marked, message);
    }
}

#[test]
fn rejects_invalid_texts_and_choices() {
    let no_text = "`name` has no default: write default = … (a string such as \"needle\")";
    let no_choice = "`spread` has no default: write default = … (the name of a variant such as \"Random\")";
    let table = [
        ("default = 1", "name: String", "1", TEXT_DEFAULT),
        ("default = true", "name: String", "true", TEXT_DEFAULT),
        ("default = true", "spread: Spread", "true", TEXT_DEFAULT),
        ("min = 1, max = 9, default = \"some\"", "name: String", "String", ONLY_NUMBERS),
        ("min = 1, max = 9, default = 1..=9", "size: Size", "Size", ONLY_NUMBERS),
        ("", "name: String", "name", no_text),
        ("", "spread: Spread", "spread", no_choice),
    ];
    for (options, parameter, marked, message) in table {
        assert_error(options, parameter, marked, message);
    }
}

#[test]
fn rejects_invalid_bools() {
    let no_default = "`sorted` has no default: write default = … (true or false)";
    let table = [
        ("", "sorted", no_default),
        ("default = \"true\"", "\"true\"", BOOL_DEFAULT),
        ("default = 1", "1", BOOL_DEFAULT),
        ("default = 0..=1", "0..=1", BOOL_DEFAULT),
        ("min = 0, max = 1, default = true", "bool", ONLY_NUMBERS),
        ("default = true, axis = true", "bool", ONLY_NUMBERS),
    ];
    for (options, marked, message) in table {
        assert_error(options, "sorted: bool", marked, message);
    }
}

#[test]
fn accepts_bools() {
    for default in ["true", "false", "(true)"] {
        let options = format!("#[parameter(default = {default})]");
        assert_errors(&generator(&format!("/// Whether keys are sorted.\n {options} sorted: bool")), &[]);
    }
}

#[test]
fn rejects_other_types() {
    let table = [
        ("min = 1, max = 9, default = 1..=9", "size: u8", "u8", "`u8` cannot be a parameter: use "),
        ("default = \"some\"", "name: &str", "&str", "this type cannot be a parameter: use "),
    ];
    for (options, parameter, marked, message) in table {
        assert_error(options, parameter, marked, &format!("{message}{TYPES}"));
    }
}

#[test]
fn rejects_parameters_without_name_description_or_attribute() {
    let table = [
        (
            "/// Number of keys.\n #[parameter(min = 1, max = 9, default = 1..=9)] [size]: [u32; 1]",
            "[size]",
            "a generator's parameter must have a plain name, which the page shows: write `name: Type`",
        ),
        (
            "#[parameter(min = 1, max = 9, default = 1..=9)] size: u32",
            "size",
            "`size` has no description: write a doc comment above it, such as `/// Number of keys.`",
        ),
        (
            "/// Number of keys.\n size: u32",
            "size",
            "`size` has no #[parameter(…)]: write it above, with min, max and default for a number, and with default for \
             any other type",
        ),
    ];
    for (parameter, marked, message) in table {
        assert_errors(&generator(parameter), &[(marked, message)]);
    }
}
