//! `cargo benchbook check` and `accept`: a function becomes slower, and its results are compared with accepted ones.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread;

use anyhow::{Context, Result};
use benchbook_host::api::QueueLoad;
use benchbook_host::history::CheckedResult;
use benchbook_tests::accepted_history::accepted_history;
use benchbook_tests::checked_crate::CheckedCrate;
use benchbook_tests::own_crate::{LIBRARY, OwnCrate, SLOW_LIBRARY, SLOWEST_LIBRARY};
use benchbook_tests::runner::RunnerProgram;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

#[test]
fn a_slower_function_fails_the_check_until_it_is_accepted() -> Result<()> {
    let checked = CheckedCrate::new()?;
    let last = checked.own.output()?.join("last-check.json");
    if last.exists() {
        fs::remove_file(last)?;
    }
    let (status, _, stderr) = checked.run(&["accept"])?;
    assert!(status == 1 && stderr.contains("there are no results to accept"), "{stderr}");

    let (stdout, _) = checked.check(0, &["--set", "size=1k"])?;
    assert!(stdout.starts_with("\nNothing was compared: 1 new."), "{stdout}");
    assert!(stdout.contains("cargo benchbook accept"), "{stdout}");
    assert!(checked.accept()?.starts_with("Accepted the time of mix in "));

    checked.own.write("src/lib.rs", SLOW_LIBRARY)?;
    let [html, junit] = ["reports/check.html", "reports/check.xml"].map(|file| checked.own.path().join(file));
    let path = |file: &Path| file.to_str().map(str::to_owned).context("a valid path");
    let arguments = ["--set", "size=1k", "--json", "--html", &path(&html)?, "--junit", &path(&junit)?];
    let (stdout, stderr) = checked.check(1, &arguments)?;
    assert!(stderr.contains("Measuring again, to confirm"), "{stderr}");
    assert!(fs::read_to_string(html)?.contains("<strong>Slower than the accepted results: 1 slower.</strong>"));
    assert!(
        fs::read_to_string(junit)?
            .contains("<testsuite name=\"mixing\" tests=\"1\" skipped=\"0\" errors=\"0\" failures=\"1\">")
    );
    let report: Value = serde_json::from_str(&stdout)?;
    let schema = serde_json::from_str(include_str!("../../docs/check.schema.json"))?;
    assert!(jsonschema::options().build(&schema)?.is_valid(&report), "{stdout}");
    let point = &report["points"][0];
    assert_eq!((&point["finding"], &point["function"]), (&"slower".into(), &"mix".into()));
    let change = &point["change"];
    let [low, relative, high] = ["low", "relative", "high"].map(|name| change[name].as_f64().unwrap_or(f64::NAN));
    assert!(0.0 < low && low <= relative && relative <= high && relative > 0.4, "{change}");

    // Both are normal now.
    checked.accept()?;
    let (stdout, _) = checked.check(0, &["--set", "size=1k"])?;
    assert!(has_no_regression(&stdout), "{stdout}");
    let accepted = checked.accepted_files()?;
    assert_eq!(accepted.len(), 2);

    // Other arguments and other inputs are not compared; a damaged file does not hide the others.
    fs::write(&accepted[0], "{\"benchbook_history\": 1, \"acc")?;
    let (stdout, stderr) = checked.check(0, &["--set", "size=2k"])?;
    assert!(stderr.contains("was ignored: it is damaged"), "{stderr}");
    assert!(stdout.contains("not comparable") && stdout.contains("another generator or other arguments"), "{stdout}");
    let bench = fs::read_to_string(checked.own.path().join("benches/mixing.rs"))?;
    checked.own.write("benches/mixing.rs", &bench.replace("rng.random()", "rng.random::<u64>() / 2"))?;
    checked.own.write("src/lib.rs", LIBRARY)?;
    let (stdout, _) = checked.check(0, &["--set", "size=1k"])?;
    assert!(stdout.contains("the source code of the generator has changed"), "{stdout}");
    Ok(())
}

