//! A bench target that `cargo bench`, `cargo test` or a user starts.

use std::process::{Command, Output, Stdio};

/// Runs the bench target with these arguments.
fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bench-target"));
    command.args(arguments).stdin(Stdio::null()).output().expect("it starts")
}

/// The exit code, standard output and standard error.
fn texts(arguments: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = run(arguments);
    (status.code(), String::from_utf8(stdout).expect("text"), String::from_utf8(stderr).expect("text"))
}

#[test]
fn cargo_bench_measures_the_functions_that_match_the_filter() {
    let (code, output, errors) = texts(&["sum", "--bench"]);
    assert_eq!(code, Some(0), "{output}{errors}");
    for expected in [
        "bench-target 0.1.0: 1 of 3 functions; profile `dev`, opt-level ",
        "\nsum\nNumbers: size 10 to 1 000; rustc ",
        " Number of numbers ",
        "warning: debug assertions are enabled",
    ] {
        assert!(output.contains(expected), "{expected}: {output}");
    }
    assert!(!output.contains("constant"), "{output}");
    // The points of priority 2, from one end of the range to the other, which are the first column.
    let rows: Vec<&str> = output.lines().skip_while(|line| !line.starts_with(" Number")).skip(1).take(9).collect();
    let values: Vec<&str> = rows.iter().filter_map(|row| row.trim_start().split("  ").next()).collect();
    assert_eq!((values.len(), values[0], values[8]), (9, "10", "1 000"), "{output}");
}

#[test]
fn a_function_that_fails_does_not_prevent_others_from_being_measured() {
    let (code, output, errors) = texts(&["panics", "constant", "--exact", "--bench"]);
    assert_eq!(code, Some(1), "{output}{errors}");
    assert!(output.contains("failed: ") && output.contains("as it always does"), "{output}");
    assert!(errors.contains("bench-target: no point of panics could be measured"), "{errors}");
    assert!(output.contains("\nconstant\n"), "{output}");
}

#[test]
fn without_matching_functions_nothing_is_measured() {
    let (code, output, _) = texts(&["absent", "--bench"]);
    assert!(code == Some(0) && output.contains("0 of 3 functions"), "{output}");
}

#[test]
fn cargo_test_calls_each_function_once() {
    let (code, output, errors) = texts(&["--test-threads=1", "--nocapture"]);
    assert_eq!(code, Some(101), "{output}");
    for expected in [
        "running 3 functions once",
        "test constant ... ok\n",
        "test panics ... FAILED: it panicked\n",
        "test sum ... ok\n",
        "test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out",
    ] {
        assert!(output.contains(expected), "{expected}: {output}");
    }
    assert!(errors.contains("as it always does"), "{errors}");

    let (code, output, _) = texts(&["sum"]);
    assert!(code == Some(0) && output.contains("test result: ok. 1 passed"), "{output}");
}

#[test]
fn functions_are_listed_as_the_test_harness_lists_them() {
    let (_, list, _) = texts(&["--list", "--bench"]);
    assert_eq!(list, "constant: benchmark\npanics: benchmark\nsum: benchmark\n\n0 tests, 3 benchmarks\n");
    assert_eq!(texts(&["--list", "--format", "terse", "su"]).1, "sum: benchmark\n");
    assert_eq!(texts(&["--list", "--format", "terse", "--ignored"]).1, "");
}

#[test]
fn help_names_the_options_and_the_functions() {
    let (code, help, _) = texts(&["--help", "--bench"]);
    assert_eq!(code, Some(0));
    for expected in
        ["--exact", "--profile-time 10s", "cargo benchbook", "    sum\n        Adds up the numbers.\n        from "]
    {
        assert!(help.contains(expected), "{expected}: {help}");
    }
    let (code, _, error) = texts(&["--fast"]);
    assert!(code == Some(2) && error.contains("'--fast'") && error.contains("see --help"), "{error}");
}
