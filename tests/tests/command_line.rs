//! `cargo benchbook` in a terminal: lists, describes and measures the functions of a workspace.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result};
use benchbook_notebook::file;
use benchbook_terminal::measurement::results_of;
use benchbook_terminal::report::report;
use benchbook_tests::own_crate::{OwnCrate, library};
use benchbook_tests::suites::program;
use benchbook_tests::terminal::in_terminal;
use serde_json::Value;
use xtask::workspace::Workspace;

/// Runs `cargo benchbook` with the demo suite.
fn run(arguments: &[&str]) -> Output {
    run_in(Workspace::find().expect("the checkout").root().to_owned(), &[arguments, &["--package", "demo"]].concat())
}

fn run_in(folder: PathBuf, arguments: &[&str]) -> Output {
    tool(&folder, arguments).expect("it compiles").output().expect("it starts")
}

/// `cargo benchbook`, as cargo starts it.
fn tool(folder: &Path, arguments: &[&str]) -> Result<Command> {
    let mut command = Command::new(program("cargo-benchbook", "dev")?);
    command.current_dir(folder).arg("benchbook").args(arguments);
    Ok(command)
}

fn stdout(arguments: &[&str]) -> String {
    let output = match arguments.first() {
        // Without the options of suites.
        Some(&"completions") => run_in(PathBuf::from("."), arguments),
        _ => run(arguments),
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn failure(arguments: &[&str]) -> (Option<i32>, String) {
    let output = run(arguments);
    (output.status.code(), String::from_utf8(output.stderr).expect("text"))
}

#[test]
fn functions_are_listed_and_described() {
    let list = stdout(&["list", "sort_stable", "demo::numbers::sum"]);
    assert!(list.starts_with("demo 0.1.0\n  numbers::sum              Adds up "), "{list}");
    assert!(
        list.contains("  sorting::sort_stable      Sorts keys in place; equal keys retain their order.\n"),
        "{list}"
    );
    assert!(!list.contains("sort_unstable"), "{list}");

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

#[test]
fn a_crate_may_have_the_name_of_a_dependency_of_benchbook() -> Result<()> {
    let own = OwnCrate::new()?;
    let manifest = fs::read_to_string(own.path().join("Cargo.toml"))?;
    let manifest = manifest.replace("name = \"own\"", "name = \"itoa\"");
    own.write("Cargo.toml", &format!("{manifest}\n[lib]\nname = \"own\"\n"))?;
    let output = own.command(&["list"])?.output()?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("mix  Mixes the numbers."), "{output:?}");
    Ok(())
}

const COMPARISON: [&str; 7] =
    ["measure", "--compare", "sort_unstable,sort_stable", "--range", "size=1k..100k", "--priority", "1"];

#[test]
fn a_comparison_has_a_table_a_plot_and_ratios() {
    let text = stdout(&COMPARISON);
    for expected in [
        "sorting::sort_unstable, sorting::sort_stable\nKeys: size 1\u{202f}000 to 100\u{202f}000, spread Random; rustc ",
        "Number of keys  function ",
        "ratio of medians to sort_unstable",
        "a sort_unstable   b sort_stable",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let rows = text.lines().filter(|line| line.contains("  sort_unstable  ")).count();
    assert_eq!(rows, 5, "{text}");
}

#[test]
fn alternatives_that_were_measured_one_after_the_other_have_a_hint() {
    let hint = "--compare collections::btree_map_get,collections::hash_map_get\n";
    let measure = |functions: &[&str]| stdout(&[&["measure", "--priority", "1"], functions].concat());
    let text = measure(&["btree_map_get", "::hash_map_get", "numbers::sum"]);
    assert!(text.ends_with(&format!("\nTo compare alternatives on the same inputs: {hint}")), "{text}");
    assert!(!measure(&["btree_map_get"]).contains("--compare"));
}

#[test]
fn a_terminal_shows_the_progress_and_the_figures_so_far() -> Result<()> {
    /// Erases a line of the terminal.
    const ERASE: &str = "\u{1b}[2K";
    let measure = ["measure", "sort_stable", "--package", "demo", "--range", "size=1k..10k", "--priority", "2"];
    let shown = in_terminal(&tool(Workspace::find()?.root(), &measure)?)?.stdin(Stdio::null()).output()?.stdout;
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
    let response = &responses[0];
    assert_eq!(response["request"]["functions"], serde_json::json!(["sorting::sort_unstable", "sorting::sort_stable"]));
    assert_eq!((response["points"].as_array().unwrap().len(), &response["machine"]["name"]), (10, &"a machine".into()));

    let notebook = file::read(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!((notebook.title.as_str(), notebook.cells.len()), ("sorts", 1));
    let result = &notebook.cells[0].measurement().unwrap().results[0];
    assert!(result.has_figures() && result.curves.iter().all(|measured| !measured.curve.lacks_samples()));

    let nearly = ["measure", "sort_stable", "--generator", "nearly_sorted", "--set", "size=100", "--json"];
    let target = ["--precision", "50%", "--time", "20ms"];
    let responses: Value = serde_json::from_str(&stdout(&[&nearly[..], &target].concat())).unwrap();
    let request = &responses[0]["request"];
    assert_eq!(request["generator"], "sorting::nearly_sorted");
    assert_eq!((&request["precision"], &request["point_ms"]), (&serde_json::json!(0.5), &serde_json::json!(20.0)));

    let csv = stdout(&["measure", "numbers::is_even", "--priority", "1", "--csv"]);
    assert!(csv.starts_with("function,paired,"), "{csv}");
    let markdown = stdout(&["measure", "numbers::is_even", "--priority", "1", "--markdown"]);
    assert!(markdown.contains("| ---: |"), "{markdown}");
}

/// The results of our own notebook have a crossover.
#[test]
fn the_report_names_crossovers() {
    let path = Workspace::find().unwrap().root().join("docs/notebooks/browser.benchbook.json");
    let notebook = file::read(&fs::read_to_string(path).unwrap()).unwrap();
    let results = notebook.cells.iter().filter_map(|cell| cell.measurement()).flat_map(|cell| &cell.results);
    let reports: Vec<String> = results.map(|result| report(&results_of(result), 0.01)).collect();
    assert!(reports.iter().any(|report| report.contains(" overtakes ")), "{reports:?}");
}

#[test]
fn completion_scripts_are_printed_for_each_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = stdout(&["completions", shell]);
        for expected in ["cargo-benchbook", "measure", "describe", "priority"] {
            assert!(script.contains(expected), "{shell}: {expected}");
        }
    }
    // zsh's completion of cargo calls this function.
    assert!(stdout(&["completions", "zsh"]).contains("\n_cargo-benchbook() {\n"));

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cargo-benchbook");
    fs::write(&path, stdout(&["completions", "bash"])).unwrap();
    let completed = |words: &str| {
        let line = format!(
            ". '{}'; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _cargo_benchbook cargo-benchbook \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"; echo \"${{COMPREPLY[@]}}\"; complete -p cargo-benchbook > /dev/null",
            path.display()
        );
        let output = Command::new("bash").args(["-c", &line]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    for (words, expected) in [
        ("cargo-benchbook me", "measure\n"),
        ("cargo-benchbook list --all", "--all-features\n"),
        ("cargo-benchbook completions pow", "powershell\n"),
        ("cargo-benchbook measure --col", "--color\n"),
    ] {
        assert_eq!(completed(words), expected, "{words}");
    }
}

#[test]
fn errors_state_what_to_do() {
    for (arguments, code, expected) in [
        (
            &["measure", "no_such_function"][..],
            1,
            "no function matches no_such_function. `cargo benchbook list` lists all",
        ),
        (&["measure", "sort_stabel"], 1, "no function matches sort_stabel. Did you mean `sort_stable`?"),
        (&["describe", "no_such_function"], 1, "there is no function `no_such_function`"),
        (&["measure", "--compare", "sort_stable"], 1, "--compare expects 2 to 4 functions"),
        (&["measure", "--compare", "sort_stable,sum"], 1, "sum"),
        (
            &["measure", "sort_stable", "--set", "length=3"],
            1,
            "has no parameter `length`. Its parameters are size, spread",
        ),
        (
            &["measure", "sort_stable", "--set", "size=7"],
            1,
            "`sorting::sort_stable`: `size`: expected 100 to 1000000, not 7",
        ),
        (
            &["measure", "sort_stable", "--generator", "texts"],
            1,
            "Its generators are sorting::keys, sorting::nearly_sorted",
        ),
        (&["measure", "sort_stable", "--set", "size"], 2, "expected NAME=VALUE"),
        (&["measure", "sort_stable", "--priority", "5"], 2, "5 is not in 1..=4"),
        (&["measure", "sort_stable", "--time", "5"], 2, "expected a time such as 5s or 200ms"),
        (&["list", "--bench", "sorting"], 1, "no suite matches --bench sorting. The suites are `demo`"),
    ] {
        let (found, error) = failure(arguments);
        assert!(found == Some(code) && error.contains(expected), "{arguments:?}: {found:?} {error}");
    }
}

#[test]
fn a_workspace_without_suites_explains_how_to_begin() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    fs::write(folder.path().join("src/lib.rs"), "").unwrap();
    fs::write(folder.path().join("Cargo.toml"), "[package]\nname = \"empty\"\nedition = \"2024\"\n").unwrap();
    let output = run_in(folder.path().to_owned(), &["list"]);
    let error = String::from_utf8(output.stderr).expect("text");
    assert!(output.status.code() == Some(1) && error.contains("cargo benchbook init"), "{error}");

    let other = run_in(folder.path().to_owned(), &["list", "--package", "other"]);
    assert!(String::from_utf8(other.stderr).unwrap().contains("this workspace has no package `other`"));
}

/// Runs the tool in a crate. Returns its standard output.
fn run_in_crate(own: &OwnCrate, arguments: &[&str]) -> String {
    let output = own.command(arguments).expect("the tool is built").output().expect("it starts");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn init_adds_a_suite_that_calls_the_functions_of_the_crate() {
    let library = library().unwrap();
    let library = library.to_str().unwrap();
    let own = OwnCrate::without_suite().unwrap();
    let manifest = fs::read_to_string(own.path().join("Cargo.toml")).unwrap();
    let added = run_in_crate(&own, &["init", "--benchbook-path", library]);
    assert!(added.contains("edit benchbook/src/main.rs so that they resemble"), "{added}");
    assert_eq!(fs::read_to_string(own.path().join("Cargo.toml")).unwrap(), manifest, "the crate stays as it is");
    let of_suite = fs::read_to_string(own.path().join("benchbook/Cargo.toml")).unwrap();
    assert!(of_suite.contains("\npublish = false\n"), "{of_suite}");
    own.lock("benchbook/Cargo.lock").unwrap();
    let list = run_in_crate(&own, &["list"]);
    assert!(list.starts_with("own 0.1.0\n  mix  Mixes the numbers.\n"), "{list}");

    let again = own.command(&["init"]).unwrap().output().unwrap();
    assert!(!again.status.success() && String::from_utf8_lossy(&again.stderr).contains("benchbook exists already"));
}

#[test]
fn init_adds_a_bench_target() {
    let library = library().unwrap();
    let own = OwnCrate::without_suite().unwrap();
    run_in_crate(&own, &["init", "--bench", "--benchbook-path", library.to_str().unwrap()]);
    let manifest = fs::read_to_string(own.path().join("Cargo.toml")).unwrap();
    assert!(manifest.contains("[[bench]]\nname = \"benchbook\"\nharness = false\n"), "{manifest}");
    own.lock("Cargo.lock").unwrap();
    let described = run_in_crate(&own, &["describe", "mix", "--bench", "benchbook"]);
    assert!(
        described.contains("fn mix(numbers: &[u64]) -> u64") && described.contains("Generator random_u64_numbers"),
        "{described}"
    );
}

#[test]
fn new_creates_a_suite_anywhere() {
    let library = library().unwrap();
    let library = library.to_str().unwrap();
    let own = OwnCrate::without_suite().unwrap();
    run_in_crate(&own, &["new", "sorting", "--benchbook-path", library]);
    own.lock("sorting/Cargo.lock").unwrap();
    let list = run_in_crate(&own, &["list", "--manifest-path", "sorting/Cargo.toml"]);
    assert!(list.starts_with("sorting 0.1.0\n  count_different  Counts the distinct numbers"), "{list}");
    for (name, expected) in [("sorting", "sorting exists"), ("1st", "`1st` is not a valid package name")] {
        let output = own.command(&["new", name]).unwrap().output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(1) && error.contains(expected), "{error}");
    }
}

#[test]
fn targets_that_cannot_be_used_are_explained() {
    let own = OwnCrate::new().unwrap();
    // Two suites with one name: the first is used.
    let bench = fs::read_to_string(own.path().join("benches/mixing.rs")).unwrap();
    own.write("benches/other.rs", &bench).unwrap();
    let manifest = fs::read_to_string(own.path().join("Cargo.toml")).unwrap();
    let second = manifest.replace("[workspace]", "[[bench]]\nname = \"other\"\nharness = false\n\n[workspace]");
    own.write("Cargo.toml", &second).unwrap();
    let output = own.command(&["list"]).unwrap().output().unwrap();
    let (list, warning) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(list.matches("mix  Mixes the numbers.").count() == 1, "{list}");
    assert!(warning.contains("`other` is omitted: another suite is also named `mixing`"), "{warning}");

    // A bench target with the test harness is no suite.
    own.write("Cargo.toml", &second.replace("name = \"other\"\nharness = false", "name = \"other\"")).unwrap();
    let output = own.command(&["list"]).unwrap().output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("`other` runs Rust's test harness instead of its suite"), "{error}");
}

#[test]
fn a_forgotten_name_of_another_harness_is_explained() -> Result<()> {
    let own = OwnCrate::with_benches_of_others()?;
    let manifest = fs::read_to_string(own.path().join("Cargo.toml"))?;
    for name in ["criterion", "divan"] {
        let package = format!("package = \"benchbook-{name}\", ");
        let without = manifest.replace(&format!("{name} = {{ {package}"), &format!("benchbook-{name} = {{ "));
        assert_ne!(without, manifest);
        own.write("Cargo.toml", &without)?;
        let output = own.command(&["list"])?.output()?;
        let error = String::from_utf8(output.stderr)?;
        let expected = [
            format!("`{name}_bench` uses the name `{name}`, but "),
            format!(
                "has `benchbook-{name}` under another name. Change it to:\n  {name} = {{ package = \"benchbook-{name}\""
            ),
        ];
        assert!(!output.status.success() && expected.iter().all(|text| error.contains(text)), "{error}");
    }
    Ok(())
}