/// Whether a check of a single point does not report it as slower. On a loaded machine it may be undecided.
fn has_no_regression(stdout: &str) -> bool {
    ["No regression found: 1 ", "Undecided for 1 of 1 point."].iter().any(|answer| stdout[1..].starts_with(answer))
}

#[test]
fn mistakes_of_the_user_have_their_own_exit_status() -> Result<()> {
    let checked = CheckedCrate::new()?;
    for (arguments, expected) in [
        (&["--confidence", "50%"][..], "expected 90% to 99.9%"),
        (&["nightly"], "no function matches nightly"),
        (&["--set", "length=1"], "has no parameter `length`"),
    ] {
        let (_, stderr) = checked.check(64, arguments)?;
        assert!(stderr.contains(expected), "{stderr}");
    }
    checked.own.write("benchbook.toml", "[groups.quick]\nfunctions = [\"mix\"]\nset = [\"size=0\"]\n")?;
    let (_, stderr) = checked.check(64, &["quick"])?;
    assert!(stderr.contains("the group `quick`: `mix`: `size`: "), "{stderr}");
    checked.own.write("benchbook.toml", "[groups.quick]\nfunction = [\"mix\"]\n")?;
    let (_, stderr) = checked.check(64, &["quick"])?;
    assert!(stderr.contains("benchbook.toml is invalid") && stderr.contains("unknown field `function`"), "{stderr}");
    Ok(())
}

#[test]
fn benches_of_other_harnesses_are_measured_and_compared_with_a_commit() -> Result<()> {
    let checked = CheckedCrate::with(OwnCrate::with_benches_of_others)?;
    let (status, stdout, stderr) = checked.run(&["measure", "mix", "fold", "--precision", "20%", "--time", "50ms"])?;
    assert_eq!(status, 0, "{stderr}");
    for setting in ["sample_size", "sample_count"] {
        let note = format!("note: without effect: {setting}. Benchbook's priorities and precision replace them\n");
        assert_eq!(stderr.matches(&note).count(), 1, "{stderr}");
    }
    for expected in ["mixing::mix", "10 000", "fold"] {
        assert!(stdout.contains(expected), "{stdout}");
    }
    assert!(!stdout.contains("words") && !stdout.contains("split"), "{stdout}");

    checked.commit("Add the crate")?;
    checked.own.write("src/lib.rs", SLOWEST_LIBRARY)?;
    let check = ["check", "mix", "fold", "--samples", "3", "--time-out", "100ms", "--minimum-effect", "30%"];
    let (status, stdout, stderr) = checked.run(&[&check[..], &["--baseline", "main", "--json"]].concat())?;
    assert_eq!(status, 1, "{stdout}{stderr}");
    let report: Value = serde_json::from_str(&stdout)?;
    // Three layouts are too few for calls of some nanoseconds.
    let points = report["points"].as_array().context("points")?.iter();
    let points = points.filter(|point| point["x"].as_f64().is_some_and(|size| size >= 1_000.0));
    let mut findings: Vec<_> = points.map(|point| (&point["function"], &point["finding"])).collect();
    findings.sort_by_key(|(function, _)| function.as_str());
    let [fold, mix, slower] = ["fold", "mixing::mix", "slower"].map(Value::from);
    assert_eq!(findings, [(&fold, &slower), (&mix, &slower), (&mix, &slower)], "{report}");
    Ok(())
}

