//! `cargo benchbook` in difficult conditions: folders that disappear, bursts of saves, missing tools, no network, pipes.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};
use benchbook_host::api::RunnerCatalog;
use benchbook_tests::own_crate::{BENCH, LIBRARY, OwnCrate};
use benchbook_tests::terminal::in_terminal;

/// Adds a function to the suite of the crate.
const SECOND: &str = "
/// Counts the numbers.
#[measured(generators(numbers))]
fn count(numbers: &[u64]) -> usize {
    numbers.len()
}
";

#[test]
#[ignore = "nightly: compiles many builds for both targets"]
fn bursts_of_saves_are_one_build_each_and_a_deleted_folder_is_built_again() -> Result<()> {
    const NAME: &str = "bursts";
    let own = OwnCrate::new(NAME)?;
    let mut served = own.serve(&[])?;
    served.until_printed("The build took")?;
    for version in 1..=20 {
        own.write("src/lib.rs", &format!("{LIBRARY}// Version {version}.\n"))?;
    }
    served.until_printed("A source file has changed.")?;
    // While the suite is built, more is saved.
    for version in 1..=20 {
        own.write("benches/mixing.rs", &format!("{BENCH}// Version {version}.\n"))?;
    }
    own.write("benches/mixing.rs", &format!("{BENCH}{SECOND}"))?;
    served.until_printed("2 functions, 1 generator")?;
    let builds = served.count_printed("A source file has changed.");
    assert!((1..=3).contains(&builds), "41 saves, but {builds} builds");

    // With cargo's output, as by `cargo clean`.
    fs::remove_dir_all(own.path())?;
    served.until_printed("cannot be opened. As soon as it exists again, the suites are built again")?;
    own.create(NAME)?;
    served.until_all_printed([
        "Built mixing for the runner and for browsers: 1 function, 1 generator.",
        "The stored results were deleted, so the runner cannot store new ones.",
    ])?;
    Ok(())
}

#[test]
fn a_suite_that_compiles_for_browsers_only_is_served() -> Result<()> {
    let own = OwnCrate::new("for_browsers")?;
    let browsers_only = "#[cfg(not(target_family = \"wasm\"))]\ncompile_error!(\"this crate calls the browser\");\n";
    own.write("src/lib.rs", &format!("{LIBRARY}{browsers_only}"))?;
    let programs = tempfile::tempdir()?;
    let wasm_opt =
        "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'wasm-opt version 130'; else cp \"$4\" \"$6\"; fi\n";
    write_program(&programs.path().join("wasm-opt"), wasm_opt)?;
    let paths = env::var_os("PATH").context("PATH is set")?;
    let paths = env::join_paths([programs.path().to_owned()].into_iter().chain(env::split_paths(&paths)))?;
    let mut served = own.serve_with(&["--no-watch"], |tool| {
        tool.env("PATH", &paths);
    })?;
    served.until_all_printed([
        "  Optimising mixing.wasm",
        "`mixing` does not compile natively, so only browsers can measure it: error: this crate calls the browser",
        "Built mixing for browsers only: 1 function, 1 generator.",
    ])?;
    Ok(())
}

fn write_program(path: &Path, script: &str) -> Result<()> {
    fs::write(path, script)?;
    Ok(fs::set_permissions(path, fs::Permissions::from_mode(0o755))?)
}

/// Writes a folder of programs without rustup, whose rustc has no standard library for wasm.
fn without_rustup(folder: &Path) -> Result<OsString> {
    let sysroot = Command::new("rustc").args(["--print", "sysroot"]).output()?.stdout;
    let toolchain = Path::new(String::from_utf8(sysroot)?.trim()).join("bin");
    let script = format!(
        "#!/bin/sh\ncase \"$*\" in\n*target-libdir*wasm32*) echo /nonexistent ;;\n*) exec {toolchain:?}/rustc \"$@\" ;;\nesac\n"
    );
    write_program(&folder.join("rustc"), &script)?;
    symlink(toolchain.join("cargo"), folder.join("cargo"))?;
    for tool in ["cc", "ld", "as", "ar"] {
        symlink(which::which(tool).with_context(|| format!("{tool} is installed"))?, folder.join(tool))?;
    }
    Ok(folder.as_os_str().to_owned())
}

/// Runs `cargo benchbook build` in a terminal, whose user answers the offer to install the missing library. Returns what the terminal
/// shows, and whether the tool succeeded.
fn build_in_terminal(own: &OwnCrate, path: &OsString, answer: &str) -> Result<(String, bool)> {
    let mut tool = own.command(&["build", "--out", "site"])?;
    tool.env("PATH", path).env_remove("RUSTC");
    let mut terminal = in_terminal(&tool)?.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    // The input stays open: its end would be an answer too.
    let mut input = terminal.stdin.take().context("standard input is piped")?;
    input.write_all(answer.as_bytes())?;
    let mut shown = String::new();
    terminal.stdout.take().context("standard output is piped")?.read_to_string(&mut shown)?;
    Ok((shown, terminal.wait()?.success()))
}

