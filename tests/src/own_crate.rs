//! A user's crate in a workspace of its own, measured by `cargo benchbook`.

use std::env::{self, consts::EXE_SUFFIX};
use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use tempfile::TempDir;
use walkdir::WalkDir;
use xtask::workspace::Workspace;

use crate::browser::Browser;
use crate::notebook::{DESKTOP, Notebook};
use crate::server::Site;
use crate::suites::program;

/// The time limit for a build from scratch, while other tests compile.
const TIMEOUT: Duration = Duration::from_secs(600);

/// A part of cargo's configuration, with which a suite's dependencies compile in a fraction of the time. Its functions and the loop that measures
/// them are optimised, but not what they call in dependencies, such as the allocator.
pub const UNOPTIMISED_DEPENDENCIES: &str = "[profile.release.package]
\"*\".opt-level = 0
benchbook-contract.opt-level = 3
benchbook-suite.opt-level = 3
";

const MANIFEST: &str = "[package]\nname = \"own\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";

/// The function of the crate.
pub const LIBRARY: &str = "/// Mixes the numbers.\npub fn mix(numbers: &[u64]) -> u64 {\n    numbers.iter().fold(0, |mixed, number| (mixed ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15))\n}\n";

/// As [`LIBRARY`], with twice the work.
pub const SLOW_LIBRARY: &str = "/// Mixes the numbers.\npub fn mix(numbers: &[u64]) -> u64 {\n    numbers.iter().chain(numbers).fold(0, |mixed, number| (mixed ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15))\n}\n";

/// As [`LIBRARY`], with four times the work.
pub const SLOWEST_LIBRARY: &str = "/// Mixes the numbers.\npub fn mix(numbers: &[u64]) -> u64 {\n    numbers.iter().cycle().take(4 * numbers.len()).fold(0, |mixed, number| (mixed ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15))\n}\n";

/// The suite of the crate.
pub const BENCH: &str = "use benchbook::prelude::*;

/// Mixes the numbers.
#[measured(generators(numbers))]
fn mix(numbers: &[u64]) -> u64 {
    own::mix(numbers)
}

/// Random numbers.
#[generator(name = \"Numbers\")]
fn numbers(
    _service: &Service,
    /// Number of numbers.
    #[parameter(min = 1, max = 100_000, scale = \"log\", default = 1_000..=10_000)]
    size: usize,
) -> Shared<Vec<u64>> {
    Shared::new(move |rng| (0..size).map(|_| rng.random()).collect())
}

