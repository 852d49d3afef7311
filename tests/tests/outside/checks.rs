//! `cargo benchbook check`, `accept` and `history`: what is compared, and with what. The counts of memory use are exact, so these tests need
//! no quiet machine; `slower_functions.rs` compares times.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result};
use benchbook_host::api::QueueLoad;
use benchbook_host::history::CheckedResult;
use benchbook_tests::accepted_history::accepted_history;
use benchbook_tests::checked_crate::CheckedCrate;
use benchbook_tests::own_crate::{BENCH, LIBRARY, OwnCrate, SLOW_LIBRARY, SLOWEST_LIBRARY};
use benchbook_tests::runner::RunnerProgram;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::inotify;
use rustix::io::read;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

/// The options with which a check counts memory use only, which takes milliseconds.
const MEMORY: [&str; 4] = ["--mode", "memory", "--set", "size=1k"];

/// A second function for the suite of [`OwnCrate`].
pub(crate) const ADD: &str = "/// Adds the numbers.\n#[measured(generators(numbers))]\nfn add(numbers: &[u64]) -> u64 {\n    numbers.iter().sum()\n}\n\n";

/// The suite of [`OwnCrate`] with further functions.
pub(crate) fn bench_with(functions: &str) -> String {
    BENCH.replace("benchbook::suite!", &format!("{functions}benchbook::suite!"))
}

/// The library of [`OwnCrate`], whose function allocates a copy of its numbers.
fn copying_library() -> String {
    LIBRARY.replace("numbers.iter()", "numbers.to_vec().iter()")
}

#[test]
fn more_allocations_fail_the_check_until_they_are_accepted() -> Result<()> {
    let checked = CheckedCrate::new(OwnCrate::new("checked")?)?;
    let own = &checked.own;
    let (status, _, stderr) = checked.run(&["accept"])?;
    assert!(status == 1 && stderr.contains("there are no results to accept"), "{stderr}");
    for (group, expected) in [
        ("functions = [\"mix\"]\nset = [\"size=0\"]", "the group `quick`: `mix`: `size`: "),
        ("function = [\"mix\"]", "benchbook.toml is invalid"),
    ] {
        own.write("benchbook.toml", &format!("[groups.quick]\n{group}\n"))?;
        let (_, stderr) = checked.check(64, &["quick"])?;
        assert!(stderr.contains(expected), "{stderr}");
    }
    fs::remove_file(own.path().join("benchbook.toml"))?;

    own.commit("Add the crate")?;
    let (stdout, _) = checked.check(0, &MEMORY)?;
    assert!(
        stdout.starts_with("\nNothing was compared: 3 new.") && stdout.contains("cargo benchbook accept"),
        "{stdout}"
    );
    assert!(checked.accept()?.starts_with("Accepted the allocations of mix in "));
    let accepted: Value = serde_json::from_str(&fs::read_to_string(&checked.accepted_files()?[0])?)?;
    assert_eq!(accepted["build"]["commit"], own.head()?);
    let (stdout, _) = checked.check(0, &MEMORY)?;
    assert!(stdout.starts_with("\nNo regression found: 3 the same."), "{stdout}");
    assert!(stdout.contains("0 allocations  unchanged"), "{stdout}");

    own.write("src/lib.rs", &copying_library())?;
    let [html, junit] = ["reports/check.html", "reports/check.xml"].map(|file| own.path().join(file));
    let path = |file: &Path| file.to_str().map(str::to_owned).context("a valid path");
    let reports = ["--json", "--html", &path(&html)?, "--junit", &path(&junit)?];
    let (stdout, stderr) = checked.check(1, &[&MEMORY[..], &reports].concat())?;
    assert!(stderr.contains("Measuring again, to confirm"), "{stderr}");
    assert!(fs::read_to_string(html)?.contains("Uses more memory than the accepted results: 3 with more memory."));
    let suite = "<testsuite name=\"mixing\" tests=\"3\" skipped=\"0\" errors=\"0\" failures=\"3\">";
    assert!(fs::read_to_string(junit)?.contains(suite));
    let report: Value = serde_json::from_str(&stdout)?;
    let schema = serde_json::from_str(include_str!("../../../docs/check.schema.json"))?;
    assert!(jsonschema::options().build(&schema)?.is_valid(&report), "{stdout}");
    assert_eq!(counts(&report)?, [("mix".to_owned(), "more".to_owned())]);

    // Both are normal now.
    checked.accept()?;
    let (stdout, _) = checked.check(0, &MEMORY)?;
    assert!(stdout.starts_with("\nNo regression found: 3 the same."), "{stdout}");
    let accepted = checked.accepted_files()?;
    assert_eq!(accepted.len(), 6);

    // Other arguments and other inputs are not compared; a damaged file does not hide the others.
    fs::write(&accepted[0], "{\"benchbook_history\": 1, \"acc")?;
    let (stdout, stderr) = checked.check(0, &["--mode", "memory", "--set", "size=2k"])?;
    assert!(stderr.contains("was ignored: it is damaged"), "{stderr}");
    assert!(stdout.contains("not comparable") && stdout.contains("another generator or other arguments"), "{stdout}");
    own.write("benches/mixing.rs", &BENCH.replace("rng.random()", "rng.random::<u64>() / 2"))?;
    let (stdout, _) = checked.check(0, &MEMORY)?;
    assert!(stdout.contains("the source code of the generator has changed"), "{stdout}");
    Ok(())
}