#[test]
fn a_slower_function_is_found_by_comparison_with_a_commit() -> Result<()> {
    let checked = CheckedCrate::new()?;
    let own = &checked.own;
    let (_, stderr) = checked.check_against(64, "main", &[])?;
    assert!(stderr.contains("requires a git repository"), "{stderr}");

    checked.commit("Add the crate")?;
    let (_, stderr) = checked.check_against(64, "mian", &[])?;
    assert!(stderr.contains("`mian` is not a commit of this repository"), "{stderr}");

    // Another function moves this one, and changes nothing else.
    let other = "\n/// Counts the numbers.\npub fn count(numbers: &[u64]) -> usize {\n    numbers.len()\n}\n";
    own.write("src/lib.rs", &format!("{LIBRARY}{other}"))?;
    let (stdout, _) = checked.check_against(0, "main", &[])?;
    assert!(stdout.contains("same code  mix"), "{stdout}");

    own.write("src/lib.rs", SLOWEST_LIBRARY)?;
    let bench = fs::read_to_string(own.path().join("benches/mixing.rs"))?;
    let added = "/// Adds the numbers.\n#[measured(generators(numbers))]\nfn add(numbers: &[u64]) -> u64 {\n    numbers.iter().sum()\n}\n\nbenchbook::suite!";
    own.write("benches/mixing.rs", &bench.replace("benchbook::suite!", added))?;
    let (stdout, stderr) = checked.check_against(1, "main", &["--json"])?;
    assert!(stderr.contains("Measuring again, to confirm"), "{stderr}");
    let report: Value = serde_json::from_str(&stdout)?;
    let points = report["points"].as_array().context("points")?;
    let finding =
        |function: &str| points.iter().find(|point| point["function"] == function).map(|point| &point["finding"]);
    assert_eq!((finding("mix"), finding("add")), (Some(&"slower".into()), Some(&"new".into())), "{report}");

    // A function that only the commit contains.
    own.write("src/lib.rs", LIBRARY)?;
    checked.commit("Measure a second function")?;
    own.write("benches/mixing.rs", &bench)?;
    let (stdout, _) = checked.check_against(0, "HEAD", &[])?;
    assert!(stdout.contains("Only HEAD (") && stdout.contains(") contains add."), "{stdout}");

    own.write("src/lib.rs", "pub fn mix(numbers: &[u64]) -> u64 {\n    broken\n}\n")?;
    checked.commit("Break the crate")?;
    own.write("src/lib.rs", LIBRARY)?;
    own.write("benches/mixing.rs", &bench.replace("benchbook::suite!", added))?;
    let (stdout, _) = checked.check_against(3, "main", &[])?;
    assert!(stdout.contains("cannot find value `broken` in this scope"), "{stdout}");
    assert!(stdout.contains("the baseline does not compile, although the current code does."), "{stdout}");
    assert_eq!(stdout.matches("The build of the current code:").count(), 1, "once for both functions: {stdout}");
    Ok(())
}

#[test]
fn builds_of_baselines_are_deleted_on_request() -> Result<()> {
    let checked = CheckedCrate::new()?;
    let own = &checked.own;
    checked.commit("Add the crate")?;
    // The other tests use the builds in the common folder.
    let target = own.path().join("target");
    let baseline = target.join("benchbook/baseline");
    fs::create_dir_all(baseline.join("target"))?;
    let output = own.command(&["check", "--clean-up"])?.env("CARGO_TARGET_DIR", &target).output()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(!baseline.exists() && target.exists());
    Ok(())
}

#[test]
fn more_allocations_fail_the_check_exactly() -> Result<()> {
    let checked = CheckedCrate::new()?;
    let memory = ["--mode", "memory", "--set", "size=1k"];
    let (stdout, _) = checked.check(0, &memory)?;
    assert!(stdout.starts_with("\nNothing was compared: 3 new."), "{stdout}");
    checked.accept()?;
    let (stdout, _) = checked.check(0, &memory)?;
    assert!(stdout.starts_with("\nNo regression found: 3 the same."), "{stdout}");
    assert!(stdout.contains("0 allocations  unchanged"), "{stdout}");

    checked.commit("Add the crate")?;
    let copying = LIBRARY.replace("numbers.iter()", "numbers.to_vec().iter()");
    checked.own.write("src/lib.rs", &copying)?;
    let (stdout, stderr) = checked.check(1, &memory)?;
    assert!(stderr.contains("Measuring again, to confirm"), "{stderr}");
    assert!(stdout.starts_with("\nUses more memory than the accepted results: 3 with more memory."), "{stdout}");
    let (stdout, _) = checked.check_against(1, "main", &["--mode", "memory"])?;
    for expected in ["1 allocation  from 0 allocations", "8 000 bytes  from 0 bytes"] {
        assert!(stdout.contains(expected), "{stdout}");
    }

    // Fewer are a gain.
    checked.commit("Copy the numbers")?;
    checked.own.write("src/lib.rs", LIBRARY)?;
    let (stdout, _) = checked.check_against(0, "main", &["--mode", "memory"])?;
    assert!(stdout.starts_with("\nNo regression found: 3 with less memory."), "{stdout}");
    Ok(())
}