benchbook::suite!(\"mixing\");
";

/// A group with numbers, one with texts and a setting that has no effect, and one with hundreds of benchmarks.
const CRITERION_BENCH: &str =
    "use criterion::{BenchmarkId, Criterion, Throughput, black_box, criterion_group, criterion_main};

fn mixing(c: &mut Criterion) {
    let mut group = c.benchmark_group(\"mixing\");
    for count in [100_u64, 1_000, 10_000] {
        let numbers: Vec<u64> = (0..count).collect();
        group.throughput(Throughput::Elements(count));
        group.bench_with_input(BenchmarkId::new(\"mix\", count), &numbers, |b, numbers| b.iter(|| own::mix(numbers)));
    }
    group.finish();
}

fn words(c: &mut Criterion) {
    let mut group = c.benchmark_group(\"words\");
    group.sample_size(50);
    for (name, text) in [(\"short\", \"a b\"), (\"long\", \"a b c d e f g h i j k l m n o p q r s t u v w x y z\")] {
        group.bench_function(BenchmarkId::from_parameter(name), |b| b.iter(|| black_box(text).split(' ').count()));
    }
    group.finish();
}

fn many(c: &mut Criterion) {
    let mut group = c.benchmark_group(\"many\");
    for number in 0..300_u64 {
        group.bench_function(format!(\"number {number}\"), |b| b.iter(|| black_box(number).rotate_left(7)));
    }
    group.finish();
}

criterion_group!(benches, mixing, words, many);
criterion_main!(benches);
";

/// A function of numbers with a setting that has no effect, and one of texts.
const DIVAN_BENCH: &str = "use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

#[divan::bench(args = [100, 1_000], sample_count = 50)]
fn fold(bencher: Bencher, count: u64) {
    let numbers: Vec<u64> = (0..count).collect();
    bencher.bench_local(|| own::mix(black_box(&numbers)));
}

#[divan::bench(args = [\"a b\", \"a b c d e f g h\"])]
fn split(text: &str) -> usize {
    text.split(' ').count()
}
";

/// A crate with a library and a bench target that is a suite.
pub struct OwnCrate {
    folder: TempDir,
}

impl OwnCrate {
    /// Creates the crate with its suite.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new() -> Result<Self> {
        let own = Self { folder: tempfile::tempdir()? };
        own.create()?;
        Ok(own)
    }

    /// Writes the files of the crate with its suite, also into a folder that was deleted.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn create(&self) -> Result<()> {
        let library = library()?;
        self.configure()?;
        self.write("src/lib.rs", LIBRARY)?;
        self.write(
            "Cargo.toml",
            &format!(
                "{MANIFEST}\n[dev-dependencies]\nbenchbook = {{ path = {library:?} }}\n\n\
                 [[bench]]\nname = \"mixing\"\nharness = false\n\n[workspace]\n"
            ),
        )?;
        self.write("benches/mixing.rs", BENCH)?;
        self.lock("Cargo.lock")
    }

    /// Creates the crate without a suite.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn without_suite() -> Result<Self> {
        let own = Self::empty()?;
        own.write("Cargo.toml", &format!("{MANIFEST}\n[workspace]\n"))?;
        own.write("src/lib.rs", LIBRARY)?;
        Ok(own)
    }

    /// Creates the crate with a bench target written for criterion, and one written for divan.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn with_benches_of_others() -> Result<Self> {
        let own = Self::empty()?;
        let mut manifest = format!("{MANIFEST}\n[dev-dependencies]\n");
        for (name, bench) in [("criterion", CRITERION_BENCH), ("divan", DIVAN_BENCH)] {
            let path = Workspace::find()?.root().join("engine").join(name);
            manifest += &format!("{name} = {{ package = \"benchbook-{name}\", path = {path:?} }}\n");
            own.write(&format!("benches/{name}_bench.rs"), bench)?;
        }
        for name in ["criterion", "divan"] {
            manifest += &format!("\n[[bench]]\nname = \"{name}_bench\"\nharness = false\n");
        }
        own.write("Cargo.toml", &format!("{manifest}\n[workspace]\n"))?;
        own.write("src/lib.rs", LIBRARY)?;
        own.lock("Cargo.lock")?;
        Ok(own)
    }

    /// Creates a folder for crates, whose builds share their dependencies.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn empty() -> Result<Self> {
        let own = Self { folder: tempfile::tempdir()? };
        own.configure()?;
        Ok(own)
    }

    /// The folder in which the tool stores builds and results. All crates share it.
    ///
    /// # Errors
    /// If this workspace cannot be found.
    pub fn output(&self) -> Result<PathBuf> {
        let configured = || Ok(Workspace::find()?.target().join("own-crate"));
        let target =
            env::var_os("CARGO_TARGET_DIR").map_or_else(configured, |target| Ok::<_, anyhow::Error>(target.into()))?;
        Ok(target.join("benchbook"))
    }

    /// Compiles dependencies as users do, for benches. Tests compile them without optimisation.
    ///
    /// # Errors
    /// If cargo's configuration cannot be written.
    pub fn optimise_dependencies(&self) -> Result<()> {
        self.configure_with("")
    }

    fn configure(&self) -> Result<()> {
        self.configure_with(UNOPTIMISED_DEPENDENCIES)
    }

    /// Writes cargo's configuration. `profile`: settings of the profile.
    fn configure_with(&self, profile: &str) -> Result<()> {
        let target = Workspace::find()?.target().join("own-crate");
        let config = format!("[build]\ntarget-dir = {target:?}\n\n[net]\noffline = true\n\n{profile}");
        self.write(".cargo/config.toml", &config)
    }

    /// Writes a copy of this workspace's lock file, so that nothing is downloaded.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn lock(&self, file: &str) -> Result<()> {
        self.write(file, &fs::read_to_string(Workspace::find()?.root().join("Cargo.lock"))?)
    }

    /// The folder of the crate.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file, as an editor saves it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, file: &str, text: &str) -> Result<()> {
        let path: PathBuf = self.folder.path().join(file);
        fs::create_dir_all(path.parent().context("a file has a folder")?)?;
        Ok(fs::write(path, text)?)
    }

    /// Copies the sources of a crate, without its lock file.
    ///
    /// # Errors
    /// If they cannot be read or written.
    pub fn copy(&self, sources: &Path, folder: &str) -> Result<()> {
        for file in WalkDir::new(sources) {
            let file = file?;
            let copy = self.path().join(folder).join(file.path().strip_prefix(sources)?);
            match file.file_type().is_dir() {
                true => fs::create_dir_all(copy)?,
                false if file.file_name() == "Cargo.lock" => {}
                false => fs::copy(file.path(), copy).map(|_| ())?,
            }
        }
        Ok(())
    }

    /// Records all files of the crate in a commit.
    ///
    /// # Errors
    /// If git fails.
    pub fn commit(&self, message: &str) -> Result<()> {
        let identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
        let commands = [
            &["init", "--quiet", "--initial-branch", "main"][..],
            &["add", "."],
            &["commit", "--quiet", "--message", message],
        ];
        for arguments in commands {
            let git = Command::new("git").current_dir(self.path()).args(identity).args(arguments).output()?;
            ensure!(git.status.success(), "{}", String::from_utf8_lossy(&git.stderr));
        }
        Ok(())
    }

    /// The commit that is checked out.
    ///
    /// # Errors
    /// If git fails.
    pub fn head(&self) -> Result<String> {
        let git = Command::new("git").current_dir(self.path()).args(["rev-parse", "HEAD"]).output()?;
        ensure!(git.status.success(), "{}", String::from_utf8_lossy(&git.stderr));
        Ok(String::from_utf8(git.stdout)?.trim().to_owned())
    }

    /// Runs `cargo benchbook` in the folder of the crate, without wasm-opt.
    ///
    /// # Errors
    /// If the tool cannot be built.
    pub fn command(&self, arguments: &[&str]) -> Result<Command> {
        let mut command = Command::new(program("cargo-benchbook", "dev")?);
        // As cargo starts it.
        command.current_dir(self.path()).arg("benchbook").args(arguments).env("PATH", path_without_wasm_opt()?);
        Ok(command)
    }

    /// Starts `cargo benchbook serve` on a free port.
    ///
    /// # Errors
    /// If it ends at once.
    pub fn serve(&self, arguments: &[&str]) -> Result<Served> {
        self.serve_with(arguments, |_| {})
    }

    /// As [`Self::serve`], with a changed command.
    ///
    /// # Errors
    /// If it ends at once.
    pub fn serve_with(&self, arguments: &[&str], change: impl FnOnce(&mut Command)) -> Result<Served> {
        let mut command = self.command(&[&["serve", "--no-open", "--port", "0"], arguments].concat())?;
        change(&mut command);
        Served::start(&mut command, SERVE_ANNOUNCEMENT)
    }
}

/// PATH without wasm-opt, so that the builds are the same on every machine. The page's wasm-opt, a script for Node.js, would take longer
/// than the compiler.
fn path_without_wasm_opt() -> Result<OsString> {
    let path = env::var_os("PATH").context("PATH is set")?;
    let has_wasm_opt = |folder: &PathBuf| folder.join(format!("wasm-opt{EXE_SUFFIX}")).exists();
    Ok(env::join_paths(env::split_paths(&path).filter(|folder| !has_wasm_opt(folder)))?)
}

/// The folder of the library `benchbook`, which is not published yet.
///
/// # Errors
/// If the checkout cannot be read.
pub fn library() -> Result<PathBuf> {
    Ok(Workspace::find()?.root().join("engine"))
}

/// The text before the address of the page in the output of `cargo benchbook serve`.
pub const SERVE_ANNOUNCEMENT: &str = "Benchbook is at ";

/// A running command of the tool that serves a page.
pub struct Served {
    child: Child,
    lines: Receiver<String>,
    printed: Vec<String>,
    /// The address of the page.
    pub url: String,
}

impl Served {
    /// Starts the tool, and waits until it has printed the address of the page.
    ///
    /// * `announcement`: the text before the address.
    ///
    /// # Errors
    /// If it ends at once.
    pub fn start(command: &mut Command, announcement: &str) -> Result<Self> {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let (sender, lines) = channel();
        let outputs: [Box<dyn std::io::Read + Send>; 2] = [
            Box::new(child.stdout.take().context("standard output is piped")?),
            Box::new(child.stderr.take().context("standard error is piped")?),
        ];
        for output in outputs {
            let sender = sender.clone();
            thread::spawn(move || {
                for line in BufReader::new(output).lines().map_while(Result::ok) {
                    let _ = sender.send(line);
                }
            });
        }
        drop(sender);
        let mut served = Self { child, lines, printed: Vec::new(), url: String::new() };
        let line = served.until_printed(announcement)?;
        let url = line.trim_start_matches(announcement).split(' ').next();
        served.url = url.context("the line contains the address")?.to_owned();
        Ok(served)
    }

    /// Waits until the tool prints a line that contains this text, and returns the line.
    ///
    /// # Errors
    /// If it ends first, or on timeout.
    pub fn until_printed(&mut self, text: &str) -> Result<String> {
        let start = Instant::now();
        while let Ok(line) = self.lines.recv_timeout(TIMEOUT.saturating_sub(start.elapsed())) {
            self.printed.push(line.clone());
            if line.contains(text) {
                return Ok(line);
            }
        }
        bail!("`{text}` was not printed:\n{}", self.printed.join("\n"))
    }

    /// Waits until the tool has printed a line with each of these texts, in any order, since warnings and other messages are on different
    /// streams. Returns the lines in the order of the texts.
    ///
    /// # Errors
    /// As for [`Self::until_printed`].
    pub fn until_all_printed<const N: usize>(&mut self, texts: [&str; N]) -> Result<[String; N]> {
        let from = self.printed.len();
        let mut lines = texts.map(|_| String::new());
        for (line, text) in lines.iter_mut().zip(texts) {
            let printed = self.printed[from..].iter().find(|line| line.contains(text)).cloned();
            *line = printed.map_or_else(|| self.until_printed(text), Ok)?;
        }
        Ok(lines)
    }

    /// The number of printed lines that contain this text, as far as they were read.
    pub fn count_printed(&self, text: &str) -> usize {
        self.printed.iter().filter(|line| line.contains(text)).count()
    }

    /// Opens the page in a new browser and waits until it shows a function.
    ///
    /// # Errors
    /// On timeout.
    pub async fn open(&self) -> Result<Notebook> {
        // The page object needs a server, which this test does not use.
        let notebook = Notebook::load(Browser::start(DESKTOP.0, DESKTOP.1).await?, Site::default(), "").await?;
        notebook.browser.client.goto("about:blank").await?;
        notebook.browser.client.goto(&self.url).await?;
        notebook.browser.until("document.querySelector('[data-test=function]')").await?;
        Ok(notebook)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