/// The functions of a report whose allocations were compared, and what was found, in the order of their names.
fn counts(report: &Value) -> Result<Vec<(String, String)>> {
    let points = report["points"].as_array().context("points")?.iter();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let of_allocations = points.filter(|point| point["metric"] == "allocations");
    let mut found: Vec<_> = of_allocations.map(|point| (text(&point["function"]), text(&point["finding"]))).collect();
    found.sort();
    Ok(found)
}

#[test]
fn builds_of_baselines_are_deleted_on_request() -> Result<()> {
    let checked = CheckedCrate::new(OwnCrate::new("cleaned")?)?;
    checked.own.commit("Add the crate")?;
    let baseline = checked.own.output().join("baseline");
    fs::create_dir_all(baseline.join("target"))?;
    let (status, _, stderr) = checked.run(&["check", "--clean-up"])?;
    assert_eq!(status, 0, "{stderr}");
    assert!(!baseline.exists() && checked.own.output().exists());
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
fn a_commit_is_compared_as_code_and_by_counts() -> Result<()> {
    const FUNCTIONS: [&str; 7] = ["names", "threads", "caught", "closures", "exported", "parts", "pointers"];
    let checked = CheckedCrate::with_baselines(OwnCrate::new("compared")?)?;
    let own = &checked.own;
    let (_, stderr) = checked.check_against(64, "main", &[])?;
    assert!(stderr.contains("requires a git repository"), "{stderr}");
    let measured = |name: &str| {
        format!(
            "/// Refers.\n#[measured(generators(numbers))]\nfn {name}(numbers: &[u64]) -> u64 {{\n    own::{name}(numbers)\n}}\n\n"
        )
    };
    let referring = FUNCTIONS.map(measured).concat();
    // The first commit has no suite.
    let [manifest, bench] = ["Cargo.toml", "benches/mixing.rs"].map(|file| own.path().join(file));
    let declared = fs::read_to_string(&manifest)?;
    let undeclared = declared.replace("[[bench]]\nname = \"mixing\"\nharness = false\n", "");
    assert_ne!(declared, undeclared);
    fs::write(&manifest, undeclared)?;
    fs::remove_file(&bench)?;
    checked.own.commit("Add the crate")?;
    fs::write(&manifest, declared)?;
    own.write("src/lib.rs", &format!("{LIBRARY}{REFERRING}"))?;
    own.write("benches/mixing.rs", &bench_with(&format!("{referring}{}", ADD.replace("fn add", "fn removed"))))?;
    checked.own.commit("Refer to texts, variables, functions and tables")?;
    let (_, stderr) = checked.check_against(64, "mian", &[])?;
    assert!(stderr.contains("`mian` is not a commit of this repository"), "{stderr}");

    // In this mode, each commit is built once.
    let compare = |status: i32| -> Result<Value> {
        let (stdout, _) = checked.check_against(status, "main", &["--mode", "memory", "--json"])?;
        Ok(serde_json::from_str(&stdout)?)
    };
    let expected = |finding: &dyn Fn(&str) -> &'static str| {
        let all = FUNCTIONS.iter().chain(&["mix", "add"]);
        let mut all: Vec<_> = all.map(|&name| (name.to_owned(), finding(name).to_owned())).collect();
        all.sort();
        all
    };
    // The current suite measures an earlier commit as far as it compiles with its code.
    let introduced = |suite: &str, status: i32| -> Result<Value> {
        own.write("benches/mixing.rs", suite)?;
        let (stdout, _) = checked.check_against(status, "main~1", &["--mode", "memory", "--json"])?;
        Ok(serde_json::from_str(&stdout)?)
    };
    let report = introduced(&bench_with(&referring), 0)?;
    let reason = report["suites"][0].as_str().unwrap_or_default();
    assert_eq!(counts(&report)?.len(), FUNCTIONS.len() + 1);
    assert!(counts(&report)?.iter().all(|(_, finding)| finding == "new"), "{report}");
    assert!(reason.contains("so its functions are new (error[E0425]: cannot find function"), "{report}");
    let report = introduced(BENCH, 0)?;
    assert_eq!(counts(&report)?, [("mix".to_owned(), "same_code".to_owned())]);

    // Another function moves these, and one is removed.
    own.write("benches/mixing.rs", &bench_with(&format!("{referring}{ADD}")))?;
    let report = compare(0)?;
    assert_eq!(counts(&report)?, expected(&|_| "same_code"));
    assert_eq!(report["removed"], json!(["removed"]), "{report}");
    assert!(
        report["suites"][0].as_str().is_some_and(|note| note.contains("Its current version measured both.")),
        "{report}"
    );

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
    own.write("src/lib.rs", &format!("{}{changed}", copying_library()))?;
    let report = compare(1)?;
    let changed = |name: &str| match name {
        "mix" => "more",
        "add" => "same_code",
        _ => "same",
    };
    assert_eq!(counts(&report)?, expected(&changed));
    let bytes = report["points"]
        .as_array()
        .context("points")?
        .iter()
        .find(|point| point["function"] == "mix" && point["metric"] == "allocated_bytes");
    let bytes = bytes.context("the allocated bytes of mix")?;
    assert_eq!((&bytes["before"], &bytes["mean"]), (&json!(0.0), &json!(8_000.0)));
    pinpoint(&checked, bytes["pinpoint"].as_str().context("a command")?)
}

