//! docs/write-a-suite.md: its commands work, its files compile exactly as printed, on both targets, and the lists are those that it prints.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use std::fs;
use std::path::{Path, PathBuf};

use benchbook_host::child::NativeSuite;
use benchbook_tests::own_crate::{OwnCrate, library};
use benchbook_tests::suites::builds;
use benchbook_tests::wasm::WasmModule;
use xtask::workspace::Workspace;

#[test]
fn the_suite_of_the_readers_crate_is_the_one_of_the_tutorial() {
    let steps = steps("## Your own crate");
    let mut own = Reader::new();
    let printed = own.follow(&steps);
    assert_eq!(printed.len(), 2, "{printed:?}");
    own.assert_on_both_targets("wordcount/benchbook", "wordcount-benchbook", &printed[1]);
}

#[test]
fn the_suite_of_a_crate_from_crates_io_is_the_one_of_the_tutorial() {
    let steps = steps("## A crate from crates.io");
    let mut own = Reader::new();
    let printed = own.follow(&steps);
    assert_eq!(printed.len(), 1, "{printed:?}");
    own.assert_on_both_targets("find-bytes", "find-bytes", &printed[0]);
}

/// A part of the tutorial that the reader follows.
#[derive(Debug)]
enum Step {
    Command(String),
    File {
        path: String,
        text: String,
    },
    /// The output of the last command.
    Output(String),
}

/// The steps of a section.
fn steps(section: &str) -> Vec<Step> {
    let tutorial = fs::read_to_string(Workspace::find().unwrap().root().join("docs/write-a-suite.md")).unwrap();
    let section = tutorial.split_once(&format!("\n{section}\n")).expect(section).1;
    let section = section.split("\n## ").next().unwrap();
    let mut steps = Vec::new();
    let (mut before, mut lines) = ("", section.lines());
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            let text = block.iter().map(|line| format!("{line}\n")).collect();
            match language {
                "sh" => steps.extend(block.iter().map(|command| Step::Command((*command).to_owned()))),
                "rust" => {
                    let path = before.strip_prefix('`').and_then(|rest| rest.strip_suffix("`:")).expect(before);
                    steps.push(Step::File { path: path.to_owned(), text });
                }
                "text" => steps.push(Step::Output(text)),
                other => panic!("a block of {other}"),
            }
        } else if !line.is_empty() {
            before = line;
        }
    }
    steps
}

/// A reader of the tutorial, in a folder outside of the checkout.
struct Reader {
    own: OwnCrate,
    /// The current folder, relative to the first one.
    folder: PathBuf,
}

impl Reader {
    fn new() -> Self {
        Self { own: OwnCrate::empty().unwrap(), folder: PathBuf::new() }
    }

    /// Follows the steps. Compares the output of each command with the printed one, and returns these.
    fn follow(&mut self, steps: &[Step]) -> Vec<String> {
        let mut printed = Vec::new();
        let mut output = String::new();
        for step in steps {
            match step {
                Step::Command(command) => output = self.run(command),
                Step::File { path, text } => self.write(path, text),
                Step::Output(expected) => {
                    assert_eq!(output, *expected);
                    printed.push(output.clone());
                }
            }
        }
        printed
    }

    /// Runs a command. Those that download packages or open a browser are replaced by their effects.
    fn run(&mut self, command: &str) -> String {
        let words: Vec<&str> = command.split(' ').collect();
        match words.as_slice() {
            ["cargo", "new", "--lib", name] => {
                let manifest = format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
                self.write(&format!("{name}/Cargo.toml"), &manifest);
                String::new()
            }
            ["cd", folder] => {
                self.folder.push(folder);
                String::new()
            }
            ["cargo", "add", name] => {
                // The lock file has the version that is already downloaded.
                let manifest =
                    self.read("Cargo.toml").replace("[dependencies]\n", &format!("[dependencies]\n{name} = \"*\"\n"));
                self.write("Cargo.toml", &manifest);
                String::new()
            }
            ["cargo", "benchbook"] => String::new(),
            ["cargo", "benchbook", subcommand, rest @ ..] => {
                let library = library().unwrap();
                let is_new = ["init", "new"].contains(subcommand);
                let library: &[&str] = if is_new { &["--benchbook-path", library.to_str().unwrap()] } else { &[] };
                let mut tool = self.own.command(&[&[*subcommand], rest, library].concat()).unwrap();
                let ran = tool.current_dir(self.own.path().join(&self.folder)).output().unwrap();
                assert!(ran.status.success(), "{command}: {}", String::from_utf8_lossy(&ran.stderr));
                match *subcommand {
                    "init" => self.own.lock(self.path("benchbook/Cargo.lock").to_str().unwrap()).unwrap(),
                    "new" => self.own.lock(self.path(rest[0]).join("Cargo.lock").to_str().unwrap()).unwrap(),
                    _ => {}
                }
                String::from_utf8(ran.stdout).unwrap()
            }
            _ => panic!("no reader runs `{command}`"),
        }
    }

    /// Checks that both builds of a suite list the functions that were printed.
    fn assert_on_both_targets(&self, folder: &str, package: &str, printed: &str) {
        let builds = builds(&self.own.path().join(folder), package).unwrap();
        let native = NativeSuite::open(&builds.program).unwrap();
        let wasm = WasmModule::new(&builds.wasm().unwrap()).unwrap().describe().unwrap();
        let expected: Vec<&str> = printed.lines().skip(1).map(|line| line.split_whitespace().next().unwrap()).collect();
        for suite in [native.suite(), &wasm] {
            let functions: Vec<_> = suite.functions.iter().map(|function| function.path.as_str()).collect();
            assert_eq!(functions, expected);
        }
    }

    fn write(&self, file: &str, text: &str) {
        self.own.write(self.path(file).to_str().unwrap(), text).unwrap();
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.own.path().join(self.path(file))).unwrap()
    }

    fn path(&self, file: impl AsRef<Path>) -> PathBuf {
        self.folder.join(file)
    }
}
