//! A user's crate in a workspace of its own, measured by `cargo benchbook`.

use std::env::{self, consts::EXE_SUFFIX};
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, ensure};
use benchbook_host::fingerprint::fingerprint;
use tempfile::TempDir;
use walkdir::WalkDir;

use crate::served::{SERVE_ANNOUNCEMENT, Served};
use crate::suites::{program, workspace};

/// A part of cargo's configuration, with which a suite's dependencies compile in a fraction of the time. Its functions and the loop that measures
/// them are optimised, but not what they call in dependencies, such as the allocator.
pub const UNOPTIMISED_DEPENDENCIES: &str = "[profile.release.package]
\"*\".opt-level = 0
benchbook-contract.opt-level = 3
benchbook-suite.opt-level = 3
";

/// The time of the last change of sources that never change.
const UNCHANGED: Duration = Duration::from_secs(86_400);

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

/// A crate with a library `own`, and bench targets that are suites.
///
/// All crates share compiled dependencies, and cargo takes two packages of one name for the same: each test has a name of its own.
pub struct OwnCrate {
    folder: TempDir,
    /// The folder of cargo's output.
    target: PathBuf,
}

impl OwnCrate {
    /// Creates a crate with its suite.
    ///
    /// * `name`: of the package.
    pub fn new(name: &str) -> Result<Self> {
        let own = Self::in_new_folder()?;
        own.create(name)?;
        Ok(own)
    }

    /// Creates a crate whose sources the test must not change: those of equal crates are compiled once.
    ///
    /// * `library`, `suite`: the sources, such as [`LIBRARY`] and [`BENCH`].
    pub fn unchanged(library: &str, suite: &str) -> Result<Self> {
        let own = Self::in_new_folder()?;
        let sources = fingerprint(format!("{library}{suite}").as_bytes());
        own.write_suite(&format!("unchanged-{}", &sources[..8]), library, suite)?;
        // Cargo compares the times of sources with that of the build.
        for file in ["src/lib.rs", "benches/mixing.rs"] {
            let file = File::options().write(true).open(own.path().join(file))?;
            file.set_modified(SystemTime::UNIX_EPOCH + UNCHANGED)?;
        }
        Ok(own)
    }

    /// Creates a crate without a suite.
    pub fn without_suite(name: &str) -> Result<Self> {
        let own = Self::in_new_folder()?;
        own.write("Cargo.toml", &format!("{}\n[workspace]\n", manifest(name)))?;
        own.write("src/lib.rs", LIBRARY)?;
        Ok(own)
    }

    /// Creates a crate with a bench target written for criterion, and one written for divan, whose manifest has our crates.
    pub fn with_benches_of_others(name: &str) -> Result<Self> {
        let library = library()?;
        let dependency = |harness: &str| {
            let path = library.join(harness);
            format!("{{ package = \"benchbook-{harness}\", path = {path:?}, default-features = false }}")
        };
        Self::with_harnesses(name, ["criterion", "divan"].map(dependency))
    }

    /// As [`Self::with_benches_of_others`], with the harnesses themselves. They are neither downloaded nor compiled.
    pub fn with_unedited_benches(name: &str) -> Result<Self> {
        Self::with_harnesses(name, ["\"0.8\"", "{ version = \"0.1\", default-features = false }"].map(str::to_owned))
    }

    /// `dependencies`: on criterion and on divan.
    fn with_harnesses(name: &str, dependencies: [String; 2]) -> Result<Self> {
        let own = Self::in_new_folder()?;
        let [criterion, divan] = dependencies;
        let mut targets = String::new();
        for (harness, bench) in [("criterion", CRITERION_BENCH), ("divan", DIVAN_BENCH)] {
            targets += &format!("\n[[bench]]\nname = \"{harness}_bench\"\nharness = false\n");
            own.write(&format!("benches/{harness}_bench.rs"), bench)?;
        }
        let manifest = manifest(name);
        let dependencies = format!("[dev-dependencies]\ncriterion = {criterion}\ndivan = {divan}\n");
        own.write("Cargo.toml", &format!("{manifest}\n{dependencies}{targets}\n[workspace]\n"))?;
        own.write("src/lib.rs", LIBRARY)?;
        own.lock("Cargo.lock")?;
        Ok(own)
    }

    /// Creates a folder for crates, whose builds share cargo's output.
    pub fn empty() -> Result<Self> {
        Self::in_new_folder()?.with_shared_output()
    }