/// Runs the command that a check prints for a function which now copies its numbers.
fn pinpoint(checked: &CheckedCrate, command: &str) -> Result<()> {
    let own = command.strip_prefix("cargo benchbook ").with_context(|| command.to_owned())?;
    let words: Vec<&str> = own.split(' ').chain(["--no-time", "--json"]).collect();
    let (status, stdout, stderr) = checked.run(&words)?;
    let report: Value = serde_json::from_str(&stdout).with_context(|| stderr.clone())?;
    let schema = serde_json::from_str(include_str!("../../../docs/pinpoint.schema.json"))?;
    assert!(status == 0 && jsonschema::options().build(&schema)?.is_valid(&report), "{report}");
    let instructions = &report["instructions"];
    let added: Vec<f64> = instructions["contributors"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|contributor| contributor["added"][0].as_f64())
        .collect();
    let totals: Vec<f64> =
        [0, 1].iter().filter_map(|side| instructions["points"][0]["totals"][side].as_f64()).collect();
    assert_eq!(added.iter().sum::<f64>(), totals[1] - totals[0], "{report}");
    let source = instructions["source"].as_array().into_iter().flatten();
    let is_new = |line: &&Value| line["lines"][0].is_null();
    let new: Vec<&str> = source.filter(is_new).filter_map(|line| line["text"].as_str()).collect();
    assert!(new.len() == 1 && new[0].contains("numbers.to_vec()"), "{report}");
    Ok(())
}

/// The first of two functions is measured quickly; the second one would take minutes.
#[test]
fn an_interrupted_check_keeps_completed_measurements() -> Result<()> {
    let checked = CheckedCrate::new(OwnCrate::unchanged(LIBRARY, &bench_with(ADD))?)?;
    // Functions are measured in the order of their names.
    let groups = "[groups.quick]\nfunctions = [\"add\"]\nprecision = \"100%\"\n\n[groups.slow]\nfunctions = [\"mix\"]\nprecision = \"0.0001%\"\n";
    checked.own.write("benchbook.toml", groups)?;
    let check = ["check", "quick", "slow", "--samples", "2", "--time-out", "10min", "--set", "size=1k"];
    let output = checked.own.output();
    fs::create_dir_all(&output)?;
    let renamed = inotify::init(inotify::CreateFlags::NONBLOCK | inotify::CreateFlags::CLOEXEC)?;
    inotify::add_watch(&renamed, output.as_path(), inotify::WatchFlags::MOVED_TO)?;
    let mut child = checked.own.command(&check)?.stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
    let is_stored = || fs::read_to_string(output.join("last-check.json")).is_ok_and(|text| text.contains("\"add\""));
    while child.try_wait()?.is_none() && !is_stored() {
        // Until the results are stored, which is a renaming, or the standard error is closed.
        let stderr = child.stderr.as_ref().context("standard error is piped")?;
        poll(&mut [PollFd::new(&renamed, PollFlags::IN), PollFd::new(stderr, PollFlags::empty())], None)?;
        let _consumed = read(&renamed, &mut [0_u8; 1_024]);
    }
    kill_process(Pid::from_child(&child), Signal::INT)?;
    let ended = child.wait_with_output()?;
    let stderr = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(3), "{stderr}");
    assert!(stderr.contains("interrupted. The results of any completed measurements can be accepted"), "{stderr}");
    let accepted = checked.accept()?;
    assert!(accepted.starts_with("Accepted the time of add in "), "{accepted}{stderr}");
    Ok(())
}

