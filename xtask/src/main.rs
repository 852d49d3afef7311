//! The project's commands. Each command checks for the tools that it needs before it starts.

mod bench;
mod book;
mod install;
mod notebooks;
mod package;
mod page;
mod peers;
mod process_group;
mod screenshots;
mod self_test;
mod serve;
mod soak;
mod suites;
mod targets;
mod test;
mod tools;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use xtask::workspace::Workspace;

/// Build, serve and test Benchbook. Missing tools are installed once, into the user's cache folder.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  cargo xtask serve                  build everything and open the notebook in the browser
  cargo xtask serve --port 9000      use another port
  cargo xtask build                  build the static page in dist/, for any file host
  cargo xtask test --quick           run every test that needs no browser
  cargo xtask test --only lints      run one stage of the tests
  cargo xtask self-test              test whether this machine yields reliable figures
  cargo xtask screenshots            take pictures of the page in its states
  eval \"$(cargo xtask tools)\"        put trunk on this shell's PATH";

#[derive(Subcommand)]
enum Command {
    Serve(serve::ServeOptions),
    /// Build the static page and its suites in dist/, and print their sizes
    Build,
    /// Complete the page that trunk has built: its suites, and the files that its service worker stores; trunk runs this
    CompletePage,
    Test(test::TestOptions),
    Bench(bench::BenchOptions),
    SelfTest(self_test::SelfTestOptions),
    Soak(soak::SoakOptions),
    Screenshots(screenshots::ScreenshotOptions),
    /// Write the documents as a book in target/book/
    Docs,
    Notebooks(notebooks::NotebookOptions),
    Package(package::PackageOptions),
    Tools(install::ToolsOptions),
    Suites(suites::SuitesOptions),
}

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nerror: {error}");
            error.chain().skip(1).for_each(|cause| eprintln!("  caused by: {cause}"));
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<()> {
    let workspace = Workspace::find()?;
    match command {
        Command::Serve(options) => serve::run(&workspace, &options),
        Command::Build => page::run(&workspace),
        Command::CompletePage => page::complete(&workspace),
        Command::Test(options) => test::run(&workspace, &options),
        Command::Bench(options) => bench::run(&workspace, &options),
        Command::SelfTest(options) => self_test::run(&workspace, &options),
        Command::Soak(options) => soak::run(&workspace, &options),
        Command::Notebooks(options) => notebooks::run(&workspace, &options),
        Command::Docs => book::run(&workspace),
        Command::Screenshots(options) => screenshots::run(&workspace, &options),
        Command::Package(options) => package::run(&workspace, &options),
        Command::Tools(options) => install::run(&workspace, &options),
        Command::Suites(options) => suites::run(&workspace, &options),
    }
}