/// Functions whose code is the same, but not what it refers to: texts, thread-local variables, callees behind pointers and closures, and tables.
const REFERRING: &str = r#"
use std::cell::Cell;

static NAMES: [&str; 4] = ["one", "two", "three", "four"];
pub fn names(numbers: &[u64]) -> u64 {
    numbers.iter().map(|n| u64::from(NAMES[(n % 4) as usize].as_bytes()[2])).sum()
}

thread_local! { static START: Cell<u64> = const { Cell::new(7) }; }
pub fn threads(numbers: &[u64]) -> u64 {
    START.with(|start| numbers.iter().fold(start.get(), |sum, n| sum ^ n))
}

#[inline(never)]
fn rotated(numbers: &[u64]) -> u64 {
    numbers.iter().map(|n| n.rotate_left(3)).sum()
}
pub fn caught(numbers: &[u64]) -> u64 {
    std::panic::catch_unwind(|| rotated(numbers)).unwrap_or(0)
}

#[inline(never)]
fn multiplied(n: &u64) -> u64 {
    n.wrapping_mul(5)
}
pub fn closures(numbers: &[u64]) -> u64 {
    numbers.first().map_or_else(|| 3, multiplied)
}

#[no_mangle]
pub static OWN_TABLE: [u64; 4] = [1, 2, 30, 4];
pub fn exported(numbers: &[u64]) -> u64 {
    numbers.iter().map(|n| OWN_TABLE[(n % 4) as usize]).sum()
}

static PARTS: [&[u64]; 2] = [&[1, 2, 3], &[4, 5]];
pub fn parts(numbers: &[u64]) -> u64 {
    numbers.iter().map(|n| PARTS[(n % 2) as usize].iter().sum::<u64>()).sum()
}

static STEPS: [fn(u64) -> u64; 2] = [|n| n ^ 1, |n| n ^ 100];
pub fn pointers(numbers: &[u64]) -> u64 {
    numbers.iter().map(|n| STEPS[(n % 2) as usize](*n)).fold(0, u64::wrapping_add)
}
"#;