const TOKEN: &str = "a-token-of-sufficient-length-0123";

#[test]
fn a_runner_stores_accepted_results() -> Result<()> {
    let checked = CheckedCrate::new(OwnCrate::new("accepted")?)?;
    let token = checked.own.path().join("token");
    fs::write(&token, TOKEN)?;
    fs::create_dir(&checked.history)?;
    let token = token.to_str().context("a valid path")?;
    let runner = RunnerProgram::start(&[], &["--history", &checked.history, "--token-file", token])?;

    // The results of a check.
    let results: Vec<CheckedResult> = accepted_history().into_iter().take(2).map(|accepted| accepted.result).collect();
    let output = checked.own.output();
    fs::create_dir_all(&output)?;
    let root = fs::canonicalize(checked.own.path())?;
    let last = json!({ "benchbook_history": 1, "root": root, "results": results });
    fs::write(output.join("last-check.json"), last.to_string())?;

    let accept = ["accept", "--noisy", "--history", runner.url(), "--by", "Ada"];
    let (status, _, stderr) = checked.run(&accept)?;
    assert!(status == 1 && stderr.contains("requires its token. Set the variable BENCHBOOK_TOKEN"), "{stderr}");
    let with_token = |arguments: &[&str]| checked.run(&[arguments, &["--token-file", token]].concat());
    let (status, stdout, stderr) = with_token(&accept)?;
    assert!(status == 0 && stdout.contains(&format!("in {}.", runner.url())), "{stdout}{stderr}");
    let (_, _, stderr) = with_token(&[&accept[..], &["--replace"]].concat())?;
    assert!(stderr.contains("a runner deletes no results"), "{stderr}");
    let (status, stdout, stderr) = with_token(&["history", "sort_stable", "--history", runner.url()])?;
    assert!(status == 0 && stdout.matches("Ada").count() == 6, "two results at three sizes: {stdout}{stderr}");
    let (_, json, _) = with_token(&["history", "sort_stable", "--json", "--history", runner.url()])?;
    let schema = serde_json::from_str(include_str!("../../../docs/history.schema.json"))?;
    assert!(jsonschema::options().build(&schema)?.is_valid(&serde_json::from_str(&json)?), "{json}");
    for output in [stdout, stderr] {
        assert!(!output.contains(TOKEN), "{output}");
    }

    let (_, _, stderr) = checked.run(&["history", "--history", "http://127.0.0.1:9"])?;
    assert!(stderr.contains("the runner at http://127.0.0.1:9 cannot be reached"), "{stderr}");
    Ok(())
}

