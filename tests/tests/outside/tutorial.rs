//! docs/write-a-suite.md: its commands work, its files compile exactly as printed, on both targets, and the lists are those that it prints. README
//! compares functions with the same commands.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use anyhow::{Context, Result};
use benchbook_host::child::NativeSuite;
use benchbook_tests::packages::run;
use benchbook_tests::served::{SERVE_ANNOUNCEMENT, Served};
use benchbook_tests::suites::{builds, workspace};
use benchbook_tests::wasm::WasmModule;

/// The time limit for opening the notebook.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A part of the tutorial that the reader follows.
#[derive(Debug)]
pub(crate) enum Step {
    Command(String),
    File {
        path: String,
        text: String,
    },
    /// The output of the last command.
    Output(String),
}

/// The steps of a section.
pub(crate) fn steps(section: &str) -> Vec<Step> {
    let tutorial = fs::read_to_string(workspace().unwrap().root().join("docs/write-a-suite.md")).unwrap();
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

#[test]
fn readme_compares_functions_with_commands_of_the_tutorial() {
    let readme = fs::read_to_string(workspace().unwrap().root().join("README.md")).unwrap();
    let section = readme.split_once("\n## Compare two functions now\n").unwrap().1;
    let block = section.split_once("```sh\n").unwrap().1.split_once("```").unwrap().0;
    let commands: Vec<&str> = block.lines().map(|line| line.split(" #").next().unwrap().trim_end()).collect();
    assert!(commands.iter().any(|command| command.contains("--compare")), "{block}");

    let steps = steps("## Your own crate");
    let is_step = |command: &str| steps.iter().any(|step| matches!(step, Step::Command(known) if known == command));
    for command in commands {
        assert!(is_step(command), "the tutorial does not run `{command}`");
    }
}

/// A reader of the tutorial, with the installed tool, in a folder outside of the checkout.
pub(crate) struct Reader {
    /// The first folder.
    root: PathBuf,
    /// The current folder, relative to the first one.
    folder: PathBuf,
    /// The folders of programs: first the one of the tool.
    path: OsString,
}

impl Reader {
    /// `programs`: the folder of the tool. The program that opens addresses in the user's browser is replaced by one that writes them to a pipe.
    pub(crate) fn new(root: &Path, programs: &Path) -> Result<Self> {
        let folder = root.join("browser");
        if !folder.exists() {
            fs::create_dir(&folder)?;
            run(Command::new("mkfifo").arg(folder.join("opened")))?;
            let script = folder.join("xdg-open");
            fs::write(&script, "#!/bin/sh\necho \"$1\" > \"${0%/*}/opened\"\n")?;
            run(Command::new("chmod").arg("+x").arg(script))?;
        }
        let paths = env::var_os("PATH").context("PATH is set")?;
        let paths: Vec<_> = [programs.to_owned(), folder].into_iter().chain(env::split_paths(&paths)).collect();
        Ok(Self { root: root.to_owned(), folder: PathBuf::new(), path: env::join_paths(paths)? })
    }

    /// Follows the steps. Compares the output of each command with the printed one, and returns these.
    pub(crate) fn follow(&mut self, steps: &[Step]) -> Vec<String> {
        let mut printed = Vec::new();
        let mut output = String::new();
        for step in steps {
            match step {
                Step::Command(command) => output = self.run(command),
                Step::File { path, text } => fs::write(self.current().join(path), text).unwrap(),
                Step::Output(expected) => {
                    assert_eq!(output, *expected);
                    printed.push(output.clone());
                }
            }
        }
        printed
    }

    /// Runs a command, and returns its output; that of the notebook is not returned.
    pub(crate) fn run(&mut self, command: &str) -> String {
        let words: Vec<&str> = command.split(' ').collect();
        let start = Instant::now();
        let output = match words.as_slice() {
            ["cd", folder] => {
                self.folder.push(folder);
                return String::new();
            }
            ["cargo", "benchbook"] => {
                self.open_notebook();
                String::new()
            }
            ["cargo", arguments @ ..] => run(self.cargo().args(arguments)).unwrap(),
            _ => panic!("no reader runs `{command}`"),
        };
        println!("{command}: {:.0} s", start.elapsed().as_secs_f64());
        output
    }

    /// Starts `cargo benchbook`, which opens the address that it prints, and builds again when a source file of the crate is saved.
    fn open_notebook(&self) {
        let (sender, opened) = channel();
        let pipe = self.root.join("browser/opened");
        thread::spawn(move || sender.send(fs::read_to_string(pipe)));
        let mut tool = Served::start(self.cargo().arg("benchbook"), SERVE_ANNOUNCEMENT).unwrap();
        let opened = opened.recv_timeout(TIMEOUT).expect("the notebook is opened").unwrap();
        assert_eq!(opened.trim_end(), tool.url);
        tool.until_printed("The build took").unwrap();
        let source = self.current().join("src/lib.rs");
        let text = fs::read_to_string(&source).unwrap();
        fs::write(source, text + "\n").unwrap();
        tool.until_printed("A source file has changed.").unwrap();
        tool.until_printed("The build took").unwrap();
    }

    fn cargo(&self) -> Command {
        let mut cargo = Command::new("cargo");
        cargo.current_dir(self.current()).env("PATH", &self.path).env_remove("BROWSER");
        cargo
    }

    fn current(&self) -> PathBuf {
        self.root.join(&self.folder)
    }

    /// Checks that both builds of a suite list the functions that were printed.
    pub(crate) fn assert_on_both_targets(&self, folder: &str, package: &str, printed: &str) {
        let builds = builds(&self.root.join(folder), package).unwrap();
        let native = NativeSuite::open(&builds.program).unwrap();
        let wasm = WasmModule::new(&builds.wasm().unwrap()).unwrap().describe().unwrap();
        let expected: Vec<&str> = printed.lines().skip(1).map(|line| line.split_whitespace().next().unwrap()).collect();
        for suite in [native.suite(), &wasm] {
            let functions: Vec<_> = suite.functions.iter().map(|function| function.path.as_str()).collect();
            assert_eq!(functions, expected);
        }
    }
}
