//! `cargo benchbook` in a terminal: lists, describes and measures the functions of a workspace.

use std::fs;
use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result};
use benchbook_notebook::file;
use benchbook_tests::own_crate::{BENCH, OwnCrate, library};
use benchbook_tests::suites::{program, workspace};
use benchbook_tests::terminal::in_terminal;
use serde_json::{Value, json};

/// `cargo benchbook` with the demo suite, as cargo starts it.
fn tool(arguments: &[&str]) -> Result<Command> {
    let mut command = Command::new(program("cargo-benchbook", "dev")?);
    command.current_dir(workspace()?.root()).arg("benchbook").args(arguments).args(["--package", "demo"]);
    Ok(command)
}

fn stdout(arguments: &[&str]) -> String {
    let output = tool(arguments).expect("it compiles").output().expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// How a document violates a schema; `None` if it does not.
pub(crate) fn schema_error(schema: &str, document: &Value) -> Option<String> {
    let schema = serde_json::from_str(schema).expect("JSON");
    let validator = jsonschema::options().build(&schema).expect("a schema");
    validator.iter_errors(document).next().map(|error| format!("{}: {error}", error.instance_path()))
}

#[test]
fn functions_are_listed_and_described() {
    let list = stdout(&["list", "sort_stable", "demo::numbers::sum"]);
    assert!(list.starts_with("demo 0.1.0\n  numbers::sum              Adds up "), "{list}");
    assert!(list.contains("  sorting::sort_stable      Sorts keys in place; equal keys keep their order.\n"), "{list}");
    assert!(!list.contains("sort_unstable"), "{list}");

    let listed: Value = serde_json::from_str(&stdout(&["list", "sort_stable", "--json"])).unwrap();
    assert_eq!(schema_error(include_str!("../../../docs/list.schema.json"), &listed), None);
    assert_eq!(listed[0]["functions"].as_array().map(Vec::len), Some(1), "{listed}");

    let described = stdout(&["describe", "sort_stable"]);
    for expected in [
        "demo::sorting::sort_stable\n  fn sort_stable(keys: &mut [u64])\n  suites/demo/src/sorting.rs:",
        "Alternatives: sorting::radix_sort, sorting::sort_unstable",
        "Generator sorting::keys (a fresh input for each call)",
        "  --set size=100 to 1000000 keys in steps of 100 [default: 1000..100000]\n      Number of keys.",
        "  --set spread=Random | Sorted | Reversed | FewDistinct [default: Random]",
    ] {
        assert!(described.contains(expected), "{expected}: {described}");
    }
}

const COMPARISON: [&str; 7] =
    ["measure", "--compare", "sort_unstable,sort_stable", "--range", "size=1k..100k", "--priority", "1"];

#[test]
fn a_comparison_has_a_table_a_plot_and_ratios() {
    let text = stdout(&COMPARISON);
    for expected in [
        "sorting::sort_unstable, sorting::sort_stable\nKeys: size 1 000 to 100 000, spread Random; rustc ",
        "Number of keys  function ",
        "ratio of medians to the fastest",
        "a sort_unstable   b sort_stable",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let rows = text.lines().filter(|line| line.contains("  sort_unstable  ")).count();
    assert_eq!(rows, 5, "{text}");
    assert!(!text.contains("--compare"), "{text}");
}

/// The options of a measurement that takes milliseconds.
const QUICK: [&str; 4] = ["--precision", "50%", "--time", "5ms"];

#[test]
fn alternatives_that_were_measured_one_after_the_other_have_a_hint() {
    let hint = "cargo benchbook measure --compare collections::btree_map_get,collections::hash_map_get ";
    let text = stdout(&[&["measure", "btree_map_get", "::hash_map_get", "numbers::sum"][..], &QUICK].concat());
    assert!(text.contains(&format!("\nTo compare alternatives on the same inputs:\n  {hint}")), "{text}");
    assert!(text.lines().next_back().is_some_and(|line| line.contains(&QUICK.join(" "))), "{text}");
}

#[test]
fn a_terminal_shows_the_progress_and_the_figures_so_far() -> Result<()> {
    /// Erases a line of the terminal.
    const ERASE: &str = "\u{1b}[2K";
    let measure = ["measure", "sort_stable", "--range", "size=1k..10k", "--priority", "2"];
    let shown = in_terminal(&tool(&measure)?)?.stdin(Stdio::null()).output()?.stdout;
    let shown = String::from_utf8(shown)?;
    let (live, report) = shown.rsplit_once(ERASE).context("the progress is erased")?;
    let states: Vec<&str> = live.split("sorting::sort_stable  ").skip(1).collect();
    let (bar, table) = ("/9 points  ", "Number of keys");
    assert!(
        states.iter().any(|state| state.contains(bar) && !state.contains(table)),
        "a bar before the figures: {shown}"
    );
    assert!(states.iter().any(|state| state.contains(bar) && state.contains(table)), "figures below the bar: {shown}");
    assert!(report.contains("sorting::sort_stable\r\n") && report.contains(table) && !report.contains(bar), "{report}");
    Ok(())
}

#[test]
fn results_are_printed_for_programs_and_saved_as_a_notebook() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sorts.benchbook.json");
    let saved = ["--json", "--save", path.to_str().unwrap(), "--machine", "a machine"];
    let responses: Value = serde_json::from_str(&stdout(&[&COMPARISON[..], &saved].concat())).unwrap();
    assert_eq!(schema_error(include_str!("../../../docs/measure.schema.json"), &responses), None);
    let response = &responses[0];
    assert_eq!(response["request"]["functions"], json!(["sorting::sort_unstable", "sorting::sort_stable"]));
    assert_eq!((response["points"].as_array().unwrap().len(), &response["machine"]["name"]), (10, &"a machine".into()));

    let notebook = file::read(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!((notebook.title.as_str(), notebook.cells.len()), ("sorts", 1));
    let result = &notebook.cells[0].measurement().unwrap().results[0];
    assert!(result.has_figures() && result.curves.iter().all(|measured| !measured.curve.lacks_samples()));

    let nearly = ["measure", "sort_stable", "--generator", "nearly_sorted", "--set", "size=100"];
    let in_format = |format: &str| stdout(&[&nearly[..], &QUICK, &[format]].concat());
    let responses: Value = serde_json::from_str(&in_format("--json")).unwrap();
    let request = &responses[0]["request"];
    assert_eq!(request["generator"], "sorting::nearly_sorted");
    assert_eq!((&request["precision"], &request["point_ms"]), (&json!(0.5), &json!(5.0)));
    assert!(in_format("--csv").starts_with("function,paired,"));
    assert!(in_format("--markdown").contains("| ---: |"));
}

#[test]
fn errors_state_what_to_do() -> Result<()> {
    for (arguments, code, expected) in [
        ("measure sort_stabel", 1, "no function matches sort_stabel. Did you mean `sort_stable`?"),
        ("describe no_such_function", 1, "there is no function `no_such_function`"),
        ("measure --compare sort_stable", 1, "--compare expects 2 to 4 functions"),
        ("measure --compare sort_stable,sum", 1, "sum"),
        ("measure sort_stable --set size=7", 1, "`sorting::sort_stable`: `size`: expected 100 to 1000000, not 7"),
        ("measure sort_stable --generator texts", 1, "Its generators are sorting::keys, sorting::nearly_sorted"),
        ("measure sort_stable --priority 5", 2, "5 is not in 1..=4"),
        ("check --confidence 50%", 64, "expected 90% to 99.9%"),
        ("check no_such_function", 64, "no function matches no_such_function"),
        ("check sort_stable --set length=1", 64, "has no parameter `length`"),
    ] {
        let Output { status, stderr, .. } = tool(&arguments.split(' ').collect::<Vec<_>>())?.output()?;
        let error = String::from_utf8(stderr)?;
        assert!(status.code() == Some(code) && error.contains(expected), "{arguments}: {status} {error}");
    }
    Ok(())
}

/// Runs the tool in a crate. Returns its standard output.
fn run_in_crate(own: &OwnCrate, arguments: &[&str]) -> String {
    let output = own.command(arguments).expect("the tool is built").output().expect("it starts");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn init_and_new_create_suites_that_are_listed() -> Result<()> {
    let library = library()?;
    let library = ["--benchbook-path", library.to_str().context("a valid path")?];
    let own = OwnCrate::without_suite("own")?;
    let manifest = fs::read_to_string(own.path().join("Cargo.toml"))?;
    let added = run_in_crate(&own, &[&["init"][..], &library].concat());
    assert!(added.contains("edit benchbook/src/main.rs so that they resemble"), "{added}");
    assert_eq!(fs::read_to_string(own.path().join("Cargo.toml"))?, manifest, "the crate stays as it is");
    let of_suite = fs::read_to_string(own.path().join("benchbook/Cargo.toml"))?;
    assert!(of_suite.contains("\npublish = false\n"), "{of_suite}");
    own.lock("benchbook/Cargo.lock")?;
    let list = run_in_crate(&own, &["list"]);
    assert!(list.starts_with("own 0.1.0\n  mix  Mixes the numbers.\n"), "{list}");

    run_in_crate(&own, &[&["new", "sorting"][..], &library].concat());
    own.lock("sorting/Cargo.lock")?;
    let list = run_in_crate(&own, &["list", "--manifest-path", "sorting/Cargo.toml"]);
    assert!(list.starts_with("sorting 0.1.0\n  count_different  Counts the distinct numbers"), "{list}");
    for (arguments, expected) in [
        (&["init"][..], "benchbook exists already"),
        (&["new", "sorting"], "sorting exists"),
        (&["new", "1st"], "`1st` is not a valid package name"),
    ] {
        let Output { status, stderr, .. } = own.command(arguments)?.output()?;
        let error = String::from_utf8(stderr)?;
        assert!(status.code() == Some(1) && error.contains(expected), "{error}");
    }
    Ok(())
}

#[test]
fn of_two_suites_with_one_name_the_first_is_used() -> Result<()> {
    let own = OwnCrate::new("with_two_suites")?;
    let manifest = fs::read_to_string(own.path().join("Cargo.toml"))?;
    let other = "[[bench]]\nname = \"other\"\nharness = false\n\n[workspace]";
    own.write("Cargo.toml", &manifest.replace("[workspace]", other))?;
    own.write("benches/other.rs", BENCH)?;
    let output = own.command(&["list"])?.output()?;
    let (list, warning) = (String::from_utf8(output.stdout)?, String::from_utf8(output.stderr)?);
    assert!(list.matches("mix  Mixes the numbers.").count() == 1, "{list}");
    assert!(warning.contains("`other` is omitted: another suite is also named `mixing`"), "{warning}");
    Ok(())
}