#[test]
fn code_that_refers_to_other_code_or_data_is_not_the_same() -> Result<()> {
    const FUNCTIONS: [&str; 7] = ["names", "threads", "caught", "closures", "exported", "parts", "pointers"];
    let checked = CheckedCrate::new()?;
    let bench = fs::read_to_string(checked.own.path().join("benches/mixing.rs"))?;
    let measured = FUNCTIONS.map(|name| {
        format!("/// Refers.\n#[measured(generators(numbers))]\nfn {name}(numbers: &[u64]) -> u64 {{\n    own::{name}(numbers)\n}}\n\n")
    });
    checked
        .own
        .write("benches/mixing.rs", &bench.replace("benchbook::suite!", &(measured.concat() + "benchbook::suite!")))?;
    checked.own.write("src/lib.rs", &format!("{LIBRARY}{REFERRING}"))?;
    checked.commit("Refer to texts, variables, functions and tables")?;
    // In this mode, each commit is built once.
    let compare = || -> Result<Vec<(String, String)>> {
        let (stdout, _) = checked.check_against(0, "main", &["--mode", "memory", "--json"])?;
        let report: Value = serde_json::from_str(&stdout)?;
        let points = report["points"].as_array().context("points")?.iter();
        let points = points.filter(|point| point["metric"] == "allocations");
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let mut findings: Vec<_> = points.map(|point| (text(&point["function"]), text(&point["finding"]))).collect();
        findings.sort();
        Ok(findings)
    };
    let expected = |finding: &dyn Fn(&str) -> &'static str| {
        let mut all: Vec<_> =
            FUNCTIONS.iter().chain(&["mix"]).map(|&name| (name.to_owned(), finding(name).to_owned())).collect();
        all.sort();
        all
    };
    // Calls through pointers of a table are unknown.
    let unchanged = compare()?;
    assert_eq!(unchanged, expected(&|name| if name == "pointers" { "same" } else { "same_code" }));

    let edits = [
        ("three", "thhee"),
        ("Cell::new(7)", "Cell::new(8)"),
        ("rotate_left(3)", "rotate_left(5)"),
        ("wrapping_mul(5)", "wrapping_mul(9)"),
        ("30, 4]", "31, 4]"),
        ("&[4, 5]", "&[4, 5, 6]"),
        ("n ^ 100", "n ^ 101"),
    ];
    let changed = edits.iter().fold(REFERRING.to_owned(), |text, (old, new)| {
        assert!(text.contains(old), "{old}");
        text.replace(old, new)
    });
    checked.own.write("src/lib.rs", &format!("{LIBRARY}{changed}"))?;
    assert_eq!(compare()?, expected(&|name| if name == "mix" { "same_code" } else { "same" }));
    Ok(())
}

#[test]
fn an_interrupted_check_retains_completed_measurements() -> Result<()> {
    let checked = CheckedCrate::new()?;
    let bench = fs::read_to_string(checked.own.path().join("benches/mixing.rs"))?;
    let long = "/// Adds the numbers.\n#[measured(generators(numbers))]\nfn sum(numbers: &[u64]) -> u64 {\n    numbers.iter().sum()\n}\n\nbenchbook::suite!";
    checked.own.write("benches/mixing.rs", &bench.replace("benchbook::suite!", long))?;
    let check = ["check", "--samples", "2", "--time-out", "20s", "--precision", "0.01%", "--set", "size=1k"];
    let mut child = checked.own.command(&check)?.stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
    let last = checked.own.output()?.join("last-check.json");
    let root = checked.own.path().to_str().context("a valid path")?.to_owned();
    let is_stored = || fs::read_to_string(&last).is_ok_and(|text| text.contains(&root) && text.contains("\"mix\""));
    while child.try_wait()?.is_none() && !is_stored() {
        thread::yield_now();
    }
    let pid = Pid::from_child(&child);
    kill_process(pid, Signal::INT)?;
    let ended = child.wait_with_output()?;
    let stderr = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(3), "{stderr}");
    assert!(stderr.contains("interrupted. The results of any completed measurements can be accepted"), "{stderr}");
    assert!(checked.accept()?.starts_with("Accepted the time of mix in "));
    Ok(())
}