#[test]
fn rustup_is_offered_in_a_terminal_and_run_only_on_consent() -> Result<()> {
    let own = OwnCrate::unchanged(LIBRARY, BENCH)?;
    let programs = tempfile::tempdir()?;
    let path = without_rustup(programs.path())?;
    let arguments = programs.path().join("rustup-arguments");
    let rustup = |status: u8| {
        let script = format!("#!/bin/sh\necho \"$@\" >> {arguments:?}\nexit {status}\n");
        write_program(&programs.path().join("rustup"), &script)
    };
    let question =
        "Browsers need Rust's standard library for WebAssembly. Run `rustup target add wasm32-unknown-unknown` now?";
    let without = "without Rust's standard library for WebAssembly, only the runner can measure the suites. Run `rustup target add";
    rustup(0)?;
    let (shown, has_succeeded) = build_in_terminal(&own, &path, "n\n")?;
    assert!(!has_succeeded && shown.contains(question) && shown.contains(without), "{shown}");
    assert!(shown.contains("the page needs Rust's standard library for WebAssembly") && !arguments.exists(), "{shown}");

    rustup(1)?;
    let (shown, has_succeeded) = build_in_terminal(&own, &path, "\n")?;
    let failed = "`rustup target add wasm32-unknown-unknown` failed";
    assert!(!has_succeeded && shown.contains(failed) && shown.contains(without), "{shown}");

    // The real library is there: only the query for its folder is answered wrongly.
    rustup(0)?;
    let (shown, has_succeeded) = build_in_terminal(&own, &path, "y\n")?;
    assert!(has_succeeded && shown.contains(question) && !shown.contains(without), "{shown}");
    assert_eq!(fs::read_to_string(&arguments)?, "target add wasm32-unknown-unknown\n".repeat(2));
    assert!(own.path().join("site/suites/mixing.wasm").exists(), "{shown}");
    Ok(())
}

#[test]
fn a_crate_without_a_suite_is_offered_one() -> Result<()> {
    let own = OwnCrate::without_suite("plain")?;
    let start = |answer: &str| -> Result<_> {
        let mut terminal = in_terminal(&own.command(&["serve", "--no-open", "--port", "0"])?)?;
        let mut terminal = terminal.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        terminal.stdin.as_mut().context("standard input is piped")?.write_all(answer.as_bytes())?;
        let lines = BufReader::new(terminal.stdout.take().context("standard output is piped")?).lines();
        Ok((terminal, lines))
    };
    let suite = own.path().join("benchbook/src/main.rs");
    let (mut terminal, lines) = start("n\n")?;
    let shown = lines.collect::<io::Result<Vec<String>>>()?.join("\n");
    assert!(shown.contains("Add a suite in benchbook/") && shown.contains("error: no suites found"), "{shown}");
    assert!(!terminal.wait()?.success() && !suite.exists(), "{shown}");

    let (mut terminal, mut lines) = start("\n")?;
    let created = lines.find(|line| line.as_ref().is_ok_and(|line| line.contains("Created a suite in benchbook/")));
    // It would build the suite next.
    terminal.kill()?;
    terminal.wait()?;
    assert!(created.is_some() && suite.exists());
    Ok(())
}

#[test]
#[ignore = "nightly: compiles two packages for both targets"]
fn of_two_suites_with_one_name_one_is_served() -> Result<()> {
    let own = OwnCrate::new("first")?;
    let manifest = fs::read_to_string(own.path().join("Cargo.toml"))?;
    let member = manifest.replace("\"first\"", "\"second\"").replace("\"own\"", "\"second\"");
    let member = member.replace("\n[workspace]\n", "");
    let root = manifest.replace("[workspace]\n", "[workspace]\nmembers = [\"second\"]\n");
    own.write("Cargo.toml", &root)?;
    own.write("second/Cargo.toml", &member)?;
    own.write("second/src/lib.rs", LIBRARY)?;
    own.write("second/benches/mixing.rs", &BENCH.replace("own::", "second::"))?;
    let mut served = own.serve(&["--no-watch"])?;
    served.until_all_printed([
        "/mixing` cannot be used.",
        "two suites have the name `mixing`; remove or rename one of them",
        "The build took",
    ])?;
    until_reported(&served.url, "two suites have the name `mixing`")?;
    let catalog: RunnerCatalog = within_a_minute(async {
        let catalog = reqwest::get(format!("{}api/v1/catalog", served.url)).await?.error_for_status()?;
        anyhow::Ok(catalog.json().await?)
    })?;
    let names: Vec<&str> = catalog.suites.iter().map(|entry| entry.suite.name.as_str()).collect();
    assert_eq!(names, ["mixing"]);
    Ok(())
}

