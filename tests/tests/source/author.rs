//! What the compiler reports to the author of a suite, and to the author of benches for criterion and divan.
//!
//! - The programs in `../author/rejected`, each a file or a folder with a `main.rs`, have mistakes that only the compiler
//!   detects. A comment `//~ text` expects an error on its line, whose message, labels, notes, suggestions or code contain the
//!   text; each `^` in `//~^ text` moves it one line up. Errors on other lines fail the test. The compiler's own words are
//!   omitted if possible, because they change.
//! - Those in `../author/accepted` compile without warnings and run.
//!
//! The tests in `benchbook-macros` check the messages of the attributes themselves.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use criterion as _;
use divan as _;
use serde_json::Value;

#[test]
fn rejects_mistakes_with_a_fix() {
    for program in programs("rejected") {
        let expectations: Vec<Expectation> = sources(&program).iter().flat_map(|file| expectations(file)).collect();
        let errors = compile(&program, &["--emit=metadata", "--cap-lints=allow"]).expect_err("a case does not compile");
        let is_found = |expected: &&Expectation| {
            errors.iter().any(|error| error.place == expected.place && error.text.contains(&expected.text))
        };
        let missing: Vec<&Expectation> = expectations.iter().filter(|expected| !is_found(expected)).collect();
        assert!(missing.is_empty(), "missing: {missing:#?}\namong {errors:#?}");
        for error in errors {
            let is_expected = expectations.iter().any(|expectation| expectation.place == error.place);
            assert!(is_expected, "unexpected {error:#?}");
        }
    }
}

#[test]
fn accepts_valid_suites_without_warnings() {
    for file in programs("accepted") {
        let program = compile(&file, &["--emit=link", "--deny=warnings"])
            .unwrap_or_else(|errors| panic!("{}: {errors:#?}", file.display()));
        let status = Command::new(program).stdin(Stdio::null()).status().expect("the suite starts");
        assert!(status.success(), "{}: {status}", file.display());
    }
}

/// A file and a line.
type Place = (PathBuf, u64);

/// An error that a file expects.
#[derive(Debug)]
struct Expectation {
    place: Place,
    text: String,
}

/// An error or a warning of the compiler.
#[derive(Debug)]
struct Diagnostic {
    place: Place,
    /// Code, message, labels, notes and suggestions.
    text: String,
}

/// The programs in a folder, each by its main file.
fn programs(folder: &str) -> Vec<PathBuf> {
    let main = |path: PathBuf| if path.is_dir() { path.join("main.rs") } else { path };
    entries(&Path::new("tests/author").join(folder)).map(main).collect()
}

/// The files of a program.
fn sources(program: &Path) -> Vec<PathBuf> {
    match program.parent().filter(|_| program.ends_with("main.rs")) {
        Some(folder) => entries(folder).collect(),
        None => vec![program.to_owned()],
    }
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(folder).expect("the folder exists").map(|entry| entry.expect("an entry is readable").path())
}

fn expectations(file: &Path) -> Vec<Expectation> {
    let expectation = |(line, text): (u64, &str)| {
        let (_, text) = text.split_once("//~")?;
        let expected = text.trim_start_matches('^');
        let place = (file.to_owned(), line - (text.len() - expected.len()) as u64);
        Some(Expectation { place, text: expected.trim().to_owned() })
    };
    let source = fs::read_to_string(file).expect("a case is readable");
    (1..).zip(source.lines()).filter_map(expectation).collect()
}

/// Compiles a suite, and returns the output file.
///
/// # Errors
/// The compiler's errors and warnings.
fn compile(file: &Path, options: &[&str]) -> Result<PathBuf, Vec<Diagnostic>> {
    let dependencies = dependencies();
    let named = if file.ends_with("main.rs") { file.parent() } else { Some(file) };
    let name = named.and_then(Path::file_stem).expect("a case has a name");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let output = Command::new("rustc")
        .arg(file)
        .arg("-o")
        .arg(&program)
        // Without `--verbose`, the compiler writes long types to files.
        .args(["--edition=2024", "--crate-type=bin", "--error-format=json", "--verbose"])
        .args(options)
        .args(["benchbook", "criterion", "divan"].map(|name| extern_option(name, &dependencies)))
        .arg(format!("-Ldependency={}", dependencies.display()))
        // As cargo does it for a binary.
        .env("CARGO_BIN_NAME", name)
        .env("CARGO_CRATE_NAME", name)
        .env("CARGO_PKG_VERSION", "0.1.0")
        .output()
        .expect("rustc starts");
    if output.status.success() {
        return Ok(program);
    }
    let report = String::from_utf8(output.stderr).expect("the compiler writes UTF-8");
    Err(report.lines().filter_map(|line| Diagnostic::read(line).transpose()).collect::<Result<_, _>>().expect(&report))
}

impl Diagnostic {
    /// Reads a diagnostic; absent if it marks no source, such as a summary.
    fn read(line: &str) -> serde_json::Result<Option<Self>> {
        let diagnostic: Value = serde_json::from_str(line)?;
        let spans = |message: &Value| message["spans"].as_array().cloned().unwrap_or_default();
        let Some(primary) = spans(&diagnostic).into_iter().find(|span| span["is_primary"] == true) else {
            return Ok(None);
        };
        let children = diagnostic["children"].as_array().cloned().unwrap_or_default();
        let mut texts = vec![diagnostic["code"]["code"].clone(), diagnostic["message"].clone()];
        for message in std::iter::once(&diagnostic).chain(&children) {
            texts.push(message["message"].clone());
            texts.extend(
                spans(message).iter().flat_map(|span| [&span["label"], &span["suggested_replacement"]]).cloned(),
            );
        }
        let text: Vec<&str> = texts.iter().filter_map(Value::as_str).collect();
        let file = primary["file_name"].as_str().unwrap_or_default();
        let place = (PathBuf::from(file), primary["line_start"].as_u64().unwrap_or_default());
        Ok(Some(Self { place, text: text.join("\n") }))
    }
}

/// The folder of the compiled dependencies: this test is in it too.
fn dependencies() -> PathBuf {
    let test = std::env::current_exe().expect("a test has a file");
    test.parent().expect("a file is in a folder").to_owned()
}

/// The option that makes a library available under a name, as in Cargo.toml: `benchbook`, or one that replaces another harness.
fn extern_option(name: &str, dependencies: &Path) -> String {
    let file = if name == "benchbook" { name.to_owned() } else { format!("benchbook_{name}") };
    format!("--extern={name}={}", library(&file, dependencies).display())
}

/// The library that cargo linked with this test. Of several, built with other features, cargo has brought the latest up to
/// date.
fn library(name: &str, dependencies: &Path) -> PathBuf {
    let start = format!("lib{name}-");
    let is_library = |path: &PathBuf| {
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        name.starts_with(&start) && name.ends_with(".rlib")
    };
    let entries = fs::read_dir(dependencies).expect("the folder is readable");
    let libraries = entries.map(|entry| entry.expect("an entry is readable").path()).filter(is_library);
    let built = |path: &PathBuf| fs::metadata(path).and_then(|file| file.modified()).expect("a file has a time");
    libraries.max_by_key(built).expect("this test links the library")
}