#[test]
fn a_runner_measures_uploaded_builds() -> Result<()> {
    let checked = CheckedCrate::new(OwnCrate::new("uploaded")?)?;
    let path = |name: &str| checked.own.path().join(name).to_str().map(str::to_owned).context("a valid path");
    let (token, uploads) = (path("token")?, path("uploads")?);
    fs::write(&token, TOKEN)?;
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
    let check_on = |runner: &RunnerProgram, arguments: &[&str]| {
        checked.run(&[&["check"], &MEMORY[..], &["--runner", runner.url()], arguments].concat())
    };
    let check = |arguments: &[&str]| check_on(&runner, &[&["--token-file", &token], arguments].concat());

    let (status, _, stderr) = check_on(&runner, &[])?;
    assert!(status == 3 && stderr.contains("requires its token"), "{status}: {stderr}");
    let (status, stdout, stderr) = check(&[])?;
    assert!(status == 0 && stdout.starts_with("\nNothing was compared: 3 new."), "{status}: {stdout}{stderr}");
    assert_eq!(fs::read_dir(&uploads)?.count(), 1);
    let accept = ["accept", "--noisy", "--history", runner.url(), "--token-file", &token, "--by", "Ada"];
    let (status, _, stderr) = checked.run(&accept)?;
    assert_eq!(status, 0, "{stderr}");
    let accepted: Value = serde_json::from_str(&fs::read_to_string(&checked.accepted_files()?[0])?)?;
    assert_eq!(accepted["machine"]["runner"], "bench-01", "{accepted}");

    let (status, stdout, stderr) = check(&[])?;
    assert!(status == 0 && stdout.starts_with("\nNo regression found: 3 the same."), "{status}: {stdout}{stderr}");
    assert_eq!(fs::read_dir(&uploads)?.count(), 1, "the runner has this build");
    // This machine is not the runner.
    let (stdout, _) = checked.check(0, &MEMORY)?;
    assert!(stdout.contains("its runner is `bench-01`, but here `none`"), "{stdout}");

    // An interruption cancels the measurement on the runner.
    let long = ["check", "--samples", "2", "--time-out", "50s", "--precision", "0.01%", "--set", "size=1k"];
    let on_runner = ["--runner", runner.url(), "--token-file", &token];
    let child = checked.own.command(&[&long[..], &on_runner].concat())?.stderr(Stdio::piped()).spawn()?;
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
        loop {
            let load: QueueLoad = runner.get("queue").bearer_auth(TOKEN).send().await?.json().await?;
            if load.running > 0 {
                return anyhow::Ok(());
            }
        }
    })?;
    kill_process(Pid::from_child(&child), Signal::INT)?;
    let ended = child.wait_with_output()?;
    assert_eq!(ended.status.code(), Some(3), "{}", String::from_utf8_lossy(&ended.stderr));
    runner.wait_for_log("no client is waiting for it")?;

    checked.own.write("src/lib.rs", &copying_library())?;
    let (status, stdout, stderr) = check(&["--json"])?;
    assert_eq!(status, 1, "{stdout}{stderr}");
    assert!(stderr.contains("Measuring again, to confirm"), "{stderr}");
    assert_eq!(counts(&serde_json::from_str(&stdout)?)?, [("mix".to_owned(), "more".to_owned())]);
    assert_eq!(fs::read_dir(&uploads)?.count(), 2);

    // The runner responds before the executable is sent.
    let config = path("runner.toml")?;
    fs::write(&config, "limits.upload_bytes = 65536\n")?;
    let small = path("small")?;
    fs::create_dir(&small)?;
    let bounded = ["--config", &config, "--uploads", &small, "--token-file", &token, "--isolation", "required"];
    let bounded = RunnerProgram::start(&[], &bounded)?;
    let (status, stdout, _) = check_on(&bounded, &["--token-file", &token, "--history", &checked.history])?;
    assert!(status == 3 && stdout.contains("exceeds this runner's limit of 64.0 KiB"), "{status}: {stdout}");

    // Without uploads, the runner measures only the builds that it has.
    let without = RunnerProgram::start(&[], &["--name", "bench-02"])?;
    let (status, stdout, _) = check_on(&without, &["--history", &checked.history])?;
    assert!(status == 3 && stdout.contains("This runner accepts no builds"), "{status}: {stdout}");
    Ok(())
}

#[test]
fn a_check_on_a_runner_reports_wrong_options_and_failures() -> Result<()> {
    let checked = CheckedCrate::new(OwnCrate::new("elsewhere")?)?;
    for (status, arguments, expected) in [
        (64, &["http://127.0.0.1:9", "--baseline", "main"][..], "cannot be used with"),
        (64, &["reference-01"], "`reference-01` is not the address of a runner"),
        (3, &["http://127.0.0.1:9"], "the runner at http://127.0.0.1:9 cannot be reached"),
    ] {
        let (found, _, stderr) = checked.run(&[&["check", "--runner"], arguments].concat())?;
        assert!(found == status && stderr.contains(expected), "{found}: {stderr}");
    }
    Ok(())
}

