//! Functions that run in a loop for a profiler: the suite's own option, and the runner's command.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use benchbook_tests::runner;
use benchbook_tests::suites::{fixture, native};

fn output(command: &mut Command) -> Output {
    command.stdin(Stdio::null()).output().unwrap()
}

/// The output of a suite that was started with these arguments, for a moment.
fn profile(suite: &Path, arguments: &[&str]) -> Output {
    output(Command::new(suite).args(["--profile-time", "20ms"]).args(arguments))
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_suite_calls_one_function_at_one_point() {
    let suite = native("ladder").unwrap();
    let output = profile(&suite, &["rungs::two", "size=8000"]);
    let text = stderr(&output);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("rungs::two of walks::walks with size=8000 for 20ms"), "{text}");
    assert!(text.contains(" of the time in calls, "), "{text}");
    // Without a value, the axis has the end of its default range.
    assert!(stderr(&profile(&suite, &["rungs::two"])).contains("with size=16000 "));
    let own = stderr(&profile(&suite, &["rungs::two", "--generator", "walks::own_walks"]));
    assert!(own.contains("`rungs::two` does not accept these workloads; its generators: walks::walks"), "{own}");
}

#[test]
fn problems_are_reported_with_the_possible_values() {
    let suite = native("ladder").unwrap();
    for (arguments, expected) in [
        (&["rungs::three"][..], "there is no function `rungs::three`; available: "),
        (&["rungs::two", "length=5"], "`walks::walks` has no parameter `length`; available: size"),
        (&["rungs::two", "size=1"], "size: expected 100 to 100000, not 1; the nearest value is 100"),
        (&["rungs::two", "size=150"], "size: expected 100 plus a multiple of 100; the nearest to 150 is "),
        (&["rungs::two", "size=long"], "size: expected a number, not `long`"),
    ] {
        let output = profile(&suite, arguments);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(expected), "{arguments:?}: {text}");
    }
}

/// The panic is that of the function, as in any program.
#[test]
fn a_panic_ends_the_suite() {
    let suite = fixture("misbehaving").unwrap().program;
    let output = profile(&suite, &["functions::panics", "size=20"]);
    assert_eq!(output.status.code(), Some(101), "{}", stderr(&output));
}

#[test]
fn the_runner_profiles_on_its_core() {
    let suite = native("ladder").unwrap();
    let mut command = runner::command().unwrap();
    command.args(["profile", suite.to_str().unwrap(), "rungs::one", "size=4000", "--profile-time", "20ms"]);
    command.env("BENCHBOOK_CORE", "0");
    let output = output(&mut command);
    let text = stderr(&output);
    assert!(output.status.success() && text.contains("rungs::one of walks::walks with size=4000 for 20ms"), "{text}");
    let mut command = runner::command().unwrap();
    let missing = self::output(command.args(["profile", "no-such-suite", "f"]));
    assert!(!missing.status.success() && stderr(&missing).contains("no-such-suite"), "{}", stderr(&missing));
}