    /// The same crate, with the output folder of other crates instead of its own, so that baselines share compiled dependencies too. The tests with
    /// such crates must take turns.
    pub fn with_shared_output(self) -> Result<Self> {
        let own = Self { target: shared_target()?, ..self };
        own.configure(UNOPTIMISED_DEPENDENCIES)?;
        Ok(own)
    }

    fn in_new_folder() -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let own = Self { target: folder.path().join("target"), folder };
        own.configure(UNOPTIMISED_DEPENDENCIES)?;
        Ok(own)
    }

    /// Writes the files of a crate with its suite, also into a folder that was deleted.
    pub fn create(&self, name: &str) -> Result<()> {
        self.configure(UNOPTIMISED_DEPENDENCIES)?;
        self.write_suite(name, LIBRARY, BENCH)
    }

    fn write_suite(&self, name: &str, source: &str, suite: &str) -> Result<()> {
        let manifest = manifest(name);
        let dependency = format!("benchbook = {{ path = {:?}, default-features = false }}", library()?);
        let bench = "[[bench]]\nname = \"mixing\"\nharness = false";
        let manifest = format!("{manifest}\n[dev-dependencies]\n{dependency}\n\n{bench}\n\n[workspace]\n");
        self.write("Cargo.toml", &manifest)?;
        self.write("src/lib.rs", source)?;
        self.write("benches/mixing.rs", suite)?;
        self.lock("Cargo.lock")
    }

    /// The folder in which the tool stores builds and results.
    pub fn output(&self) -> PathBuf {
        self.target.join("benchbook")
    }

    /// Compiles dependencies as users do, for benches. Tests compile them without optimisation.
    pub fn optimise_dependencies(&self) -> Result<()> {
        self.configure("")
    }

    /// Writes cargo's configuration. `profile`: settings of the profile.
    fn configure(&self, profile: &str) -> Result<()> {
        // Crates with another output folder share compiled dependencies. For the others this is cargo's default.
        let build = format!("[build]\ntarget-dir = {:?}\nbuild-dir = {:?}\n", self.target, shared_target()?);
        self.write(".cargo/config.toml", &format!("{build}\n[net]\noffline = true\n\n{profile}"))?;
        self.write(".gitignore", "/target\n/history\n")
    }

    /// Writes a copy of this workspace's lock file, so that nothing is downloaded.
    pub fn lock(&self, file: &str) -> Result<()> {
        self.write(file, &fs::read_to_string(workspace()?.root().join("Cargo.lock"))?)
    }

    /// The folder of the crate.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file, as an editor saves it.
    pub fn write(&self, file: &str, text: &str) -> Result<()> {
        let path: PathBuf = self.folder.path().join(file);
        fs::create_dir_all(path.parent().context("the file has no folder (this is a bug)")?)?;
        Ok(fs::write(path, text)?)
    }

    /// Copies the sources of a crate, without its lock file.
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
    pub fn head(&self) -> Result<String> {
        let git = Command::new("git").current_dir(self.path()).args(["rev-parse", "HEAD"]).output()?;
        ensure!(git.status.success(), "{}", String::from_utf8_lossy(&git.stderr));
        Ok(String::from_utf8(git.stdout)?.trim().to_owned())
    }

    /// Runs `cargo benchbook` in the folder of the crate, without wasm-opt.
    pub fn command(&self, arguments: &[&str]) -> Result<Command> {
        let mut command = Command::new(program("cargo-benchbook", "dev")?);
        // As cargo starts it.
        command.current_dir(self.path()).arg("benchbook").args(arguments).env("PATH", path_without_wasm_opt()?);
        command.env_remove("CARGO_TARGET_DIR").env("BENCHBOOK_PATH", library()?);
        // The history of this machine would be that of other tests.
        command.env("XDG_DATA_HOME", self.output().join("data"));
        Ok(command)
    }

    /// Starts `cargo benchbook serve` on a free port.
    pub fn serve(&self, arguments: &[&str]) -> Result<Served> {
        self.serve_with(arguments, |_| {})
    }

    /// As [`Self::serve`], with a changed command.
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

/// The start of the manifest of a package with the library `own`.
fn manifest(name: &str) -> String {
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\nrepository = \"https://github.com/ada/own\"\n\n\
         [lib]\nname = \"own\"\n"
    )
}

/// The folder of compiled dependencies.
fn shared_target() -> Result<PathBuf> {
    Ok(workspace()?.target().join("own-crate"))
}

/// The folder of the library `benchbook`, which is not published yet.
pub fn library() -> Result<PathBuf> {
    Ok(workspace()?.root().join("engine"))
}