#[test]
#[ignore = "nightly: compiles the suites of several commits"]
fn bisect_finds_the_commit_by_counts_and_by_time() -> Result<()> {
    let checked = CheckedCrate::with_baselines(OwnCrate::new("bisected")?)?;
    let own = &checked.own;
    let mut commits = Vec::new();
    for (library, end, message) in [
        (LIBRARY, "", "Add the crate"),
        (SLOW_LIBRARY, "broken", "Break it"),
        (SLOW_LIBRARY, "", "Mix twice"),
        (SLOW_LIBRARY, "\n// Slow.\n", "Add a comment"),
        (SLOWEST_LIBRARY, "", "Mix four times"),
        (SLOWEST_LIBRARY, "\n// Slow.\n", "Add a comment again"),
    ] {
        own.write("src/lib.rs", &format!("{library}{end}"))?;
        own.commit(message)?;
        commits.push(own.head()?[..8].to_owned());
    }
    let found = format!("{} Mix four times\n", commits[4]);
    let (status, stdout, stderr) = checked.run(&["bisect", "mix", "main~3.."])?;
    assert!(status == 0 && stdout.starts_with(&found), "{stdout}{stderr}");
    assert!(stdout.contains("wasm instructions per call instead of ") && stdout.contains("--bisect"), "{stdout}");
    // What is not committed does not matter.
    own.write("src/lib.rs", "broken")?;
    let by_time = ["bisect", "mix", "--by-time", "--set", "size=1k"];
    let (status, stdout, stderr) = checked.run(&[&by_time[..], &["main~3..main"]].concat())?;
    assert!(status == 0 && stdout.starts_with(&found), "{stdout}{stderr}");
    assert!(stdout.contains("is like that at main: ") && stdout.contains("At least 95%"), "{stdout}");
    // The last commit is not the current one, and one before it can't be counted.
    let (status, stdout, stderr) = checked.run(&["bisect", "mix", "main~5..main~2"])?;
    let both = format!("One of these 2 commits:\n  {} Break it\n  {} Mix twice\n", commits[1], commits[2]);
    assert!(status == 0 && stdout.starts_with(&both), "{stdout}{stderr}");
    assert!(stderr.contains(&format!("{}, commit 1 of 2, is skipped: ", commits[1])), "{stderr}");
    let (status, _, stderr) = checked.run(&[&by_time[..], &["main~1..main"]].concat())?;
    assert!(status == 1 && stderr.contains("the same machine code"), "{stderr}");
    let (status, _, stderr) = checked.run(&["bisect", "mix", "main..main"])?;
    assert!(status == 1 && stderr.contains("there is no commit after"), "{stderr}");
    Ok(())
}

#[test]
#[ignore = "nightly: compiles the suites of several commits"]
fn the_history_of_earlier_commits_is_measured_once() -> Result<()> {
    let checked = CheckedCrate::with_baselines(OwnCrate::new("backfilled")?)?;
    let own = &checked.own;
    let mut commits = Vec::new();
    for (library, message) in [
        (LIBRARY.to_owned(), "Add the crate"),
        ("pub fn mix(numbers: &[u64]) -> u64 {\n    broken\n}\n".to_owned(), "Break it"),
        (copying_library(), "Copy the numbers"),
    ] {
        own.write("src/lib.rs", &library)?;
        own.commit(message)?;
        commits.push(own.head()?);
    }
    let range = "main~2..main";
    let backfill = ["backfill", range, "--by", "Ada", "--history", &checked.history];
    let (status, stdout, stderr) = checked.run(&[&backfill[..], &MEMORY].concat())?;
    assert!(status == 0 && stdout.contains("The history has results of 2 of 3 commits."), "{stdout}{stderr}");
    let skipped =
        stderr.split_once(&format!("{} Break it, commit 2 of 3\n", &commits[1][..8])).context("it is named")?.1;
    assert!(skipped.contains("skipped: ") && stderr.contains("cannot find value `broken`"), "{stderr}");
    let compare = ["compare", "main~2", "main", "--history", &checked.history];
    let (_, stdout, stderr) = checked.run(&compare)?;
    assert!(stdout.starts_with("\nUses more memory than main~2: "), "{stdout}{stderr}");
    let files = checked.accepted_files()?;
    let (_, stdout, stderr) = checked.run(&[&backfill[..], &MEMORY].concat())?;
    assert!(stdout.contains("2 of 3 commits.") && stderr.contains("are in the history already"), "{stdout}{stderr}");
    assert_eq!(checked.accepted_files()?, files);
    let (status, _, stderr) = checked.run(&["backfill", "main..main~1", "--by", "Ada"])?;
    assert!(status == 1 && stderr.contains(" is not based on "), "{stderr}");
    Ok(())
}