#[test]
fn a_runner_stores_accepted_results() -> Result<()> {
    const TOKEN: &str = "a-token-of-sufficient-length-0123";
    let checked = CheckedCrate::new()?;
    let token = checked.own.path().join("token");
    fs::write(&token, TOKEN)?;
    fs::create_dir(&checked.history)?;
    let token = token.to_str().context("a valid path")?;
    let runner = RunnerProgram::start(&[], &["--history", &checked.history, "--token-file", token])?;

    // The results of a check.
    let results: Vec<CheckedResult> = accepted_history().into_iter().take(2).map(|accepted| accepted.result).collect();
    let output = checked.own.output()?;
    fs::create_dir_all(&output)?;
    let root = fs::canonicalize(checked.own.path())?;
    let last = json!({ "benchbook_history": 1, "root": root, "results": results });
    fs::write(output.join("last-check.json"), last.to_string())?;

    let accept = ["accept", "--history", runner.url(), "--by", "Ada"];
    let (status, _, stderr) = checked.run(&accept)?;
    assert!(status == 1 && stderr.contains("requires its token. Set the variable BENCHBOOK_TOKEN"), "{stderr}");
    let with_token = |arguments: &[&str]| checked.run(&[arguments, &["--token-file", token]].concat());
    let (status, stdout, stderr) = with_token(&accept)?;
    assert!(status == 0 && stdout.contains(&format!("in {}.", runner.url())), "{stdout}{stderr}");
    let (_, _, stderr) = with_token(&[&accept[..], &["--replace"]].concat())?;
    assert!(stderr.contains("a runner deletes no results"), "{stderr}");
    let (status, stdout, stderr) = with_token(&["history", "sort_stable", "--history", runner.url()])?;
    assert!(status == 0 && stdout.matches("Ada").count() == 6, "two results at three sizes: {stdout}{stderr}");
    for output in [stdout, stderr] {
        assert!(!output.contains(TOKEN), "{output}");
    }

    let (_, _, stderr) = checked.run(&["history", "--history", "http://127.0.0.1:9"])?;
    assert!(stderr.contains("the runner at http://127.0.0.1:9 cannot be reached"), "{stderr}");
    Ok(())
}

/// A short check on a runner, whose address and token follow. A measurement is repeated if another program has disturbed it.
const ON_RUNNER: [&str; 14] = [
    "check",
    "--samples",
    "6",
    "--time-out",
    "200ms",
    "--minimum-effect",
    "40%",
    "--precision",
    "20%",
    "--re-measure",
    "10",
    "--set",
    "size=1k",
    "--runner",
];