fn within_a_minute<T>(response: impl Future<Output = Result<T>>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async { tokio::time::timeout(Duration::from_secs(60), response).await })?
}

/// Waits until the builds that the page follows have a problem with this text.
fn until_reported(page: &str, problem: &str) -> Result<()> {
    within_a_minute(async {
        let address = format!("{}/api/v1/builds", page.trim_end_matches('/'));
        let mut reports = reqwest::get(address).await?.error_for_status()?;
        let mut shown = String::new();
        while !shown.contains(problem) {
            let report = reports.chunk().await?.with_context(|| format!("the reports ended: {shown}"))?;
            shown += &String::from_utf8_lossy(&report);
        }
        anyhow::Ok(())
    })
}

#[test]
fn without_rustup_the_native_build_works_and_the_fix_is_shown() -> Result<()> {
    let own = OwnCrate::unchanged(LIBRARY, BENCH)?;
    let programs = tempfile::tempdir()?;
    let path = without_rustup(programs.path())?;
    let mut served = own.serve_with(&["--no-watch"], |tool| {
        tool.env("PATH", &path).env_remove("RUSTC");
    })?;
    let [warning, _] = served.until_all_printed([
        "Rust's standard library for WebAssembly is missing",
        "Built mixing for the runner only: 1 function, 1 generator.",
    ])?;
    for expected in ["the runner can", "rustup target add wasm32-unknown-unknown", "libstd-rust-dev-wasm32"] {
        assert!(warning.contains(expected), "{expected}: {warning}");
    }
    let problem = "Rust's standard library for WebAssembly is missing, so browsers cannot measure the suites";
    until_reported(&served.url, problem)
}

#[test]
fn cargo_is_asked_to_stay_offline() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let own = OwnCrate::new("offline")?;
    let manifest = fs::read_to_string(own.path().join("Cargo.toml"))?;
    let manifest = manifest.replace("[dev-dependencies]\n", "[dev-dependencies]\nno-such-crate-of-benchbook = \"1\"\n");
    // Outside of the folder whose configuration disables the network.
    fs::write(folder.path().join("Cargo.toml"), manifest)?;
    for file in ["src/lib.rs", "benches/mixing.rs"] {
        let copy = folder.path().join(file);
        fs::create_dir_all(copy.parent().context("a file has a folder")?)?;
        fs::copy(own.path().join(file), copy)?;
    }
    for (arguments, variable) in [(&["list", "--offline"][..], "false"), (&["list"], "true")] {
        let mut tool = own.command(arguments)?;
        let output = tool.current_dir(folder.path()).env("CARGO_NET_OFFLINE", variable).output()?;
        let error = String::from_utf8(output.stderr)?;
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(
            error.contains("no-such-crate-of-benchbook") && error.contains("offline mode"),
            "{arguments:?}: {error}"
        );
    }
    Ok(())
}

#[test]
fn colours_and_progress_are_for_terminals_only() -> Result<()> {
    const ESCAPE: char = '\u{1b}';
    let own = OwnCrate::new("coloured")?;
    let mut version = 0;
    // Cargo compiles the crate again, so that it prints something.
    let mut run = |mut command: Command| -> Result<String> {
        version += 1;
        own.write("src/lib.rs", &format!("{LIBRARY}// Version {version}.\n"))?;
        for variable in ["CLICOLOR_FORCE", "CARGO_TERM_COLOR"] {
            command.env_remove(variable);
        }
        let output = command.stdin(Stdio::null()).env("TERM", "xterm").output()?;
        Ok(String::from_utf8([output.stdout, output.stderr].concat())?)
    };
    let list = |arguments: &[&str]| -> Result<Command> {
        let mut list = own.command(&[&["list"], arguments].concat())?;
        list.env_remove("NO_COLOR");
        Ok(list)
    };
    let piped = run(list(&[])?)?;
    assert!(piped.contains("Compiling coloured") && piped.contains("mix  Mixes the numbers."), "{piped}");
    assert!(!piped.contains([ESCAPE, '\r', '\u{8}']), "{piped:?}");
    let is_coloured = |text: &str| text.contains("\u{1b}[1m") || text.contains("\u{1b}[3");
    let terminal = run(in_terminal(&list(&[])?)?)?;
    assert!(terminal.contains("Building suite mixing for this machine (") && is_coloured(&terminal), "{terminal:?}");
    let plain = run(in_terminal(&list(&["--color", "never"])?)?)?;
    assert!(plain.contains("Compiling coloured") && !is_coloured(&plain), "{plain:?}");
    Ok(())
}