#[test]
fn a_slower_function_is_found_on_a_runner() -> Result<()> {
    let checked = CheckedCrate::new()?;
    let path = |name: &str| checked.own.path().join(name).to_str().map(str::to_owned).context("a valid path");
    let (token, uploads) = (path("token")?, path("uploads")?);
    fs::write(&token, "a-token-of-sufficient-length-0123")?;
    fs::create_dir(&checked.history)?;
    fs::create_dir(&uploads)?;
    let arguments = ["--history", &checked.history, "--token-file", &token, "--name", "bench-01"];
    // Other tests may use any single core.
    let isolated = ["--uploads", &uploads, "--isolation", "required", "--core", "none"];
    let runner = match RunnerProgram::start(&[], &[&arguments[..], &isolated].concat()) {
        Err(error) if error.to_string().contains("isolation is required") => {
            eprintln!("skipped: {error}");
            return Ok(());
        }
        started => started?,
    };
    let check = |arguments: &[&str]| {
        checked.run(&[&ON_RUNNER[..], &[runner.url(), "--token-file", &token], arguments].concat())
    };

    let (status, _, stderr) = checked.run(&[&ON_RUNNER[..], &[runner.url()]].concat())?;
    assert!(status == 3 && stderr.contains("requires its token"), "{status}: {stderr}");
    let (status, stdout, stderr) = check(&[])?;
    assert!(status == 0 && stdout.starts_with("\nNothing was compared: 1 new."), "{status}: {stdout}{stderr}");
    assert_eq!(fs::read_dir(&uploads)?.count(), 1);
    let accept = ["accept", "--history", runner.url(), "--token-file", &token, "--by", "Ada"];
    let (status, _, stderr) = checked.run(&accept)?;
    assert_eq!(status, 0, "{stderr}");
    let accepted: Value = serde_json::from_str(&fs::read_to_string(&checked.accepted_files()?[0])?)?;
    assert_eq!(accepted["machine"]["runner"], "bench-01", "{accepted}");

    let (status, stdout, stderr) = check(&[])?;
    assert!(status == 0 && has_no_regression(&stdout), "{status}: {stdout}{stderr}");
    assert_eq!(fs::read_dir(&uploads)?.count(), 1, "the runner has this build");
    // This machine is not the runner.
    let (stdout, _) = checked.check(0, &["--set", "size=1k"])?;
    assert!(stdout.contains("its runner is `bench-01`, but here `none`"), "{stdout}");

    checked.own.write("src/lib.rs", SLOW_LIBRARY)?;
    let (status, stdout, stderr) = check(&["--json"])?;
    assert_eq!(status, 1, "{stdout}{stderr}");
    assert!(stderr.contains("Measuring again, to confirm"), "{stderr}");
    let report: Value = serde_json::from_str(&stdout)?;
    assert_eq!(report["points"][0]["finding"], "slower", "{report}");
    assert_eq!(fs::read_dir(&uploads)?.count(), 2);

    // An interruption cancels the measurement on the runner.
    let long = ["check", "--samples", "2", "--time-out", "50s", "--precision", "0.01%", "--set", "size=1k"];
    let on_runner = ["--runner", runner.url(), "--token-file", &token];
    let child = checked.own.command(&[&long[..], &on_runner].concat())?.stderr(Stdio::piped()).spawn()?;
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
        let token = fs::read_to_string(&token)?;
        loop {
            let load: QueueLoad = runner.get("queue").bearer_auth(&token).send().await?.json().await?;
            if load.running > 0 {
                return anyhow::Ok(());
            }
        }
    })?;
    kill_process(Pid::from_child(&child), Signal::INT)?;
    let ended = child.wait_with_output()?;
    assert_eq!(ended.status.code(), Some(3), "{}", String::from_utf8_lossy(&ended.stderr));
    runner.wait_for_log("no client is waiting for it")?;

    // The runner responds before the executable is sent.
    let config = path("runner.toml")?;
    fs::write(&config, "limits.upload_bytes = 65536\n")?;
    let small = path("small")?;
    fs::create_dir(&small)?;
    let bounded = ["--config", &config, "--uploads", &small, "--token-file", &token, "--isolation", "required"];
    let bounded = RunnerProgram::start(&[], &bounded)?;
    let arguments = [bounded.url(), "--token-file", &token, "--history", &checked.history];
    let (status, stdout, _) = checked.run(&[&ON_RUNNER[..], &arguments].concat())?;
    assert!(status == 3 && stdout.contains("exceeds this runner's limit of 64.0 KiB"), "{status}: {stdout}");

    // Without uploads, the runner measures only the builds that it has.
    let without = RunnerProgram::start(&[], &["--name", "bench-02"])?;
    let (status, stdout, _) =
        checked.run(&[&ON_RUNNER[..], &[without.url(), "--history", &checked.history]].concat())?;
    assert!(status == 3 && stdout.contains("This runner accepts no builds"), "{status}: {stdout}");
    Ok(())
}

#[test]
fn a_check_on_a_runner_reports_mistakes_and_failures() -> Result<()> {
    let checked = CheckedCrate::new()?;
    let token = checked.own.path().join("token");
    fs::write(&token, "a-token-of-sufficient-length-0123")?;
    let token = token.to_str().context("a valid path")?;
    let two = ["http://127.0.0.1:9", "--token-file", token, "--history", "http://127.0.0.1:10"];
    for (status, arguments, expected) in [
        (64, &["http://127.0.0.1:9", "--baseline", "main"][..], "cannot be used with"),
        (64, &["reference-01"], "`reference-01` is not the address of a runner"),
        (64, &two, "name different runners"),
        (3, &["http://127.0.0.1:9"], "the runner at http://127.0.0.1:9 cannot be reached"),
    ] {
        let (found, _, stderr) = checked.run(&[&ON_RUNNER[..], arguments].concat())?;
        assert!(found == status && stderr.contains(expected), "{found}: {stderr}");
    }
    let (status, _, stderr) = checked.run(&["check", "--token-file", token])?;
    assert!(status == 64 && stderr.contains("--token-file requires a runner"), "{status}: {stderr}");
    Ok(())
}
